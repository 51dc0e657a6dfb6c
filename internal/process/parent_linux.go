// SPDX-License-Identifier: Apache-2.0

package process

import "syscall"

// endWithParent makes a process get SIGTERM when the thread that has started it ends. Go ends threads only with the
// process, unless a goroutine locks one, which nothing here does.
func endWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGTERM }
