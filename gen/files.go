// SPDX-License-Identifier: Apache-2.0

// Package gen generates the files of a machine from its plan: Verilog, benches, proofs, synthesis
// scripts and a Makefile that does not need hcgen.
//
// Data flows one way: a validated machine becomes a plan (package plan), and each room makes its files from the plan:
// rtl, formal, bench, synth and handover. This package puts the rooms together, with the Makefile. Package output writes the
// files.
package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/bench"
	"github.com/hcgen/hcgen/gen/formal"
	"github.com/hcgen/hcgen/gen/handover"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/gen/synth"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// gitAttributes is the content of .gitattributes.
const gitAttributes = `# Git keeps the line ends of these files, whatever core.autocrlf says: manifest.json has their hashes.
* -text
`

// Files returns the files of the machine. core is the vendor:library:name:version for FuseSoC; empty
// means ::name:0. The contents are made when they are written, and the names of library modules in them
// begin with the name of the machine. networks are the collective networks of the machine. An error is a bug in hcgen.
func Files(p *plan.Plan, networks []*plan.Collective, core string) ([]artifact.File, error) {
	modules, err := rtl.Files(p, networks)
	if err != nil {
		return nil, err
	}
	benches, err := bench.Files(p, networks)
	if err != nil {
		return nil, err
	}
	files := slices.Concat(modules, handover.Packages(p, core, networks, modules, benches), benches, handover.Software(p), handover.Integration(p, networks, modules))
	for _, room := range []func(*plan.Plan, []*plan.Collective) ([]artifact.File, error){bench.Collectives, synth.Files, formal.Files} {
		more, err := room(p, networks)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	if len(networks) > 0 {
		files = append(files, artifact.File{Path: collectiveMake, Role: artifact.Build, Content: render.Template("collective.mk.tmpl", newCollectiveMakeView(p, networks))})
	}
	makefile, err := newMakefileView(p, networks)
	if err != nil {
		return nil, err
	}
	return append(files,
		artifact.File{Path: "filelist.f", Role: artifact.Build, Content: artifact.Text(fileList(modules, networks))},
		artifact.File{Path: ".gitattributes", Role: artifact.Build, Content: artifact.Text(gitAttributes)},
		artifact.File{Path: "Makefile", Role: artifact.Build, Content: render.Template("Makefile.tmpl", makefile)},
	), nil
}

// fileList is the list of the Verilog files, in the order of their dependencies. Operators of the user come first.
func fileList(modules []artifact.File, networks []*plan.Collective) string {
	return strings.Join(append(rtl.OperatorFiles(networks), each.Of(modules, func(f artifact.File) string { return f.Path })...), "\n") + "\n"
}

// seedList prints the seeds of a synthesis target, separated by blanks.
func seedList(s machine.Synthesis) string { return strings.Trim(fmt.Sprint(s.Seeds), "[]") }
