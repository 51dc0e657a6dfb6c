// SPDX-License-Identifier: Apache-2.0

//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || illumos)

package output

import (
	"errors"
	"io/fs"
	"os"
)

// acquire creates a file and keeps it open. Windows does not remove an open file, so a lock file that
// can be removed belongs to a run that was killed. On systems that remove open files two runs are not
// kept apart. The error is errLocked if another run has the lock.
func acquire(name string) (*os.File, error) {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errLocked
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, errLocked
	}
	return f, err
}

// release removes the lock file. It stays if another run has it by then.
func release(f *os.File) error {
	err := f.Close()
	_ = os.Remove(f.Name())
	return err
}
