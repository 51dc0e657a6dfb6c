// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"syscall"
	"time"
)

// used returns the processor time of this process, and the most memory that it has had, in KB on Linux.
func used() (processor time.Duration, memory int64, err error) {
	var usage syscall.Rusage
	err = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), int64(usage.Maxrss), err
}
