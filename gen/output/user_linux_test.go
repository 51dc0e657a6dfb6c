// SPDX-License-Identifier: Apache-2.0

package output

import (
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// asOrdinaryUser runs f with the file permissions of an ordinary user, even if
// the tests run as root.
func asOrdinaryUser(t *testing.T, f func() error) error {
	t.Helper()
	if os.Geteuid() != 0 {
		return f()
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlock: the thread ends with the goroutine
		if err := syscall.Setfsuid(65534); err != nil {
			panic(err)
		}
		done <- f()
	}()
	err := <-done
	require.NotNil(t, err)
	return err
}
