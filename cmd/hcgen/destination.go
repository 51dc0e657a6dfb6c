// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// destinationFlag adds --to.
func destinationFlag(cmd *cobra.Command, to *once) {
	to.kind = "ADDRESS"
	cmd.Flags().Var(to, "to", "destination: a node number, or digits such as 3,2 or '3,*', where * is all (default all nodes)")
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
	d, err := placeOf(g, "to", to.value, "destination")
	if err != nil {
		return nil, err
	}
	if g.Nobody(d, source) {
		return nil, usage("name another node, or several, such as --to '"+g.Row(source).String()+"'",
			"a message from node %d (%s) to %s has no receiver: it is not delivered to its source", source, address(g, source), to.value)
	}
	return d, nil
}

// parseNode reads the node of the named flag.
func parseNode(g *hypercycle.Graph, name, s string) (int, error) {
	d, err := placeOf(g, name, s, "node")
	if err != nil {
		return 0, err
	}
	if !d.Unicast() {
		return 0, usage("give a digit instead of each *", "--%s %s stands for several nodes, but the flag takes one", name, s)
	}
	digits := slices.Clone(d)
	slices.Reverse(digits)
	return g.Node(digits...)
}

// placeOf reads the node or destination of the named flag: the number of a node, or digits separated by
// commas, highest dimension first, with or without brackets, with * for all digits. A digit without
// comma and brackets is a number.
func placeOf(g *hypercycle.Graph, name, s, what string) (hypercycle.Destination, error) {
	form := "write a node number such as 0, or digits such as " + g.To(0).String() + " with the highest dimension first"
	if what == "destination" {
		form += " and * for all, such as " + g.Row(0).String()
	}
	if advice := separated(g, s); advice != "" {
		form = "for digits, write commas between them: --" + name + " " + quoted(advice)
	}
	inner, opened := strings.CutPrefix(strings.TrimSpace(s), "[")
	inner, closed := strings.CutSuffix(inner, "]")
	wrong := usage(form, "--%s %q is not a %s", name, s, what)
	if opened != closed {
		return nil, wrong
	}
	var digits []int
	for _, part := range strings.Split(inner, ",") {
		part = strings.TrimSpace(part)
		n, err := strconv.ParseUint(part, 10, 31)
		switch {
		case part == "*" || part == `"*"`:
			digits = append(digits, hypercycle.All)
		case err != nil:
			return nil, wrong
		default:
			digits = append(digits, int(n))
		}
	}
	if n := digits[0]; len(digits) == 1 && !opened && n != hypercycle.All {
		if n >= g.Nodes() {
			return nil, usage(form, "--%s %d is outside the machine, whose nodes are 0 to %d", name, n, g.Nodes()-1)
		}
		return g.To(n), nil
	}
	d, err := g.Destination(digits...)
	if err != nil {
		return nil, usage(form, "--%s %s is outside the machine: %w", name, s, err)
	}
	return d, nil
}

// separated inserts commas into a text of one character per dimension, such as 23 or 2*. It returns an empty
// text if the result is no destination of the machine.
func separated(g *hypercycle.Graph, s string) string {
	var digits []int
	for _, c := range s {
		switch {
		case c == '*':
			digits = append(digits, hypercycle.All)
		case '0' <= c && c <= '9':
			digits = append(digits, int(c-'0'))
		default:
			return ""
		}
	}
	d, err := g.Destination(digits...)
	if err != nil || len(digits) < 2 {
		return ""
	}
	return d.String()
}
