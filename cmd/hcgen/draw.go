// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/internal/draw"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// drawable refuses a file whose name says that it is not SVG.
func drawable(file string) error {
	name := strings.ToLower(file)
	if gzipped(name) {
		name = strings.TrimSuffix(name, ".gz")
	}
	if kind := path.Ext(name); kind != "" && kind != ".svg" {
		return usage("name the file .svg", "%s: pictures are SVG, not %s", file, kind[1:])
	}
	return nil
}

func newDraw(c *console) *cobra.Command {
	var from config
	file, what, source := once{kind: "FILE"}, once{kind: "PICTURE"}, once{kind: "NODE"}
	var to once
	cmd := &cobra.Command{
		Use:   "draw -c FILE [-o FILE]",
		Short: "Draw a network, a message, the load of links or a router",
		Long: `Draw a machine as SVG:

  network  all nodes and links, coloured by dimension
  tree     one message to all other nodes, or to the nodes of --to, coloured by step
  load     the number of messages on each link when every node broadcasts once
  router   inputs and outputs of a router with their slots, and what connects them

A machine may have up to 512 nodes and 2048 links, or any number for router.`,
		Example: `  hcgen draw -c torus4x4.hcl -o torus4x4.svg
  hcgen draw -c torus4x4.hcl --what tree --source 1,1 -o tree.svg
  hcgen draw -c addressed.hcl --what tree --source 1,1 --to '3,*' -o row.svg
  hcgen draw -c torus4x4.hcl --what router > router.svg`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			subject, ok := draw.ParseSubject(what.or(draw.Network.String()))
			if !ok {
				return usage("the pictures are "+strings.Join(draw.SubjectNames(), ", "), "unknown picture %q", what.value)
			}
			for _, f := range []struct {
				name string
				set  bool
			}{{"source", source.set}, {"to", to.set}} {
				if f.set && subject != draw.Tree {
					return usage("add --what tree", "--%s applies to the tree of a message, not to the picture of the %s", f.name, subject)
				}
			}
			if err := from.spares(file.value); err != nil {
				return err
			}
			if err := drawable(file.value); err != nil {
				return err
			}
			load := from.load
			if subject != draw.Network {
				load = func(c *console) (*machine.Machine, error) { return from.routers(c, "draw --what "+subject.String()) }
			}
			m, err := load(c)
			if err != nil {
				return classify(err)
			}
			p := &draw.Picture{Plan: plan.New(m), Subject: subject}
			if source.set {
				if p.Source, err = parseNode(m.Graph, "source", source.value); err != nil {
					return err
				}
			}
			if p.To, err = parseDestination(m, p.Source, to); err != nil {
				return err
			}
			picture, err := draw.SVG(p)
			if err != nil {
				return classify(err)
			}
			return classify(writeFile(c, file.or("-"), func(w io.Writer) error {
				_, err := w.Write(picture)
				return err
			}))
		},
	}
	from.flags(cmd)
	cmd.Flags().VarP(&file, "output", "o", "file to write, compressed if its name ends in .gz; - is standard output (default -)")
	cmd.Flags().Var(&what, "what", "picture: "+strings.Join(draw.SubjectNames(), ", ")+" (default network)")
	cmd.Flags().Var(&source, "source", "with --what tree: sending node, as a number or by digits such as 3,2 (default 0)")
	destinationFlag(cmd, &to)
	_ = cmd.MarkFlagFilename("output", "svg")
	_ = cmd.RegisterFlagCompletionFunc("what", cobra.FixedCompletions(draw.SubjectNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("source", cobra.NoFileCompletions)
	return cmd
}
