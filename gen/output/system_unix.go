// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// tryLock locks the file for this process, without waiting. The system
// releases the lock when the process ends in any way.
func tryLock(f *os.File) error {
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); !errors.Is(err, unix.EWOULDBLOCK) {
		return err
	}
	return errors.New("its lock is held")
}

// removeLocked removes the lock file while it is still locked, so that nobody
// can lock it between.
func removeLocked(_ *os.File, name string) error { return os.Remove(name) }

// device is the number of the file system that the file is on.
func device(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Dev)
	}
	return 0
}

// identity tells a file from every other that exists at the same time.
func identity(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", s.Dev, s.Ino)
	}
	return "unknown"
}

// canEmpty reports whether this process may remove what is in the folder, if
// need be after making it writable.
func canEmpty(path string, info fs.FileInfo) bool {
	if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) == os.Geteuid() {
		return true
	}
	return unix.Access(path, unix.W_OK|unix.X_OK) == nil
}
