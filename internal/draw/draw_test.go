// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/internal/svg"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// machineOf returns a machine of rings written "8,2 4,1", dimension 1 first.
func machineOf(t testing.TB, text string) *machine.Machine {
	t.Helper()
	var rings []hypercycle.Dimension
	for _, f := range strings.Fields(text) {
		var d hypercycle.Dimension
		_, err := fmt.Sscanf(f, "%d,%d", &d.M, &d.Rho)
		require.NoError(t, err)
		rings = append(rings, d)
	}
	m, err := machine.Bare(rings...)
	require.NoError(t, err)
	return m
}

// shapes are machines of every kind of layout.
var shapes = []string{
	"2,1", "3,1", "8,2", "11,3", "16,8", "16,1", "49,1", "50,1", "64,2", "101,1", "40,16", "49,2", "64,8", "100,2", "120,3", "4,1 4,1", "3,1 4,1", "4,1 5,1", "5,1 6,2", "4,2 4,2", "16,1 16,1", "16,4 3,1", "2,1 30,1", "16,8 2,1", "9,4 9,2",
	"2,1 2,1 2,1", "2,1 2,1 2,1 2,1", "2,1 2,1 2,1 2,1 2,1 2,1 2,1 2,1", "5,1 5,1 5,1", "4,1 4,1 4,1", "2,1 3,1 4,2", "3,1 3,1 3,1 3,1", "8,1 8,1 8,1", "5,2 5,2 5,2", "7,3 2,1 2,1 3,1",
}

// anyMachine draws a machine that can be drawn.
func anyMachine(t *rapid.T) *machine.Machine {
	for {
		if m := machines.Draw(t, arbitrary.Limits{Nodes: 100, Rank: 5, Degree: 16}); m.Graph.Links() <= 300 {
			return m
		}
	}
}

func picture(t require.TestingT, m *machine.Machine, s Subject, source int) []byte {
	data, err := SVG(&Picture{Plan: plan.New(m), Subject: s, Source: source})
	require.NoError(t, err)
	return data
}

// drawn is a link as a picture has it.
type drawn struct {
	a, b       int
	step, load string
}

// drawnLinks lists what a picture says of its links.
func drawnLinks(t require.TestingT, data []byte) (all []drawn) {
	for dec := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := dec.Token()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok {
			d := drawn{a: -1}
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "data-link":
					_, err := fmt.Sscan(a.Value, &d.a, &d.b)
					require.NoError(t, err)
				case "data-step":
					d.step = a.Value
				case "data-load":
					d.load = a.Value
				}
			}
			if d.a >= 0 {
				all = append(all, d)
			}
		}
	}
}

// checkLinks checks that the links drawn are those of the machine, each once: pairs of
// nodes at distance 1.
func checkLinks(t require.TestingT, g *hypercycle.Graph, links []drawn) {
	seen := map[[2]int]bool{}
	for _, d := range links {
		key := [2]int{min(d.a, d.b), max(d.a, d.b)}
		require.False(t, seen[key], "%d - %d is drawn twice", d.a, d.b)
		require.Equal(t, 1, g.Distance(d.a, d.b))
		seen[key] = true
	}
	require.Len(t, seen, g.Links())
}

func TestEveryLinkIsDrawnOnceAndTreesAreThoseOfTheBroadcast(t *testing.T) {
	check := func(t require.TestingT, m *machine.Machine, source int) {
		g := m.Graph
		for _, s := range []Subject{Network, Tree, Load} {
			links := drawnLinks(t, picture(t, m, s, source))
			checkLinks(t, g, links)
			if s != Tree {
				continue
			}
			// who receives when, by the formula for the arrival in each ring
			received := map[int]int{source: 0}
			for _, d := range links {
				if d.step == "" {
					continue
				}
				step, err := strconv.Atoi(d.step)
				require.NoError(t, err)
				_, twice := received[d.b]
				require.False(t, twice, "%d receives twice", d.b)
				received[d.b] = step
				want := 0
				for i := 1; i <= g.Rank(); i++ {
					want += g.Dimension(i).Arrival(m.Preference, g.Digit(d.b, i)-g.Digit(source, i))
				}
				require.Equal(t, want, step, "step of %d", d.b)
			}
			require.Len(t, received, g.Nodes())
			for _, d := range links {
				if d.step != "" {
					require.Equal(t, received[d.b], received[d.a]+1, "%d to %d", d.a, d.b)
				}
			}
		}
	}
	for _, text := range shapes {
		m := machineOf(t, text)
		check(t, m, m.Graph.Nodes()/2)
	}
	rapid.Check(t, func(t *rapid.T) {
		m := anyMachine(t)
		check(t, m, rapid.IntRange(0, m.Graph.Nodes()-1).Draw(t, "source"))
	})
}

