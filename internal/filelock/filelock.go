// SPDX-License-Identifier: Apache-2.0

// Package filelock keeps two runs of a program apart by a file that one of them holds.
package filelock

import "errors"

// ErrHeld is the error of Acquire if another run holds the lock.
var ErrHeld = errors.New("its lock is held")
