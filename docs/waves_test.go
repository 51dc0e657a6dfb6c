// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traces"
)

// routerNode is the node whose router is driven alone in a diagram with ports.
const routerNode = 0

// lane is a signal of a diagram, cycle by cycle.
type lane struct {
	group  string   // "node 2", "port 0", "node" or ""
	name   string   // of the port
	values []string // "0", "1", "x", or the label of a word
	wave   string   // as it stands in the file
}

// full names a lane in messages and in the maps below.
func (l lane) full() string { return strings.TrimSpace(l.group + " " + l.name) }

func (l lane) isData() bool {
	return strings.HasSuffix(l.name, "_tdata") || strings.HasSuffix(l.name, "_tid")
}

// isInput reports whether a port of a network or router is driven from outside.
func (l lane) isInput() bool {
	handshake := strings.HasPrefix(l.name, "s_axis")
	return l.name == "rst" || handshake != strings.HasSuffix(l.name, "_tready") && l.name != "header_error"
}

// diagram is a timing diagram of docs/waves.
type diagram struct {
	name   string
	lanes  map[string]lane
	cycles int
}

// readDiagram reads the WaveDrom source of a diagram. Only what the tests can check may be
// drawn: levels, words, and x.
func readDiagram(t *testing.T, file string) diagram {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var source struct {
		Head   map[string]any
		Config map[string]any
		Signal []json.RawMessage
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&source), file)
	d := diagram{name: strings.TrimSuffix(filepath.Base(file), ".json"), lanes: map[string]lane{}}
	for _, raw := range source.Signal {
		group := ""
		members := []json.RawMessage{raw}
		if bytes.HasPrefix(raw, []byte("[")) {
			require.NoError(t, json.Unmarshal(raw, &members))
			require.NoError(t, json.Unmarshal(members[0], &group))
			members = members[1:]
		}
		for _, member := range members {
			var signal struct {
				Name, Wave string
				Data       []string
			}
			require.NoError(t, json.Unmarshal(member, &signal))
			l := lane{group: group, name: signal.Name, wave: signal.Wave}
			for _, c := range signal.Wave {
				switch {
				case c == '.':
					l.values = append(l.values, l.values[len(l.values)-1])
				case c >= '2' && c <= '9':
					require.NotEmpty(t, signal.Data, "%s: %s has more words than labels", file, l.full())
					l.values = append(l.values, signal.Data[0])
					signal.Data = signal.Data[1:]
				case c == '0' || c == '1' || c == 'x' || c == 'p':
					l.values = append(l.values, string(c))
				default:
					t.Fatalf("%s: %s: the tests know no wave %c", file, l.full(), c)
				}
			}
			require.Empty(t, signal.Data, "%s: %s has more labels than words", file, l.full())
			if l.name == "clk" {
				d.cycles = len(l.values)
				continue
			}
			require.NotContains(t, d.lanes, l.full(), file)
			require.Len(t, l.values, d.cycles, "%s: cycles of %s", file, l.full())
			d.lanes[l.full()] = l
		}
	}
	return d
}

// at is the value of a lane in a cycle; of one that is not drawn, the given value.
func (d diagram) at(name string, cycle int, otherwise string) string {
	if l, ok := d.lanes[name]; ok {
		return l.values[cycle]
	}
	return otherwise
}

// ofRouter reports whether the diagram is that of a router driven alone.
func (d diagram) ofRouter() bool {
	_, ok := d.lanes["port 0 s_axis_link_tvalid"]
	return ok
}

// differences lists the outputs drawn that a design did otherwise, from the given cycle on;
// got has its values by cycle and lane. A word that is not valid is drawn as x.
func (d diagram) differences(t *testing.T, first int, got []map[string]string) []string {
	t.Helper()
	var all []string
	compared := 0
	for _, name := range sorted(d.lanes) {
		l := d.lanes[name]
		if l.isInput() {
			continue
		}
		valid := regexp.MustCompile(`_t(data|id)$`).ReplaceAllString(name, "_tvalid")
		var have []string
		for c := first; c < d.cycles; c++ {
			value, ok := got[c-first][name]
			require.True(t, ok, "%s: nothing known of %s", d.name, name)
			if l.isData() && got[c-first][valid] != "1" {
				value = "x"
			}
			have = append(have, value)
			compared++
		}
		if !slices.Equal(have, l.values[first:]) {
			all = append(all, fmt.Sprintf("docs/waves/%s.json: %s from cycle %d on is drawn as %s, but is %s",
				d.name, name, first, waveOf(l.values[first:]), waveOf(have)))
		}
	}
	require.Greater(t, compared, 10)
	return all
}

