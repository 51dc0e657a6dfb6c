// SPDX-License-Identifier: Apache-2.0

package verify_test

import (
	"errors"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/certificate"
	"github.com/hcgen/hcgen/internal/certificate/verify"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

func certify(t require.TestingT, p hypercycle.Preference, name string, dims ...hypercycle.Dimension) string {
	m, err := machine.Bare(dims...)
	require.NoError(t, err)
	m.Name, m.Preference = name, p
	return made(t, m)
}

func made(t require.TestingT, m *machine.Machine) string {
	data, err := certificate.New(plan.New(m)).Encode()
	require.NoError(t, err)
	return string(data)
}

// goodPorts is the certificate of the same machine with two stages and a delivery for each link.
func goodPorts(t require.TestingT) string {
	m, err := machine.Bare(hypercycle.Dimension{M: 5, Rho: 1}, hypercycle.Dimension{M: 6, Rho: 2})
	require.NoError(t, err)
	m.Name, m.Stages, m.Delivery = "m", 2, machine.PerPort
	return made(t, m)
}

// good is the certificate that the tests break: ports 0 and 1 in dimension 1, a ring
// of 5; ports 2 to 5 in dimension 2, (6,2), where 3 and 5 are ring ports.
func good(t require.TestingT) string {
	return certify(t, hypercycle.Clockwise, "m", hypercycle.Dimension{M: 5, Rho: 1}, hypercycle.Dimension{M: 6, Rho: 2})
}

// first returns the first fault and its line; line 0 is none.
func first(err error) (line int, text string) {
	var malformed *verify.Malformed
	var rejected *verify.Rejected
	switch {
	case errors.As(err, &malformed):
		return malformed.Line, malformed.Text
	case errors.As(err, &rejected):
		return rejected.Faults[0].Line, rejected.Faults[0].Text
	}
	return 0, ""
}

func lineOf(t *testing.T, text, part string) int {
	t.Helper()
	require.Contains(t, text, part)
	before, _, _ := strings.Cut(text, part)
	return 1 + strings.Count(before, "\n")
}

func TestBrokenCertificatesAreRejected(t *testing.T) {
	const (
		edge  = `    {"from":"input 5","to":"group 1","at":"node","rule":"ask"},` + "\n"
		loop  = `    {"from":"input 5","to":"port 3","at":"node","rule":"continue"},` + "\n"
		pass  = `    {"from":"port 3","to":"input 5","at":"neighbor","rule":"pass"},` + "\n"
		send  = `    {"from":"port 2","to":"input 4","at":"neighbor","rule":"send"},` + "\n"
		enter = `    {"from":"group 2","to":"port 3","at":"node","rule":"enter"},` + "\n"
		move  = `    {"from":"input 4","to":"port 3","at":"node","rule":"transfer"},` + "\n"
		port  = `    {"name":"port 2","kind":"entry","dimension":2,"direction":"clockwise","distance":1,"depth":1,"order":7},` + "\n"
		slots = `    {"name":"input 4","kind":"input","dimension":2,"direction":"counterclockwise","distance":1,"depth":1,"order":6},` + "\n"
		place = `    {"name":"input 5","kind":"input","dimension":2,"direction":"counterclockwise","distance":2,"depth":1,"order":5},` + "\n"
		rule  = `"port":"port 3","input":"input 5","slots":2,"continue_first":true`
		rings = `[{"first":0,"step":2,"length":3},{"first":1,"step":2,"length":3}]`
	)
	for _, c := range []struct {
		name, old, new string
		at             string // a part of the broken text in the line that is named
		says           string
	}{
		{"an edge is missing", edge, "", `"edges"`, `edge from "input 5" to "group 1" of the "node" by rule "ask" is missing`},
		{"a ring's edge is missing", loop, "", `"edges"`, `by rule "continue" is missing`},
		{"an edge too many", edge, edge + strings.Replace(edge, "group 1", "group 2", 1), `"input 5","to":"group 2"`, "nothing waits like this in the machine"},
		{"an edge twice", edge, edge + strings.Replace(edge, `","to"`, `", "to"`, 1), `"input 5", "to"`, "is listed twice"},
		{"an edge to another node", edge, strings.Replace(edge, "node", "neighbor", 1), `"input 5","to":"group 1"`, "nothing waits like this"},
		{"an edge to nowhere", edge, strings.Replace(edge, "group 1", "group 9", 1), `group 9`, "nothing waits like this"},

		{"the port skips the input", pass, strings.Replace(pass, "input 5", "port 3", 1), `"from":"port 3","to":"port 3"`, "nothing waits like this"},
		{"the port leads to another link", pass, strings.Replace(pass, "input 5", "input 3", 1), `"from":"port 3"`, "nothing waits like this"},
		{"the port leads to its own node", pass, strings.Replace(pass, "neighbor", "node", 1), `"from":"port 3"`, "nothing waits like this"},
		{"the port leads nowhere", pass, "", `"edges"`, `edge from "port 3" to "input 5" of the "neighbor" by rule "pass" is missing`},
		{"a port sends as in a ring", send, strings.Replace(send, "send", "pass", 1), `"from":"port 2"`, "nothing waits like this"},
		{"a ring port sends as if outside", pass, strings.Replace(pass, "pass", "send", 1), `"from":"port 3"`, "nothing waits like this"},
		{"a transfer by the rule of the ring", move, strings.Replace(move, "transfer", "continue", 1), `"from":"input 4","to":"port 3"`, "nothing waits like this"},
		{"a message that continues enters", loop, strings.Replace(loop, "continue", "enter", 1), `"from":"input 5","to":"port 3"`, "nothing waits like this"},
		{"the group by the rule of the ring", enter, strings.Replace(enter, "enter", "continue", 1), `"from":"group 2","to":"port 3"`, "nothing waits like this"},
		{"a transfer into another ring", move, strings.Replace(move, "port 3", "port 5", 1), `"from":"input 4","to":"port 5"`, "nothing waits like this"},

		{"what enters goes first", rule, strings.Replace(rule, "true", "false", 1), `"continue_first":false`, "port 3: messages that continue must go first, or the ring fills up"},
		{"a ring of one slot for each node", rule, strings.Replace(rule, `"slots":2`, `"slots":1`, 1), `"slots":1`, "port 3: 1 slots for each node of a ring, want 2: the output register and the slots of the link input"},
		{"a ring with another input", rule, strings.Replace(rule, "input 5", "input 4", 1), `"port":"port 3"`, `port 3: it leads to "input 4", want "input 5"`},

		{"dimensions in another order", `[{"m":5,"rho":1},{"m":6,"rho":2}]`, `[{"m":6,"rho":2},{"m":5,"rho":1}]`, `"port 0"`, `resource "port 0" is kind "ring"`},
		{"the order of the dimensions", `"kind":"group","dimension":1,"order":4`, `"kind":"group","dimension":1,"order":6`, `"from":"input 4","to":"group 1"`, "waits upwards: from order 6 to order 6"},
		{"no order", `"kind":"delivery","depth":1,"order":0`, `"kind":"delivery","depth":1,"order":1`, `"from":"input 1","to":"delivery"`, "waits upwards: from order 1 to order 1"},
		{"an input below what it waits for", slots, strings.Replace(slots, `"order":6`, `"order":5`, 1), move, "waits upwards: from order 5 to order 5"},
		{"an input above the port that sends", slots, strings.Replace(slots, `"order":6`, `"order":7`, 1), send, "waits upwards: from order 7 to order 7"},
		{"a port above its group", port, strings.Replace(port, `"order":7`, `"order":8`, 1), `"from":"group 2","to":"port 2"`, "waits upwards: from order 8 to order 8"},

		{"slots of another number", `"fifo_depth":2`, `"fifo_depth":3`, `"name":"input 1"`, `depth 1, want kind "input", dimension 1, direction "counterclockwise", distance 1, depth 2`},
		{"two delivery registers", `"kind":"delivery","depth":1`, `"kind":"delivery","depth":2`, `"name":"delivery"`, `depth 2, want kind "delivery", depth 1`},
		{"an input without slots", slots, strings.Replace(slots, `"depth":1,`, ``, 1), `"name":"input 4"`, `distance 1, depth 0, want kind "input", dimension 2, direction "counterclockwise", distance 1, depth 1`},
		{"an input of two slots", place, strings.Replace(place, `"depth":1`, `"depth":2`, 1), `"name":"input 5"`, `distance 2, depth 2, want kind "input", dimension 2, direction "counterclockwise", distance 2, depth 1`},
		{"two output registers", port, strings.Replace(port, `"depth":1`, `"depth":2`, 1), `"port 2","kind":"entry"`, `depth 2, want kind "entry", dimension 2, direction "clockwise", distance 1, depth 1`},
		{"the input is missing", slots, "", `"resources"`, `resource "input 4" is missing: kind "input", dimension 2, direction "counterclockwise", distance 1, depth 1`},
		{"another kind", `"kind":"ring","dimension":2`, `"kind":"entry","dimension":2`, `"port 3"`, `kind "entry"`},
		{"a resource twice", `{"name":"local"`, `{"name":"port 0"`, `{"name":"port 0","kind":"local"`, "is listed twice"},
		{"a resource of no machine", `{"name":"local"`, `{"name":"lokal"`, `lokal`, "the machine has none of this name"},
		{"a resource is missing", `    {"name":"group 2","kind":"group","dimension":2,"order":8},` + "\n", "", `"resources"`, `resource "group 2" is missing: kind "group", dimension 2, depth 0`},

		{"a ring with a node of another", rings, strings.Replace(rings, `"first":1`, `"first":2`, 1), `"first":2`, "port 3: the ring from 2 comes to 2, which is in a ring already"},
		{"a ring that leaves a node out", rings, strings.Replace(rings, `"length":3`, `"length":2`, 1), `"length":2`, "port 3: the ring from 0 does not close after 2 nodes, it comes to 4"},
		{"a ring that goes round twice", rings, strings.Replace(rings, `"length":3`, `"length":6`, 1), `"length":6`, "comes to 0, which is in a ring already"},
		{"a ring that takes other links", rings, strings.Replace(rings, `"step":2`, `"step":-2`, 1), `{"first":0,"step":-2,"length":3},{"first":1,"step":2`, "has step -2, want 2, as the port leads"},
		{"a ring is missing", rings, `[{"first":0,"step":2,"length":3}]`, `"port":"port 3"`, "the rings have 3 nodes, want 6, all of a line"},
		{"a ring outside", rings, strings.Replace(rings, `"first":1`, `"first":6`, 1), `"first":6`, "begins at 6, want a digit 0..5"},
		{"a ring from elsewhere", rings, strings.Replace(rings, `"first":0`, `"first":4`, 1), `"first":4`, "comes to 0, want its smallest digit first"},
		{"an endless ring", rings, strings.Replace(rings, `"length":3`, `"length":2147483647`, 1), `2147483647`, "has length 2147483647, want 1..6"},
		{"rings of another port", rule, strings.Replace(rule, "port 3", "port 2", 1), `"port":"port 2"`, `"port 2" is not a ring port of the machine`},
		{"rings are missing", `    {"port":"port 3","input":"input 5"`, `    {"port":"port 1","input":"input 0"`, `"port":"port 1","input":"input 0","slots":2,"continue_first":true,"lines":5`, `the rings of "port 1" are listed twice`},
		{"lines of another machine", `"lines":5`, `"lines":7`, `"lines":7`, "port 3: 7 lines of nodes, want 5"},

		{"other nodes", `"nodes":30`, `"nodes":31`, `"nodes":31`, "the machine has 31 nodes, want 30, the product of all m"},
		{"an assumption more", `    "links lose`, `    "nobody sends",` + "\n" + `    "links lose`, `"assumptions"`, "the assumptions are not those of the proof"},
		{"another preference", `"clockwise","nodes"`, `"balanced","nodes"`, `"edges"`, `edge from "group 2" to "port 5" of the "node" by rule "enter" is missing`},
	} {
		t.Run(c.name, func(t *testing.T) { rejects(t, good(t), c.old, c.new, c.at, c.says) })
	}
}

// rejects breaks a certificate at one place, and expects the fault at the line with the given part.
func rejects(t *testing.T, text, old, broken, part, says string) {
	t.Helper()
	require.Contains(t, text, old)
	broken = strings.Replace(text, old, broken, 1)
	_, err := verify.Certificate([]byte(broken))
	line, said := first(err)
	var rejected *verify.Rejected
	require.ErrorAs(t, err, &rejected, "well-formed, but wrong")
	require.Contains(t, said, says)
	require.Equal(t, lineOf(t, broken, part), line, said)
}

// The same with two stages and a delivery for each link: port 3 leads to input 5 of the next
// node, and port 2 to input 4.
func TestBrokenCertificatesWithTwoStagesAndDeliveriesOfLinksAreRejected(t *testing.T) {
	const (
		deliver = `    {"from":"input 4","to":"delivery 4","at":"node","rule":"deliver"},` + "\n"
		input   = `    {"name":"input 4","kind":"input","dimension":2,"direction":"counterclockwise","distance":1,"depth":2,"order":6},` + "\n"
		local   = `    {"name":"delivery 4","kind":"delivery","dimension":2,"direction":"counterclockwise","distance":1,"depth":1,"order":0},` + "\n"
	)
	for _, c := range []struct{ name, old, new, at, says string }{
		{"the delivery of another link", deliver, strings.Replace(deliver, "delivery 4", "delivery 5", 1), `"from":"input 4","to":"delivery 5"`, "nothing waits like this"},
		{"the delivery of all links", deliver, strings.Replace(deliver, "delivery 4", "delivery", 1), `"from":"input 4","to":"delivery"`, "nothing waits like this"},
		{"no delivery", deliver, "", `"edges"`, `edge from "input 4" to "delivery 4" of the "node" by rule "deliver" is missing`},
		{"the delivery register is missing", local, "", `"resources"`, `resource "delivery 4" is missing`},
		{"one delivery register more", local, local + strings.Replace(local, "delivery 4", "delivery", 1), `"name":"delivery"`, `resource "delivery": the machine has none of this name`},
		{"an input of one slot", input, strings.Replace(input, `"depth":2`, `"depth":1`, 1), `"name":"input 4"`, "depth 1, want"},
		{"an input of three slots", input, strings.Replace(input, `"depth":2`, `"depth":3`, 1), `"name":"input 4"`, "depth 3, want"},
		{"a ring with one slot less", `"input":"input 5","slots":3`, `"input":"input 5","slots":2`, `"input":"input 5","slots":2`, `port 3: 2 slots for each node of a ring, want 3`},
		{"one stage", `"stages":2`, `"stages":1`, `"name":"input 1"`, `depth 2, want kind "input", dimension 1, direction "counterclockwise", distance 1, depth 1`},
		{"one delivery", `"delivery":"per_port"`, `"delivery":"merged"`, `"name":"delivery 1"`, `resource "delivery 1": the machine has none of this name`},
	} {
		t.Run(c.name, func(t *testing.T) { rejects(t, goodPorts(t), c.old, c.new, c.at, c.says) })
	}
}

func TestWhatIsNoCertificateIsMalformed(t *testing.T) {
	for _, c := range []struct{ name, old, new, at, says string }{
		{"unknown field", `{"name":"local"`, `{"more":1,"name":"local"`, `"more"`, `unknown field "more"`},
		{"unknown field of the machine", `"nodes":30`, `"nodes":30,"edges":3`, `"edges":3`, `unknown field "edges"`},
		{"unknown field of a dimension", `"rho":2`, `"rho":2,"rho2":2`, `"rho2"`, `unknown field "rho2"`},
		{"unknown field at the top", `"version": 5`, `"version": 5, "date": "today"`, `"date"`, `unknown field "date"`},
		{"unknown field of a ring", `"length":3`, `"length":3,"width":3`, `"width"`, `unknown field "width"`},
		{"a field in capitals", `"order":0`, `"Order":0`, `"Order"`, `field "order" is missing`},
		{"a field twice", `"order":0`, `"order":0,"order":9`, `"order":9`, `field "order" is given twice`},
		{"a field is missing", `,"order":0`, ``, `"name":"delivery"`, `field "order" is missing`},
		{"a number that is none", `"kind":"group"`, `"kind":"group","depth":0`, `"depth":0`, "depth is 0, want it left out"},
		{"a text that is none", `"kind":"group"`, `"kind":"group","direction":""`, `"direction":""`, "direction is empty, want it left out"},
		{"compressed", "{\n  \"format\"", "\x1f\x8b\b", "\x1f\x8b\b", "it is compressed: unpack it first, with gzip -d"},
		{"another format", `"hcgen-deadlock-certificate"`, `"hcgen-deadlock-certificat"`, `"format"`, `want "hcgen-deadlock-certificate"`},
		{"no fifo_depth", `,"fifo_depth":2`, ``, `"machine"`, `field "fifo_depth" is missing`},
		{"no stages", `,"stages":1`, ``, `"machine"`, `field "stages" is missing`},
		{"three stages", `"stages":1`, `"stages":3`, `"stages"`, "stages is 3, want 1 or 2"},
		{"no delivery", `,"delivery":"merged"`, ``, `"machine"`, `field "delivery" is missing`},
		{"an unknown delivery", `"delivery":"merged"`, `"delivery":"all"`, `"delivery":"all"`, `delivery is "all", want merged or per_port`},
		{"hops of one slot", `"fifo_depth":2`, `"fifo_depth":1`, `"fifo_depth"`, "fifo_depth is 1, want 2..16"},
		{"hops of 17 slots", `"fifo_depth":2`, `"fifo_depth":17`, `"fifo_depth"`, "fifo_depth is 17, want 2..16"},
		{"an older version", `"version": 5`, `"version": 4`, `"version"`, "version is 4, want 5: another version of hcgen has made it"},
		{"a newer version", `"version": 5`, `"version": 6`, `"version"`, "version is 6, want 5: another version of hcgen has made it"},
		{"a field of another name", `"slots"`, `"places"`, `"places"`, `field "slots" is missing`},
		{"a ring without its input", `"input":"input 5",`, ``, `"port":"port 3","slots"`, `field "input" is missing`},
		{"a text for a number", `"m":5`, `"m":"5"`, `"m":"5"`, "m is a text, want a number"},
		{"a number for a text", `"name":"local"`, `"name":1`, `"name":1`, "name is a number, want a text"},
		{"null", `"m":5`, `"m":null`, `"m":null`, "m is null, want a number"},
		{"a fraction", `"m":5`, `"m":5.0`, `"m":5.0`, "m is 5.0, want a whole number of up to 10 digits"},
		{"an exponent", `"m":5`, `"m":5e0`, `"m":5e0`, "m is 5e0, want a whole number"},
		{"a huge exponent", `"m":5`, `"m":1e999999999`, `1e999999999`, "m is 1e999999999, want a whole number"},
		{"a huge number", `"m":5`, `"m":99999999999999999999`, `9999`, "m is 99999999999999999999, want a whole number of up to 10 digits"},
		{"a very huge number", `"m":5`, `"m":` + strings.Repeat("9", 100000), `9999`, "m is " + strings.Repeat("9", 40) + "..,"},
		{"minus zero", `"order":0`, `"order":-0`, `-0`, "order is -0, want a whole number"},
		{"m too large", `"m":5`, `"m":65537`, `65537`, "dimension 1: m is 65537, want 2..65536"},
		{"m too small", `"m":5`, `"m":1`, `"m":1`, "dimension 1: m is 1, want 2..65536"},
		{"m negative", `"m":5`, `"m":-5`, `"m":-5`, "dimension 1: m is -5"},
		{"rho too large", `"m":5,"rho":1`, `"m":5,"rho":3`, `"rho":3`, "dimension 1: rho is 3, want 1..2, half of m"},
		{"rho 0", `"m":5,"rho":1`, `"m":5,"rho":0`, `"rho":0`, "rho is 0"},
		{"too many nodes", `[{"m":5,"rho":1}`, `[{"m":65536,"rho":1},{"m":32767,"rho":1},{"m":2,"rho":1}`, `65536`, "dimension 3: the machine has more than 2147483647 nodes"},
		{"too many ports", `"m":5,"rho":1`, `"m":500,"rho":16`, `"rho":16`, "dimension 1: the degree is above 30"},
		{"no dimension", `[{"m":5,"rho":1},{"m":6,"rho":2}]`, `[]`, `"dimensions"`, "the machine has no dimension"},
		{"a list for an object", `[{"m":5,"rho":1},`, `[[],`, `[[]`, "a dimension is a list, want an object"},
		{"an unknown preference", `"preference":"clockwise"`, `"preference":"clockwize"`, `clockwize`, `preference is "clockwize", want clockwise, counterclockwise or balanced`},
		{"a name with a control character", `"name":"m"`, `"name":"m\u001b[2J"`, `u001b`, `"m\x1b[2J" is not the name of a machine`},
		{"nested deeply", `"order":0`, `"order":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), `[[[`, "nested deeper than 8"},
		{"nested too deeply for JSON", `"order":0`, `"order":` + strings.Repeat("[", 50000) + strings.Repeat("]", 50000), "", "it is not JSON"},
		{"a comma too many", `"order":0}`, `"order":0,}`, `"order":0,}`, "it is not JSON"},
		{"not UTF-8", `"name":"local"`, "\"name\":\"\xff\"", "\xff", "it is not UTF-8"},
		{"more after the end", "]\n}\n", "]\n}\n{}\n", "{}\n", "it is not JSON: invalid character '{' after top-level value"},
		{"too long", "]\n}\n", "]\n}" + strings.Repeat("\n", verify.MaxBytes), "", "it has more than 1048576 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := good(t)
			require.Contains(t, text, c.old)
			broken := strings.Replace(text, c.old, c.new, 1)
			if c.name == "more after the end" {
				broken = text + "{}\n"
			}
			_, err := verify.Certificate([]byte(broken))
			var malformed *verify.Malformed
			require.ErrorAs(t, err, &malformed)
			require.Contains(t, malformed.Text, c.says)
			if c.at != "" {
				require.Equal(t, lineOf(t, broken, c.at), malformed.Line)
			}
		})
	}
}

func TestTruncatedCertificatesAreMalformed(t *testing.T) {
	text := strings.TrimRight(good(t), "\n")
	for n := 1; n < len(text); n++ {
		_, err := verify.Certificate([]byte(text[:n]))
		line, says := first(err)
		require.Contains(t, says, "it ends in the middle", "%d bytes", n)
		require.Equal(t, 1+strings.Count(text[:n], "\n"), line, "%d bytes", n)
	}
	_, err := verify.Certificate([]byte(text))
	require.NoError(t, err)
}

func TestLongListsOfFaultsAreCut(t *testing.T) {
	text := strings.ReplaceAll(good(t), `"at":"node"`, `"at":"moon"`)
	_, err := verify.Certificate([]byte(text))
	var rejected *verify.Rejected
	require.ErrorAs(t, err, &rejected)
	require.Len(t, rejected.Faults, 21)
	assert.Regexp(t, `^and \d+ more$`, rejected.Faults[20].Text)
	assert.Equal(t, rejected.Faults[0].Text, err.Error())
}

func TestResultTellsTheMachine(t *testing.T) {
	result, err := verify.Certificate([]byte(good(t)))
	require.NoError(t, err)
	assert.Equal(t, verify.Result{
		Machine: "m", Preference: "clockwise", Dimensions: []string{"5,1", "6,2"}, Nodes: 30, FIFODepth: 2, Stages: 1, Delivery: "merged",
		Resources: 16, Edges: 29, Rings: 2*6 + 2*2*5,
	}, result)
}

// The verifier imports only the standard library and a reader of JSON, which imports only the standard
// library: it shares no code with the generator.
func TestVerifierIsIndependent(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	readers, err := filepath.Glob("../../strictjson/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, readers)
	files = append(files, readers...)
	checked := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range f.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			require.NoError(t, err)
			if path != "github.com/hcgen/hcgen/internal/strictjson" {
				assert.NotContains(t, path, ".", "%s imports %s", name, path)
			}
			checked++
		}
	}
	assert.Greater(t, checked, 3)
}

// FuzzCertificate: for all bytes, the verifier ends without a panic, and an accepted certificate equals
// that of hcgen for this machine, except for the order and white space.
func FuzzCertificate(f *testing.F) {
	f.Add([]byte(good(f)))
	f.Add([]byte(goodPorts(f)))
	f.Add([]byte(certify(f, hypercycle.Balanced, "b", hypercycle.Dimension{M: 2, Rho: 1})))
	f.Add([]byte(certify(f, hypercycle.Counterclockwise, "c", hypercycle.Dimension{M: 9, Rho: 3}, hypercycle.Dimension{M: 4, Rho: 2})))
	if text, err := os.ReadFile("../testdata/c6_2.json"); err == nil {
		f.Add(text)
	} else {
		f.Fatal(err)
	}
	f.Add([]byte(`{"format":"hcgen-deadlock-certificate","version":5,"machine":{"name":"m","preference":"balanced","dimensions":[]}}`))
	f.Add([]byte("[[[[[[[[[[1]]]]]]]]]]"))
	f.Add([]byte(strings.Replace(good(f), `"kind":"group"`, `"kind":"group","depth":0`, 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		result, err := verify.Certificate(data)
		if err != nil {
			line, says := first(err)
			if line < 1 || line > 1+strings.Count(string(data), "\n") || says == "" || strings.ContainsAny(says, "\x00\x1b\n") {
				t.Fatalf("line %d: %q", line, says)
			}
			return
		}
		var dims []hypercycle.Dimension
		for _, d := range result.Dimensions {
			m, rho, _ := strings.Cut(d, ",")
			a, _ := strconv.Atoi(m)
			b, _ := strconv.Atoi(rho)
			dims = append(dims, hypercycle.Dimension{M: a, Rho: b})
		}
		p, ok := hypercycle.ParsePreference(result.Preference)
		if !ok {
			t.Fatalf("preference %q", result.Preference)
		}
		m, err := machine.Bare(dims...)
		require.NoError(t, err)
		m.Name, m.Preference, m.FIFODepth, m.Stages = result.Machine, p, result.FIFODepth, result.Stages
		if result.Delivery == machine.PerPort.String() {
			m.Delivery = machine.PerPort
		}
		assert.Equal(t, facts(t, made(t, m)), facts(t, string(data)))
	})
}
