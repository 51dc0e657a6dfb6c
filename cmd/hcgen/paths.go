// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// disjoint is what hcgen paths --json prints.
type disjoint struct {
	From         int     `json:"from"`
	To           int     `json:"to"`
	Construction string  `json:"construction"` // lee, hamming or flow
	Paths        [][]int `json:"paths"`        // nodes of each, both ends included
}

func newPaths(c *console) *cobra.Command {
	var f config
	from, to := once{kind: "NODE"}, once{kind: "NODE"}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "paths -c FILE --from NODE --to NODE",
		Short: "List node-disjoint paths between two nodes",
		Long: `List as many paths between two nodes as a node has ports. The paths have only their
ends in common, so the two nodes stay connected as long as one of the paths works.

A node is a number, or digits such as 3,2 with the highest dimension first.`,
		Example: `  hcgen paths -c torus4x4.hcl --from 0 --to 10
  hcgen paths -c torus4x4.hcl --from 0,0 --to 2,2 --json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if !from.set || !to.set {
				return usage("add both, such as --from 0 --to 5", "--from and --to are required")
			}
			m, err := f.load(c)
			if err != nil {
				return classify(err)
			}
			g := m.Graph
			const most = 1 << 20
			if g.Nodes() > most {
				return usage("use a smaller machine", "%s has %d nodes, but paths are limited to machines of %d", m.Name, g.Nodes(), most)
			}
			a, err := parseNode(g, "from", from.value)
			if err != nil {
				return err
			}
			b, err := parseNode(g, "to", to.value)
			if err != nil {
				return err
			}
			if a == b {
				return usage("give two different nodes", "--from and --to are the same node, %d", a)
			}
			paths, construction := g.DisjointPaths(a, b)
			if asJSON {
				return classify(writeJSON(c.out, disjoint{a, b, string(construction), paths}))
			}
			fmt.Fprintf(c.out, "%s from node %d (%s) to node %d (%s) in %s, distance %d\n", count(len(paths), "path"), a, address(g, a), b, address(g, b), m.Name, g.Distance(a, b))
			for _, path := range paths {
				var nodes []string
				for _, v := range path {
					nodes = append(nodes, fmt.Sprint(v))
				}
				fmt.Fprintf(c.out, "%s: %s\n", count(len(path)-1, "hop"), strings.Join(nodes, " "))
			}
			return nil
		},
	}
	f.flags(cmd)
	cmd.Flags().Var(&from, "from", "first node of the paths")
	cmd.Flags().Var(&to, "to", "last node of the paths")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	for _, name := range []string{"from", "to"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}
