// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/hcgen/hcgen/hypercycle"
)

// block is a block of a description in either syntax.
type block struct {
	kind, label string // label is empty if the block has none
	attributes  []attribute
	blocks      []block
}

// attribute is a value in a block: a number, a truth value, a string or a list of these.
type attribute struct {
	name  string
	value any
}

// set writes an attribute.
func (b *block) set(name string, value any) {
	b.attributes = append(b.attributes, attribute{name, value})
}

// option writes an attribute unless it has the zero value, which stands for the default.
func (b *block) option(name string, value any) {
	if !reflect.ValueOf(value).IsZero() {
		b.set(name, value)
	}
}

// blocksOf returns the blocks of the description.
func (m *Machine) blocksOf() []block {
	all := []block{m.block()}
	for _, t := range m.Traffic {
		all = append(all, t.block())
	}
	for _, s := range m.Synthesis {
		b := block{kind: "synthesis", label: s.Name}
		b.set("device", s.Device)
		b.set("package", s.Package)
		b.set("clock_mhz", s.ClockMHz)
		b.set("seeds", s.Seeds)
		all = append(all, b)
	}
	return all
}

// block is the machine block.
func (m *Machine) block() block {
	b := block{kind: "machine", label: m.Name}
	b.set("network", m.Network)
	b.option("node_errors", m.NodeErrors)
	for _, d := range m.Dimensions {
		dimension := block{kind: "dimension", label: d.Name}
		dimension.set("m", d.M)
		dimension.set("rho", d.Rho)
		b.blocks = append(b.blocks, dimension)
	}
	message := block{kind: "message"}
	message.set("payload_bits", m.PayloadBits)
	message.option("source_id", m.SourceID)
	message.option("destination", m.Destination)
	message.option("deliver_destination", m.Scope)
	message.option("last", m.Last)
	router := block{kind: "router"}
	router.option("preference", m.Preference)
	router.option("fifo_depth", m.FIFODepth)
	router.option("stages", m.Stages)
	router.option("delivery", m.Delivery)
	router.option("barrier", m.Barrier)
	if p := m.Programmable; p != nil {
		router.set("kind", "programmable")
		router.set("config_bus", p.Bus)
		router.set("max_dimensions", p.MaxDimensions)
		router.set("max_nodes", p.MaxNodes)
		router.set("max_degree", p.MaxDegree)
	}
	b.blocks = append(b.blocks, message, router)
	return b
}

// block is the traffic block.
func (t *Traffic) block() block {
	b := block{kind: "traffic", label: t.Name}
	b.set("cycles", t.Cycles)
	if len(t.Broadcasts) > 0 {
		var sources [][]int
		var at []int
		for _, c := range t.Broadcasts {
			sources, at = append(sources, c.Source), append(at, c.At)
		}
		broadcast := block{kind: "broadcast"}
		broadcast.set("sources", writtenAll(sources))
		broadcast.set("at", at)
		b.blocks = append(b.blocks, broadcast)
	}
	for _, s := range t.Sends {
		send := block{kind: "send"}
		send.set("from", written(s.From))
		send.set("to", written(s.To))
		send.set("at", s.At)
		send.option("last", s.Last)
		b.blocks = append(b.blocks, send)
	}
	if r := t.Random; r != nil {
		random := block{kind: "random"}
		random.set("rate", fraction(r.Rate))
		random.set("stall", fraction(r.Stall))
		random.set("seed", r.Seed)
		random.option("sources", writtenAll(r.Sources))
		random.option("pattern", r.Pattern)
		random.option("broadcasts", fraction(r.Broadcasts))
		random.option("hot", written(r.Hot))
		random.option("share", fraction(r.Share))
		b.blocks = append(b.blocks, random)
	}
	for _, s := range t.Stalls {
		stall := block{kind: "stall"}
		stall.set("receivers", writtenAll([][]int{s.Receiver}))
		stall.set("at", s.At)
		stall.option("cycles", s.Cycles)
		b.blocks = append(b.blocks, stall)
	}
	return b
}

// written is an address or a destination as descriptions have it, highest dimension first.
func written(digits []int) []any {
	var list []any
	for _, d := range slices.Backward(digits) {
		if d == hypercycle.All {
			list = append(list, "*")
		} else {
			list = append(list, d)
		}
	}
	return list
}

// writtenAll is a list of addresses.
func writtenAll(addresses [][]int) []any {
	var list []any
	for _, a := range addresses {
		list = append(list, written(a))
	}
	return list
}

// fraction is a percentage as a fraction of 1.
func fraction(percent int) float64 { return float64(percent) / 100 }

// encoded is a value in either syntax.
func encoded(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // only plain values
	}
	return string(text)
}

// HCL returns the text of the description.
func (m *Machine) HCL() string {
	var b strings.Builder
	for _, block := range m.blocksOf() {
		block.hcl(&b)
	}
	return string(hclwrite.Format([]byte(b.String())))
}

func (b block) hcl(out *strings.Builder) {
	out.WriteString(b.kind)
	if b.label != "" {
		out.WriteString(" " + encoded(b.label))
	}
	out.WriteString(" {\n")
	for _, a := range b.attributes {
		fmt.Fprintf(out, "%s = %s\n", a.name, encoded(a.value))
	}
	for _, inside := range b.blocks {
		inside.hcl(out)
	}
	out.WriteString("}\n")
}

// JSON returns the same description in the JSON variant.
func (m *Machine) JSON() string {
	text, err := json.MarshalIndent(objectOf(block{blocks: m.blocksOf()}), "", "  ")
	if err != nil {
		panic(err) // only plain values
	}
	return string(text) + "\n"
}

// objectOf is a block as an object of JSON: the blocks inside are in lists, by kind.
func objectOf(b block) map[string]any {
	o := map[string]any{}
	for _, a := range b.attributes {
		o[a.name] = a.value
	}
	for _, inside := range b.blocks {
		body := objectOf(inside)
		if inside.label != "" {
			body = map[string]any{inside.label: body}
		}
		list, _ := o[inside.kind].([]any)
		o[inside.kind] = append(list, body)
	}
	return o
}
