// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/svg"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traces"
)

// growthPicture is what growth writes.
const growthPicture = "docs/growth.svg"

// sweep is a row of machines that differ in one number.
type sweep struct {
	name   string // of the number
	points []point
}

// point is a machine of a sweep, and the task that measures it.
type point struct {
	X       int // the number that the sweep varies
	Rings   []hypercycle.Dimension
	Payload int    // bits
	RTL     bool   // simulate the RTL too; larger ones take the compiler minutes
	Program string // generates and simulates

	varied string // name of the sweep
	costs  costs
}

// costs are the result of a point.
type costs struct {
	Nodes, Degree int
	Text          float64 // ms to generate everything but traces
	Trace         float64 // ms to write the router trace
	Model         float64 // ns for a router cycle, under load
	Verilated     float64 // the same in the RTL; 0 if not measured
}

func sweeps() []sweep {
	square := func(m int) []hypercycle.Dimension { return []hypercycle.Dimension{{M: m, Rho: 1}, {M: m, Rho: 1}} }
	nodes := sweep{name: "nodes"}
	for _, m := range []int{2, 4, 6, 8, 16, 32} {
		nodes.points = append(nodes.points, point{X: m * m, Rings: square(m), Payload: 32, RTL: m <= 6})
	}
	degree := sweep{name: "degree"}
	for _, rho := range []int{1, 2, 4, 8} {
		degree.points = append(degree.points, point{X: min(2*rho, 15), Rings: []hypercycle.Dimension{{M: 16, Rho: rho}}, Payload: 32, RTL: rho <= 4})
	}
	payload := sweep{name: "payload"}
	for _, bits := range []int{8, 32, 128, 512, 1024} {
		payload.points = append(payload.points, point{X: bits, Rings: square(4), Payload: bits, RTL: bits <= 512})
	}
	all := []sweep{nodes, degree, payload}
	for _, s := range all {
		for i := range s.points {
			s.points[i].varied = s.name
		}
	}
	return all
}

// growth measures how the cost of a machine grows with its nodes, its degree and its payload: the time of generation, of a cycle
// of a router in the reference model, and of a cycle in the Verilated RTL.
func growth(flags *flag.FlagSet) func(context.Context) (*report, error) {
	r := newRunner(flags)
	r.alone = true
	return func(ctx context.Context) (*report, error) {
		program, err := campaign.Program()
		if err != nil {
			return nil, err
		}
		all := sweeps()
		var units []unit
		for _, s := range all {
			for i := range s.points {
				pt := &s.points[i]
				pt.Program = program
				units = append(units, unit{fmt.Sprintf("%s%d", s.name, pt.X), task{Point: pt}, &pt.costs})
			}
		}
		if err := r.run(ctx, []string{"verilator"}, units); err != nil {
			return nil, err
		}
		return growthReport(all), nil
	}
}

func growthReport(all []sweep) *report {
	var points []point
	for _, s := range all {
		points = append(points, s.points...)
	}
	return &report{
		Tables:   []table{tableOf("growth of costs", growthColumns, points)},
		pictures: []picture{{growthPicture, drawGrowth(all)}},
	}
}

var growthColumns = []column[point]{
	{"varied", "varied", "", "%s", func(pt point) any { return pt.varied }},
	{"m_rho", "(m, rho)", "", "%s", func(pt point) any {
		rings := ""
		for _, d := range pt.Rings {
			rings += fmt.Sprintf("(%d, %d)", d.M, d.Rho)
		}
		return rings
	}},
	{"nodes", "nodes", "", "%d", func(pt point) any { return pt.costs.Nodes }},
	{"degree", "degree", "", "%d", func(pt point) any { return pt.costs.Degree }},
	{"payload_bits", "payload", "", "%d", func(pt point) any { return pt.Payload }},
	{"text_ms", "text, ms", "generated text, without traces", "%.1f", func(pt point) any { return pt.costs.Text }},
	{"trace_ms", "router trace, ms", "", "%.1f", func(pt point) any { return pt.costs.Trace }},
	{"model_ns", "model, ns", "per router cycle, under load", "%.0f", func(pt point) any { return pt.costs.Model }},
	{"rtl_ns", "RTL, ns", "per router cycle, under load", "%.0f", func(pt point) any { return unlessZero(pt.costs.Verilated) }},
}

// machine is the machine of the point, with a broadcast as its only traffic.
func (pt *point) machine() (*machine.Machine, error) {
	m, err := machine.Bare(pt.Rings...)
	if err != nil {
		return nil, err
	}
	m.Name, m.Network, m.PayloadBits = "growth", true, pt.Payload
	m.Traffic = []machine.Traffic{{Name: "one", Cycles: 1, Sends: []machine.Send{{From: 0}}}}
	return parseMachine(string(m.HCL()))
}

