// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"io"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// progressEvery is the number of cycles between two reports of progress of a router trace.
const progressEvery = 256

// WriteRouter writes the golden trace of the router of traffic.RouterNode driven at
// all its ports for the given number of cycles (0: traffic.RouterCycles). It is designed to cover every
// situation of the router; the tests count them. The error is the first of w.
func WriteRouter(w io.Writer, p *plan.Plan, cycles int, seed int64, progress func(done, total int)) error {
	if cycles == 0 {
		cycles = traffic.RouterCycles(p)
	}
	tw := newTraceWriter(w, p, traffic.NewPayload(plan.RouterTraffic, seed, p.PayloadBits))
	if err := tw.start(p, plan.RouterTraffic, cycles); err != nil {
		return err
	}
	r, s := model.NewRouter(p, traffic.RouterNode(p)), traffic.NewStimulus(p, seed)
	var out sim.Outputs
	for cycle, reported := 0, 0; cycle < cycles; {
		in := s.Drive(r)
		r.Evaluate(in, &out)
		traceRouter(tw, cycle, traffic.RouterNode(p), in, &out)
		r.Step()
		s.Taken(&out)
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
func traceRouter(tw *traceWriter, cycle, node int, in *sim.Inputs, out *sim.Outputs) {
	hasBarrier := tw.plan.Machine.Barrier
	if in.BarrierArrive {
		tw.barrier(cycle, node, out.BarrierRelease)
	}
	one := func(pace uint8) func(int) uint8 { return func(int) uint8 { return pace } }
	if hasBarrier {
		tw.paces(cycle, node, " barrier_pace ", 1, plan.BarrierPaceBits, one(out.BarrierPace))
	}
	if out.DestError {
		tw.destinationError(cycle, node)
	}
	for p := range tw.plan.Degree {
		if out.HeaderError>>p&1 != 0 {
			tw.headerError(cycle, node, p)
		}
	}
	if hasBarrier {
		tw.paces(cycle, node, " link_barrier_pace ", tw.plan.Degree, plan.BarrierPaceBits, func(p int) uint8 { return in.LinkBarrierPace[p] })
	}
	tw.paces(cycle, node, " link_pace ", tw.plan.Degree, tw.plan.PaceBits, func(p int) uint8 { return in.LinkPace[p] })
	tw.outputs(cycle, node, in, out)
	tw.paces(cycle, node, " pace ", 1, tw.plan.PaceBits, one(out.Pace))
	for p := range tw.plan.Degree {
		tw.linkInput(cycle, node, p, in, out)
	}
	tw.offer(cycle, node, in, out)
}
