// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"strings"

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
	Networks        []collectiveRun
	Bench           string // its main source, without the folder
	Syntheses       []synthesisView
}

// collectiveRun is what the targets of a network need.
type collectiveRun struct {
	Name, Module, Node string
	Standin            string // in the place of which file of the user the bench has a module of its own; empty if none
	Around             string // files of modules that contain the network, and of its memories; empty if there are none
	Aim                int    // of the tools of synthesis, in MHz
	Nodes              int
	Operation          string
	Unit               string // what synthesis places
	ProveBy            string // what make prove proves by default: the network, or its nodes
	ByNodes            bool   // there is no other proof
	collectiveTakes
}

func newCollectiveMakeView(p *plan.Plan, networks []*plan.Collective) *collectiveMakeView {
	v := &collectiveMakeView{Header: p.Notice("#"), Machine: p.Name, Syntheses: newSyntheses(p), Bench: bench.CollectiveMain}
	for _, c := range networks {
		standin := ""
		if files := rtl.OperatorFiles([]*plan.Collective{c}); files != nil {
			standin = files[0]
		}
		around := rtl.VectorFiles(c)
		if p.Endpoint != nil {
			around = append(around, "rtl/"+p.Endpoint.SystemModule+".v")
		}
		v.Networks = append(v.Networks, collectiveRun{
			ByNodes: c.Several(), Standin: standin, Around: strings.Join(around, " "), Aim: synth.Aim(c),
			Name: c.Name, Module: c.NetworkModule, Node: synth.NodeModule(c), Nodes: c.Nodes,
			Operation: operations(c), Unit: unit(c), ProveBy: formal.NewCollectiveProof(c).By, collectiveTakes: newCollectiveTakes(c),
		})
	}
	return v
}

// operations names those of a network.
func operations(c *plan.Collective) string {
	last := len(c.All()) - 1
	if last == 0 {
		return c.Operation()
	}
	return strings.Join(c.All()[:last], ", ") + " and " + c.All()[last]
}

// unit is what stands for the nodes of a network in synthesis.
func unit(c *plan.Collective) string {
	if c.Vector > 0 {
		return "a node with its memory"
	}
	return "a node"
}
