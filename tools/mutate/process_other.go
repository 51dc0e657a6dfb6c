// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package main

import (
	"context"
	"os/exec"
)

// What ends a program elsewhere; here nothing does.
const (
	outOfTime = iota
	aborted
)

// killed is false: the benches run in sh, and where there is none nothing is killed.
func killed(error, int) bool { return false }

// ending is a command that an interrupt kills.
func ending(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	return exec.CommandContext(ctx, name, arguments...)
}
