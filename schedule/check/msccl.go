// SPDX-License-Identifier: Apache-2.0

package check

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/internal/strictjson"
)

// MSCCL is a program in the XML of MSCCL, the Microsoft Collective Communication Library. A node is a gpu. Each of its
// thread blocks carries out its steps in order; it sends to one gpu and receives from one.
type MSCCL struct {
	Coll                string // collective operation; custom if it is none that MSCCL names
	inPlace, outOfPlace bool
	chunks              int // of the largest buffer that the caller provides
	gpus                []mscclGPU
}

type mscclGPU struct {
	sizes  map[string]int // chunks by buffer: i, o and s
	blocks []mscclBlock
}

type mscclBlock struct {
	strictjson.Place
	send, recv, channel int // gpus, or -1
	steps               []mscclStep
}

type mscclStep struct {
	strictjson.Place
	kind     string // one of mscclKinds
	src, dst mscclPlace
	count    int
	block    int // of the step that has to be done before, or -1
	step     int
	awaited  bool // whether another step may wait for this one
}

// mscclPlace is a place in a buffer.
type mscclPlace struct {
	buffer string
	offset int
}

// mscclKinds lists the types of steps, by what they do: they receive, add, store and send.
var mscclKinds = []string{"s", "r", "rcs", "rrs", "rrc", "rrcs", "re", "cpy", "nop"}

// Receives and sends of steps.
var (
	mscclReceives = []string{"r", "rcs", "rrs", "rrc", "rrcs"}
	mscclSends    = []string{"s", "rcs", "rrs", "rrcs"}
)

// mscclReader reads elements.
type mscclReader struct {
	decoder *xml.Decoder
	place   strictjson.Place
	values  map[string]string // attributes of the element
	element string
}

// ReadMSCCL reads a program. The error is a *strictjson.Error, or of in.
func ReadMSCCL(in io.Reader) (p *MSCCL, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case *strictjson.Error:
			p, err = nil, fault
		case mscclUnreadable:
			p, err = nil, fault.err
		default:
			panic(fault)
		}
	}()
	r := &mscclReader{decoder: xml.NewDecoder(io.LimitReader(in, MaxBytes))}
	p = &MSCCL{}
	if !r.next("algo") {
		strictjson.Fail(r.place, "it has no element algo")
	}
	p.algo(r)
	for {
		token := r.token()
		if token == nil {
			return p, nil
		}
		if _, ok := token.(xml.StartElement); ok {
			strictjson.Fail(r.place, "there is an element after algo")
		}
	}
}

// mscclUnreadable is a failure of the file system.
type mscclUnreadable struct{ err error }

// token returns the next token, or nil at the end.
func (r *mscclReader) token() xml.Token {
	line, column := r.decoder.InputPos()
	token, err := r.decoder.Token()
	r.place = strictjson.Place{Line: line, Column: column}
	var syntax *xml.SyntaxError
	switch {
	case err == io.EOF:
		return nil
	case errors.As(err, &syntax):
		line, column = r.decoder.InputPos()
		strictjson.Fail(strictjson.Place{Line: line, Column: column}, "it is not XML: %s", syntax.Msg)
	case err != nil:
		panic(mscclUnreadable{err})
	}
	return token
}

// next goes to the next element of this name and reads its attributes; it reports false at the end of the element around it.
func (r *mscclReader) next(name string) bool {
	for {
		switch t := r.token().(type) {
		case nil, xml.EndElement:
			return false
		case xml.StartElement:
			if t.Name.Local != name {
				strictjson.Fail(r.place, "element %q, want %s", strictjson.Shown(t.Name.Local), name)
			}
			r.element, r.values = name, map[string]string{}
			for _, a := range t.Attr {
				if _, twice := r.values[a.Name.Local]; twice {
					strictjson.Fail(r.place, "attribute %s is given twice", a.Name.Local)
				}
				r.values[a.Name.Local] = a.Value
			}
			return true
		case xml.CharData:
			if strings.TrimSpace(string(t)) != "" {
				strictjson.Fail(r.place, "there is text between the elements")
			}
		}
	}
}

// text returns an attribute and takes it away.
func (r *mscclReader) text(name string) string {
	s, ok := r.values[name]
	if !ok {
		strictjson.Fail(r.place, "element %s lacks the attribute %s", r.element, name)
	}
	delete(r.values, name)
	return s
}

