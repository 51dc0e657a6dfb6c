// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A result that does not fit on the disk does not exist. The run ends and says why, and the same command continues.
func TestResultDoesNotFit(t *testing.T) {
	disk := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.Mkdir(disk, 0o777))
	if err := syscall.Mount("hcgen-test", disk, "tmpfs", 0, "size=500k"); errors.Is(err, syscall.EPERM) {
		t.Skipf("mounting a file system of limited size takes root: %v", err)
	} else {
		require.NoError(t, err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	r := newRunner(t, 3, 0)
	r.Jobs, r.Folder = 1, filepath.Join(disk, "folder")
	r.Works[1].Does = "writes much"
	_, err := r.run(t.Context(), &buffer{})
	require.ErrorIs(t, err, syscall.ENOSPC)
	assert.Equal(t, []string{"square0.json"}, left(t, filepath.Join(r.Folder, "results")))
	require.NoError(t, syscall.Mount("hcgen-test", disk, "tmpfs", syscall.MS_REMOUNT, "size=5m"))
	o, err := r.run(t.Context(), &buffer{})
	require.NoError(t, err)
	assert.Zero(t, o.Missing)
	assert.Equal(t, map[int]int{0: 1, 1: 2, 2: 1}, r.begun(t))
}
