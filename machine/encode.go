// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// HCL returns a description of the machine: Load gives the same machine. Attributes with their default
// values are left out, and so are traffic and synthesis blocks if the machine has none.
func (m *Machine) HCL() []byte {
	var text strings.Builder
	for i, p := range m.parts() {
		if i > 0 {
			text.WriteByte('\n')
		}
		p.hcl(&text)
	}
	return hclwrite.Format([]byte(text.String()))
}

// JSON is HCL in the JSON variant of the language.
func (m *Machine) JSON() []byte {
	text, err := json.MarshalIndent(part{parts: m.parts()}.object(), "", "  ")
	if err != nil {
		panic(fmt.Sprintf("machine: %v", err)) // only plain values
	}
	return append(text, '\n')
}

// part is a block of a written description.
type part struct {
	kind   blockType
	label  string
	values map[string]any // of every attribute of the kind; nil: the attribute is left out
	parts  []part
}

// given returns the attributes that are written, in the order of the table.
func (p part) given() []attribute {
	var list []attribute
	for _, a := range p.kind.attributes {
		value, known := p.values[a.name]
		if !known {
			panic(fmt.Sprintf("machine: the attribute %s of a %s block is not encoded", a.name, p.kind.title()))
		}
		if value == nil && a.otherwise == nil {
			panic(fmt.Sprintf("machine: a %s block has no %s", p.kind.title(), a.name))
		}
		if value != nil && !a.defaults(value) {
			list = append(list, a)
		}
	}
	return list
}

// defaults reports whether a value is the default of the attribute.
func (a attribute) defaults(value any) bool {
	_, words := a.otherwise.(words)
	return !words && encoded(value) == encoded(a.otherwise)
}

// hcl writes the block. A block without a label or content is left out.
func (p part) hcl(out *strings.Builder) {
	given := p.given()
	if p.label == "" && len(given)+len(p.parts) == 0 {
		return
	}
	out.WriteString(p.kind.name)
	if p.label != "" {
		out.WriteString(" " + encoded(p.label))
	}
	out.WriteString(" {\n")
	for _, a := range given {
		fmt.Fprintf(out, "%s = %s\n", a.name, encoded(p.values[a.name]))
	}
	for _, inner := range p.parts {
		inner.hcl(out)
	}
	out.WriteString("}\n")
}

// object is the block as an object of JSON: the blocks inside are in lists, by type.
func (p part) object() object {
	o := object{}
	for _, a := range p.given() {
		o[a.name] = p.values[a.name]
	}
	for _, inner := range p.parts {
		body := inner.object()
		if inner.label != "" {
			body = object{inner.label: body}
		}
		list, _ := o[inner.kind.name].([]object)
		o[inner.kind.name] = append(list, body)
	}
	return o
}

// encoded is a value in either syntax.
func encoded(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("machine: %v", err)) // only plain values
	}
	return string(text)
}

// only returns a value, or nil for an attribute that is left out.
func only(condition bool, value any) any {
	if condition {
		return value
	}
	return nil
}

func (m *Machine) parts() []part {
	list := []part{m.machinePart()}
	for _, t := range m.Traffic {
		list = append(list, m.trafficPart(t))
	}
	for _, s := range m.Synthesis {
		list = append(list, part{kind: typeOf("synthesis"), label: s.Name, values: map[string]any{
			"family": s.Family, "device": s.Device, "package": s.Package, "clock_mhz": s.ClockMHz, "seeds": s.Seeds,
		}})
	}
	return list
}

func (m *Machine) machinePart() part {
	kind := typeOf("machine")
	p := part{kind: kind, label: m.Name, values: map[string]any{
		"network": only(!m.NoRouters, m.Network), "routers": !m.NoRouters, "node_errors": m.NodeErrors,
	}}
	for _, d := range m.Dimensions {
		p.parts = append(p.parts, part{kind: typeOf("dimension"), label: d.Name, values: map[string]any{"m": d.M, "rho": d.Rho}})
	}
	if !m.NoRouters {
		p.parts = append(p.parts, m.messagePart(), m.routerPart())
	}
	for _, c := range m.Collectives {
		module := c.Operator != "" && !slices.Contains(Operators, c.Operator)
		words := perNode
		if c.OneWord {
			words = oneWord
		}
		p.parts = append(p.parts, part{kind: kind.inner("collective"), label: c.Name, values: map[string]any{
			"operation":        c.Operation,
			"words":            only(c.Operation == collective.AllReduce, words),
			"payload_bits":     c.PayloadBits,
			"root":             only(c.Root > 0, m.address(c.Root)),
			"schedule":         only(c.File != "", c.File),
			"operator":         only(c.Operator != "" && !module, c.Operator),
			"operator_module":  only(module, c.Operator),
			"operator_latency": only(module, c.Latency),
		}})
	}
	return p
}