// int returns a number.
func (r *mscclReader) int(name string, lo int) int {
	s := r.text(name)
	n, err := strconv.Atoi(s)
	if err != nil || n < lo || n > math.MaxInt32 {
		strictjson.Fail(r.place, "%s is %q, want a whole number from %d to %d", name, strictjson.Shown(s), lo, math.MaxInt32)
	}
	return n
}

// oneOf returns one of some texts.
func (r *mscclReader) oneOf(name string, values ...string) string {
	s := r.text(name)
	if !slices.Contains(values, s) {
		strictjson.Fail(r.place, "%s is %q, want one of %s", name, strictjson.Shown(s), strings.Join(values, ", "))
	}
	return s
}

// done fails if there is an attribute that nobody has read.
func (r *mscclReader) done(ignored ...string) {
	for _, name := range ignored {
		delete(r.values, name)
	}
	for name := range r.values {
		strictjson.Fail(r.place, "element %s has no attribute %q", r.element, strictjson.Shown(name))
	}
}

func (p *MSCCL) algo(r *mscclReader) {
	at := r.place
	p.Coll = r.text("coll")
	p.inPlace = r.oneOf("inplace", "0", "1") == "1"
	p.outOfPlace = !p.inPlace
	if _, given := r.values["outofplace"]; given {
		p.outOfPlace = r.oneOf("outofplace", "0", "1") == "1"
	}
	if !p.inPlace && !p.outOfPlace {
		strictjson.Fail(at, "inplace and outofplace are 0: the program is for nothing")
	}
	if p.chunks = r.int("nchunksperloop", 1); p.chunks > maxNodes {
		strictjson.Fail(at, "nchunksperloop is %d, want up to %d", p.chunks, maxNodes)
	}
	gpus := r.int("ngpus", 2)
	r.done("name", "proto", "nchannels", "minBytes", "maxBytes")
	for r.next("gpu") {
		if id := r.int("id", 0); id != len(p.gpus) {
			strictjson.Fail(r.place, "id is %d, want %d: gpus are listed in order", id, len(p.gpus))
		}
		p.gpus = append(p.gpus, readGPU(r))
	}
	if len(p.gpus) != gpus {
		strictjson.Fail(at, "ngpus is %d, but %d are listed", gpus, len(p.gpus))
	}
}

func readGPU(r *mscclReader) mscclGPU {
	g := mscclGPU{sizes: map[string]int{"i": r.int("i_chunks", 0), "o": r.int("o_chunks", 0), "s": r.int("s_chunks", 0)}}
	r.done()
	for r.next("tb") {
		b := mscclBlock{Place: r.place, send: r.int("send", -1), recv: r.int("recv", -1), channel: r.int("chan", 0)}
		if id := r.int("id", 0); id != len(g.blocks) {
			strictjson.Fail(r.place, "id is %d, want %d: thread blocks are listed in order", id, len(g.blocks))
		}
		r.done()
		for r.next("step") {
			b.steps = append(b.steps, readStep(r, len(b.steps)))
			r.next("nothing in a step")
		}
		g.blocks = append(g.blocks, b)
	}
	for _, b := range g.blocks {
		for _, s := range b.steps {
			if s.block >= 0 && (s.block >= len(g.blocks) || s.step >= len(g.blocks[s.block].steps) || !g.blocks[s.block].steps[s.step].awaited) {
				strictjson.Fail(s.Place, "the step depends on step %d of thread block %d, which does not exist or has no hasdep", s.step, s.block)
			}
		}
	}
	return g
}

func readStep(r *mscclReader, number int) mscclStep {
	s := mscclStep{Place: r.place, kind: r.oneOf("type", mscclKinds...), block: -1}
	if n := r.int("s", 0); n != number {
		strictjson.Fail(r.place, "s is %d, want %d: steps are listed in order", n, number)
	}
	s.src = mscclPlace{r.oneOf("srcbuf", "i", "o", "s"), r.int("srcoff", -1)}
	s.dst = mscclPlace{r.oneOf("dstbuf", "i", "o", "s"), r.int("dstoff", -1)}
	s.count = r.int("cnt", 0)
	if s.block, s.step = r.int("depid", -1), r.int("deps", -1); s.block >= 0 && s.step < 0 {
		strictjson.Fail(r.place, "depid is %d, but deps is -1", s.block)
	}
	s.awaited = r.oneOf("hasdep", "0", "1") == "1"
	r.done()
	return s
}
