// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/internal/strictjson"
)

// MaxBytes is the size of the largest file that Read accepts.
const MaxBytes = 2 << 30

// File is a schedule as hcgen schedule --json writes it.
type File struct {
	Dimensions []Dimension // dimension 1 first; may be missing, then the reader must know the machine
	Operation  string
	Ports      string // "all" or "one"
	Root       int    // of rooted operations
	Nodes      int    // N, 0 if missing
	Degree     int    // 0 if missing
	Packets    int    // of an item; 1 if missing
	Steps      int
	Bound      int  // 0 if missing
	Waiting    int  // -1 if missing
	Phases     bool // whether the transfers have phases
	// With Translated only the transfers from node 0 are listed, and each holds at every node.
	Translated bool
	Transfers  []Transfer
}

// Dimension is a ring of the machine of a file.
type Dimension struct {
	M   int `json:"m"`
	Rho int `json:"rho"`
}

// Read reads a schedule in JSON. The error is a *strictjson.Error, or of in.
func Read(in io.Reader) (*File, error) {
	text, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	f := &File{Packets: 1, Waiting: -1}
	if err := strictjson.Read(text, MaxBytes, func(r *strictjson.Reader) { f.read(r) }); err != nil {
		return nil, err
	}
	return f, nil
}

// read fills the file.
func (f *File) read(r *strictjson.Reader) {
	const most = math.MaxInt32 // of steps, nodes and packets
	number := func(name string, lo int, n *int) func() { return func() { *n = r.Int(name, lo, most) } }
	oneOf := func(name string, values []string, s *string) func() {
		return func() {
			at := r.Place()
			if *s = r.Text(name); !slices.Contains(values, *s) {
				strictjson.Fail(at, "%s is %q, want one of %s", name, strictjson.Shown(*s), strings.Join(values, ", "))
			}
		}
	}
	ignored := func(name string) func() { return func() { r.Text(name) } }

	var d Dimension
	dimension := []strictjson.Field{
		{Name: "m", Read: number("m", 0, &d.M)},
		{Name: "rho", Read: number("rho", 0, &d.Rho)},
	}
	var t Transfer
	phases := 0
	part := func(name string, lo int, n *int32) func() { return func() { *n = int32(r.Int(name, lo, most)) } }
	transfer := []strictjson.Field{
		{Name: "step", Read: part("step", 1, &t.Step)},
		{Name: "from", Read: part("from", 0, &t.From)},
		{Name: "to", Read: part("to", 0, &t.To)},
		{Name: "item", Read: func() { t.Item.Node, t.Item.For = readItem(r, most) }},
		{Name: "packet", Read: part("packet", 0, &t.Item.Packet), Optional: true},
		{Name: "phase", Read: func() {
			var s string
			oneOf("phase", []string{"copy", "add"}, &s)()
			t.Add, phases = s == "add", phases+1
		}, Optional: true},
	}
	start, rooted := r.Place(), false
	r.Object("the schedule", []strictjson.Field{
		{Name: "machine", Read: ignored("machine"), Optional: true},
		{Name: "dimensions", Read: func() {
			r.List("dimensions", func() {
				r.Object("a dimension", dimension)
				f.Dimensions = append(f.Dimensions, d)
			})
		}, Optional: true},
		{Name: "operation", Read: oneOf("operation", Operations(), &f.Operation)},
		{Name: "algorithm", Read: ignored("algorithm"), Optional: true},
		{Name: "ports", Read: oneOf("ports", []string{"all", "one"}, &f.Ports)},
		{Name: "root", Read: func() { f.Root, rooted = r.Int("root", 0, most), true }, Optional: true},
		{Name: "nodes", Read: number("nodes", 1, &f.Nodes), Optional: true},
		{Name: "degree", Read: number("degree", 1, &f.Degree), Optional: true},
		{Name: "packets", Read: number("packets", 1, &f.Packets), Optional: true},
		{Name: "steps", Read: number("steps", 0, &f.Steps)},
		{Name: "bound", Read: number("bound", 0, &f.Bound), Optional: true},
		{Name: "waiting", Read: number("waiting", 0, &f.Waiting), Optional: true},
		{Name: "translated", Read: func() { f.Translated = r.Bool("translated") }, Optional: true},
		{Name: "transfers", Read: func() {
			r.List("transfers", func() {
				t = Transfer{}
				place := r.Place()
				r.Object("a transfer", transfer)
				f.Transfers = append(f.Transfers, t)
				if phases != 0 && phases != len(f.Transfers) {
					strictjson.Fail(place, "some transfers have a phase and others have none: give all of them a phase, or none")
				}
			})
		}},
	})
	f.Phases = phases > 0
	if rooted != Rooted(f.Operation) {
		if rooted {
			strictjson.Fail(start, "%s has no root, but one is given", f.Operation)
		}
		strictjson.Fail(start, "%s needs a root, but none is given", f.Operation)
	}
}

// readItem reads a node, or of total exchange a list of the node that an item comes from and the
// node that it is for, which is else -1.
func readItem(r *strictjson.Reader, most int) (node, to int32) {
	at := r.Place()
	switch r.Kind() {
	case strictjson.Number:
		return int32(r.Int("item", 0, most)), -1
	case strictjson.List:
		var pair []int32
		r.List("item", func() { pair = append(pair, int32(r.Int("a node of the item", 0, most))) })
		if len(pair) == 2 {
			return pair[0], pair[1]
		}
		strictjson.Fail(at, "item is a list of %d, want a node or a list of two nodes", len(pair))
	}
	strictjson.Fail(at, "item is %s, want a node or a list of two nodes", r.Kind())
	panic("unreachable")
}

// Described returns the machine whose dimensions the file lists; without a dimension if it lists none.
func (f *File) Described() (m Machine) {
	for _, d := range f.Dimensions {
		m.M, m.Rho = append(m.M, d.M), append(m.Rho, d.Rho)
	}
	return m
}

// Schedule returns the claim of the file about a machine. The error says which number is not of the machine. The
// transfers are those of the file, not copies.
func (f *File) Schedule(m Machine) (*Schedule, error) {
	if other := f.Described(); len(f.Dimensions) > 0 && other.String() != m.String() {
		return nil, fmt.Errorf("it is for %s, but the machine is %s", other, m)
	}
	if f.Nodes != 0 && f.Nodes != m.Nodes() {
		return nil, fmt.Errorf("it is for %d nodes, but the machine has %d", f.Nodes, m.Nodes())
	}
	if f.Degree != 0 && f.Degree != m.Degree() {
		return nil, fmt.Errorf("it is for degree %d, but the machine has degree %d", f.Degree, m.Degree())
	}
	s := &Schedule{Operation: f.Operation, OnePort: f.Ports == "one", Root: f.Root, Packets: f.Packets, Steps: f.Steps, Bound: f.Bound, Waiting: f.Waiting, Phases: f.Phases,
		Period: slices.Clone(m.M), Transfers: f.Transfers}
	if f.Translated {
		for i := range s.Period {
			s.Period[i] = 1
		}
	}
	return s, nil
}
