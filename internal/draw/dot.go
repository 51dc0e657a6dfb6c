// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hcgen/hcgen/plan"
)

// DOT writes the picture for Graphviz, which places the nodes itself. The
// error is a *TooLarge.
func DOT(p *Picture) ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	switch p.Subject {
	case Tree:
		treeDOT(&b, p)
	case Router:
		routerDOT(&b, p.Plan)
	default:
		networkDOT(&b, p)
	}
	return b.Bytes(), nil
}

// quote writes a text as a string of DOT, in which a backslash would begin an escape.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\x00", "").Replace(text) + `"`
}

// open begins a graph: kind is graph or digraph.
func open(b *bytes.Buffer, kind, name, title, engine string) {
	fmt.Fprintf(b, "%s %s {\n", kind, quote(name))
	fmt.Fprintf(b, "  graph [label=%s, labelloc=t, layout=%s, overlap=false, bgcolor=white, fontname=\"sans-serif\"];\n", quote(title), engine)
	fmt.Fprintf(b, "  node [shape=circle, style=filled, fillcolor=white, fontname=\"sans-serif\", fontsize=12];\n")
	fmt.Fprintf(b, "  edge [fontname=\"sans-serif\", fontsize=10];\n")
}

// networkDOT writes nodes and links, coloured by dimension or labelled with their load.
func networkDOT(b *bytes.Buffer, p *Picture) {
	g := p.Plan.Machine.Graph
	title := networkStyle(p).title
	if p.Subject == Load {
		title = loadStyle(p).title
	}
	engine := "neato"
	if g.Rank() == 1 {
		engine = "circo"
	}
	open(b, "graph", p.Plan.Name, title, engine)
	for v := range g.Nodes() {
		fmt.Fprintf(b, "  n%d [label=%s];\n", v, quote(address(g, v)))
	}
	by := loads(p.Plan)
	for _, k := range linksOf(g) {
		attributes := fmt.Sprintf("color=%q", colourOf(g.Ports()[k.port].Dimension))
		if p.Subject == Load {
			attributes = fmt.Sprintf("label=%d, tooltip=%s", by[k.port]+by[g.Opposite(k.port)], quote(carried(g, by, k.port)))
		}
		fmt.Fprintf(b, "  n%d -- n%d [%s];\n", k.from, k.to, attributes)
	}
	b.WriteString("}\n")
}

// treeDOT writes the tree of a message, its copies coloured by step, nodes that only pass it on white and dashed.
func treeDOT(b *bytes.Buffer, p *Picture) {
	g := p.Plan.Machine.Graph
	t, _ := p.tree()
	open(b, "digraph", p.Plan.Name, treeStyle(p).title, "dot")
	fmt.Fprintf(b, "  n%d [label=%s, penwidth=3];\n", p.Source, quote(address(g, p.Source)))
	stepColours := onPaper.of(t.Steps)
	for step := 1; step <= t.Steps; step++ {
		colour := stepColours[step-1]
		for to := range g.Nodes() {
			if int(t.Step[to]) != step {
				continue
			}
			look := fmt.Sprintf("fillcolor=%q, fontcolor=%q", colour, textOn(colour))
			if t.Delivers != nil && !t.Delivers[to] {
				look = fmt.Sprintf("style=dashed, color=%q", colour)
			}
			fmt.Fprintf(b, "  n%d [label=%s, %s];\n", to, quote(address(g, to)), look)
			fmt.Fprintf(b, "  n%d -> n%d [label=%d, color=%q, penwidth=2];\n", t.Parent[to], to, step, colour)
		}
	}
	b.WriteString("}\n")
}

// doubled are two lines of black side by side, which those of the delivery are.
const doubled = "#000000:white:#000000"

// linesOf is the colour of edges of a dimension: where colours are used again, of three lines side by side
// the first time, and of one more each time after that.
func linesOf(dimension int) string {
	colour := colourOf(dimension)
	if again := (dimension - 1) / len(colours); again > 0 {
		return colour + strings.Repeat(":white:"+colour, again+1)
	}
	return colour
}

// routerDOT writes the inputs of a router and what they are copied to, and the ports of
// each group.
func routerDOT(b *bytes.Buffer, p *plan.Plan) {
	open(b, "digraph", p.RouterModule, routerTitle(p), "dot")
	b.WriteString("  rankdir=LR;\n  node [shape=box];\n")
	b.WriteString("  local_in [label=\"local input\"];\n  pace [label=\"pace\"];\n  local_in -> pace;\n")
	if !perPort(p) {
		fmt.Fprintf(b, "  local_out [label=%s];\n", quote("delivery\nregister"))
	}
	for _, d := range p.Dims {
		colour, lines := colourOf(d.Index), linesOf(d.Index)
		fmt.Fprintf(b, "  group%d [label=%s, shape=ellipse, color=%q];\n", d.Index, quote("enter "+d.Name), colour)
		fmt.Fprintf(b, "  pace -> group%d [color=%q];\n", d.Index, lines)
		for _, input := range d.Sources {
			fmt.Fprintf(b, "  in%d -> group%d [color=%q];\n", input, d.Index, lines)
		}
		for _, port := range d.Entered {
			fmt.Fprintf(b, "  group%d -> out%d [color=%q, label=%s];\n", d.Index, port, lines, quote(fmt.Sprintf("wc %d", p.Ports[port].First)))
		}
	}
	for _, q := range p.Ports {
		where := fmt.Sprintf("%s %s", p.Dims[q.Dimension-1].Name, offset(q))
		holds := "register"
		switch {
		case q.Ring && (q.First > 0 || len(q.TransferFrom) > 0):
			holds = "go on, else enter\nregister"
		case q.Ring:
			holds = "go on\nregister"
		case !q.Fed:
			holds = "never fed"
		}
		input := fmt.Sprintf("port %d in\nfrom %s\n%s", q.Index, where, slotsOf(p))
		if p.Stages == 1 {
			input += ", way past"
		}
		fmt.Fprintf(b, "  in%d [label=%s];\n", q.Index, quote(input))
		fmt.Fprintf(b, "  out%d [label=%s, color=%q];\n", q.Index, quote(fmt.Sprintf("port %d out\nto %s\n%s", q.Index, where, holds)), colourOf(q.Dimension))
		if perPort(p) {
			fmt.Fprintf(b, "  local_out%d [label=%s];\n", q.Index, quote(fmt.Sprintf("delivery %d\nregister", q.Index)))
			fmt.Fprintf(b, "  in%d -> local_out%d [color=%q];\n", q.Index, q.Index, doubled)
		} else {
			fmt.Fprintf(b, "  in%d -> local_out [color=%q];\n", q.Index, doubled)
		}
		if !q.Ring {
			continue
		}
		fmt.Fprintf(b, "  in%d -> out%d [color=%q, style=bold];\n", q.ContinueFrom, q.Index, linesOf(q.Dimension))
		for _, input := range q.TransferFrom {
			fmt.Fprintf(b, "  in%d -> out%d [color=%q, style=dashed];\n", input, q.Index, linesOf(q.Dimension))
		}
	}
	b.WriteString("}\n")
}
