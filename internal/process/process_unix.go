// SPDX-License-Identifier: Apache-2.0

//go:build unix

package process

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// Command is a command in a process group of its own. When the context ends, the whole group is asked to
// end, because yosys-smtbmc and scripts leave their solver running. On Linux the command is asked to end
// also when this process is killed.
func Command(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, arguments...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(command.SysProcAttr)
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }
	command.WaitDelay = 10 * time.Second
	return command
}
