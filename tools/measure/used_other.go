// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package main

import (
	"errors"
	"time"
)

// used fails: processor time and memory are measured on Unix only.
func used() (processor time.Duration, memory int64, err error) {
	return 0, 0, errors.ErrUnsupported
}
