// SPDX-License-Identifier: Apache-2.0

//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package output

import (
	"io/fs"
	"os"
)

// tryLock does nothing here: two runs at the same time are not told apart.
func tryLock(*os.File) error { return nil }

// removeLocked closes the lock file first, because an open file cannot be
// removed here.
func removeLocked(f *os.File, name string) error {
	f.Close()
	return os.Remove(name)
}

// device is not known here.
func device(fs.FileInfo) uint64 { return 0 }

// identity is only asked for where folders can be exchanged.
func identity(fs.FileInfo) string { return "" }

// canEmpty is left to the system here: the attempt fails before anything has
// changed.
func canEmpty(string, fs.FileInfo) bool { return true }
