// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"path"
	"slices"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/templates"
)

// clockBuffer is the file that a wrapper for placement includes. Each family has one.
const clockBuffer = "clock_buffer.vh"

// SynthesisScript returns the script of synthesis and what it needs for the families.
func SynthesisScript(notice func(mark string) string, families []*fpga.Family) ([]output.File, error) {
	script, err := copied(templates.Files, "synth/synth.sh", "synth", roleSynthesis)
	if err != nil {
		return nil, err
	}
	files := []output.File{script}
	for _, f := range families {
		add := func(name string, v *scriptView) {
			files = append(files, output.File{Path: path.Join("synth", f.Name, name), Role: roleSynthesis, Content: render(name+".tmpl", v)})
		}
		add("settings.sh", &scriptView{notice("#"), f})
		add(clockBuffer, &scriptView{notice("//"), f})
	}
	return files, nil
}

// scriptView is everything that the script of synthesis is told of a family.
type scriptView struct {
	Header string
	*fpga.Family
}

// targetFamilies lists the families of the synthesis blocks, in the order of the table.
func targetFamilies(p *plan.Plan) (list []*fpga.Family) {
	for _, f := range fpga.Families {
		for _, s := range p.Machine.Synthesis {
			if s.Family == f.Name && !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}
