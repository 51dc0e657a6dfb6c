// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"

	"github.com/hcgen/hcgen/schedule/check"
)

// The XML of MSCCL. A node is a gpu.
type (
	mscclAlgo struct {
		XMLName    xml.Name   `xml:"algo"`
		Name       string     `xml:"name,attr"`
		Proto      string     `xml:"proto,attr"`
		Channels   int        `xml:"nchannels,attr"`
		Chunks     int        `xml:"nchunksperloop,attr"`
		Nodes      int        `xml:"ngpus,attr"`
		Coll       string     `xml:"coll,attr"`
		InPlace    int        `xml:"inplace,attr"`
		OutOfPlace int        `xml:"outofplace,attr"`
		MinBytes   int64      `xml:"minBytes,attr"`
		MaxBytes   int64      `xml:"maxBytes,attr"`
		Gpus       []mscclGPU `xml:"gpu"`
	}
	mscclGPU struct {
		ID      int          `xml:"id,attr"`
		Input   int          `xml:"i_chunks,attr"`
		Output  int          `xml:"o_chunks,attr"`
		Scratch int          `xml:"s_chunks,attr"`
		Blocks  []mscclBlock `xml:"tb"` // by port
	}
	mscclBlock struct {
		ID      int         `xml:"id,attr"`
		Send    int         `xml:"send,attr"`
		Recv    int         `xml:"recv,attr"`
		Channel int         `xml:"chan,attr"`
		Steps   []mscclStep `xml:"step"`
	}
	mscclStep struct {
		Number     int    `xml:"s,attr"`
		Type       string `xml:"type,attr"`
		mscclFrom         // what it reads
		mscclTo           // what it writes
		Count      int    `xml:"cnt,attr"`
		DependTB   int    `xml:"depid,attr"`
		DependStep int    `xml:"deps,attr"`
		HasDepend  int    `xml:"hasdep,attr"`
	}
	mscclFrom struct {
		Buffer string `xml:"srcbuf,attr"`
		Offset int    `xml:"srcoff,attr"`
	}
	mscclTo struct {
		Buffer string `xml:"dstbuf,attr"`
		Offset int    `xml:"dstoff,attr"`
	}
)

// maxBytes is the largest message for which MSCCL chooses a program of hcgen.
const maxBytes = 1 << 40

// WriteMSCCL writes the schedule of a machine of that name as a program for MSCCL, the Microsoft Collective Communication Library. A
// thread block of a gpu serves a port: in each step of the schedule it sends first and receives then. Rooted
// operations are custom programs. The error is the first of out.
func (s *Schedule) WriteMSCCL(out io.Writer, machine string) error {
	n := s.Graph.Nodes()
	w := &mscclWriter{of: s, nodes: n, at: map[mscclItem]mscclPlace{}, uses: map[mscclMemory]*mscclUses{}}
	coll := map[string]string{check.AllGather: "allgather", check.TotalExchange: "alltoall", check.AllReduce: "allreduce", check.ReduceScatter: "reducescatter"}[s.Operation]
	if coll == "" {
		coll = "custom"
	}
	a := mscclAlgo{Name: fmt.Sprintf("%s: %s, %s", machine, s.Operation, s.Algorithm), Proto: "Simple", Channels: 1, Chunks: n * s.Packets, Nodes: n,
		Coll: coll, OutOfPlace: 1, MaxBytes: maxBytes}
	if s.Operation == check.Broadcast {
		a.Chunks = s.Packets
	}
	for node := range n {
		w.gpus = append(w.gpus, w.begin(node))
	}
	list := s.Plain().Transfers
	for first := 0; first < len(list); {
		end := first
		for end < len(list) && list[end].Step == list[first].Step {
			w.send(list[end])
			end++
		}
		for _, t := range list[first:end] {
			w.receive(t)
		}
		first = end
	}
	a.Gpus = w.gpus
	text, err := xml.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	_, err = out.Write(append(text, '\n'))
	return err
}

// mscclWriter makes the steps of all thread blocks.
type mscclWriter struct {
	of    *Schedule
	nodes int
	gpus  []mscclGPU
	at    map[mscclItem]mscclPlace   // where a node has an item, or the sum of a result, that has arrived
	uses  map[mscclMemory]*mscclUses // of what is written by steps
}

type mscclItem struct {
	node int32
	item Item
}

type mscclPlace struct {
	Buffer string
	Offset int
}

type mscclMemory struct {
	node  int32
	place mscclPlace
}

// mscclUses is who wrote a place, and who has read it since.
type mscclUses struct {
	wrote mscclRef
	read  []mscclRef
}

// mscclRef is a step of a thread block of a gpu.
type mscclRef struct{ block, step int }

// begin is a gpu that copies its own item to its output.
func (w *mscclWriter) begin(node int) mscclGPU {
	p := w.of.Packets
	g := mscclGPU{ID: node, Input: p, Output: p}
	from, to, copies := 0, 0, true
	switch w.of.Operation {
	case check.AllGather:
		g.Output, to = w.nodes*p, node*p
	case check.TotalExchange:
		g.Input, g.Output, from, to = w.nodes*p, w.nodes*p, node*p, node*p
	case check.AllReduce:
		g.Input, g.Output, copies = w.nodes*p, w.nodes*p, false
	case check.ReduceScatter:
		g.Input, copies = w.nodes*p, false
	case check.Scatter:
		if copies, from = node == w.of.Root, node*p; copies {
			g.Input = w.nodes * p
		} else {
			g.Input = 0
		}
	case check.Gather:
		if copies, to = node == w.of.Root, node*p; copies {
			g.Output = w.nodes * p
		} else {
			g.Output = 0
		}
	case check.Broadcast:
		if copies = node == w.of.Root; !copies {
			g.Input = 0
		}
	}
	for port := range w.of.Graph.Degree() {
		peer := w.of.Graph.Neighbor(node, port)
		g.Blocks = append(g.Blocks, mscclBlock{ID: port, Send: peer, Recv: peer})
	}
	if copies {
		g.Blocks[0].Steps = []mscclStep{{Type: "cpy", mscclFrom: mscclFrom{"i", from}, mscclTo: mscclTo{"o", to}, Count: p, DependTB: -1, DependStep: -1}}
	}
	return g
}

