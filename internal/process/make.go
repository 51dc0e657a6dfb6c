// SPDX-License-Identifier: Apache-2.0

package process

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Make is a make of targets of an output folder. It does not inherit the flags and variables of a make that has called this
// program, nor its BUILD.
func Make(ctx context.Context, folder string, arguments ...string) *exec.Cmd {
	c := Command(ctx, "make", append([]string{"-C", folder, "--no-print-directory", "BUILD=build"}, arguments...)...)
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "MAKEFLAGS=") || strings.HasPrefix(v, "MFLAGS=")
	})
	return c
}
