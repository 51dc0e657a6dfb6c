// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly || illumos

package filelock

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Acquire locks a file, which it creates if need be. The system releases the lock when the process
// ends in any way. The error is ErrHeld if another run has the lock, and fs.ErrNotExist if that
// run has just removed the file.
func Acquire(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrHeld
	}
	if err == nil {
		here, errHere := f.Stat()
		there, errThere := os.Lstat(name)
		if errHere == nil && errThere == nil && os.SameFile(here, there) {
			return f, nil
		}
		err = fs.ErrNotExist
	}
	f.Close()
	return nil, err
}

// Release removes the lock file while it is locked, so that no other run can lock it in between.
func Release(f *os.File) error { return errors.Join(os.Remove(f.Name()), f.Close()) }
