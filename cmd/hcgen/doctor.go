// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
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
	Oldest  string   `json:"oldest,omitempty"`  // missing if any version will do
	Needed  bool     `json:"needed"`            // by the generated Makefile
	Hcgen   bool     `json:"hcgen"`             // only developers of hcgen need it
	Targets []string `json:"targets"`           // of make that use it, here or in hcgen
	Package string   `json:"package"`           // of Debian
	Family  string   `json:"family,omitempty"`  // of devices, if only a family that is not the default needs it
}

func newDoctor(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check that required tools are installed and recent enough",
		Long: `Check the tools of the generated Makefile, and GTKWave, which shows waves. The command
lists the installed and the oldest version of each tool and the targets of make that use
it, and prints the command that installs missing tools. hcgen itself needs none of them.
Environment variables such as VERILATOR name other programs, as they do for the Makefile.
A second table has the tools that only developers of hcgen need.

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
		r := toolReport{Tool: t.name, Oldest: t.oldest, Needed: t.use == byMakefile, Hcgen: t.use == byHcgenOnly, Targets: append([]string{}, t.targets...), Package: t.debian}
		r.Status, r.Version = t.look(ctx, env)
		if r.Needed && r.Status != statusOK {
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

// write prints the state of the tools for people: those for users, then those for developers of hcgen.
func (d *diagnosis) write(out io.Writer) error {
	for _, table := range []struct {
		head, targets string
		hcgen         bool
	}{{"", "targets of make", false}, {"\nonly to develop hcgen:\n", "targets of make in a clone of hcgen", true}} {
		if _, err := io.WriteString(out, table.head); err != nil {
			return err
		}
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "tool\tstatus\tversion\toldest\t%s\n", table.targets)
		for _, r := range d.Tools {
			if r.Hcgen == table.hcgen {
				targets := cmp.Or(strings.Join(r.Targets, " "), "none: optional, it shows waves")
				if r.Family != "" {
					targets += ", for devices of " + r.Family + " only"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Tool, r.Status, cmp.Or(r.Version, "-"), cmp.Or(r.Oldest, "-"), targets)
			}
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
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
