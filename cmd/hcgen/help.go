// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"
)

// newHelp replaces cobra's help command, which answers an unknown name with
// exit code 0.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print help for a command",
		Example: `  hcgen help
  hcgen help simulate`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if at, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
				for _, sub := range at.Commands() {
					if sub.IsAvailableCommand() {
						names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return knownCommand(about, rest)
			}
			about.InitDefaultHelpFlag() // so that the help lists --help
			return about.Help()
		},
	}
}

// strictCompletion makes cobra's completion command report a missing or
// unknown shell instead of printing its help with exit code 0.
func strictCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Example = `  source <(hcgen completion bash)
  hcgen completion fish > ~/.config/fish/completions/hcgen.fish`
		const shells = "the shells are bash, fish, powershell and zsh"
		cmd.Args = func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(shells, "no shell given")
			}
			return usage(shells, "unknown shell %q", args[0])
		}
		cmd.RunE = func(*cobra.Command, []string) error { panic("its arguments are refused") }
	}
}
