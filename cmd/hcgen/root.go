// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/machine"
)

// newRoot builds the command tree. The root itself generates.
func newRoot(c *console) *cobra.Command {
	g := &generate{}
	root := &cobra.Command{
		Use:   "hcgen -c FILE -o FOLDER",
		Short: "Generate on-chip networks in Verilog",
		Long: `hcgen generates on-chip networks in Verilog: for broadcasts, addressed messages and
collective operations. It reads the description of a hypercycle (a ring, a torus, a
hypercube or anything in between). It writes the routers and the network, test
benches with golden traces, proofs, and scripts for synthesis. The output does not
need hcgen.

Exit codes: 0 success, 1 internal error, 2 invalid description or flags, 3 a check
failed, 4 a tool is missing or too old, 130 interrupted. The generated Makefile
uses the same codes.`,
		Example: `  hcgen -c torus4x4.hcl -o out
  hcgen -c torus4x4.hcl -o wide --var payload_bits=128
  hcgen -c torus4x4.hcl -o out --check
  hcgen check -c torus4x4.hcl
  make -C out sim`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().NFlag() == 0 {
				cmd.SetOut(c.err)
				_ = cmd.Help()
				return failure{code: exitUsage}
			}
			return classify(g.run(cmd.Context(), c))
		},
		SuggestionsMinimumDistance: 2,
	}
	root.SetVersionTemplate("hcgen {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(cmd.CommandPath()+" --help lists commands and flags", "%w", err)
	})
	g.flags(root)
	root.AddCommand(newCheck(c), newDraw(c), newExplore(c), newGenerate(c), newInfo(c), newPaths(c), newReport(c), newSchedule(c), newSimulate(c), newVersion(c))
	root.AddCommand(newFormat(c), newFuseSoC(c), newSchema(c), newDoctor(c), newUnit())
	root.SetOut(c.out)
	root.SetErr(c.err)
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		// cobra handles help before other words
		if words := cmd.Flags().Args(); cmd.HasAvailableSubCommands() && len(words) > 0 {
			c.refused = cmd.ValidateArgs(words)
			return
		}
		help(cmd, args)
	})
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()
	strictCompletion(root)
	return root
}

// knownCommand reports words that are no command.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	advice := "hcgen --help lists commands and flags"
	if like := cmd.SuggestionsFor(args[0]); len(like) > 0 {
		advice = "did you mean " + strings.Join(like, " or ") + "?"
	} else if machine.IsJSON(args[0]) || strings.HasSuffix(strings.ToLower(args[0]), ".hcl") {
		advice = "name the description with -c: -c " + args[0]
	}
	return usage(advice, "unknown command %q", args[0])
}

// noArguments reports words that a command does not take.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(cmd.CommandPath()+" --help lists commands and flags", "%s takes no arguments, got %q", cmd.CommandPath(), args[0])
}
