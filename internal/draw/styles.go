// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
)

// size is the text with the nodes and links of a machine.
func size(g *hypercycle.Graph) string {
	return fmt.Sprintf("%d nodes, %d links, degree %d, diameter %d", g.Nodes(), g.Links(), g.Degree(), g.Diameter())
}

// ends names a link.
func ends(p *Picture, k link) string {
	g := p.Plan.Machine.Graph
	q := g.Ports()[k.port]
	return fmt.Sprintf("%s - %s, dimension %s, distance %d", address(g, k.from), address(g, k.to), dimension(p.Plan, k.port), q.Distance)
}

func networkStyle(p *Picture) style {
	g := p.Plan.Machine.Graph
	s := style{
		title:       fmt.Sprintf("%s: %s, %s", p.Plan.Name, shape(g), size(g)),
		description: "Every node with its address, highest dimension first, and every link between two nodes, coloured by dimension.",
	}
	for i, d := range p.Plan.Dims {
		text := fmt.Sprintf("dimension %d, %s: m = %d, rho = %d", d.Index, d.Name, d.M, d.Rho)
		if d.Queue.Clocks {
			text += ", clocks"
		} else if d.Queue.Chips {
			text += ", chips"
		} else if n := d.Queue.Latency; n > 0 {
			text += fmt.Sprintf(", registers = %d", n)
		}
		s.legend = append(s.legend, entry{stroke: strokeOf(i) + ` stroke-width="2"`, text: text})
	}
	s.link = func(k link) linkLook {
		return linkLook{attributes: fmt.Sprintf(`data-link="%d %d" %s stroke-width="1.6"`, k.from, k.to, strokeOf(g.Ports()[k.port].Dimension-1)), tell: ends(p, k)}
	}
	s.node = func(v int) nodeLook {
		return nodeLook{attributes: fmt.Sprintf(`fill="#ffffff" stroke="%s" stroke-width="1.5"`, ink), text: ink, tell: "node " + fmt.Sprint(v)}
	}
	return s
}

