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
	put(t, filepath.Join(parent, "blocked", ".hcgen"), "mine")
	require.NoError(t, os.Mkdir(filepath.Join(parent, "linked"), 0o777))
	require.NoError(t, os.Symlink("../work", filepath.Join(parent, "linked", ".hcgen")))
	home := filepath.Join(parent, "home")
	require.NoError(t, os.MkdirAll(filepath.Join(parent, "work", "inner"), 0o777))
	require.NoError(t, os.Mkdir(home, 0o777))
	t.Setenv("HOME", home)
	t.Chdir(filepath.Join(parent, "work", "inner"))
	before := tree(t, parent)
	for dir, reason := range map[string]string{
		"":                                  "is not the name of a folder",
		filepath.Join(parent, "file"):       "is not a folder",
		filepath.Join(parent, "file/out"):   "cannot be used",
		filepath.Join(parent, "file/o/ut"):  "cannot be used",
		filepath.Join(parent, "dangling"):   "is a symbolic link that leads nowhere",
		filepath.Join(parent, "dangling/o"): "cannot be created",
		filepath.Join(parent, "blocked"):    "is in the way and not hcgen's",
		filepath.Join(parent, "linked"):     "is in the way and not hcgen's",
		home:                                "is your home folder",
		"/":                                 "is the current folder or above it",
		".":                                 "is the current folder or above it",
		"..":                                "is the current folder or above it",
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

// Folders in which files cannot be replaced are found before the first file is.
func TestReadOnlyFoldersAreRefused(t *testing.T) {
	for name, folder := range map[string]string{"a file is replaced": "rtl", "a file is removed": "gone", "the whole": ""} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(openDir(t), "out")
			require.NoError(t, write(t, dir, oldFiles(), Options{}))
			for _, writable := range []string{"", "rtl", "gone"} {
				require.NoError(t, os.Chmod(filepath.Join(dir, writable), 0o777))
			}
			readOnly := filepath.Join(dir, folder)
			require.NoError(t, os.Chmod(readOnly, 0o555))
			t.Cleanup(func() { os.Chmod(readOnly, 0o777) })
			err := asOrdinaryUser(t, func() error { return write(t, dir, newFiles(), Options{}) })
			var refused *DirError
			require.ErrorAs(t, err, &refused)
			assert.ErrorIs(t, err, os.ErrPermission)
			assert.ErrorContains(t, err, folder)
			assert.Equal(t, oldTree, tree(t, dir))
			require.NoError(t, os.Chmod(readOnly, 0o777))
			require.NoError(t, write(t, dir, newFiles(), Options{}))
			assert.Equal(t, newTree, tree(t, dir))
		})
	}
}

// A file that the user changes after it was compared is not replaced; the run stops there.
func TestUserAtWorkMeanwhileLosesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		path string
		edit func(t *testing.T, name string)
		want Conflict
	}{
		"edits a file that is replaced": {"rtl/a.v", func(t *testing.T, name string) { put(t, name, "edited now") },
			Conflict{"rtl/a.v", "was edited since hcgen wrote it", true}},
		"replaces a file by one of the same length and time": {"Makefile", func(t *testing.T, name string) {
			old, err := os.Stat(name)
			require.NoError(t, err)
			put(t, name+".new", "m9")
			require.NoError(t, os.Chtimes(name+".new", old.ModTime(), old.ModTime()))
			require.NoError(t, os.Rename(name+".new", name))
		}, Conflict{"Makefile", "was edited since hcgen wrote it", true}},
		"adds a file": {"tb/c.cpp", func(t *testing.T, name string) { put(t, name, "mine") },
			Conflict{"tb/c.cpp", "was edited since hcgen wrote it", true}},
		"edits a file that is removed": {"gone/b.v", func(t *testing.T, name string) { put(t, name, "edited now") }, Conflict{}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := outDir(t)
			require.NoError(t, write(t, dir, oldFiles(), Options{}))
			late := func(change, to string) error {
				if filepath.Base(to) == journalName && change == "rename" {
					c.edit(t, filepath.Join(dir, c.path))
				}
				return nil
			}
			err := writeTo(t.Context(), late, dir, newFiles(), meta, Options{})
			require.ErrorContains(t, err, "changed while hcgen was at work")
			assert.ErrorContains(t, err, "is incomplete until hcgen generates it again")
			edit := tree(t, dir)[c.path]
			assert.NotEqual(t, oldTree[c.path], edit)
			assert.NotEqual(t, newTree[c.path], edit)

			err = write(t, dir, newFiles(), Options{})
			if c.want.Path == "" { // it is no longer generated, so it stays
				require.NoError(t, err)
				assert.Equal(t, plus(newTree, "gone", "dir", c.path, edit), tree(t, dir))
				return
			}
			var conflict *ConflictError
			require.ErrorAs(t, err, &conflict)
			assert.Equal(t, []Conflict{c.want}, conflict.Conflicts)
			assert.Equal(t, edit, tree(t, dir)[c.path])
			require.NoError(t, write(t, dir, newFiles(), Options{Force: true}))
			assert.Equal(t, newTree, tree(t, dir))
		})
	}
}
