// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/plan"
)

// newGenerate gives the command without a name one, for those who look for it.
func newGenerate(c *console) *cobra.Command {
	g := &generate{name: "generate"}
	cmd := &cobra.Command{
		Use:   "generate -c FILE -o FOLDER",
		Short: "Generate a machine, as hcgen without a command does",
		Long: `Generate a machine into a folder, which is written as a whole or not at all. Files in it
that hcgen did not write are kept. hcgen without the name of a command does the same.`,
		Example: `  hcgen generate -c torus4x4.hcl -o out
  hcgen generate -c torus4x4.hcl -o out --check`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return classify(g.run(cmd.Context(), c)) },
	}
	g.flags(cmd)
	return cmd
}

// generate is the command without a name, and generate.
type generate struct {
	name   string // of the command, or empty
	config config
	folder once
	force  bool
	check  bool
	core   string // VLNV for FuseSoC, which then asks for a folder named by the machine; or empty
}

func (g *generate) flags(cmd *cobra.Command) {
	g.config.flags(cmd)
	g.folder.kind = "FOLDER"
	cmd.Flags().VarP(&g.folder, "output", "o", "folder to write; files in it that hcgen did not write are kept")
	cmd.Flags().BoolVar(&g.force, "force", false, "overwrite files that are in the way, also if hcgen did not write them or they were changed")
	cmd.Flags().BoolVar(&g.check, "check", false, "write nothing, but list what in the folder is not as it would be generated; exit code 3 if anything")
	_ = cmd.MarkFlagDirname("output")
}

func (g *generate) run(ctx context.Context, c *console) error {
	if g.config.path.set && !g.folder.set && g.core == "" {
		return usage("name it with -o, such as -o out; to look at the description only: hcgen check", "no output folder is given")
	}
	if g.check && g.force {
		return usage("leave one of them out", "--check writes nothing, and --force is about writing")
	}
	m, err := g.config.load(c)
	if err != nil {
		return err
	}
	if g.core != "" {
		g.folder.value = m.Name
	}
	progress := newProgress(c)
	files, err := assemble.Files(plan.New(m), assemble.Options{Progress: progress.show, Core: g.core})
	if err != nil {
		return err
	}
	meta := output.Meta{Version: version(), Machine: m.Name, ConfigHash: m.Hash}
	if g.check {
		found, err := output.Compare(ctx, g.folder.value, files, meta)
		progress.clear()
		if err != nil {
			return err
		}
		return g.drift(c, found, len(files)+1)
	}
	err = output.Write(ctx, g.folder.value, files, meta, output.Options{Force: g.force, Warn: func(message string) {
		progress.clear()
		fmt.Fprintf(c.err, "hcgen: warning: %s\n", message)
	}})
	progress.clear()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.err, "hcgen: machine %s is in %s, %d files\n", m.Name, g.folder.value, len(files)+1)
	return nil
}
