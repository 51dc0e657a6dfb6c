// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"errors"
	"os/exec"
	"syscall"
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
