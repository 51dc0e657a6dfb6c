// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// checkReport is what hcgen check --json prints.
type checkReport struct {
	OK       bool           `json:"ok"`
	Machine  string         `json:"machine,omitempty"` // its name, if there is no error
	Messages []checkMessage `json:"messages"`
}

// checkMessage is an error or a warning. Lines and columns count from 1, in the file or in
// NAME=VALUE of --var; the end is the first character after the place. They are missing if the
// message has no place.
type checkMessage struct {
	Severity  string `json:"severity"` // error or warning
	Summary   string `json:"summary"`
	Detail    string `json:"detail"`
	File      string `json:"file,omitempty"`
	Variable  string `json:"variable,omitempty"` // instead of a file: given by --var
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	EndColumn int    `json:"end_column,omitempty"`
}

func newCheck(c *console) *cobra.Command {
	var from config
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check -c FILE",
		Short: "Check a description",
		Long: `Check a description without generating anything. All errors are reported at once,
each with its line and column. --json prints them as JSON to standard output; the exit
code is the same.`,
		Example: `  hcgen check -c torus4x4.hcl
  hcgen check -c torus4x4.hcl --var payload_bits=64
  hcgen check -c - < torus4x4.hcl
  hcgen check -c torus4x4.hcl --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return from.report(c)
			}
			m, err := from.load(c)
			if err != nil {
				return classify(err)
			}
			fmt.Fprintf(c.out, "ok: %s\n", summary(m))
			return nil
		},
	}
	from.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// report prints all messages about the description as JSON.
func (f *config) report(c *console) error {
	if !f.path.set {
		return errNoDescription
	}
	l, err := f.read(c)
	if err != nil {
		return classify(err)
	}
	about := checkReport{OK: !l.diags.HasErrors(), Messages: []checkMessage{}}
	if about.OK {
		about.Machine = l.machine.Name
	}
	for _, d := range l.diags {
		message := checkMessage{Severity: "error", Summary: d.Summary, Detail: d.Detail}
		if d.Severity == hcl.DiagWarning {
			message.Severity = "warning"
		}
		if at := d.Subject; at != nil {
			if name, given := machine.VariableOf(at.Filename); given {
				message.Variable = name
			} else {
				message.File = at.Filename
			}
			message.Line, message.Column = at.Start.Line, at.Start.Column
			message.EndLine, message.EndColumn = at.End.Line, at.End.Column
		}
		about.Messages = append(about.Messages, message)
	}
	if err := writeJSON(c.out, about); err != nil {
		return classify(err)
	}
	if !about.OK {
		return failure{code: exitUsage}
	}
	return nil
}

// summary describes a machine in one line.
func summary(m *machine.Machine) string {
	parts := []string{
		m.Name + ": " + count(m.Graph.Nodes(), "node"), fmt.Sprintf("degree %d", m.Graph.Degree()), fmt.Sprintf("diameter %d", m.Graph.Diameter()),
	}
	if n := m.Registers(); n > 0 {
		parts = append(parts, "up to "+count(n, "register")+" on a link")
	}
	if m.Clocks() {
		parts = append(parts, "several clocks")
	}
	if m.Chips() {
		parts = append(parts, count(plan.New(m).Chips.Count, "chip"))
	}
	if m.NoRouters {
		parts = append(parts, "no routers")
	} else {
		parts = append(parts, "payload "+count(m.PayloadBits, "bit"), count(len(m.Traffic), "traffic block"))
	}
	if m.Endpoint != nil {
		parts = append(parts, "endpoints on "+m.Endpoint.Bus)
	}
	if len(m.Collectives) > 0 {
		parts = append(parts, count(len(m.Collectives), "collective network"))
	}
	return strings.Join(append(parts, count(len(m.Synthesis), "synthesis block")), ", ")
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