// do measures the costs of the machine. Each is the least of several runs, because other processes use the processor, too.
func (pt *point) do(ctx context.Context) (c costs, err error) {
	m, err := pt.machine()
	if err != nil {
		return c, err
	}
	p := plan.New(m)
	c.Nodes, c.Degree = p.Nodes, p.Degree
	files, err := assemble.Files(p, assemble.Options{})
	if err != nil {
		return c, err
	}
	c.Text, err = shortest(func() error {
		for _, f := range files {
			if !strings.HasPrefix(f.Path, "golden/") {
				if err := f.Content(io.Discard); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return c, err
	}
	c.Trace, err = shortest(func() error { return traces.WriteRouter(io.Discard, p, 0, 1, nil) })
	if err != nil {
		return c, err
	}
	n := measure.NewRun(p, machine.Traffic{Name: "growth", Random: &machine.Random{Rate: 1, Stall: 0.1, Seed: 1}}, model.Options{})
	cycles := max(20, 400_000/p.Nodes)
	milliseconds, err := shortest(func() error {
		for range cycles {
			n.Step()
		}
		return nil
	})
	if err != nil {
		return c, err
	}
	c.Model = milliseconds * 1e6 / float64(cycles*p.Nodes)
	if !pt.RTL {
		return c, nil
	}
	g, remove, err := generate(ctx, m)
	if err != nil {
		return c, err
	}
	defer remove()
	speed, err := g.fastest(ctx, fmt.Sprintf("CYCLES=%d", max(500, 200_000/p.Nodes)))
	c.Verilated = 1e3 / speed
	return c, err
}

// shortest returns the processor time of the shortest of several runs, in milliseconds.
func shortest(run func() error) (float64, error) {
	least := math.Inf(1)
	for range 5 {
		start, _, err := used()
		if err != nil {
			return 0, err
		}
		if err := run(); err != nil {
			return 0, err
		}
		end, _, err := used()
		if err != nil {
			return 0, err
		}
		least = min(least, float64(end-start)/float64(time.Millisecond))
	}
	return least, nil
}

// drawnGrowth are the columns of the rows of panels.
var drawnGrowth = only(growthColumns, "text_ms", "model_ns", "rtl_ns")

// drawGrowth draws a row of panels for each figure and a column for each sweep: doubly logarithmic, so that a straight line of
// slope 1 is linear growth.
func drawGrowth(all []sweep) []byte {
	const (
		panelWidth, panelHeight = 220., 150.
		left, top, gap          = 60., 40., 60.
		radius                  = 3.
		colour                  = "#0072b2"
	)
	p := svg.New(left+3*(panelWidth+gap)-gap+40, top+float64(len(drawnGrowth))*(panelHeight+gap), "Growth of costs",
		"Time to generate, and time of a router cycle in model and RTL, against nodes, degree and payload")
	for row, figure := range drawnGrowth {
		low, high := math.Inf(1), 0.0 // one scale for the row, so that its panels compare
		for _, s := range all {
			for _, pt := range s.points {
				if v, has := figure.value(pt).(float64); has {
					low, high = min(low, v), max(high, v)
				}
			}
		}
		foot := top + float64(row)*(panelHeight+gap) + panelHeight
		y := axis{low: math.Pow(10, math.Floor(math.Log10(low))), high: math.Pow(10, math.Ceil(math.Log10(high))), from: foot, to: foot - panelHeight, log: true}
		var powers []float64
		for v := y.low; v <= y.high*1.01; v *= 10 {
			powers = append(powers, v)
		}
		for column, s := range all {
			from := left + float64(column)*(panelWidth+gap)
			x := axis{low: float64(s.points[0].X), high: float64(s.points[len(s.points)-1].X), from: from, to: from + panelWidth, log: true}
			p.Text(svg.Point{X: x.from, Y: y.to - 8}, svg.Start, "", figure.heading+": "+figure.meaning)
			p.Text(svg.Point{X: (x.from + x.to) / 2, Y: y.from + 32}, svg.Middle, "", s.name)
			y.across(p, x.from, x.to, "%g", powers...)
			path := ""
			for _, pt := range s.points {
				x.below(p, y.to, y.from, float64(pt.X))
				if v, has := figure.value(pt).(float64); has {
					at := svg.Point{X: x.at(float64(pt.X)), Y: y.at(v)}
					path += "L" + svg.XY(at)
					dot(p, at, radius, colour, fmt.Sprintf("%s %d: %.3g", s.name, pt.X, v))
				}
			}
			p.Add(`<path d="M%s" fill="none" stroke="%s" stroke-width="1.5"/>`, strings.TrimPrefix(path, "L"), colour)
		}
	}
	return p.Bytes()
}
