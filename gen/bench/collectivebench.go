// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"slices"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/verilator"
)

// collectiveBenchView is everything that the templates of the bench of a collective network print.
type collectiveBenchView struct {
	*plan.Collective
	Header, ConfigHash string
	OperationBits      int // of the input operation, 0 without it
}

// CollectiveBench returns the files that fit the bench to a collective network of the machine: its header and, if the
// user's module combines words, a module in its place that adds.
func CollectiveBench(m *plan.Plan, c *plan.Collective) []artifact.File {
	v := &collectiveBenchView{Collective: c, Header: m.Notice("//"), ConfigHash: m.Machine.Hash}
	if c.Several() {
		v.OperationBits = c.OperationWire().Bits
	}
	files := []artifact.File{{Path: "tb/" + c.Name + "_collective.h", Role: artifact.Bench, Content: render.Template("collective_config.h.tmpl", v)}}
	if rtl.OwnOperator(c) {
		files = append(files, artifact.File{Path: "tb/" + c.Name + "_operator.v", Role: artifact.Bench, Content: render.Verilog("collective_operator.v.tmpl", v)})
	}
	return files
}

// collectiveBenchSources are those of the bench of a collective network, and collectiveBenchHeaders what they include.
var (
	collectiveBenchSources = []string{CollectiveMain, "bench.cpp"}
	collectiveBenchHeaders = []string{"bench.h", "model.h", "trace.h"}
)

// Collectives are the benches of the networks, and without routers the files that are otherwise theirs.
func Collectives(p *plan.Plan, networks []*plan.Collective) (files []artifact.File, err error) {
	if p.Machine.NoRouters {
		for _, name := range slices.Concat(collectiveBenchSources, collectiveBenchHeaders) {
			f, err := artifact.Copied(verilator.Files, name, "tb", artifact.Bench)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
	}
	for _, c := range networks {
		files = append(files, CollectiveBench(p, c)...)
	}
	return files, nil
}
