// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"io"
	"math/bits"

	"github.com/hcgen/hcgen/gen/plan"
)

// RouterTraffic is the name of the traffic in traces of WriteRouterTrace.
const RouterTraffic = "router"

// RouterCycles is the default length of the trace of one router driven at all
// its ports: drills of the gate, some of them for every output, and random scenes,
// more of them for each port above four, because the situations are as many more,
// and fewer, but at least an 18th, if the payload is so wide that the file would
// exceed about 16 MB. Most of the cycles, in which little happens, are what the
// memory of levels 1 and 2 takes. What takes a cap or a patience above a few thousand
// cycles, or the memory of level 3, is left out.
func RouterCycles(p *plan.Plan) int { return length(newProgram(p)) }

// RouterNode is the node whose router is driven in the router trace: with a
// source id one whose address has alternating bits, so that a bit of it that is
// lost or in the wrong place shows, the highest bit set if such a node exists;
// without a source id, node 0.
func RouterNode(p *plan.Plan) int {
	const alternating = 0xaaaaaaaa // more bits than an address has
	node := alternating & (1<<p.SourceBits - 1)
	if p.SourceBits%2 != 0 {
		node = ^alternating & (1<<p.SourceBits - 1)
	}
	if node >= p.Nodes {
		node >>= 1
	}
	return node
}

// WriteRouterTrace writes the golden trace of the router of RouterNode driven at
// all its ports for the given number of cycles (0: RouterCycles) by random,
// stalling traffic with malformed headers. It is meant to meet every situation
// that the router can be in; the Coverage tells how often it did. The error is
// the first of w.
func WriteRouterTrace(w io.Writer, p *plan.Plan, cycles int, seed int64, progress func(done, total int)) (*Coverage, error) {
	if cycles == 0 {
		cycles = RouterCycles(p)
	}
	tw := newTraceWriter(w, p, NewPayload(RouterTraffic, seed, p.PayloadBits))
	if err := tw.start(p, RouterTraffic, cycles); err != nil {
		return nil, err
	}
	r := NewRouter(p, RouterNode(p))
	s := newStimulus(r, seed)
	c := newCoverage(p)
	var out Outputs
	for cycle, reported := 0, 0; cycle < cycles; {
		in := s.drive()
		r.Evaluate(in, &out)
		c.observe(r, in, &out)
		traceRouter(tw, cycle, int(r.node), in, &out)
		r.Step()
		s.taken(&out)
		cycle++
		if cycle-reported >= progressEvery || cycle == cycles {
			reported = cycle
			if progress != nil {
				progress(cycle, cycles)
			}
			if err := tw.finish(); err != nil {
				return c, err
			}
		}
	}
	return c, tw.finish()
}

// traceRouter writes the lines of one cycle of the router of a node.
func traceRouter(tw *traceWriter, cycle, node int, in *Inputs, out *Outputs) {
	for i := out.HeaderError; i != 0; i &= i - 1 {
		tw.errorPulse(cycle, node, bits.TrailingZeros32(i))
	}
	for i := out.LinkValid; i != 0; i &= i - 1 {
		p := bits.TrailingZeros32(i)
		tw.link(cycle, node, tw.names.mLink[p], in.LinkReady>>p&1 != 0, &out.Link[p])
	}
	if out.LocalValid {
		tw.local(cycle, node, in.LocalReady, &out.Local)
	}
	for i := in.LinkValid; i != 0; i &= i - 1 {
		p := bits.TrailingZeros32(i)
		tw.link(cycle, node, tw.names.sLink[p], out.LinkReady>>p&1 != 0, &in.Link[p])
	}
	if in.LocalValid {
		tw.offer(cycle, node, out.LocalReady, uint32(node), in.LocalSeq)
	}
}
