// SPDX-License-Identifier: Apache-2.0

package synthesis

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/internal/process"
)

// Versions asks tools for their versions, which they print in a line: yosys, nextpnr-ice40, verilator. The
// placer of a family, such as nextpnr-ecp5, is the program that is installed of it. The error is
// *process.ToolError, or that of the context if the tools were interrupted.
func Versions(ctx context.Context, tools ...string) (map[string]string, error) {
	all := map[string]string{}
	for _, tool := range tools {
		flag := "--version"
		if tool == "yosys" {
			flag = "-V"
		}
		program := tool
		if at := slices.IndexFunc(fpga.Families, func(f *fpga.Family) bool { return f.Placers[0] == tool }); at >= 0 {
			found, err := fpga.Families[at].Placer()
			if err != nil {
				return nil, err
			}
			program = found
		}
		cmd := exec.CommandContext(ctx, program, flag)
		var out, messages bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &messages
		err := cmd.Run()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case interrupted(cmd.ProcessState):
			return nil, context.Canceled // which may be known here before ctx ends
		case errors.Is(err, exec.ErrNotFound):
			return nil, &process.ToolError{Tool: tool, Err: exec.ErrNotFound}
		case err != nil:
			return nil, &process.ToolError{Tool: tool, Err: fmt.Errorf("%s %s failed: %w\n%s", tool, flag, err, bytes.TrimSpace(messages.Bytes()))}
		}
		text := out.String() + messages.String()                   // nextpnr-ice40 prints it as a message
		for line := range strings.Lines(strings.TrimSpace(text)) { // a program in WebAssembly prints that it is compiled, in a line before
			if all[tool] = strings.TrimSpace(line); Short(line) != "" {
				break
			}
		}
	}
	return all, nil
}

// Same returns an error if tools have other versions here than where a campaign runs.
func Same(ctx context.Context, versions map[string]string) error {
	here, err := Versions(ctx, slices.Sorted(maps.Keys(versions))...)
	for _, tool := range slices.Sorted(maps.Keys(here)) {
		if here[tool] != versions[tool] {
			return fmt.Errorf("%s is %s here, and %s where the campaign runs", tool, here[tool], versions[tool])
		}
	}
	return err
}

var version = regexp.MustCompile(`[0-9]+(\.[0-9]+)+[^\s)]*`)

// Short is the version in a line that Versions returns, such as 0.23.
func Short(line string) string { return version.FindString(line) }
