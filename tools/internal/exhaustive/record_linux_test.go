// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// On a full disk the run ends with the message of the system, not with a fault of a
// machine, and does not continue without a record.
func TestARecordThatCannotBeWrittenEndsTheRun(t *testing.T) {
	all, _ := few()
	name := filepath.Join(t.TempDir(), "record")
	s, err := checkChunks(t.Context(), Options{Record: name, Workers: 1}, all, func(c *Checker, m tuple) (Count, error) {
		if m == all[0].first {
			fill(t, name)
		}
		return countOne(c, m)
	})
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.False(t, errors.As(err, new(*Fault)))
	require.Equal(t, all[0].machines, s.Machines, "nothing after it is checked")
	require.FileExists(t, name)
}

// fill makes every further write to an open file fail, as on a full disk.
func fill(t *testing.T, name string) {
	t.Helper()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	links, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && to == name {
			fd, err := strconv.Atoi(filepath.Base(link))
			require.NoError(t, err)
			require.NoError(t, syscall.Dup3(int(full.Fd()), fd, 0))
			return
		}
	}
	t.Fatal("the file is not open")
}
