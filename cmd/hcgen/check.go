// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/machine"
)

func newCheck(c *console) *cobra.Command {
	var from config
	cmd := &cobra.Command{
		Use:   "check -c FILE",
		Short: "Check the description of a machine and write nothing",
		Long: `Check the description of a machine. All mistakes are reported at once, with
line and column. Nothing is written.`,
		Example: `  hcgen check -c torus4x4.hcl
  hcgen check -c torus4x4.hcl --var payload_bits=64
  hcgen check -c - < torus4x4.hcl`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := from.load(c)
			if err != nil {
				return classify(err)
			}
			fmt.Fprintf(c.out, "ok: %s\n", summary(m))
			return nil
		},
	}
	from.flags(cmd)
	return cmd
}

// summary describes a machine in one line.
func summary(m *machine.Machine) string {
	return fmt.Sprintf("%s: %s, degree %d, diameter %d, payload %s, %s, %s", m.Name,
		count(m.Graph.Nodes(), "node"), m.Graph.Degree(), m.Graph.Diameter(), count(m.PayloadBits, "bit"),
		count(len(m.Traffic), "traffic block"), count(len(m.Synthesis), "synthesis block"))
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
