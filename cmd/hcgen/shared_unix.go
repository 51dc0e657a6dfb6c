// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// sharedFile reports whether a file has several names, or an owner or group that a new
// file would not have.
func sharedFile(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && (s.Nlink > 1 || int(s.Uid) != os.Geteuid() || int(s.Gid) != os.Getegid())
}