func treeStyle(p *Picture) style {
	g := p.Plan.Machine.Graph
	t, by := p.tree()
	source := address(g, p.Source)
	s := style{
		title: fmt.Sprintf("%s: broadcast from %s in %d steps", p.Plan.Name, source, t.Steps),
		description: fmt.Sprintf("The broadcast tree of node %s in %s, %s: arrows are messages, coloured by the step in which they are sent. In a node: its address, highest dimension first, and the step in which it receives. Links without a message are grey.",
			source, shape(g), by),
	}
	if t.Delivers != nil {
		to := p.To.String()
		s.title = fmt.Sprintf("%s: message from %s to %s in %d steps", p.Plan.Name, source, to, t.Steps)
		s.description = fmt.Sprintf("The tree of a message from node %s to %s in %s, %s: arrows are messages, coloured by the step in which they are sent. In a node: its address, highest dimension first, and the step in which it receives. Nodes that only pass the message on are white with a dashed outline. Nodes and links without a message are grey.",
			source, to, shape(g), by)
	}
	messages := make([]int, t.Steps+1)
	for v, step := range t.Step {
		if t.Parent[v] >= 0 {
			messages[step]++
		}
	}
	stepColours := onPaper.of(t.Steps)
	s.legend = stepLegend(messages, stepColours)
	s.link = func(k link) linkLook {
		if int(t.Parent[k.to]) == k.from && int(t.Port[k.to]) == k.port || int(t.Parent[k.from]) == k.to && int(t.Port[k.from]) == g.Opposite(k.port) {
			from, to, backwards := k.from, k.to, false
			if int(t.Parent[k.from]) == k.to {
				from, to, backwards = to, from, true
			}
			step := int(t.Step[to])
			return linkLook{
				attributes: fmt.Sprintf(`data-link="%d %d" data-step="%d" stroke="%s" stroke-width="2.6"`, from, to, step, stepColours[step-1]),
				tell:       fmt.Sprintf("step %d: %s to %s", step, address(g, from), address(g, to)),
				front:      true, backwards: backwards, arrow: stepColours[step-1],
			}
		}
		return linkLook{attributes: fmt.Sprintf(`data-link="%d %d" stroke="%s" stroke-width="1"`, k.from, k.to, grey), tell: ends(p, k)}
	}
	s.node = func(v int) nodeLook {
		if v == p.Source {
			return nodeLook{attributes: fmt.Sprintf(`fill="#ffffff" stroke="%s" stroke-width="4"`, ink), text: ink, tell: fmt.Sprintf("node %d, the source", v), second: "0"}
		}
		step := int(t.Step[v])
		if step == 0 {
			return nodeLook{attributes: fmt.Sprintf(`fill="#ffffff" stroke="%s" stroke-width="1"`, grey), text: ink, tell: fmt.Sprintf("node %d receives nothing", v)}
		}
		colour := stepColours[step-1]
		if t.Delivers != nil && !t.Delivers[v] {
			return nodeLook{
				attributes: fmt.Sprintf(`data-relay="%d" fill="#ffffff" stroke="%s" stroke-width="2" stroke-dasharray="4 3"`, step, colour), text: ink,
				tell: fmt.Sprintf("node %d passes on in step %d what it is not for", v, step), second: fmt.Sprint(step),
			}
		}
		return nodeLook{
			attributes: fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="1"`, colour, ink), text: textOn(colour),
			tell: fmt.Sprintf("node %d receives in step %d", v, step), second: fmt.Sprint(step),
		}
	}
	return s
}

func loadStyle(p *Picture) style {
	g := p.Plan.Machine.Graph
	by := loads(p.Plan)
	least, most := slices.Min(by), slices.Max(by)
	stroke := func(load int) string {
		v := 0.5
		if most > least {
			v = float64(load-least) / float64(most-least)
		}
		return fmt.Sprintf(`stroke="%s" stroke-width="%.1f"`, shade(v), 1.2+4.8*v)
	}
	s := style{
		title: fmt.Sprintf("%s: messages per link when every node broadcasts once", p.Plan.Name),
		description: fmt.Sprintf("Every link of %s, preference %s. The half of a link beside a node stands for the messages that this node sends over it when every node broadcasts once: the darker and wider the more, %d to %d.",
			shape(g), p.Plan.Machine.Preference, least, most),
	}
	for _, load := range scale(by) {
		s.legend = append(s.legend, entry{stroke: stroke(load), text: fmt.Sprintf("%s from the nearer node", messages(load))})
	}
	for _, q := range g.Ports() {
		if q.Direction == hypercycle.CCW {
			continue
		}
		s.legend = append(s.legend, entry{stroke: stroke(by[q.Index]), half: stroke(by[g.Opposite(q.Index)]),
			text: fmt.Sprintf("%s, distance %d: %s", dimension(p.Plan, q.Index), q.Distance, carried(g, by, q.Index))})
	}
	s.link = func(k link) linkLook {
		back := g.Opposite(k.port)
		return linkLook{
			attributes: fmt.Sprintf(`data-link="%d %d" data-load="%d %d" %s`, k.from, k.to, by[k.port], by[back], stroke(by[k.port])),
			half:       stroke(by[back]),
			tell:       ends(p, k) + ": " + carried(g, by, k.port),
		}
	}
	s.node = func(v int) nodeLook {
		return nodeLook{attributes: fmt.Sprintf(`fill="#ffffff" stroke="%s" stroke-width="1.5"`, ink), text: ink, tell: "node " + fmt.Sprint(v)}
	}
	return s
}

// scale is the least, the middle and the largest of the loads of ports, each once.
func scale(by []int) []int {
	all := slices.Compact(slices.Sorted(slices.Values(by)))
	return slices.Compact([]int{all[0], all[len(all)/2], all[len(all)-1]})
}

// messages is a number of messages in words.
func messages(n int) string {
	if n == 1 {
		return "1 message"
	}
	return fmt.Sprintf("%d messages", n)
}

// carried is the text with the messages of a link in its two directions.
func carried(g *hypercycle.Graph, by []int, port int) string {
	if g.Opposite(port) == port {
		return fmt.Sprintf("%d each way", by[port])
	}
	return fmt.Sprintf("%d clockwise, %d counterclockwise", by[port], by[g.Opposite(port)])
}
