// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package process

import (
	"context"
	"os/exec"
)

// Command is a command that ends when the context does.
func Command(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	return exec.CommandContext(ctx, name, arguments...)
}
