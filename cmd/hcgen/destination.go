// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// destinationFlag adds --to.
func destinationFlag(cmd *cobra.Command, to *once) {
	to.kind = "ADDRESS"
	cmd.Flags().Var(to, "to", "destination: a node, or an address with * for all digits as in 3,* (default all nodes)")
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.NoFileCompletions)
}

// parseDestination reads the destination of a message from source: all nodes if the flag is not set.
func parseDestination(m *machine.Machine, source int, to once) (hypercycle.Destination, error) {
	g := m.Graph
	if !to.set {
		return hypercycle.Everywhere(g.Rank()), nil
	}
	if !m.Destination {
		return nil, usage("write message { destination = true } in the description", "--to needs messages with a destination, but every message of %s is a broadcast", m.Name)
	}
	d, err := destinationOf(g, to.value)
	if err != nil {
		return nil, err
	}
	if g.Nobody(d, source) {
		return nil, usage("name another node, or several, such as --to '"+g.Row(source).String()+"'",
			"a message from node %d (%s) to %s reaches nobody: it is not delivered to its source", source, address(g, source), to.value)
	}
	return d, nil
}

// destinationOf reads a node number, or an address, highest dimension first, with * for all digits.
func destinationOf(g *hypercycle.Graph, s string) (hypercycle.Destination, error) {
	if !strings.Contains(s, "*") {
		node, err := parseNode(g, "to", s)
		if err != nil {
			return nil, err
		}
		return g.To(node), nil
	}
	form := "write a node number such as 0, or an address such as " + g.Row(0).String() + " with the highest dimension first and * for all digits"
	var digits []int
	for _, part := range strings.Split(s, ",") {
		part = strings.TrimSpace(part)
		n, err := strconv.ParseUint(part, 10, 31)
		switch {
		case part == "*":
			digits = append(digits, hypercycle.All)
		case err != nil:
			return nil, usage(form, "--to %q is not a destination", s)
		default:
			digits = append(digits, int(n))
		}
	}
	d, err := g.Destination(digits...)
	if err != nil {
		return nil, usage(form, "--to %s is outside the machine: %w", s, err)
	}
	return d, nil
}
