// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/campaign/slurmtest"
	"github.com/hcgen/hcgen/internal/needs"
)

// smallDisk mounts a small file system in memory, and returns its folder and a function that changes its options.
// Without root there is none.
func smallDisk(t *testing.T, options string) (string, func(string)) {
	disk := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.Mkdir(disk, 0o777))
	if err := syscall.Mount("hcgen-test", disk, "tmpfs", 0, options); errors.Is(err, syscall.EPERM) {
		t.Skipf("mounting a file system of limited size takes root: %v", err)
	} else {
		require.NoError(t, err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	return disk, func(options string) {
		require.NoError(t, syscall.Mount("hcgen-test", disk, "tmpfs", syscall.MS_REMOUNT, options), options)
	}
}

// A result that does not fit on the disk is not there, and the unit says why.
func TestResultDoesNotFit(t *testing.T) {
	for _, engine := range []string{"local", "slurm"} {
		t.Run(engine, func(t *testing.T) {
			if engine == "slurm" {
				slurmtest.Start(t)
			}
			disk, remount := smallDisk(t, "size=500k")
			r := newRunner(t, engine, 3, 0)
			r.Folder = filepath.Join(disk, "folder")
			r.Works[1].Does = "writes much"
			o, err := r.run(t.Context(), &buffer{})
			require.NoError(t, err)
			assert.Regexp(t, `^square1: failed: write .*: no space left on device$`, failures(o))
			assert.Len(t, left(t, filepath.Join(r.Folder, "results")), 2)
			remount("size=5m")
			var messages buffer
			o, err = r.run(t.Context(), &messages)
			require.NoError(t, err)
			assert.Zero(t, o.Missing)
			assert.Contains(t, messages.String(), "squares: 1 unit has begun in earlier runs and left no result\n")
			assert.Equal(t, map[int]int{0: 1, 1: 2, 2: 1}, r.begun(t))
		})
	}
}

// The disk fills up while a unit runs and others wait: nothing can be written any more, not even that a unit begins.
func TestSlurmDiskIsFull(t *testing.T) {
	needs.Time(t)
	slurmtest.Start(t)
	disk, remount := smallDisk(t, "size=5m,nr_inodes=1000")
	r := newRunner(t, "slurm", 3, 2*time.Second)
	r.Folder = filepath.Join(disk, "folder")
	r.ArrayLimit = 1
	var messages buffer
	end := r.background(t.Context(), &messages)
	r.await(t, 1)
	var s syscall.Statfs_t
	require.NoError(t, syscall.Statfs(disk, &s))
	for i := range s.Ffree {
		require.NoError(t, os.WriteFile(filepath.Join(disk, fmt.Sprint(i)), nil, 0o666))
	}
	o, err := end()
	require.NoError(t, err, &messages)
	assert.Regexp(t, `^square0: lost: it is gone without a word, in Slurm's state FAILED: .* cannot create 0.ended: No space left on device
square1: lost: it left the queue before it began, in Slurm's state FAILED
square2: lost: it left the queue before it began, in Slurm's state FAILED$`, failures(o))

	remount("size=5m,nr_inodes=2000")
	messages = buffer{}
	o, err = r.run(t.Context(), &messages)
	require.NoError(t, err)
	r.complete(t, o)
	assert.Contains(t, messages.String(), "squares: 1 unit has begun in earlier runs and left no result\n")
	assert.Equal(t, map[int]int{0: 2, 1: 1, 2: 1}, r.begun(t))
}