// Nodes that a message is for, that pass it on, and that do not see it are drawn differently.
func TestTreesOfMessagesTellRelaysFromReceivers(t *testing.T) {
	circle := regexp.MustCompile(`<g data-node="(\d+)"><title>[^<]*</title><circle [^>]*/>`)
	rapid.Check(t, func(t *rapid.T) {
		m := anyMachine(t)
		g := m.Graph
		source := rapid.IntRange(0, g.Nodes()-1).Draw(t, "source")
		to := make(hypercycle.Destination, g.Rank())
		for i := range to {
			to[i] = rapid.IntRange(hypercycle.All, g.Dimension(i+1).M-1).Draw(t, "digit")
		}
		if to.Broadcast() || g.Nobody(to, source) {
			return
		}
		p := &Picture{Plan: plan.New(m), Subject: Tree, Source: source, To: to}
		data, err := SVG(p)
		require.NoError(t, err)
		links := drawnLinks(t, data)
		checkLinks(t, g, links)
		received := map[int]string{}
		for _, d := range links {
			if d.step != "" {
				received[d.b] = d.step
			}
		}
		nodes := circle.FindAllStringSubmatch(string(data), -1)
		require.Len(t, nodes, g.Nodes())
		for _, n := range nodes {
			v, err := strconv.Atoi(n[1])
			require.NoError(t, err)
			dashed := strings.Contains(n[0], `data-relay="`+received[v]+`"`) && strings.Contains(n[0], "stroke-dasharray")
			require.Equal(t, received[v] != "" && !g.Contains(to, source, v), dashed, n[0])
			require.Equal(t, v != source && received[v] == "", strings.Contains(n[0], `stroke="`+grey+`"`), n[0])
		}
	})
}

// The load drawn is what is counted when really every node broadcasts.
func TestLoadIsThatOfAllBroadcasts(t *testing.T) {
	for _, text := range []string{"8,2", "5,1 6,2", "4,2 4,2", "6,3 2,1", "2,1 3,1 4,2", "9,4 3,1"} {
		for preference := range hypercycle.Preference(3) {
			m := machineOf(t, text)
			m.Preference = preference
			sent := map[[2]int]int{}
			directed := map[[2]int]int{} // by sender and port
			for source := range m.Graph.Nodes() {
				m.Graph.Sends(source, preference, func(s hypercycle.Send) {
					sent[[2]int{s.From, s.To}]++
					directed[[2]int{s.From, s.Port}]++
				})
			}
			for port, messages := range loads(plan.New(m)) {
				for v := range m.Graph.Nodes() {
					assert.Equal(t, directed[[2]int{v, port}], messages, "%s, %s: node %d, port %d", text, preference, v, port)
				}
			}
			data := picture(t, m, Load, 0)
			assert.Equal(t, m.Graph.Links(), strings.Count(string(data), "data-load"))
			for _, d := range drawnLinks(t, data) {
				assert.Equal(t, fmt.Sprintf("%d %d", sent[[2]int{d.a, d.b}], sent[[2]int{d.b, d.a}]), d.load, "%s, %s: %d - %d", text, preference, d.a, d.b)
			}
		}
	}
}

