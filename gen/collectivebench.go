// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"slices"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
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
	if hasOperatorModule(c) {
		files = append(files, output.File{Path: "tb/" + c.Name + "_operator.v", Role: roleBench, Content: render("collective_operator.v.tmpl", v)})
	}
	return files
}

// hasOperatorModule reports whether a module of the user combines words.
func hasOperatorModule(c *plan.Collective) bool {
	return c.HasResult() && !slices.Contains(machine.Operators, c.Operator)
}
