// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"slices"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/verilator"
)

// collectiveBenchView is everything that the templates of the bench of a collective network print.
type collectiveBenchView struct {
	*plan.Collective
	Header, ConfigHash string
}

// CollectiveBench returns the files that fit the bench to a collective network of the machine: its header and, if the
// user's module combines words, a module in its place that adds.
func CollectiveBench(m *plan.Plan, c *plan.Collective) []output.File {
	v := &collectiveBenchView{c, m.Notice("//"), m.Machine.Hash}
	files := []output.File{{Path: "tb/" + c.Name + "_collective.h", Role: roleBench, Content: render("collective_config.h.tmpl", v)}}
	if ownOperator(c) {
		files = append(files, output.File{Path: "tb/" + c.Name + "_operator.v", Role: roleBench, Content: render("collective_operator.v.tmpl", v)})
	}
	return files
}

// collectiveBenchSources are those of the bench of a collective network, and collectiveBenchHeaders what they include.
var (
	collectiveBenchSources = []string{collectiveBench, "bench.cpp"}
	collectiveBenchHeaders = []string{"bench.h", "model.h", "trace.h"}
)

// collectiveBenches are the benches of the networks, and without routers the files that are otherwise theirs.
func collectiveBenches(p *plan.Plan, networks []*plan.Collective) (files []output.File, err error) {
	if p.Machine.NoRouters {
		for _, name := range slices.Concat(collectiveBenchSources, collectiveBenchHeaders) {
			f, err := copied(verilator.Files, name, "tb", roleBench)
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
