// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"io"
	"math/bits"

	"github.com/hcgen/hcgen/gen/plan"
)

// RouterTraffic is the name of the traffic in traces of WriteRouterTrace.
const RouterTraffic = "router"

// Bounds of the default length of a router trace.
const (
	mostRouterCycles  = 4000 // of a router with up to 4 ports,
	portRouterCycles  = 250  // and so many more for each other port
	leastRouterCycles = 1000
	routerTraceBytes  = 10 << 20 // about, for the file
)

// RouterCycles is the default length of the trace of one router driven at all
// its ports: 4,000 cycles and 250 more for each port above four, because its
// situations are as many more; or so many fewer that the file stays near 10 MB,
// but at least 1,000.
func RouterCycles(p *plan.Plan) int {
	line := 24 + (p.WdBits+p.WcBits+p.SourceBits+3)/4 + (p.PayloadBits+3)/4
	lines := 2*p.Degree + 2 // if every stream is always valid
	most := mostRouterCycles + portRouterCycles*max(0, p.Degree-4)
	return min(most, max(leastRouterCycles, routerTraceBytes*5/4/(line*lines)))
}

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
