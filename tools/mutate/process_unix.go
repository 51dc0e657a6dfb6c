// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"context"
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// What ends a program that goes on for too long, and one that gives up.
const (
	outOfTime = syscall.SIGXCPU
	aborted   = syscall.SIGABRT
)

// killed reports whether a signal has ended a program.
func killed(ran error, signal syscall.Signal) bool {
	var ended *exec.ExitError
	if !errors.As(ran, &ended) {
		return false
	}
	status, ok := ended.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == signal
}

// ending is a command in a process group of its own. An interrupt reaches the whole group:
// timeout alone does not pass on a signal that it gets before it knows its child.
func ending(ctx context.Context, name string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, arguments...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }
	command.WaitDelay = 10 * time.Second
	return command
}
