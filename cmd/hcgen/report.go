// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/gen/output"
)

// reportScript is the script that make report of an output folder runs.
const reportScript = "report/report.sh"

func newReport(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "report FOLDER",
		Short: "Write an HTML page about a generated machine and its checks",
		Long: `Write FOLDER/build/report.html, a page that works offline. It shows the properties of
the machine; its broadcasts, collective networks and schedules of collective operations,
step by step; its golden traces; and the results of the checks in its Makefile.
make -C FOLDER report does the same without hcgen. The environment variable BUILD names
another folder than build.`,
		Example: `  hcgen -c torus4x4.hcl -o out
  make -C out lint sim
  hcgen report out`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("give the output folder of hcgen -c FILE -o FOLDER", "report takes one folder, got %d", len(args))
			}
			return classify(writeReport(cmd.Context(), c, args[0]))
		},
	}
}

// writeReport runs the script of an output folder, which writes the page.
func writeReport(ctx context.Context, c *console, folder string) error {
	if _, _, err := output.Existing(folder); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(folder, reportScript)); err != nil {
		return usage("generate the machine again", "%s lacks %s", folder, reportScript)
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		return failure{code: exitTool, err: errors.New("sh is not installed; it runs " + reportScript)}
	}
	script := exec.CommandContext(ctx, shell, reportScript)
	script.Dir = folder
	script.Cancel = func() error { return script.Process.Signal(os.Interrupt) } // so that it can clean up
	script.WaitDelay = 5 * time.Second
	var messages strings.Builder
	script.Stderr = &messages
	err = script.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		fmt.Fprint(c.err, messages.String()) // the script has reported the error
		code := exit.ExitCode()
		if code != exitUsage && code != exitTool {
			code = exitFault
		}
		return failure{code: code}
	case err != nil:
		return err
	}
	build := os.Getenv("BUILD")
	if build == "" {
		build = "build"
	}
	if !filepath.IsAbs(build) {
		build = filepath.Join(folder, build)
	}
	fmt.Fprintf(c.err, "hcgen: the report is %s\n", filepath.Join(build, "report.html"))
	return nil
}
