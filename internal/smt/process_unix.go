// SPDX-License-Identifier: Apache-2.0

//go:build unix

package smt

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// Command is a command in a process group of its own. When the context ends, the whole group does:
// yosys-smtbmc and scripts alone leave their solver behind.
func Command(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, arguments...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }
	command.WaitDelay = 10 * time.Second
	return command
}
