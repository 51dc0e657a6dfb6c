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

// A disk with room for n more blocks, or n more files: whichever write fails first, the folder holds
// the old output, or it is incomplete and has no file that is new. The disk is a small file system in memory, which needs root.
func TestFullDiskLeavesNothingNew(t *testing.T) {
	disk := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.Mkdir(disk, 0o777))
	const ample = "size=4m,nr_inodes=1000"
	if err := syscall.Mount("hcgen-test", disk, "tmpfs", 0, ample); errors.Is(err, syscall.EPERM) {
		t.Skipf("mounting a file system of limited size takes root (%v)", err)
	} else {
		require.NoError(t, err)
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(disk, 0)) })
	limit := func(options string) {
		require.NoError(t, syscall.Mount("hcgen-test", disk, "tmpfs", syscall.MS_REMOUNT, options), options)
	}
	dir := filepath.Join(disk, "out")
	long := string(make([]byte, 20000)) // some blocks
	files := append(newFiles(), text("rtl/long.v", long))
	for what, option := range map[string]func(s syscall.Statfs_t, more int) string{
		"blocks": func(s syscall.Statfs_t, more int) string {
			return fmt.Sprintf("size=%d", max(1, int64(s.Blocks-s.Bfree)+int64(more))*s.Bsize) // 0 would be no limit
		},
		"files": func(s syscall.Statfs_t, more int) string {
			return fmt.Sprintf("nr_inodes=%d", s.Files-s.Ffree+uint64(more))
		},
	} {
		for _, exists := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, folder exists %v", what, exists), func(t *testing.T) {
				failures := 0
				for err := errors.New("none yet"); err != nil && !t.Failed(); failures++ {
					wantOld, wantNew := map[string]string{}, plus(newTree, "rtl/long.v", long)
					if exists {
						require.NoError(t, write(t, dir, oldFiles(), Options{}))
						put(t, filepath.Join(dir, "mine"), "notes")
						wantOld, wantNew = plus(oldTree, "mine", "notes"), plus(wantNew, "mine", "notes")
					}
					var used syscall.Statfs_t
					require.NoError(t, syscall.Statfs(disk, &used))
					limit(option(used, failures))
					err = write(t, dir, files, Options{})
					limit(ample)
					if err == nil {
						assert.Equal(t, wantNew, tree(t, dir), "room for %d", failures)
					} else if assert.ErrorIs(t, err, syscall.ENOSPC, "room for %d", failures) && exists {
						if m, _ := readManifest(dir); !m.Complete {
							wantOld = plus(wantOld, "Makefile", "m2", "rtl/a.v", "a2")
						}
						assert.Equal(t, wantOld, tree(t, dir), "room for %d", failures)
					} else {
						assert.True(t, missing(dir))
					}
					require.NoError(t, write(t, dir, files, Options{}), "the next run is not disturbed")
					assert.Equal(t, wantNew, tree(t, dir))
					require.NoError(t, os.RemoveAll(dir))
					alone(t, disk)
				}
				assert.Greater(t, failures, 4, "the disk was never full")
			})
		}
	}
}