// waveOf writes values as a wave and its labels.
func waveOf(values []string) string {
	wave, last, labels := "", "", []string{}
	for _, value := range values {
		switch {
		case value == last:
			wave += "."
		case value == "0" || value == "1" || value == "x":
			wave += value
		default:
			wave += "="
			labels = append(labels, value)
		}
		last = value
	}
	return wave + " " + strings.Join(labels, " ")
}

// word is a label as a number, and a number as a label.
func word(t *testing.T, label string) uint32 {
	t.Helper()
	n, err := strconv.ParseUint(label, 16, 8)
	require.NoError(t, err)
	return uint32(n)
}

func label(payload uint32) string { return fmt.Sprintf("%02x", payload) }

var linkLabel = regexp.MustCompile(`^\{(\d), (\d), (\d), ([0-9a-f]{2})\}$`)

// linkWord reads the label of a word on a link, {wd, wc, source, payload}. Its payload
// takes the place of the number of the message.
func linkWord(t *testing.T, text string) sim.Message {
	t.Helper()
	m := linkLabel.FindStringSubmatch(text)
	require.NotNil(t, m, text)
	return sim.Message{WD: uint8(m[1][0] - '0'), WC: uint32(m[2][0] - '0'), Source: uint32(m[3][0] - '0'), Seq: word(t, m[4])}
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// modelNetwork lets the routers of the reference model do what the inputs drawn say, from
// the given cycle after reset on.
func (d diagram) modelNetwork(t *testing.T, p *plan.Plan, first int) []map[string]string {
	t.Helper()
	routers := make([]*model.Router, p.Nodes)
	in := make([]sim.Inputs, p.Nodes)
	out := make([]sim.Outputs, p.Nodes)
	for n := range routers {
		routers[n] = model.NewRouter(p, n)
	}
	var all []map[string]string
	for c := first; c < d.cycles; c++ {
		for n := range in {
			lane := fmt.Sprintf("node %d ", n)
			in[n] = sim.Inputs{LocalValid: d.at(lane+"s_axis_tvalid", c, "0") == "1"}
			if in[n].LocalValid {
				in[n].LocalSeq = word(t, d.at(lane+"s_axis_tdata", c, ""))
			}
			if d.at(lane+"m_axis_tready", c, "1") == "1" {
				in[n].LocalReady = 1
			}
		}
		// What is valid on the links are registers, ready follows from that, so the third
		// time nothing changes any more.
		for range 3 {
			for n := range routers {
				in[n].LinkValid, in[n].LinkReady = 0, 0
				for port, link := range p.Ports {
					other := p.Machine.Graph.Neighbor(n, port)
					if out[other].LinkValid>>link.Opposite&1 == 1 {
						in[n].LinkValid |= 1 << port
						in[n].Link[port] = out[other].Link[link.Opposite]
					}
					in[n].LinkReady |= out[other].LinkReady >> link.Opposite & 1 << port
					in[n].LinkPace[port] = out[other].Pace
				}
			}
			for n, r := range routers {
				r.Evaluate(&in[n], &out[n])
			}
		}
		values := map[string]string{}
		for n, r := range routers {
			lane := fmt.Sprintf("node %d ", n)
			values[lane+"s_axis_tvalid"] = bit(in[n].LocalValid)
			values[lane+"s_axis_tready"] = bit(out[n].LocalReady)
			values[lane+"m_axis_tvalid"] = bit(out[n].LocalValid == 1)
			values[lane+"m_axis_tdata"] = label(out[n].Local[0].Seq)
			values[lane+"m_axis_tid"] = fmt.Sprint(out[n].Local[0].Source)
			r.Step()
		}
		all = append(all, values)
	}
	return all
}

// modelRouter is modelNetwork for a router driven alone.
func (d diagram) modelRouter(t *testing.T, p *plan.Plan) []map[string]string {
	t.Helper()
	r := model.NewRouter(p, routerNode)
	var all []map[string]string
	for c := range d.cycles {
		in := sim.Inputs{LinkReady: 1<<p.Degree - 1, LocalReady: 1}
		for port := range p.Ports {
			lane := fmt.Sprintf("port %d ", port)
			if d.at(lane+"s_axis_link_tvalid", c, "0") == "1" {
				in.LinkValid |= 1 << port
				in.Link[port] = linkWord(t, d.at(lane+"s_axis_link_tdata", c, ""))
			}
		}
		var out sim.Outputs
		r.Evaluate(&in, &out)
		values := map[string]string{
			"node m_axis_local_tvalid": bit(out.LocalValid == 1),
			"node m_axis_local_tdata":  label(out.Local[0].Seq),
			"node m_axis_local_tid":    fmt.Sprint(out.Local[0].Source),
		}
		for port := range p.Ports {
			lane := fmt.Sprintf("port %d ", port)
			values[lane+"s_axis_link_tready"] = bit(out.LinkReady>>port&1 == 1)
			values[lane+"header_error"] = bit(out.HeaderError>>port&1 == 1)
		}
		r.Step()
		all = append(all, values)
	}
	return all
}

// reset is the first cycle after the last reset drawn.
func (d diagram) reset() int {
	first := 0
	for c := range d.cycles {
		if d.at("rst", c, "0") == "1" {
			first = c + 1
		}
	}
	return first
}

// ring returns the machine of the diagrams, as the page describes it.
func ring(t *testing.T) *plan.Plan {
	t.Helper()
	for _, f := range read(t, usage).fences {
		if f.file() == "ring4.hcl" {
			return plan.New(loaded(t, f.text))
		}
	}
	t.Fatalf("%s does not describe ring4", usage)
	return nil
}

func diagrams(t *testing.T) []diagram {
	t.Helper()
	files, err := filepath.Glob("waves/*.json")
	require.NoError(t, err)
	var all []diagram
	for _, file := range files {
		if !strings.HasPrefix(filepath.Base(file), "package") {
			all = append(all, readDiagram(t, file))
		}
	}
	require.Greater(t, len(all), 4)
	return all
}

func TestTimingDiagramsAreWhatTheModelDoes(t *testing.T) {
	p := ring(t)
	for _, d := range diagrams(t) {
		first := d.reset()
		var got []map[string]string
		if d.ofRouter() {
			got = d.modelRouter(t, p)
		} else {
			got = d.modelNetwork(t, p, first)
		}
		assert.Empty(t, d.differences(t, first, got))

		// Whatever output is drawn wrongly in whatever cycle, it is found.
		for name, l := range d.lanes {
			for c := first; c < d.cycles && !l.isInput(); c++ {
				right := l.values[c]
				l.values[c] = map[string]string{"0": "1", "1": "0"}[right]
				require.Len(t, d.differences(t, first, got), 1, "%s: %s is wrong in cycle %d", d.name, name, c)
				l.values[c] = right
			}
		}
	}
}

// What is offered stays until it is taken, on both sides.
func TestTimingDiagramsKeepAXI4Stream(t *testing.T) {
	offers := 0
	for _, d := range diagrams(t) {
		for name, l := range d.lanes {
			stream, isValid := strings.CutSuffix(name, "tvalid")
			if !isValid {
				continue
			}
			for c := range d.cycles - 1 {
				if l.values[c] == "1" && d.at(stream+"tready", c, "1") == "0" && d.at("rst", c, "0") == "0" {
					assert.Equal(t, "1", l.values[c+1], "%s: %s after cycle %d", d.name, name, c)
					assert.Equal(t, d.at(stream+"tdata", c, ""), d.at(stream+"tdata", c+1, ""), "%s: %s after cycle %d", d.name, name, c)
					offers++
				}
			}
		}
	}
	assert.Greater(t, offers, 10)
}

// vector returns what belongs on all bits of an input in a cycle, the highest first.
func (d diagram) vector(t *testing.T, p *plan.Plan, s plan.Wire, cycle int) string {
	t.Helper()
	lanes := p.Nodes
	group := func(i int) string { return fmt.Sprintf("node %d ", i) }
	if d.ofRouter() {
		group = func(i int) string { return fmt.Sprintf("port %d ", i) }
		lanes = p.Degree
		if strings.Contains(s.Name, "_local_") {
			group = func(int) string { return "node " }
			lanes = 1
		}
	}
	text := ""
	for i := lanes - 1; i >= 0; i-- {
		width := s.Width() / lanes
		switch value := d.at(group(i)+s.Name, cycle, map[bool]string{true: "1", false: "0"}[strings.HasSuffix(s.Name, "_tready")]); {
		case strings.HasSuffix(s.Name, "_tdata") && (value == "x" || value == "0"):
			text += strings.Repeat("x", width) // nobody looks at it
		case s.Name == "s_axis_link_tdata":
			m := linkWord(t, value)
			text += fmt.Sprintf("%0*b%0*b%0*b%0*b", p.WdBits, m.WD, p.WcBits, m.WC, p.SourceBits, m.Source, p.PayloadBits, m.Seq)
		case strings.HasSuffix(s.Name, "_tdata"):
			text += fmt.Sprintf("%0*b", width, word(t, value))
		default:
			text += value
		}
	}
	return text
}

// bench is a Verilog bench that drives the inputs drawn and prints all outputs just before
// the clock edge that ends each cycle.
func (d diagram) bench(t *testing.T, p *plan.Plan) (text string, outputs []plan.Wire) {
	t.Helper()
	module, wires, constant := p.NetworkModule, p.NetworkWires(), ""
	if d.ofRouter() {
		module, wires, constant = p.RouterModule, p.RouterWires(), fmt.Sprintf(", .node_id(%d'd%d)", p.SourceBits, routerNode)
	}
	var inputs []plan.Wire
	for _, w := range wires[2:] { // without clk and rst
		switch {
		case w.Output:
			outputs = append(outputs, w)
		case w.Network != plan.Constant:
			inputs = append(inputs, w)
		}
	}
	var b, ports strings.Builder
	fmt.Fprintf(&b, "module bench;\nreg clk = 0, rst = 1;\n")
	for _, s := range inputs {
		fmt.Fprintf(&b, "reg [%d:0] %s;\n", s.Width()-1, s.Name)
		fmt.Fprintf(&ports, ", .%s(%s)", s.Name, s.Name)
	}
	format, names := "", ""
	for _, s := range outputs {
		fmt.Fprintf(&b, "wire [%d:0] %s;\n", s.Width()-1, s.Name)
		fmt.Fprintf(&ports, ", .%s(%s)", s.Name, s.Name)
		format += " %b"
		names += ", " + s.Name
	}
	fmt.Fprintf(&b, "%s dut (.clk(clk), .rst(rst)%s%s);\ninitial begin\n", module, constant, ports.String())
	for c := -1; c < d.cycles; c++ {
		// Without a reset in the diagram there is one before it.
		if c < 0 {
			if _, drawn := d.lanes["rst"]; drawn {
				continue
			}
		}
		fmt.Fprintf(&b, "rst = %s;\n", d.at("rst", max(c, 0), bit(c < 0)))
		for _, s := range inputs {
			fmt.Fprintf(&b, "%s = %d'b%s;\n", s.Name, s.Width(), d.vector(t, p, s, max(c, 0)))
		}
		fmt.Fprintf(&b, "#1 ")
		if c >= 0 {
			fmt.Fprintf(&b, "$display(\"cycle%s\"%s);", format, names)
		}
		fmt.Fprintf(&b, " clk = 1; #1 clk = 0;\n")
	}
	fmt.Fprintf(&b, "$finish;\nend\nendmodule\n")
	return b.String(), outputs
}

// laneValues takes apart what the bench has printed of a cycle.
func (d diagram) laneValues(p *plan.Plan, outputs []plan.Wire, printed []string) map[string]string {
	values := map[string]string{}
	for i, s := range outputs {
		lanes, group := p.Nodes, "node %d "
		if d.ofRouter() {
			lanes, group = p.Degree, "port %d "
		}
		if strings.Contains(s.Name, "_local_") {
			lanes, group = 1, "node "
		}
		if s.Width() < lanes {
			lanes, group = 1, ""
		}
		width := s.Width() / lanes
		for n := range lanes {
			bits := printed[i][s.Width()-(n+1)*width:][:width]
			name := group + s.Name
			if strings.Contains(group, "%d") {
				name = fmt.Sprintf(name, n)
			}
			values[name] = bits
			if number, err := strconv.ParseUint(bits, 2, 32); err == nil && strings.HasSuffix(s.Name, "_tdata") {
				values[name] = label(uint32(number))
			} else if err == nil && strings.HasSuffix(s.Name, "_tid") {
				values[name] = fmt.Sprint(number)
			}
		}
	}
	return values
}

// rtl writes the Verilog of the machine into a folder and lists its files.
func rtl(t *testing.T, p *plan.Plan) []string {
	t.Helper()
	files, err := assemble.Files(p, assemble.Options{})
	require.NoError(t, err)
	dir := t.TempDir()
	var names []string
	for _, f := range files {
		if strings.HasPrefix(f.Path, "rtl/") {
			name := filepath.Join(dir, filepath.Base(f.Path))
			var text bytes.Buffer
			require.NoError(t, f.Content(&text))
			require.NoError(t, os.WriteFile(name, text.Bytes(), 0o644))
			names = append(names, name)
		}
	}
	require.NotEmpty(t, names)
	return names
}

func TestTimingDiagramsAreWhatTheVerilogDoes(t *testing.T) {
	p := ring(t)
	sources := rtl(t, p)
	for _, d := range diagrams(t) {
		dir := t.TempDir()
		text, outputs := d.bench(t, p)
		bench := filepath.Join(dir, "bench.v")
		require.NoError(t, os.WriteFile(bench, []byte(text), 0o644))
		program := filepath.Join(dir, "bench")
		message, err := exec.Command("iverilog", append([]string{"-g2005", "-s", "bench", "-o", program, bench}, sources...)...).CombinedOutput()
		require.NoError(t, err, "%s", message)
		printed, err := exec.Command("vvp", "-n", program).Output()
		require.NoError(t, err)
		var got []map[string]string
		for _, line := range strings.Split(string(printed), "\n") {
			if words := strings.Fields(line); len(words) > 0 && words[0] == "cycle" {
				got = append(got, d.laneValues(p, outputs, words[1:]))
			}
		}
		require.Len(t, got, d.cycles, "%s", printed)
		assert.Empty(t, d.differences(t, 0, got))
	}
}

// A picture has the hash of the source that it was made from, and every label of it.
func TestPicturesOfTimingDiagramsAreMadeFromTheirSources(t *testing.T) {
	p := read(t, usage)
	for _, d := range diagrams(t) {
		source, err := os.ReadFile("waves/" + d.name + ".json")
		require.NoError(t, err)
		picture, err := os.ReadFile("waves/" + d.name + ".svg")
		require.NoError(t, err, "make pictures")
		assert.Contains(t, string(picture), fmt.Sprintf("<!-- docs/waves/%s.json, sha256 %x -->", d.name, sha256.Sum256(source)),
			"docs/waves/%s.svg is not made from its source: make pictures", d.name)
		for _, l := range d.lanes {
			assert.Contains(t, string(picture), ">"+l.name+"<", d.name)
		}
		assert.Contains(t, p.text, "](waves/"+d.name+".svg)")
	}
	pictures, err := filepath.Glob("waves/*.svg")
	require.NoError(t, err)
	assert.Len(t, pictures, len(diagrams(t)), "pictures without a source")
}

// The page says that a lone sender is not slowed down, and how many messages can be under way.
func TestFiguresOfUsingTheNetworkAreThoseOfTheModel(t *testing.T) {
	torus, _, diags := machine.Load("../configs/torus4x4.hcl", nil)
	require.False(t, diags.HasErrors())
	const messages = 900
	var trace bytes.Buffer
	_, err := traces.WriteNetwork(&trace, plan.New(torus), machine.Traffic{Name: "solo", Cycles: messages, Sends: make([]machine.Send, messages)}, nil)
	require.NoError(t, err)
	taken := regexp.MustCompile(`(?m)^\d+ 0 s_local 1 `).FindAllString(trace.String(), -1)
	assert.Len(t, taken, messages, "one in every cycle")
	text := strings.Join(strings.Fields(read(t, usage).text), " ")
	assert.Contains(t, text, "so a lone sender is not slowed down")

	places := func(p *plan.Plan) int {
		n := p.Deliveries
		for _, port := range p.Ports {
			if port.Fed { // its register, and the slots at the other end of the link
				n += 1 + p.InputSlots
			}
		}
		return n
	}
	assert.Contains(t, text, fmt.Sprintf("4 times %d in the ring of 4, 16 times %d in the 4x4 torus", places(ring(t)), places(plan.New(torus))))
}
