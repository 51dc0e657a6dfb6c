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
// its ports: what the drills of the gate take, which is more than two full hold
// counts (2 * 8,160 cycles, most of them almost silent), and random scenes, more
// of them for each port above four, because the situations are as many more, and
// fewer, but at least a seventh, if the payload is so wide that the file would
// exceed about 10 MB.
func RouterCycles(p *plan.Plan) int { return length(newProgram(p)) }

// WriteRouterTrace writes the golden trace of router 0 driven at all its ports
// for the given number of cycles (0: RouterCycles) by random, stalling traffic
// with malformed headers. It is meant to meet every situation that the router
// can be in; the Coverage tells how often it did. The error is the first of w.
func WriteRouterTrace(w io.Writer, p *plan.Plan, cycles int, seed int64, progress func(done, total int)) (*Coverage, error) {
	if cycles == 0 {
		cycles = RouterCycles(p)
	}
	tw := newTraceWriter(w, p, NewPayload(RouterTraffic, seed, p.PayloadBits))
	if err := tw.start(p, RouterTraffic, cycles); err != nil {
		return nil, err
	}
	r := NewRouter(p, 0)
	s := newStimulus(p, seed)
	c := newCoverage(p)
	var out Outputs
	for cycle := 0; cycle < cycles; cycle++ {
		in := s.drive()
		r.Evaluate(in, &out)
		c.observe(r, in, &out)
		traceRouter(tw, cycle, in, &out)
		r.Step()
		s.taken(&out)
		if cycle%progressEvery == 0 || cycle == cycles-1 {
			if progress != nil {
				progress(cycle+1, cycles)
			}
			if err := tw.finish(); err != nil {
				return c, err
			}
		}
	}
	return c, tw.finish()
}

// traceRouter writes the lines of one cycle of router 0.
func traceRouter(tw *traceWriter, cycle int, in *Inputs, out *Outputs) {
	for i := out.HeaderError; i != 0; i &= i - 1 {
		tw.errorPulse(cycle, 0, bits.TrailingZeros32(i))
	}
	for i := out.LinkValid; i != 0; i &= i - 1 {
		p := bits.TrailingZeros32(i)
		tw.link(cycle, 0, tw.names.mLink[p], in.LinkReady>>p&1 != 0, &out.Link[p])
	}
	if out.LocalValid {
		tw.local(cycle, 0, in.LocalReady, &out.Local)
	}
	for i := in.LinkValid; i != 0; i &= i - 1 {
		p := bits.TrailingZeros32(i)
		tw.link(cycle, 0, tw.names.sLink[p], out.LinkReady>>p&1 != 0, &in.Link[p])
	}
	if in.LocalValid {
		tw.offer(cycle, 0, out.LocalReady, 0, in.LocalSeq)
	}
}
