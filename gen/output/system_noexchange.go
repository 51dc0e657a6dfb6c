// SPDX-License-Identifier: Apache-2.0

//go:build !linux && !darwin

package output

import "errors"

// This system has no such call.
func (systemDisk) exchange(a, b string) error { return errors.ErrUnsupported }