// No node hides a link or touches another node, no link runs along another, and nothing
// is outside the picture.
func TestNodesAndLinksKeepClear(t *testing.T) {
	const radius = 16
	check := func(t require.TestingT, m *machine.Machine, name string) {
		fail := func(format string, values ...any) {
			assert.Fail(t, name+": "+fmt.Sprintf(format, values...))
		}
		l := newLayout(m.Graph, radius)
		for v, a := range l.at {
			if a.X < radius || a.Y < radius || a.X > l.width-radius || a.Y > l.height-radius {
				fail("node %d is outside", v)
			}
			for w, b := range l.at[:v] {
				if math.Hypot(a.X-b.X, a.Y-b.Y) < 2*radius+apart-0.01 {
					fail("nodes %d and %d are too close", v, w)
				}
			}
		}
		middles := make([][3]svg.Point, len(l.links))
		for i, k := range l.links {
			if math.Hypot(k.curve.start.X-l.at[k.from].X, k.curve.start.Y-l.at[k.from].Y) > 0.01 || math.Hypot(k.curve.end.X-l.at[k.to].X, k.curve.end.Y-l.at[k.to].Y) > 0.01 {
				fail("link %d - %d does not end at its nodes", k.from, k.to)
			}
			for v, at := range l.at {
				if v != k.from && v != k.to && k.curve.distance(at) < radius+1.5 {
					fail("link %d - %d passes node %d", k.from, k.to, v)
				}
			}
			for n, at := range []float64{0.3, 0.5, 0.7} {
				middles[i][n] = k.curve.at(at)
			}
		}
		for i, k := range l.links {
			for _, other := range l.links[:i] {
				along := true
				for _, p := range middles[i] {
					along = along && other.curve.distance(p) < 0.5
				}
				if along {
					fail("link %d - %d runs along %d - %d", k.from, k.to, other.from, other.to)
				}
			}
		}
	}
	for _, text := range shapes {
		if m := machineOf(t, text); m.Graph.Links() <= 512 {
			check(t, m, text)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		m := anyMachine(t)
		check(t, m, shape(m.Graph))
	})
	rapid.Check(t, func(t *rapid.T) { // long rings with longer links
		rho := rapid.IntRange(2, 8).Draw(t, "rho")
		ring := hypercycle.Dimension{M: rapid.IntRange(49, 600/rho).Draw(t, "m"), Rho: rho}
		m, err := machine.Bare(ring)
		require.NoError(t, err)
		check(t, m, shape(m.Graph))
	})
}

// texts lists the boxes of all texts of a picture, from its upper left corner.
func texts(t testing.TB, data []byte) (boxes [][4]float64, all []string) {
	t.Helper()
	off := svg.Point{}
	parse := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		return v
	}
	for _, line := range strings.Split(string(data), "\n") {
		if m := regexp.MustCompile(`^<g transform="translate\(([0-9.]+) ([0-9.]+)\)">`).FindStringSubmatch(line); m != nil {
			off = svg.Point{X: parse(m[1]), Y: parse(m[2])}
		}
		m := regexp.MustCompile(`^<text x="([-0-9.]+)" y="([-0-9.]+)" text-anchor="(\w+)"(?: font-size="([0-9.]+)")?[^>]*>([^<]*)<`).FindStringSubmatch(line)
		if m == nil {
			continue
		}
		size := svg.Body
		if m[4] != "" {
			size = parse(m[4])
		}
		width := svg.TextWidth(m[5], size)
		x := off.X + parse(m[1]) - map[string]float64{"start": 0, "middle": width / 2, "end": width}[m[3]]
		y := off.Y + parse(m[2])
		boxes, all = append(boxes, [4]float64{x, y - 0.75*size, x + width, y + 0.1*size}), append(all, m[5])
		assert.GreaterOrEqual(t, size, svg.Small)
	}
	return boxes, all
}

func TestTextsDoNotOverlap(t *testing.T) {
	files, err := filepath.Glob("../../configs/*.hcl")
	require.NoError(t, err)
	var machines []*machine.Machine
	for _, file := range files {
		m, _, diags := machine.Load(file, nil)
		require.Empty(t, diags)
		machines = append(machines, m)
	}
	for _, text := range shapes {
		if m := machineOf(t, text); m.Graph.Nodes() <= 256 { // all pairs of texts are compared
			machines = append(machines, m)
		}
	}
	for _, letter := range []string{"d", "W", "i"} {
		long := machineOf(t, "4,1 5,2")
		long.Name = strings.Repeat(letter, machine.MaxNameLength)
		for i := range long.Dimensions {
			long.Dimensions[i].Name = strings.Repeat(letter, machine.MaxNameLength)
		}
		long.FIFODepth = machine.MaxFIFODepth
		machines = append(machines, long)
	}
	for _, m := range machines {
		for s := range Subject(len(subjectNames)) {
			data, err := SVG(&Picture{Plan: plan.New(m), Subject: s})
			if tooLarge := (*TooLarge)(nil); err != nil {
				require.ErrorAs(t, err, &tooLarge)
				continue
			}
			require.NoError(t, err)
			var size struct {
				Width  float64 `xml:"width,attr"`
				Height float64 `xml:"height,attr"`
			}
			require.NoError(t, xml.Unmarshal(data, &size))
			boxes, all := texts(t, data)
			require.NotEmpty(t, boxes)
			for i, a := range boxes {
				if a[0] < 0 || a[1] < 0 || a[2] > size.Width || a[3] > size.Height {
					assert.Fail(t, "outside", "%s %s: %q", shape(m.Graph), s, all[i])
				}
				for j, b := range boxes[:i] {
					if a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3] {
						assert.Fail(t, "texts overlap", "%s %s: %q and %q", shape(m.Graph), s, all[i], all[j])
					}
				}
			}
		}
	}
}

