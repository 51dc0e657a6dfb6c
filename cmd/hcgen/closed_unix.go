// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// outputClosed reports whether standard output was closed when the program started. Go then opens the
// null device for reading and writing; >/dev/null opens it only for writing. A caller that opens it
// like Go, as subprocess.DEVNULL of Python does, cannot be distinguished.
func outputClosed() bool {
	flags, err := unix.FcntlInt(os.Stdout.Fd(), unix.F_GETFL, 0)
	if err != nil {
		return true
	}
	var out, null unix.Stat_t
	return flags&unix.O_ACCMODE == unix.O_RDWR && unix.Fstat(int(os.Stdout.Fd()), &out) == nil &&
		unix.Stat(os.DevNull, &null) == nil && out.Mode == null.Mode && out.Rdev == null.Rdev
}
