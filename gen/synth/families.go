// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"path"
	"slices"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/templates"
)

// clockBuffer is the name of the file that a wrapper for placement includes. Each family has one.
const clockBuffer = "clock_buffer.vh"

// Script returns the script of synthesis and what it needs for the families.
func Script(notice func(mark string) string, families []*fpga.Family) ([]artifact.File, error) {
	script, err := artifact.Copied(templates.Files, "synth/synth.sh", "synth", artifact.Synthesis)
	if err != nil {
		return nil, err
	}
	files := []artifact.File{script}
	for _, f := range families {
		add := func(name string, v *scriptView) {
			files = append(files, artifact.File{Path: path.Join("synth", f.Name, name), Role: artifact.Synthesis, Content: render.Template(name+".tmpl", v)})
		}
		add("settings.sh", &scriptView{notice("#"), f})
		add(clockBuffer, &scriptView{notice("//"), f})
	}
	return files, nil
}

// ClockBuffer is the file of a family that the wrappers for placement include.
func ClockBuffer(f *fpga.Family) string { return path.Join("synth", f.Name, clockBuffer) }

// scriptView is everything that the script of synthesis reads about a family.
type scriptView struct {
	Header string
	*fpga.Family
}

// Families lists the families of the synthesis blocks, in the order of the table.
func Families(p *plan.Plan) (list []*fpga.Family) {
	for _, f := range fpga.Families {
		for _, s := range p.Machine.Synthesis {
			if s.Family == f.Name && !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}