func TestPicturesAreTheSameTwiceAndHostileNamesStayTexts(t *testing.T) {
	const hostile = "Q\"b<c>&d\\\n]]>--'"
	m := machineOf(t, "4,1 5,2")
	m.Name = hostile
	for i := range m.Dimensions {
		m.Dimensions[i].Name = hostile
	}
	for s := range Subject(len(subjectNames)) {
		p := &Picture{Plan: plan.New(m), Subject: s, Source: 3}
		first, err := SVG(p)
		require.NoError(t, err)
		again, err := SVG(p)
		require.NoError(t, err)
		assert.Equal(t, first, again)
		var doc struct {
			Title string `xml:"title"`
			Desc  string `xml:"desc"`
			Rect  struct {
				Fill string `xml:"fill,attr"`
			} `xml:"rect"`
		}
		require.NoError(t, xml.Unmarshal(first, &doc), s.String())
		assert.True(t, strings.HasPrefix(doc.Title, hostile), doc.Title)
		assert.NotEmpty(t, doc.Desc)
	}
}

// The picture of a router has a dot for each copy that can be made, a box for the slots of each
// link input, and one for each register.
func TestRouterHasEveryCrosspointSlotAndRegister(t *testing.T) {
	for _, text := range append([]string{"15,2 15,2 15,2 15,2", "6,2", "9,3"}, shapes...) {
		m := machineOf(t, text)
		if m.Graph.Degree() > hypercycle.MaxDegree {
			continue
		}
		p := plan.New(m)
		filled, hollow, places := p.Degree, 0, p.Degree+1 // inputs and delivery
		for _, d := range p.Dims {
			filled += 1 + len(d.Sources)
		}
		for _, q := range p.Ports {
			if q.Fed {
				places++
			}
			if q.Ring {
				filled++
				hollow += len(q.TransferFrom)
			}
		}
		data := string(picture(t, m, Router, 0))
		filled++ // in the legend
		if hollow > 0 {
			hollow++
		}
		assert.Equal(t, filled+hollow, strings.Count(data, `r="4.5"`), text)
		assert.Equal(t, hollow, strings.Count(data, `r="4.5" fill="#ffffff"`), text)
		assert.Equal(t, places, len(regexp.MustCompile(`<rect [^>]*height="20"( rx="0")? fill="#ffffff"`).FindAllString(data, -1)), text)
	}
}

// The wires of no two dimensions look the same, although there are more dimensions than colours, and
// those of the delivery look like none of them.
func TestDimensionsOfARouterCanBeToldApart(t *testing.T) {
	data := string(picture(t, machineOf(t, strings.Repeat("2,1 ", hypercycle.MaxDegree)), Router, 0))
	looks := map[string]bool{}
	for _, f := range regexp.MustCompile(`<path d="M[0-9.]+ [0-9.]+V[0-9.]+H[0-9.]+" fill="none" (.*) stroke-width`).FindAllStringSubmatch(data, -1) {
		assert.False(t, looks[f[1]], "%s is of two dimensions", f[1])
		looks[f[1]] = true
	}
	assert.Len(t, looks, hypercycle.MaxDegree)

	column := regexp.MustCompile(`<text x="([0-9.]+)"[^>]*>deliver<`).FindStringSubmatch(data)
	require.NotNil(t, column)
	of := regexp.MustCompile(`<path d="M`+regexp.QuoteMeta(column[1])+` [0-9.V]+" fill="none" (.*) stroke-width="([0-9.]+)"/>`).FindAllStringSubmatch(data, -1)
	require.Len(t, of, 2*3, "to the arbiter, to the register and out of it, each double")
	for i := 0; i < len(of); i += 2 {
		assert.Equal(t, []string{`stroke="#000000"`, "4.4"}, of[i][1:])
		assert.Equal(t, []string{`stroke="#ffffff"`, "1.6"}, of[i+1][1:])
	}
	assert.False(t, looks[`stroke="#ffffff"`], "a dimension is white")
}

