// SPDX-License-Identifier: Apache-2.0

//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || illumos)

package filelock

import (
	"errors"
	"io/fs"
	"os"
)

// Acquire creates a file and keeps it open. Windows does not remove an open file, so a lock file that
// can be removed belongs to a run that was killed. On systems that remove open files two runs are not
// kept apart. The error is ErrHeld if another run has the lock.
func Acquire(name string) (*os.File, error) {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, ErrHeld
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrHeld
	}
	return f, err
}

// Release removes the lock file. It stays if another run has it by then.
func Release(f *os.File) error {
	err := f.Close()
	_ = os.Remove(f.Name())
	return err
}
