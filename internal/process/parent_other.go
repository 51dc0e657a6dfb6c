// SPDX-License-Identifier: Apache-2.0

//go:build unix && !linux

package process

import "syscall"

// endWithParent does nothing: a process learns here of the end of its parent only by asking.
func endWithParent(*syscall.SysProcAttr) {}
