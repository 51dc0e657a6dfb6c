// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/internal/fpga"
)

// diagnosis is what hcgen doctor --json prints.
type diagnosis struct {
	OK      bool         `json:"ok"` // all needed tools are installed and recent enough
	Tools   []toolReport `json:"tools"`
	Install []string     `json:"install"` // Debian packages that are missing or too old, of needed tools
}

// toolReport is the state of one tool.
type toolReport struct {
	Tool    string   `json:"tool"`
	Status  status   `json:"status"`
	Version string   `json:"version,omitempty"` // missing if it is unknown
	Oldest  string   `json:"oldest"`
	Needed  bool     `json:"needed"`           // by the generated Makefile
	Targets []string `json:"targets"`          // of make that use it
	Package string   `json:"package"`          // of Debian; empty if it has none
	Family  string   `json:"family,omitempty"` // of devices, if only a family that is not the default needs it
}

func newDoctor(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check that required tools are installed and recent enough",
		Long: `Check the tools of the generated Makefile. The command lists the installed and the
oldest version of each tool and the targets of make that use it, and prints the command
that installs missing tools. hcgen itself needs none of them. Environment variables
such as VERILATOR name other programs, as they do for the Makefile.

Exit codes: 0 all required tools are installed, 4 a tool is missing or too old.`,
		Example: `  hcgen doctor
  hcgen doctor --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := examine(cmd.Context(), os.Getenv)
			if err := cmd.Context().Err(); err != nil {
				return failure{code: exitInterrupted, err: fmt.Errorf("interrupted")}
			}
			if asJSON {
				if err := writeJSON(c.out, d); err != nil {
					return classify(err)
				}
			} else if err := d.write(c.out); err != nil {
				return classify(err)
			}
			return d.verdict()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// examine looks at every tool.
func examine(ctx context.Context, env func(string) string) *diagnosis {
	d := &diagnosis{OK: true, Install: []string{}}
	for _, t := range tools {
		r := toolReport{Tool: t.name, Oldest: t.oldest, Needed: t.needed, Targets: t.targets, Package: t.debian}
		r.Status, r.Version = t.look(ctx, env)
		if t.needed && r.Status != statusOK {
			d.OK = false
			if !slices.Contains(d.Install, t.debian) { // a package may have several tools
				d.Install = append(d.Install, t.debian)
			}
		}
		d.Tools = append(d.Tools, r)
	}
	for _, f := range fpga.Families[1:] {
		placer, err := f.Placer()
		if err != nil {
			placer = f.Placers[0]
		}
		t := tool{name: placer, oldest: f.Oldest, ask: []string{"--version"}}
		r := toolReport{Tool: placer, Oldest: f.Oldest, Targets: []string{"synth"}, Package: f.Debian, Family: f.Name}
		r.Status, r.Version = t.look(ctx, env)
		d.Tools = append(d.Tools, r)
	}
	return d
}

// write prints the state of the tools for people.
func (d *diagnosis) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "tool\tstatus\tversion\toldest\ttargets of make\n")
	for _, r := range d.Tools {
		version, use := r.Version, strings.Join(r.Targets, " ")
		if version == "" {
			version = "-"
		}
		switch {
		case r.Family != "":
			use += ", for devices of " + r.Family + " only"
		case !r.Needed:
			use += ", of hcgen's own Makefile only"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Tool, r.Status, version, r.Oldest, use)
	}
	return w.Flush()
}

// verdict is the error if something needed is missing or too old.
func (d *diagnosis) verdict() error {
	if d.OK {
		return nil
	}
	var bad []string
	for _, r := range d.Tools {
		if !r.Needed {
			continue
		}
		switch r.Status {
		case statusMissing:
			bad = append(bad, r.Tool+" is missing")
		case statusOld:
			bad = append(bad, fmt.Sprintf("%s %s is too old, %s is needed", r.Tool, r.Version, r.Oldest))
		case statusUnknown:
			bad = append(bad, r.Tool+" prints no version")
		}
	}
	return failure{code: exitTool, err: fmt.Errorf("%s", strings.Join(bad, "; ")),
		advice: "on Debian 12 or newer: apt-get install " + strings.Join(d.Install, " ")}
}
