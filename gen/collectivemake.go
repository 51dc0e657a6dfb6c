// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"github.com/hcgen/hcgen/gen/bench"
	"github.com/hcgen/hcgen/gen/formal"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/gen/synth"
	"github.com/hcgen/hcgen/plan"
)

// collectiveMake is the part of the Makefile about collective networks.
const collectiveMake = "collective.mk"

// collectiveMakeView is everything the template of that part prints.
type collectiveMakeView struct {
	Header, Machine string
	Rings           string // m and rho of each dimension
	Networks        []collectiveRun
	Bench           string // its main source, without the folder
	Syntheses       []synthesisView
}

// collectiveRun is what the targets of a network need.
type collectiveRun struct {
	Name, Module, Node string
	Standin            string // in the place of which file of the user the bench has a module of its own; empty if none
	Aim                int    // of the tools of synthesis, in MHz
	Nodes              int
	Operation          string
	Assertions, Covers int
	Depth              int // cycles of the proof
	ProveBy            string
	NodeAssertions     int
	Induction          int
	CoverDepth         int
	Carries            string // the operation as the proof by node has it
	Root               int
	collectiveTakes
}

func newCollectiveMakeView(p *plan.Plan, networks []*plan.Collective) *collectiveMakeView {
	v := &collectiveMakeView{Header: p.Notice("#"), Machine: p.Name, Rings: ringsText(p), Syntheses: newSyntheses(p), Bench: bench.CollectiveMain}
	for _, c := range networks {
		proof := formal.NewCollectiveProof(c)
		standin := ""
		if files := rtl.OperatorFiles([]*plan.Collective{c}); files != nil {
			standin = files[0]
		}
		v.Networks = append(v.Networks, collectiveRun{
			Standin: standin, Aim: synth.Aim(c),
			Name: c.Name, Module: c.NetworkModule, Node: rtl.LargestNode(c), Nodes: c.Nodes,
			Operation: c.Operation(), Assertions: proof.Assertions, Covers: proof.Covers, Depth: proof.Depth,
			ProveBy: proof.By, NodeAssertions: proof.NodeAssertions, Induction: proof.Induction, CoverDepth: proof.CoverDepth, Carries: c.Streaming.Operation, Root: c.Collective.Root, collectiveTakes: newCollectiveTakes(c),
		})
	}
	return v
}
