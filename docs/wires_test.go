// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/options"
	"github.com/hcgen/hcgen/plan"
)

// Ports that pages name are those of the table in plan/wire.go.

// streamOf is the name of a stream without that of one of its wires.
func streamOf(name string) string {
	return regexp.MustCompile(`^([sm]_axis\w*)_t[a-z]+$`).ReplaceAllString(name, "$1")
}

// wordsOf are the words in the code of a page.
func wordsOf(p page) (words []string) {
	inline := regexp.MustCompile("(?s)```.*?```").ReplaceAllString(p.text, "")
	code := append(codes(inline), p.indented...)
	for _, f := range p.fences {
		code = append(code, f.text)
	}
	for _, c := range code {
		words = append(words, regexp.MustCompile(`\w+`).FindAllString(c, -1)...)
	}
	return words
}

func TestPortsOnPagesAreThoseOfTheTable(t *testing.T) {
	known := map[string]bool{"s_axis": true, "m_axis": true}
	for _, p := range options.Machines() {
		for _, w := range append(p.RouterWires(), p.NetworkWires()...) {
			known[w.Name], known[streamOf(w.Name)] = true, true
		}
	}
	like := regexp.MustCompile(`^([sm]_axi(s|_)\w*|wb_\w+|(link_|barrier_)\w*(arrive|release|pace)|(node_)?(header|destination)_error|node_(id|digits))$`)
	node := regexp.MustCompile(`_node\d+`) // of a stream in <machine>_streams.v
	seen := 0
	for _, p := range pages(t) {
		for _, word := range wordsOf(p) {
			if word = node.ReplaceAllString(strings.TrimSuffix(word, "_"), ""); like.MatchString(word) {
				assert.True(t, known[word], "%s names the port %s, which is not in the table of plan/wire.go", p.name, word)
				seen++
			}
		}
	}
	assert.Greater(t, seen, 50)
}

func TestPagesNameThePortsOfTheirOption(t *testing.T) {
	for _, p := range options.Machines() {
		var bus []plan.Wire // which its standard explains
		if p.Programmable != nil {
			bus = p.BusWires()
		}
		own := slices.DeleteFunc(p.NetworkWires(), func(w plan.Wire) bool { return w.Option != plan.OptionNodeErrors })
		for _, w := range append(p.RouterWires(), own...) {
			if w.IsClock() || slices.ContainsFunc(bus, func(b plan.Wire) bool { return b.Name == w.Name }) {
				continue
			}
			name := options.Page(w.Option)
			words := wordsOf(read(t, name))
			if !slices.ContainsFunc([]string{w.Name, w.NetworkName(), streamOf(w.Name)}, func(n string) bool { return n != "m_axis" && slices.Contains(words, n) }) {
				t.Errorf("%s does not name the port %s of plan/wire.go", name, w.Name)
			}
		}
	}
}

// phrase begins to say a width in a table of ports.
type phrase struct {
	text string
	bits func(p *plan.Plan, w plan.Wire) int // w is the port of the router
}

// phrases are in the order in which they are tried.
var phrases = []phrase{
	{"sum of ceil(log2 m_i) + 1", func(p *plan.Plan, _ plan.Wire) int { return digitBits(p) + len(p.Dims) }},
	{"sum of ceil(log2 m_i)", func(p *plan.Plan, _ plan.Wire) int { return digitBits(p) }},
	{"N times that of the router", func(p *plan.Plan, w plan.Wire) int { return p.Nodes * w.Width() }},
	{"the same, packed by node", func(p *plan.Plan, w plan.Wire) int { return p.Nodes * w.Width() }},
	{"r per stream", func(p *plan.Plan, w plan.Wire) int { return w.Lanes * len(p.Dims) }},
	{"1 per stream", func(p *plan.Plan, w plan.Wire) int { return w.Lanes }},
	{"2 per port", func(p *plan.Plan, _ plan.Wire) int { return 2 * p.Degree }},
	{"1", func(*plan.Plan, plan.Wire) int { return 1 }},
	{"2", func(*plan.Plan, plan.Wire) int { return 2 }},
}

func digitBits(p *plan.Plan) (sum int) {
	for _, d := range p.Dims {
		sum += bits.Len(uint(d.M - 1))
	}
	return sum
}

func TestTablesOfPortsAreThatOfThePlan(t *testing.T) {
	p := options.Machines()["per port"]
	called := func(port string) func(plan.Wire) bool {
		return func(w plan.Wire) bool { return w.Name == port }
	}
	listed := map[string][]string{} // ports, by page
	for _, name := range []string{"addressed-messages.md", "barrier.md"} {
		for _, row := range read(t, name).tableOf(t, "port").rows {
			for _, port := range codes(row[0]) {
				where := fmt.Sprintf("%s, port %s", name, port)
				network := slices.IndexFunc(p.NetworkWires(), called(port))
				router := slices.IndexFunc(p.RouterWires(), called(port))
				assert.Equal(t, router >= 0, strings.Contains(row[2], "router"), "%s: the router has it", where)
				assert.Equal(t, network >= 0, strings.Contains(row[2], "network"), "%s: the network has it", where)
				at := slices.IndexFunc(p.RouterWires(), func(w plan.Wire) bool { return w.Name == port || w.NetworkName() == port })
				require.GreaterOrEqual(t, at, 0, "%s is not in the table of plan/wire.go", where)
				w := p.RouterWires()[at]
				want := w.Width()
				if router < 0 {
					want = p.NetworkWires()[network].Width()
				}
				said := slices.IndexFunc(phrases, func(f phrase) bool { return strings.HasPrefix(row[1], f.text) })
				require.GreaterOrEqual(t, said, 0, "%s: the width %q is not understood", where, row[1])
				assert.Equal(t, want, phrases[said].bits(p, w), "%s: width in plan/wire.go, and on the page", where)
				if strings.Contains(row[2], "put") {
					assert.Equal(t, w.Output, strings.Contains(row[2], "output"), "%s: it is an output", where)
				}
				listed[name] = append(listed[name], port)
			}
		}
	}
	for _, w := range append(p.RouterWires(), p.NetworkWires()...) {
		if page := options.Page(w.Option); listed[page] != nil {
			assert.Contains(t, listed[page], w.Name, "the table of ports in %s", page)
		}
	}
}
