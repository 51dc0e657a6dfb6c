// SPDX-License-Identifier: Apache-2.0

//go:build unix

package output

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLinkedOutputFolderIsWrittenWhereItLeads(t *testing.T) {
	parent := t.TempDir()
	real, link := filepath.Join(parent, "disk", "real"), filepath.Join(parent, "out")
	require.NoError(t, os.MkdirAll(real, 0o777))
	require.NoError(t, os.Symlink("disk/real", link))
	require.NoError(t, write(t, link, oldFiles(), Options{}))
	require.NoError(t, write(t, link, newFiles(), Options{}))
	assert.Equal(t, newTree, tree(t, real))
	goal, err := os.Readlink(link)
	require.NoError(t, err)
	assert.Equal(t, "disk/real", goal)
	alone(t, parent, "disk", "out")
	alone(t, filepath.Dir(real), "real")
}

func TestLinkInsideIsNeverFollowed(t *testing.T) {
	parent := t.TempDir()
	dir, victim := filepath.Join(parent, "out"), filepath.Join(parent, "victim")
	require.NoError(t, write(t, dir, append(newFiles(), text("gone/empty/x", "")), Options{}))
	put(t, filepath.Join(victim, "a.v"), "precious")
	require.NoError(t, os.Mkdir(filepath.Join(victim, "empty"), 0o777))
	for _, folder := range []string{"rtl", "gone"} {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, folder)))
		require.NoError(t, os.Symlink("../victim", filepath.Join(dir, folder)))
	}
	var conflict *ConflictError
	require.ErrorAs(t, write(t, dir, newFiles(), Options{}), &conflict)
	require.NoError(t, write(t, dir, newFiles(), Options{Force: true}))
	assert.Equal(t, plus(newTree, "gone", "../victim"), tree(t, dir))
	assert.Equal(t, map[string]string{"a.v": "precious", "empty": "dir"}, tree(t, victim))
}

func TestFoldersThatCannotBeUsed(t *testing.T) {
	parent := t.TempDir()
	put(t, filepath.Join(parent, "file"), "mine")
	require.NoError(t, os.Symlink("nowhere", filepath.Join(parent, "dangling")))
	before := tree(t, parent)
	for dir, reason := range map[string]string{
		"":                                  "is not the name of a folder",
		filepath.Join(parent, "file"):       "is not a folder",
		filepath.Join(parent, "file/out"):   "cannot be used",
		filepath.Join(parent, "file/o/ut"):  "cannot be used",
		filepath.Join(parent, "dangling"):   "is a symbolic link that leads nowhere",
		filepath.Join(parent, "dangling/o"): "cannot be created",
	} {
		err := write(t, dir, newFiles(), Options{})
		var refused *DirError
		if assert.ErrorAs(t, err, &refused, dir) {
			assert.ErrorContains(t, err, reason, dir)
		}
	}
	assert.Equal(t, before, tree(t, parent))
}

func TestUnwritableParentIsRefused(t *testing.T) {
	parent := filepath.Join(openDir(t), "parent")
	dir := filepath.Join(parent, "out")
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	require.NoError(t, os.Chmod(parent, 0o555))
	t.Cleanup(func() { os.Chmod(parent, 0o777) })
	for _, name := range []string{filepath.Join(parent, "other"), filepath.Join(parent, "deep", "er")} {
		err := asOrdinaryUser(t, func() error { return write(t, name, newFiles(), Options{}) })
		var refused *DirError
		require.ErrorAs(t, err, &refused)
		assert.ErrorIs(t, err, os.ErrPermission)
	}
	assert.Equal(t, oldTree, tree(t, dir))
	alone(t, parent, "out")
	require.NoError(t, write(t, dir, newFiles(), Options{}), "an existing folder needs no writable parent")
}

// openDir is a temporary folder in which every user may write.
func openDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	require.NoError(t, os.Chmod(dir, 0o777))
	return dir
}

