// SPDX-License-Identifier: Apache-2.0

//go:build unix

package output

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The variables by which a test starts its own binary as a process that writes.
const (
	writerDir   = "HCGEN_TEST_DIR"   // output folder; set: be the writer
	writerFiles = "HCGEN_TEST_FILES" // files to write, a key of generations
	writerEnd   = "HCGEN_TEST_END"   // change on the disk, counted from 1, before which the writer is killed
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerDir); dir != "" {
		os.Exit(writer(dir))
	}
	os.Exit(m.Run())
}

// generations are trees that a writer can write.
var generations = map[string]map[string]string{
	"none":     {},
	"old":      oldTree,
	"new":      newTree,
	"third":    {"rtl": "dir", "rtl/a.v": "a3", "tb": "dir", "tb/d.cpp": "d3", "Makefile": "m3"},
	"unfolded": {"a": "a1", "b": "dir", "b/c": "c1", "b/d": "d1", "Makefile": "m1"},
	"folded":   {"a": "dir", "a/x": "a2", "b": "c2", "Makefile": "m2"},
}

// writer writes once and returns the exit code.
func writer(dir string) int {
	end, _ := strconv.Atoi(os.Getenv(writerEnd))
	changing = func() {
		if end--; end == 0 {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	if err := Write(context.Background(), dir, filesOf(generations[os.Getenv(writerFiles)]), meta, Options{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// killWriter runs a writer that is killed before a change on the disk, and reports whether it had that many.
func killWriter(t *testing.T, dir, files string, end int) bool {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.Command(self)
	command.Env = append(os.Environ(), writerDir+"="+dir, writerFiles+"="+files, writerEnd+"="+strconv.Itoa(end))
	command.Stderr = os.Stderr
	err = command.Run()
	if err == nil {
		return false
	}
	var exit *exec.ExitError
	require.True(t, errors.As(err, &exit), "%v", err)
	status := exit.Sys().(syscall.WaitStatus)
	require.True(t, status.Signaled() && status.Signal() == syscall.SIGKILL, "%v", err)
	return true
}

// visible returns the tree of a folder without temporary files.
func visible(t *testing.T, dir string) map[string]string {
	t.Helper()
	if missing(dir) {
		return map[string]string{}
	}
	got := tree(t, dir)
	maps.DeleteFunc(got, func(p, _ string) bool { return draftName.MatchString(p) })
	return got
}

// Before whatever change on the disk a writer is killed, the files of the user stay, all others are whole, and the folder is the old
// one, the new one or incomplete. An edit made afterwards stops the next run. Without one it completes the folder, with the same files
// or others, even if a run in between was killed as well.
func TestKilledWriterIsCompletedByTheNextRun(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		users    []string // files that the user has edited or added: path, content, path, content...
	}{
		"existing folder":      {"old", "new", []string{"mine", "notes", "rtl/mine.v", "notes", "gone/b.v", "edited"}},
		"no folder yet":        {"none", "new", nil},
		"files become folders": {"unfolded", "folded", []string{"mine", "notes"}},
		"folders become files": {"folded", "unfolded", []string{"mine", "notes"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			original := t.TempDir()
			if c.old != "none" {
				require.NoError(t, write(t, filepath.Join(original, "out"), filesOf(generations[c.old]), Options{}))
			}
			kept := map[string]string{} // with their folders
			for user := range slices.Chunk(c.users, 2) {
				put(t, filepath.Join(original, "out", user[0]), user[1])
				kept[user[0]] = user[1]
				for folder := range foldersOf(map[string]bool{user[0]: true}) {
					kept[folder] = "dir"
				}
			}
			with := func(generation string) map[string]string {
				want := maps.Clone(generations[generation])
				maps.Copy(want, kept)
				return want
			}
			wantOld, wantNew := with(c.old), with(c.new)
			seenOld, seenNew, seenIncomplete := 0, 0, 0
			for end := 1; ; end++ {
				parent := t.TempDir()
				require.NoError(t, os.CopyFS(parent, os.DirFS(original)))
				dir := filepath.Join(parent, "out")
				if !killWriter(t, dir, c.new, end) {
					assert.Equal(t, wantNew, tree(t, dir))
					break
				}
				got := visible(t, dir)
				for p, content := range got {
					assert.Contains(t, []string{wantOld[p], wantNew[p]}, content, "change %d: %s", end, p)
				}
				for p, content := range kept {
					assert.Equal(t, content, got[p], "change %d: %s", end, p)
				}
				m, _ := readManifest(dir)
				switch {
				case m != nil && !m.Complete:
					seenIncomplete++
					_, _, err := Existing(dir)
					assert.ErrorContains(t, err, "is incomplete")
					found, err := Compare(t.Context(), dir, filesOf(generations[c.new]), meta)
					require.NoError(t, err)
					assert.True(t, found.Incomplete)
					assert.Contains(t, found.Differences, Difference{manifestName, Stale})
				case maps.Equal(wantNew, got):
					seenNew++
				default:
					seenOld++
					assert.Equal(t, wantOld, got, "change %d", end)
				}

				if edited := filepath.Join(dir, "Makefile"); !missing(edited) {
					was := got["Makefile"]
					put(t, edited, "edited")
					for _, files := range []string{c.new, "third"} {
						var conflict *ConflictError
						require.ErrorAs(t, write(t, dir, filesOf(generations[files]), Options{}), &conflict, "change %d", end)
						assert.Equal(t, []Conflict{{"Makefile", "was edited since hcgen wrote it", true}}, conflict.Conflicts)
						assert.Equal(t, plus(got, "Makefile", "edited"), tree(t, dir))
					}
					put(t, edited, was)
				}
				last := c.new
				if end%2 == 0 {
					last = "third"
					killWriter(t, dir, last, end*7%23+1)
				}
				require.NoError(t, write(t, dir, filesOf(generations[last]), Options{}), "change %d", end)
				assert.Equal(t, with(last), tree(t, dir), "change %d", end)
				alone(t, parent, "out")
			}
			t.Logf("killed at %d moments", seenOld+seenIncomplete+seenNew)
			assert.Greater(t, seenOld, 4)
			assert.Greater(t, seenIncomplete, 4)
			assert.Positive(t, seenNew, "while the last temporary files are removed")
		})
	}
}
