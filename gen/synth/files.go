// SPDX-License-Identifier: Apache-2.0

// Package synth makes what synthesis needs: its script, and wrappers with few pins.
package synth

import (
	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/plan"
)

func Files(p *plan.Plan, networks []*plan.Collective) ([]artifact.File, error) {
	files, err := Script(p.Notice, Families(p))
	if err != nil {
		return nil, err
	}
	add := func(v *pinsView) {
		files = append(files, artifact.File{Path: "synth/" + v.Module + ".v", Role: artifact.Synthesis, Content: render.Verilog("pins.v.tmpl", v)})
	}
	if !p.Machine.NoRouters {
		add(newPinsView(p))
		switch {
		case p.Chips != nil:
			add(newChipPinsView(p))
		case p.Machine.Network:
			add(newNetworkPinsView(p))
		}
	}
	if p.Endpoint != nil {
		add(newEndpointPinsView(p))
		add(newSystemPinsView(p, networks))
	}
	for _, c := range networks {
		if c.Vector > 0 {
			v := newUnitView(c)
			files = append(files, artifact.File{Path: "synth/" + v.Module + ".v", Role: artifact.Synthesis, Content: render.Verilog("unit.v.tmpl", v)})
		}
		add(newNodePinsView(c))
		add(newCollectivePinsView(c))
	}
	return files, nil
}

// Aim is the clock in MHz that the tools aim for where the target clock is lower; 0 if they aim for the target clock. A node that
// only copies words has one multiplexer between registers: a clock that no device of the iCE40 family reaches costs no cells
// and gives a faster placement. The nodes of reductions of whole words have carry chains, whose clock does not depend on the aim.
// With chunks it does, up to somewhat above the fastest clock.
func Aim(c *plan.Collective) int {
	switch {
	case !c.HasResult():
		return 280
	case c.Skew > 0:
		return 190
	}
	return 0
}