func TestReadOnlyFolderIsRefused(t *testing.T) {
	dir := filepath.Join(openDir(t), "out")
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	require.NoError(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { os.Chmod(dir, 0o777) })
	err := asOrdinaryUser(t, func() error { return write(t, dir, newFiles(), Options{}) })
	var refused *DirError
	require.ErrorAs(t, err, &refused)
	assert.ErrorContains(t, err, dir+" cannot be written: ")
	assert.ErrorIs(t, err, os.ErrPermission)
	assert.Equal(t, oldTree, tree(t, dir))
}

// After an error between the first change and the last, the files of an earlier output are there, partly replaced, and new ones
// are not. Edits are protected, and the next run completes the folder.
func TestErrorRemovesWhatIsNew(t *testing.T) {
	files := append(newFiles(), text("another/d.v", "d"))
	for folder, replaced := range map[string]string{"rtl": "a1", "tb": "a2", "gone": "a2"} {
		t.Run(folder, func(t *testing.T) {
			dir := filepath.Join(openDir(t), "out")
			require.NoError(t, write(t, dir, oldFiles(), Options{}))
			put(t, filepath.Join(dir, "tb/mine"), "notes")
			for _, writable := range []string{"", "rtl", "gone", "tb"} {
				require.NoError(t, os.Chmod(filepath.Join(dir, writable), 0o777))
			}
			readOnly := filepath.Join(dir, folder)
			require.NoError(t, os.Chmod(readOnly, 0o555))
			t.Cleanup(func() { os.Chmod(readOnly, 0o777) })
			err := asOrdinaryUser(t, func() error { return write(t, dir, files, Options{}) })
			require.ErrorIs(t, err, os.ErrPermission)
			assert.ErrorContains(t, err, folder)
			assert.ErrorContains(t, err, "is incomplete until hcgen generates it again")
			assert.Equal(t, plus(oldTree, "Makefile", "m2", "rtl/a.v", replaced, "tb", "dir", "tb/mine", "notes"), tree(t, dir))
			_, _, err = Existing(dir)
			assert.ErrorContains(t, err, "is incomplete")

			require.NoError(t, os.Chmod(readOnly, 0o777))
			put(t, filepath.Join(dir, "Makefile"), "edited")
			var conflict *ConflictError
			require.ErrorAs(t, write(t, dir, files, Options{}), &conflict)
			assert.Equal(t, []Conflict{{"Makefile", "was edited since hcgen wrote it", true}}, conflict.Conflicts)
			put(t, filepath.Join(dir, "Makefile"), "m1")
			require.NoError(t, write(t, dir, files, Options{}))
			assert.Equal(t, plus(newTree, "another", "dir", "another/d.v", "d", "tb/mine", "notes"), tree(t, dir))
		})
	}
}

// An error in a folder without a manifest leaves what the user has put there.
func TestErrorInANewFolderLeavesNothing(t *testing.T) {
	dir := filepath.Join(openDir(t), "out")
	readOnly := filepath.Join(dir, "tb")
	put(t, filepath.Join(readOnly, "mine"), "notes")
	require.NoError(t, os.Chmod(dir, 0o777))
	require.NoError(t, os.Chmod(readOnly, 0o555))
	t.Cleanup(func() { os.Chmod(readOnly, 0o777) })
	err := asOrdinaryUser(t, func() error { return write(t, dir, newFiles(), Options{}) })
	require.ErrorIs(t, err, os.ErrPermission)
	assert.NotContains(t, err.Error(), "incomplete")
	assert.Equal(t, map[string]string{"tb": "dir", "tb/mine": "notes"}, tree(t, dir))
	alone(t, dir, "tb")
}

func TestTheCurrentFolderCanBeTheOutput(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "mine"), "notes")
	t.Chdir(dir)
	require.NoError(t, write(t, ".", oldFiles(), Options{}))
	require.NoError(t, write(t, ".", newFiles(), Options{}))
	assert.Equal(t, plus(newTree, "mine", "notes"), tree(t, dir))
}
