// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/plan"
)

// newGenerate returns the command generate, a name for hcgen without a command.
func newGenerate(c *console) *cobra.Command {
	g := &generate{name: "generate"}
	cmd := &cobra.Command{
		Use:   "generate -c FILE -o FOLDER",
		Short: "Generate a machine (the same as hcgen without a command)",
		Long: `Generate a machine into a folder. Files in the folder that hcgen did not write stay.
If hcgen would overwrite such a file, or a file that was edited, it stops without
changes, unless --force is given. hcgen without a command does the same.`,
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
	cmd.Flags().VarP(&g.folder, "output", "o", "output folder; files in it that hcgen did not write stay")
	cmd.Flags().BoolVar(&g.force, "force", false, "overwrite edited files, and files that hcgen did not write")
	cmd.Flags().BoolVar(&g.check, "check", false, "write nothing, and list the files that generation would change: stale, edited, in the way, missing or extra; exit code 3 if there are any")
	_ = cmd.MarkFlagDirname("output")
}

func (g *generate) run(ctx context.Context, c *console) error {
	if g.config.path.set && !g.folder.set && g.core == "" {
		return usage("add -o FOLDER, such as -o out, or use hcgen check to check only", "no output folder given")
	}
	if g.check && g.force {
		return usage("remove one of them", "--check and --force exclude each other")
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
		return g.drift(c, found, meta)
	}
	var removed, kept []string
	err = output.Write(ctx, g.folder.value, files, meta, output.Options{Force: g.force, Dropped: func(path string, gone bool) {
		if gone {
			removed = append(removed, path)
		} else {
			kept = append(kept, path)
		}
	}})
	progress.clear()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.err, "hcgen: machine %s is in %s\n", m.Name, g.folder.value)
	if len(removed) > 0 {
		fmt.Fprintf(c.err, "hcgen: removed %s of an earlier run that this machine does not have: %s\n", count(len(removed), "file"), strings.Join(removed, ", "))
	}
	if len(kept) > 0 {
		fmt.Fprintf(c.err, "hcgen: kept %s of an earlier run that this machine does not have: %s\n", count(len(kept), "edited file"), strings.Join(kept, ", "))
	}
	return nil
}
