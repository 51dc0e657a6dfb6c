// SPDX-License-Identifier: Apache-2.0

// Package synth makes what synthesis needs: its script, and wrappers with few pins.
package synth

import (
	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/templates"
)

func Files(p *plan.Plan, networks []*plan.Collective) ([]artifact.File, error) {
	script, err := artifact.Copied(templates.Files, "synth/synth.sh", "synth", artifact.Synthesis)
	if err != nil {
		return nil, err
	}
	files := []artifact.File{script}
	add := func(v *pinsView) {
		files = append(files, artifact.File{Path: "synth/" + v.Module + ".v", Role: artifact.Synthesis, Content: render.Verilog("pins.v.tmpl", v)})
	}
	if !p.Machine.NoRouters {
		add(newPinsView(p))
		if p.Machine.Network {
			add(newNetworkPinsView(p))
		}
	}
	for _, c := range networks {
		add(newNodePinsView(c))
		add(newCollectivePinsView(c))
	}
	return files, nil
}
