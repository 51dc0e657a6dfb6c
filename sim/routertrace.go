// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"io"

	"github.com/hcgen/hcgen/plan"
)

// RouterCycles is the default length of the trace of one router driven at all its
// ports. It grows with the number of situations: with each port above four, up to 16, and by
// three quarters with destinations. It is shorter for wide payloads, so that the file stays
// within a few megabytes. Passes at ring ports add their own cycles.
func RouterCycles(p *plan.Plan) int {
	const (
		cycles = 4500     // of a router with up to 4 ports,
		more   = 650      // additional cycles for each further port
		upTo   = 12600    // limit of the sum
		fewest = 1500     // fewest cycles
		most   = 10 << 20 // bytes of the file, about
	)
	line := 26 + (p.LinkBits-p.PayloadBits+3)/4 + (p.PayloadBits+3)/4
	fit := most / (line * (p.Degree + 1) * 4 / 3) // less than two thirds of all streams are valid
	n := min(cycles+more*max(0, p.Degree-4), upTo, max(fewest, fit))
	if p.Destination != nil {
		n += n * 3 / 4 // destinations have more situations
	}
	return n + passesCycles(p)
}

// RouterNode is the node whose router is driven in the router trace: with a source id, a node whose
// address has alternating bits, the highest bit set if possible, so that a lost or misplaced bit
// shows; without a source id, node 0.
func RouterNode(p *plan.Plan) int {
	const alternating = 0xaaaaaaaa // more bits than an address has
	node := alternating & (1<<p.SourceBits - 1)
	if p.SourceBits%2 != 0 {
		node = ^alternating & (1<<p.SourceBits - 1)
	}
	for node >= p.Nodes { // once, or several times if a programmable router has longer addresses
		node >>= 1
	}
	return node
}

// routerRun is the router of RouterNode driven at all its ports, cycle by cycle.
type routerRun struct {
	router   *Router
	stimulus *stimulus
	in       *Inputs // of the cycle evaluated
	out      Outputs
}

func newRouterRun(p *plan.Plan, seed int64) *routerRun {
	return &routerRun{router: NewRouter(p, RouterNode(p)), stimulus: newStimulus(p, seed)}
}

// evaluate computes the next cycle; step, which must follow, is the clock edge that
// ends it.
func (r *routerRun) evaluate() {
	r.in = r.stimulus.drive(r.router.clock.pace, r.router.barrier.pace, r.router.held() == 0)
	r.router.Evaluate(r.in, &r.out)
}

func (r *routerRun) step() {
	r.router.Step()
	r.stimulus.taken(&r.out)
}

// WriteRouterTrace writes the golden trace of the router of RouterNode driven at
// all its ports for the given number of cycles (0: RouterCycles). It is designed to cover every
// situation of the router; the tests count them. The error is the first of w.
func WriteRouterTrace(w io.Writer, p *plan.Plan, cycles int, seed int64, progress func(done, total int)) error {
	if cycles == 0 {
		cycles = RouterCycles(p)
	}
	tw := newTraceWriter(w, p, NewPayload(plan.RouterTraffic, seed, p.PayloadBits))
	if err := tw.start(p, plan.RouterTraffic, cycles); err != nil {
		return err
	}
	r := newRouterRun(p, seed)
	for cycle, reported := 0, 0; cycle < cycles; {
		r.evaluate()
		traceRouter(tw, cycle, RouterNode(p), r.in, &r.out)
		r.step()
		cycle++
		if cycle-reported >= progressEvery || cycle == cycles {
			reported = cycle
			if progress != nil {
				progress(cycle, cycles)
			}
			if err := tw.finish(); err != nil {
				return err
			}
		}
	}
	return tw.finish()
}

// traceRouter writes the lines of one cycle of the router of a node.
func traceRouter(tw *traceWriter, cycle, node int, in *Inputs, out *Outputs) {
	hasBarrier := tw.plan.Machine.Barrier
	if in.BarrierArrive {
		tw.barrier(cycle, node, out.BarrierRelease)
	}
	if hasBarrier {
		tw.paces(cycle, node, " barrier_pace ", plan.PaceBits, func(int) uint64 { return uint64(out.BarrierPace) })
	}
	if out.DestError {
		tw.destinationError(cycle, node)
	}
	for p := range tw.plan.Degree {
		if out.HeaderError>>p&1 != 0 {
			tw.headerError(cycle, node, p)
		}
	}
	linkPaces := plan.PaceBits * tw.plan.Degree
	if hasBarrier {
		tw.paces(cycle, node, " link_barrier_pace ", linkPaces, func(int) uint64 { return in.LinkBarrierPace })
	}
	tw.paces(cycle, node, " link_pace ", linkPaces, func(int) uint64 { return in.LinkPace })
	tw.outputs(cycle, node, in, out)
	tw.paces(cycle, node, " pace ", plan.PaceBits, func(int) uint64 { return uint64(out.Pace) })
	for p := range tw.plan.Degree {
		if in.LinkValid>>p&1 != 0 {
			tw.link(cycle, node, tw.names.sLink[p], out.LinkReady>>p&1 != 0, &in.Link[p])
		}
	}
	tw.offer(cycle, node, in, out)
}