// Long names of dimensions are shortened, but no two of them to the same.
func TestLabelsOfDimensionsDiffer(t *testing.T) {
	long := strings.Repeat("a", machine.MaxNameLength/2)
	for _, c := range []struct{ names, want []string }{
		{[]string{"x", "y", "z"}, []string{"x", "y", "z"}},
		{[]string{"abcdefghijklmnop1", "abcdefghijklmnop2", "z"}, []string{"abcd\u2026nop1", "abcd\u2026nop2", "z"}},
		{[]string{"W" + long + "x" + long, "W" + long + "y" + long, long + "z"}, []string{"dim 1", "dim 2", "aaaa\u2026aaaz"}},
	} {
		m := machineOf(t, "2,1 4,1 5,2")
		for i := range m.Dimensions {
			m.Dimensions[i].Name = c.names[i]
		}
		_, all := texts(t, picture(t, m, Router, 0))
		of := map[string]bool{}
		for i, want := range c.want {
			assert.Contains(t, all, "enter "+want)
			assert.False(t, of[want], "%s stands for two dimensions", want)
			of[want] = true
			for _, q := range m.Graph.Ports() {
				if q.Dimension == i+1 {
					leads := fmt.Sprintf("%s %+d", want, int(q.Direction)*q.Distance)
					assert.Contains(t, all, fmt.Sprintf("port %d in, from %s", q.Index, leads))
					assert.Contains(t, all, "to "+leads)
				}
			}
		}
	}
}

// The picture has as many slots as the machine, a way past them with one stage only, and with a
// stream per link a delivery register for each, with no arbiter before it.
func TestRouterHasTheSlotsAndRegistersOfItsOptions(t *testing.T) {
	m := machineOf(t, "6,2")
	pass := regexp.MustCompile(`<path d="M[0-9. ]+V[0-9.]+H[0-9.]+V[0-9.]+" fill="none" stroke="#767676"`)
	check := func(slots string, ways, registers, arbiters int) {
		t.Helper()
		data := string(picture(t, m, Router, 0))
		count := func(what string) int { return strings.Count(data, ">"+what+"<") }
		assert.Equal(t, []int{4, ways, registers, arbiters}, []int{count(slots), len(pass.FindAllString(data, -1)), count("register"), count("arbiter")})
	}
	check("1 slot", 4, 4+1, 2)
	m.FIFODepth = 5
	check("4 slots", 4, 4+1, 2)
	m.Stages = 2
	check("5 slots", 0, 4+1, 2)
	m.Delivery = machine.PerPort
	check("5 slots", 0, 4+4, 1)
}

// The legend of a network states the registers on links, if there are any.
func TestLegendHasTheRegistersOfLinks(t *testing.T) {
	m := machineOf(t, "4,1 4,1 3,1")
	_, without := texts(t, picture(t, m, Network, 0))
	assert.Contains(t, without, "dimension 2, d2: m = 4, rho = 1")
	m.Dimensions[1].Link.Registers = 3
	_, with := texts(t, picture(t, m, Network, 0))
	assert.Contains(t, with, "dimension 2, d2: m = 4, rho = 1, registers = 3")
	assert.Contains(t, with, "dimension 1, d1: m = 4, rho = 1")
}

func TestLargeMachinesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"23,1 23,1": "m has 529 nodes, more than the 512 that can be drawn",
		"500,8":     "m has 4000 links, more than the 2048 that can be drawn",
	} {
		p := &Picture{Plan: plan.New(machineOf(t, text)), Subject: Network}
		_, err := SVG(p)
		assert.EqualError(t, err, want)
	}
}

func TestSubjectsHaveNames(t *testing.T) {
	for _, name := range SubjectNames() {
		s, ok := ParseSubject(name)
		assert.True(t, ok)
		assert.Equal(t, name, s.String())
	}
	_, ok := ParseSubject("none")
	assert.False(t, ok)
}