func (m *Machine) messagePart() part {
	return part{kind: typeOf("message"), values: map[string]any{
		"payload_bits": m.PayloadBits, "source_id": m.SourceID, "destination": m.Destination, "deliver_destination": m.Scope, "last": m.Last,
	}}
}

func (m *Machine) routerPart() part {
	limits := Programmable{}
	if m.Programmable != nil {
		limits = *m.Programmable
	}
	programmable := m.Programmable != nil
	return part{kind: typeOf("router"), values: map[string]any{
		"kind":           m.Kind(),
		"preference":     m.Preference.String(),
		"fifo_depth":     m.FIFODepth,
		"stages":         m.Stages,
		"delivery":       m.Delivery.String(),
		"barrier":        m.Barrier,
		"config_bus":     only(programmable, limits.Bus),
		"max_dimensions": only(programmable, limits.MaxDimensions),
		"max_nodes":      only(programmable, limits.MaxNodes),
		"max_degree":     only(programmable, limits.MaxDegree),
	}}
}

func (m *Machine) trafficPart(t Traffic) part {
	p := part{kind: typeOf("traffic"), label: t.Name, values: map[string]any{"cycles": t.Cycles}}
	// JSON does not keep the order of blocks of different types, so that all messages of a cycle are in blocks of one type.
	broadcasts := !slices.ContainsFunc(t.Sends, func(s Send) bool { return s.To != nil })
	for i := 0; i < len(t.Sends); {
		first := t.Sends[i]
		var from [][]any
		var at []int
		for ; i < len(t.Sends) && slices.Equal(t.Sends[i].To, first.To) && t.Sends[i].Last == first.Last; i++ {
			from, at = append(from, m.address(t.Sends[i].From)), append(at, t.Sends[i].At)
		}
		if broadcasts {
			p.parts = append(p.parts, part{kind: typeOf("broadcast"), values: map[string]any{"sources": from, "at": at, "last": first.Last}})
			continue
		}
		to := first.To
		if to == nil {
			to = hypercycle.Everywhere(len(m.Dimensions))
		}
		p.parts = append(p.parts, part{kind: typeOf("send"), values: map[string]any{"from": from, "to": digits(to), "at": at, "last": first.Last}})
	}
	if r := t.Random; r != nil {
		hotSpot := m.Destination && r.Pattern == ToHotSpot
		p.parts = append(p.parts, part{kind: typeOf("random"), values: map[string]any{
			"rate":       r.Rate,
			"sources":    only(r.Sources != nil, m.addresses(r.Sources)),
			"stall":      r.Stall,
			"seed":       r.Seed,
			"pattern":    only(m.Destination && r.Pattern != ToUniform, r.Pattern.String()),
			"broadcasts": only(m.Destination && r.Pattern != ToAll, r.Broadcasts),
			"hot":        only(hotSpot && r.Hot > 0, m.address(r.Hot)),
			"share":      only(hotSpot, r.Share),
		}})
	}
	for _, s := range t.Stalls {
		p.parts = append(p.parts, part{kind: typeOf("stall"), values: map[string]any{
			"receivers": m.addresses(s.Receivers), "at": s.At, "cycles": only(s.Cycles > 0, s.Cycles),
		}})
	}
	return p
}

// address is the address of a node as descriptions have it, highest dimension first.
func (m *Machine) address(node int) []any { return digits(m.Graph.To(node)) }

func (m *Machine) addresses(nodes []int) [][]any {
	var list [][]any
	for _, node := range nodes {
		list = append(list, m.address(node))
	}
	return list
}

// digits is a destination as descriptions have it.
func digits(d hypercycle.Destination) []any {
	var list []any
	for _, x := range slices.Backward(d) {
		if x == hypercycle.All {
			list = append(list, "*")
		} else {
			list = append(list, x)
		}
	}
	return list
}
