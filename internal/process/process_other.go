// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package process

import (
	"context"
	"os"
	"os/exec"
)

// Command is a command that ends when the context does.
func Command(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	return exec.CommandContext(ctx, name, arguments...)
}

// Detached is a command that goes on when this process ends.
func Detached(name string, arguments ...string) *exec.Cmd { return exec.Command(name, arguments...) }

// Hold does nothing: processes do not share open files here.
func Hold(*exec.Cmd, *os.File) {}
