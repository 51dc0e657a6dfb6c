// SPDX-License-Identifier: Apache-2.0

//go:build unix

package output

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testDisk is a disk on which some changes fail, or something else happens before one.
type testDisk struct {
	systemDisk
	beforeRename   func(to string)
	brokenLink     func(from, to string) error
	brokenExchange func(a, b string) error
}

func (d testDisk) rename(from, to string) error {
	if d.beforeRename != nil {
		d.beforeRename(to)
	}
	return d.systemDisk.rename(from, to)
}

func (d testDisk) link(from, to string) error {
	if d.brokenLink != nil {
		return d.brokenLink(from, to)
	}
	return d.systemDisk.link(from, to)
}

func (d testDisk) exchange(a, b string) error {
	if d.brokenExchange != nil {
		return d.brokenExchange(a, b)
	}
	return d.systemDisk.exchange(a, b)
}

// writeOn is write on a disk of the test.
func writeOn(t testing.TB, d disk, dir string, opts Options) error {
	t.Helper()
	return writeTo(context.Background(), d, dir, newFiles(), meta, opts)
}

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
	put(t, filepath.Join(victim, "a.v"), "precious")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	require.NoError(t, os.Symlink("../victim", filepath.Join(dir, "rtl")))
	var conflict *ConflictError
	require.ErrorAs(t, write(t, dir, newFiles(), Options{}), &conflict)
	require.NoError(t, write(t, dir, newFiles(), Options{Force: true}))
	assert.Equal(t, newTree, tree(t, dir))
	assert.Equal(t, map[string]string{"a.v": "precious"}, tree(t, victim))
}

func TestFoldersThatCannotBeUsed(t *testing.T) {
	parent := t.TempDir()
	put(t, filepath.Join(parent, "file"), "mine")
	require.NoError(t, os.Symlink("nowhere", filepath.Join(parent, "dangling")))
	put(t, filepath.Join(parent, ".taken.hcgen-tmp", "thesis.tex"), "mine")
	put(t, filepath.Join(parent, ".blocked.hcgen-tmp"), "mine")
	home := filepath.Join(parent, "home")
	require.NoError(t, os.MkdirAll(filepath.Join(parent, "work", "inner"), 0o777))
	require.NoError(t, os.Mkdir(home, 0o777))
	t.Setenv("HOME", home)
	t.Chdir(filepath.Join(parent, "work", "inner"))
	before := tree(t, parent)
	for dir, reason := range map[string]string{
		"":                                 "is not the name of a folder",
		filepath.Join(parent, "file"):      "is not a folder",
		filepath.Join(parent, "file/out"):  "cannot be used",
		filepath.Join(parent, "file/o/ut"): "cannot be used",
		filepath.Join(parent, "dangling"):  "is a symbolic link that leads nowhere",
		filepath.Join(parent, "taken"):     "is in the way and not hcgen's",
		filepath.Join(parent, "blocked"):   "is in the way and not hcgen's",
		home:                               "is your home folder",
		"/":                                "is the root of a file system",
		"/proc":                            "is the root of a file system",
		".":                                "is the current folder or above it",
		"..":                               "is the current folder or above it",
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
	parent := filepath.Join(t.TempDir(), "parent")
	dir := filepath.Join(parent, "out")
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	require.NoError(t, os.Chmod(parent, 0o555))
	t.Cleanup(func() { os.Chmod(parent, 0o777) })
	for _, name := range []string{dir, filepath.Join(parent, "other"), filepath.Join(parent, "deep", "er")} {
		err := asOrdinaryUser(t, func() error { return write(t, name, newFiles(), Options{}) })
		var refused *DirError
		require.ErrorAs(t, err, &refused)
		assert.ErrorIs(t, err, os.ErrPermission)
	}
	assert.Equal(t, oldTree, tree(t, dir))
	alone(t, parent, "out")
}

func TestUserAtWorkMeanwhileLosesNothing(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	late := testDisk{beforeRename: func(to string) {
		if filepath.Base(to) == recordName { // the trees have been compared and merged
			put(t, filepath.Join(dir, "rtl/a.v"), "edited now")
			put(t, filepath.Join(dir, "gone/b.v"), "edited too")
			put(t, filepath.Join(dir, "build/late.o"), "object")
		}
	}}
	var warnings []string
	require.NoError(t, writeOn(t, late, dir, Options{Warn: func(m string) { warnings = append(warnings, m) }}))
	assert.Equal(t, plus(newTree, "rtl/a.v.saved1", "edited now", "gone", "dir", "gone/b.v", "edited too",
		"build", "dir", "build/late.o", "object"), tree(t, dir))
	require.Len(t, warnings, 1)
	assert.Contains(t, warnings[0], "rtl/a.v changed while hcgen was at work")
	alone(t, filepath.Dir(dir), "out")
}

func TestFileSystemWithoutHardLinks(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	put(t, filepath.Join(dir, "build/x.o"), "object")
	put(t, filepath.Join(dir, "Makefile"), "edited")
	d := testDisk{brokenLink: func(string, string) error { return errors.ErrUnsupported }}
	require.NoError(t, writeOn(t, d, dir, Options{Force: true}))
	assert.Equal(t, plus(newTree, "build", "dir", "build/x.o", "object"), tree(t, dir))
	alone(t, filepath.Dir(dir), "out")
}

func TestMountInsideIsRefused(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	put(t, filepath.Join(dir, "build/x.o"), "object")
	d := testDisk{brokenLink: func(a, b string) error {
		return &os.LinkError{Op: "link", Old: a, New: b, Err: syscall.EXDEV}
	}}
	want := tree(t, dir)
	var refused *DirError
	require.ErrorAs(t, writeOn(t, d, dir, Options{}), &refused)
	assert.ErrorContains(t, refused, "another file system mounted above build/x.o")
	assert.Equal(t, want, tree(t, dir))
	alone(t, filepath.Dir(dir), "out")
}

func TestFailedExchangeLeavesTheOldTree(t *testing.T) {
	for name, broken := range map[string]func(a, b string) error{
		"exchange fails": func(a, b string) error { return errors.New("device busy") },
		"second rename fails": func(a, b string) error {
			require.NoError(t, os.RemoveAll(a))
			return errors.ErrUnsupported
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := outDir(t)
			require.NoError(t, write(t, dir, oldFiles(), Options{}))
			put(t, filepath.Join(dir, "mine"), "notes")
			assert.Error(t, writeOn(t, testDisk{brokenExchange: broken}, dir, Options{}))
			assert.Equal(t, plus(oldTree, "mine", "notes"), tree(t, dir))
			alone(t, filepath.Dir(dir), "out")
			require.NoError(t, write(t, dir, newFiles(), Options{}))
			assert.Equal(t, plus(newTree, "mine", "notes"), tree(t, dir))
		})
	}
}

func TestDamagedRecordIsReportedNotGuessed(t *testing.T) {
	dir := outDir(t)
	work := filepath.Join(filepath.Dir(dir), ".out.hcgen-tmp")
	put(t, filepath.Join(work, recordName), "{")
	put(t, filepath.Join(work, oldName, "mine"), "notes")
	err := write(t, dir, newFiles(), Options{})
	var refused *DirError
	require.ErrorAs(t, err, &refused)
	assert.ErrorContains(t, err, "damaged")
	assert.Equal(t, map[string]string{"mine": "notes"}, tree(t, filepath.Join(work, oldName)))
	require.NoError(t, os.RemoveAll(work))
	require.NoError(t, write(t, dir, newFiles(), Options{}))
}