// input is where the caller provides an item, or a node's part of a result.
func (w *mscclWriter) input(node int32, i Item) mscclPlace {
	chunk := int32(0)
	switch {
	case w.of.Operation == check.TotalExchange:
		chunk = i.For
	case reduces(w.of.Operation) || w.of.Operation == check.Scatter:
		chunk = i.Node
	}
	return mscclPlace{"i", int(chunk)*w.of.Packets + int(i.Packet)}
}

// place is where a node keeps an item that arrives, or a sum: in the output if it belongs there, else in a new place.
func (w *mscclWriter) place(node int32, t Transfer) mscclPlace {
	i := t.Item
	chunk := int32(-1)
	switch from, to := w.of.ends(i); {
	case w.of.Operation == check.ReduceScatter:
		if i.Node == node {
			chunk = 0
		}
	case w.of.Operation == check.Broadcast, w.of.Operation == check.Scatter && to == node:
		chunk = 0
	case w.of.Operation == check.AllReduce, to < 0, to == node:
		chunk = from
	}
	if chunk >= 0 {
		return mscclPlace{"o", int(chunk)*w.of.Packets + int(i.Packet)}
	}
	g := &w.gpus[node]
	g.Scratch++
	return mscclPlace{"s", g.Scratch - 1}
}

// send adds the step that sends a transfer. Where the receiver keeps it is only known later.
func (w *mscclWriter) send(t Transfer) {
	place, ok := w.at[mscclItem{t.From, t.Item}]
	if !ok {
		place = w.input(t.From, t.Item)
	}
	w.add(t.From, w.port(t.From, t.To), mscclStep{Type: "s", mscclFrom: mscclFrom(place), mscclTo: mscclTo{"o", -1}}, true, false)
}

// receive adds the step that receives a transfer, and adds it if need be.
func (w *mscclWriter) receive(t Transfer) {
	key := mscclItem{t.To, t.Item}
	place, held := w.at[key]
	s := mscclStep{Type: "r", mscclFrom: mscclFrom{"i", -1}}
	if t.Add {
		s.Type, s.mscclFrom = "rrc", mscclFrom(place)
		if !held {
			s.mscclFrom = mscclFrom(w.input(t.To, t.Item))
		}
	}
	if !held {
		place = w.place(t.To, t)
		w.at[key] = place
	}
	s.mscclTo = mscclTo(place)
	w.add(t.To, w.port(t.To, t.From), s, t.Add, true)
}

func (w *mscclWriter) port(from, to int32) int {
	for p := range w.of.Graph.Degree() {
		if w.of.Graph.Neighbor(int(from), p) == int(to) {
			return p
		}
	}
	panic(fmt.Sprintf("schedule: no link leads from %d to %d", from, to))
}

// add adds a step to a thread block, after the steps of others that it has to wait for: those that wrote what it reads,
// and those that use what it writes. A step can wait for one other; nop steps wait for the rest.
func (w *mscclWriter) add(node int32, block int, s mscclStep, reads, writes bool) {
	var after []mscclRef
	var touched []*mscclUses
	uses := func(place mscclPlace) *mscclUses {
		key := mscclMemory{node, place}
		if w.uses[key] == nil {
			w.uses[key] = &mscclUses{wrote: mscclRef{-1, -1}}
		}
		return w.uses[key]
	}
	if reads {
		u := uses(mscclPlace(s.mscclFrom))
		after = append(after, u.wrote)
		touched = append(touched, u)
	}
	if writes {
		u := uses(mscclPlace(s.mscclTo))
		after = append(append(after, u.wrote), u.read...)
	}
	after = slices.DeleteFunc(after, func(r mscclRef) bool { return r.block < 0 || r.block == block })
	slices.SortFunc(after, func(x, y mscclRef) int { return cmp.Or(cmp.Compare(x.block, y.block), cmp.Compare(x.step, y.step)) })
	after = slices.Compact(after)
	b := &w.gpus[node].Blocks[block]
	for k := 0; k < max(1, len(after)); k++ {
		step := mscclStep{Type: "nop", mscclFrom: mscclFrom{"i", -1}, mscclTo: mscclTo{"o", -1}}
		if k >= len(after)-1 {
			step = s
			step.Count = 1
		}
		step.Number, step.DependTB, step.DependStep = len(b.Steps), -1, -1
		if k < len(after) {
			step.DependTB, step.DependStep = after[k].block, after[k].step
			w.gpus[node].Blocks[after[k].block].Steps[after[k].step].HasDepend = 1
		}
		b.Steps = append(b.Steps, step)
	}
	ref := mscclRef{block, len(b.Steps) - 1}
	for _, u := range touched {
		u.read = append(u.read, ref)
	}
	if writes {
		u := uses(mscclPlace(s.mscclTo))
		u.wrote, u.read = ref, nil
	}
}
