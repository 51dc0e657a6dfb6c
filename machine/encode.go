// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"

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
		p.hcl(&text, m)
	}
	return hclwrite.Format([]byte(text.String()))
}

// JSON is HCL in the JSON variant of the language.
func (m *Machine) JSON() []byte {
	text, err := json.MarshalIndent(part{parts: m.parts()}.object(m), "", "  ")
	if err != nil {
		panic(fmt.Sprintf("machine: %v", err)) // only plain values
	}
	return append(text, '\n')
}

// part is a block of a written description.
type part struct {
	kind    blockType
	label   string
	structs []any // pointers to what the attributes of the kind are bound to
	parts   []part
	kept    bool // also without content: that the block is there means something
}

// setting is an attribute with its value as descriptions have it.
type setting struct {
	attribute
	block any // the struct that the attribute is bound to
	value any
}

// settings returns the attributes that a block of the machine has, also those with their default, in the order of the table.
func (m *Machine) settings(p part) []setting {
	var list []setting
	for _, row := range p.kind.attributes {
		i := slices.IndexFunc(p.structs, row.bind.of)
		if i < 0 || !row.when.holds(p.structs[i]) {
			continue
		}
		value := row.bind.get(p.structs[i])
		if _, none := row.otherwise.(words); value == "" || none && reflect.ValueOf(value).IsZero() {
			continue
		}
		if k, ok := row.kind.(custom); ok && k.write != nil {
			value = k.write(m, value)
		}
		list = append(list, setting{row, p.structs[i], value})
	}
	return list
}

// given returns the attributes whose value is not the default.
func (m *Machine) given(p part) []setting {
	return slices.DeleteFunc(m.settings(p), func(s setting) bool {
		otherwise := s.otherwise
		if d, ok := otherwise.(dependent); ok {
			otherwise = d.value(m, s.block)
		}
		return encoded(s.value) == encoded(otherwise)
	})
}

// hcl writes the block. A block without a label or content is left out, unless it is kept.
func (p part) hcl(out *strings.Builder, m *Machine) {
	given := m.given(p)
	if p.label == "" && len(given)+len(p.parts) == 0 && !p.kept {
		return
	}
	out.WriteString(p.kind.name)
	if p.label != "" {
		out.WriteString(" " + encoded(p.label))
	}
	out.WriteString(" {\n")
	for _, s := range given {
		fmt.Fprintf(out, "%s = %s\n", s.name, encoded(s.value))
	}
	for _, inner := range p.parts {
		inner.hcl(out, m)
	}
	out.WriteString("}\n")
}

// object is the block as an object of JSON: the blocks inside are in lists, by type.
func (p part) object(m *Machine) object {
	o := object{}
	for _, s := range m.given(p) {
		o[s.name] = s.value
	}
	for _, inner := range p.parts {
		body := inner.object(m)
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

func (m *Machine) parts() []part {
	list := []part{m.machinePart()}
	for i := range m.Traffic {
		list = append(list, m.trafficPart(&m.Traffic[i]))
	}
	for i := range m.Synthesis {
		s := &m.Synthesis[i]
		list = append(list, part{kind: typeOf("synthesis"), label: s.Name, structs: []any{s}})
	}
	return list
}

func (m *Machine) machinePart() part {
	kind := typeOf("machine")
	p := part{kind: kind, label: m.Name, structs: []any{m}}
	for i := range m.Dimensions {
		d := &m.Dimensions[i]
		dimension := part{kind: typeOf("dimension"), label: d.Name, structs: []any{d}}
		if d.Link != (Link{}) {
			dimension.parts = []part{{kind: typeOf("link"), structs: []any{&d.Link}}}
		}
		p.parts = append(p.parts, dimension)
	}
	if !m.NoRouters {
		if m.Endpoint == nil {
			p.parts = append(p.parts, part{kind: typeOf("message"), structs: []any{m}})
		}
		p.parts = append(p.parts, part{kind: typeOf("router"), structs: []any{m, m.Programmable}})
	}
	if m.Endpoint != nil {
		p.parts = append(p.parts, part{kind: typeOf("endpoint"), structs: []any{m.Endpoint}, kept: true})
	}
	for i := range m.Collectives {
		c := &m.Collectives[i]
		p.parts = append(p.parts, part{kind: kind.inner("collective"), label: c.Name, structs: []any{c}})
	}
	return p
}

func (m *Machine) trafficPart(t *Traffic) part {
	p := part{kind: typeOf("traffic"), label: t.Name, structs: []any{t}}
	// JSON does not keep the order of blocks of different types, so that all messages of a cycle are in blocks of one type.
	kind := typeOf("broadcast")
	if slices.ContainsFunc(t.Sends, func(s Send) bool { return s.To != nil }) {
		kind = typeOf("send")
	}
	for i := 0; i < len(t.Sends); {
		first := t.Sends[i]
		s := &sending{to: first.To, last: first.Last}
		var at []int
		for ; i < len(t.Sends) && slices.Equal(t.Sends[i].To, first.To) && t.Sends[i].Last == first.Last; i++ {
			s.from.nodes, at = append(s.from.nodes, t.Sends[i].From), append(at, t.Sends[i].At)
		}
		s.at = at
		p.parts = append(p.parts, part{kind: kind, structs: []any{s}})
	}
	if t.Random != nil {
		p.parts = append(p.parts, part{kind: typeOf("random"), structs: []any{t.Random}})
	}
	for i := range t.Stalls {
		p.parts = append(p.parts, part{kind: typeOf("stall"), structs: []any{&t.Stalls[i]}})
	}
	return p
}

// writeAddress is the address of a node as descriptions have it, highest dimension first.
func writeAddress(m *Machine, node any) any { return digits(m.Graph.To(node.(int))) }

func writeAddresses(m *Machine, nodes any) any {
	var list []any
	for _, node := range nodes.([]int) {
		list = append(list, writeAddress(m, node))
	}
	return list
}

func writeSources(m *Machine, s any) any { return writeAddresses(m, s.(sources).nodes) }

func writeDestination(m *Machine, to any) any {
	d := to.(hypercycle.Destination)
	if d == nil {
		d = hypercycle.Everywhere(len(m.Dimensions))
	}
	return digits(d)
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
