// SPDX-License-Identifier: Apache-2.0

package output

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A disk with room for so many more blocks, or so many more files, and no more:
// whichever write is the first that fails, the old output stays or the new one is
// there. The disk is a small file system in memory, which takes root; anybody can run
// TestFilesLimitedAtEveryLengthLeaveTheOldTree, which is about the same errors.
func TestFullDiskLeavesOldOrNew(t *testing.T) {
	disk := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.Mkdir(disk, 0o777))
	if err := syscall.Mount("hcgen-test", disk, "tmpfs", 0, "size=4m,nr_inodes=1000"); errors.Is(err, syscall.EPERM) {
		t.Logf("not checked on a file system of limited size: mounting one takes root (%v)", err)
		return
	} else {
		require.NoError(t, err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(disk, 0)) })

	used := func() (blocks, files uint64, size int64) {
		var s syscall.Statfs_t
		require.NoError(t, syscall.Statfs(disk, &s))
		return s.Blocks - s.Bfree, s.Files - s.Ffree, s.Bsize
	}
	limit := func(options string) {
		require.NoError(t, syscall.Mount("hcgen-test", disk, "tmpfs", syscall.MS_REMOUNT, options), options)
	}
	dir := filepath.Join(disk, "out")
	long := text("rtl/long.v", string(make([]byte, 20000))) // some blocks
	for _, c := range []struct {
		what   string
		exists bool
		option func(more int) string
	}{
		{"blocks, existing folder", true, func(more int) string {
			blocks, _, size := used()
			return fmt.Sprintf("size=%d", (int64(blocks)+int64(more))*size)
		}},
		{"files, existing folder", true, func(more int) string {
			_, files, _ := used()
			return fmt.Sprintf("nr_inodes=%d", files+uint64(more))
		}},
		{"blocks, no folder yet", false, func(more int) string {
			blocks, _, size := used()
			return fmt.Sprintf("size=%d", max(1, int64(blocks)+int64(more))*size) // 0 would be no limit
		}},
		{"files, no folder yet", false, func(more int) string {
			_, files, _ := used()
			return fmt.Sprintf("nr_inodes=%d", files+uint64(more))
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			failures := 0
			for more := 0; ; more++ {
				limit("size=4m,nr_inodes=1000")
				wantOld, wantNew := map[string]string(nil), plus(newTree, "rtl/long.v", string(make([]byte, 20000)))
				if c.exists {
					require.NoError(t, write(t, dir, oldFiles(), Options{}))
					put(t, filepath.Join(dir, "mine"), "notes")
					wantOld, wantNew = plus(oldTree, "mine", "notes"), plus(wantNew, "mine", "notes")
				}
				limit(c.option(more))
				err := write(t, dir, append(newFiles(), long), Options{})
				var got map[string]string
				if !missing(dir) {
					got = tree(t, dir)
				}
				if err == nil {
					assert.Equal(t, wantNew, got, "room for %d", more)
				} else {
					failures++
					assert.ErrorIs(t, err, syscall.ENOSPC, "room for %d", more)
					assert.Equal(t, wantOld, got, "room for %d", more)
					if c.exists {
						alone(t, disk, "out")
					} else {
						alone(t, disk)
					}
				}
				limit("size=4m,nr_inodes=1000")
				require.NoError(t, write(t, dir, append(newFiles(), long), Options{}), "the next run is not disturbed")
				assert.Equal(t, wantNew, tree(t, dir))
				require.NoError(t, os.RemoveAll(dir))
				alone(t, disk)
				if err == nil || t.Failed() {
					break
				}
			}
			assert.Greater(t, failures, 4, "the disk was never full")
		})
	}
}
