// SPDX-License-Identifier: Apache-2.0

//go:build unix

package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The variables by which a test starts its own binary as a process that writes.
const (
	helperDir   = "HCGEN_TEST_DIR"   // output folder; set: be the helper
	helperFiles = "HCGEN_TEST_FILES" // files to write, a key of generations
	helperKill  = "HCGEN_TEST_KILL"  // change on disk, counted from 1, to be killed before; 0: never
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperDir); dir != "" {
		os.Exit(helper(dir))
	}
	os.Exit(m.Run())
}

// generations are trees that a helper can write.
var generations = map[string]map[string]string{
	"none":     {},
	"old":      oldTree,
	"new":      newTree,
	"third":    {"rtl": "dir", "rtl/a.v": "a3", "gone": "dir", "gone/b.v": "b3", "Makefile": "m3"},
	"unfolded": {"a": "a1", "b": "dir", "b/c": "c1", "Makefile": "m1"},
	"folded":   {"a": "dir", "a/x": "a2", "b": "c2", "Makefile": "m2"},
}

// faultsFrom returns a disk that calls fault before change number at and, if all is set, before
// those that follow. Change 0 never comes.
func faultsFrom(at int, all bool, fault func() error) disk {
	return func(string, string) error {
		if at--; at == 0 || all && at < 0 {
			return fault()
		}
		return nil
	}
}

// faultAfterJournal returns a disk on which no change succeeds after a new journal is in place.
func faultAfterJournal(fault error) disk {
	written := false
	return func(change, name string) error {
		if written {
			return fault
		}
		written = change == "rename" && filepath.Base(name) == journalName
		return nil
	}
}

// helper writes once and returns the exit code.
func helper(dir string) int {
	at, _ := strconv.Atoi(os.Getenv(helperKill))
	d := faultsFrom(at, false, func() error {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	})
	if err := writeTo(context.Background(), d, dir, filesOf(generations[os.Getenv(helperFiles)]), meta, Options{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// start returns a helper process that has not begun.
func start(t *testing.T, dir, files string, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), append(env, helperDir+"="+dir, helperFiles+"="+files)...)
	return cmd
}

// killed reports whether the process ended by SIGKILL.
func killed(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status := exit.Sys().(syscall.WaitStatus)
	return status.Signaled() && status.Signal() == syscall.SIGKILL
}

// visible returns the tree of a folder without temporary files, and whether there is a journal.
func visible(t *testing.T, dir string) (got map[string]string, journal bool) {
	t.Helper()
	if missing(dir) {
		return map[string]string{}, false
	}
	got = tree(t, dir)
	_, journal = got[Journal]
	maps.DeleteFunc(got, func(p, _ string) bool { return strings.Contains(p, workName) })
	return got, journal
}

// wholeFiles checks that a tree holds only files of two other trees, and returns whether it equals either.
func wholeFiles(t *testing.T, got, old, new map[string]string) (isOld, isNew bool) {
	t.Helper()
	for p, content := range got {
		assert.Contains(t, []string{old[p], new[p]}, content, p)
	}
	return maps.Equal(old, got), maps.Equal(new, got)
}

// Wherever a change fails or the process is killed, the folder holds the old output or the new output, or it
// has a journal and whole files. An edit made afterwards stops the next run. A run with other files completes
// the folder, even if another run stopped in between.
func TestFaultAtEveryChangeIsRepairedByTheNextRun(t *testing.T) {
	fault := errors.New("fault")
	failing := func(all bool) func(*testing.T, int, string, string) error {
		return func(t *testing.T, at int, dir, files string) error {
			d := faultsFrom(at, all, func() error { return fault })
			return writeTo(t.Context(), d, dir, filesOf(generations[files]), meta, Options{})
		}
	}
	const once = "one change fails"
	modes := map[string]func(t *testing.T, at int, dir, files string) error{
		once:                           failing(false),
		"all changes fail from one on": failing(true),
		"killed": func(t *testing.T, at int, dir, files string) error {
			err := start(t, dir, files, helperKill+"="+strconv.Itoa(at)).Run()
			require.True(t, err == nil || killed(err), "%v", err)
			return err
		},
	}
	for name, c := range map[string]struct{ old, new string }{
		"existing folder":      {"old", "new"},
		"no folder yet":        {"none", "new"},
		"files become folders": {"unfolded", "folded"},
		"folders become files": {"folded", "unfolded"},
	} {
		for mode, run := range modes {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				original := t.TempDir()
				var users []string
				if c.old != "none" {
					require.NoError(t, write(t, filepath.Join(original, "out"), filesOf(generations[c.old]), Options{}))
					put(t, filepath.Join(original, "out/mine"), "notes")
					users = []string{"mine", "notes"}
				}
				setUp := func() (parent, dir string) {
					parent = t.TempDir()
					require.NoError(t, os.CopyFS(parent, os.DirFS(original)))
					return parent, filepath.Join(parent, "out")
				}
				changes, third := 0, filesOf(generations["third"])
				_, dir := setUp()
				require.NoError(t, writeTo(t.Context(), func(string, string) error { changes++; return nil }, dir, filesOf(generations[c.new]), meta, Options{}))

				wantOld, wantNew := plus(generations[c.old], users...), plus(generations[c.new], users...)
				seenOld, seenNew, seenJournal := 0, 0, 0
				for at := 1; at <= changes; at++ {
					parent, dir := setUp()
					err := run(t, at, dir, c.new)
					got, journal := visible(t, dir)
					isOld, isNew := wholeFiles(t, got, wantOld, wantNew)
					switch {
					case journal:
						seenJournal++
						assert.Error(t, err)
						_, _, err := Existing(dir)
						assert.ErrorContains(t, err, "is incomplete")
						found, err := Compare(t.Context(), dir, third, meta)
						require.NoError(t, err)
						assert.Contains(t, found.Differences, Difference{Journal, Extra})
						require.ErrorIs(t, writeTo(t.Context(), faultAfterJournal(fault), dir, third, meta, Options{}), fault, "change %d", at)
					case isOld:
						seenOld++
						assert.Error(t, err)
						if mode == once && c.old == "none" {
							alone(t, parent)
						} else if mode == once {
							assert.Equal(t, wantOld, tree(t, dir), "change %d", at)
						}
					default:
						seenNew++
						emptyStays := maps.Equal(plus(wantNew, "gone", "dir"), got)
						assert.True(t, isNew || emptyStays, "change %d: %v", at, got)
					}

					if edited := filepath.Join(dir, "Makefile"); !missing(edited) {
						put(t, edited, "edited")
						var conflict *ConflictError
						require.ErrorAs(t, write(t, dir, third, Options{}), &conflict, "change %d", at)
						assert.Equal(t, []Conflict{{"Makefile", "was edited since hcgen wrote it", true}}, conflict.Conflicts)
						assert.Equal(t, "edited", tree(t, dir)["Makefile"])
						require.NoError(t, os.Remove(edited))
					}
					require.NoError(t, write(t, dir, third, Options{}), "change %d", at)
					assert.Equal(t, plus(generations["third"], users...), tree(t, dir), "change %d", at)
					alone(t, parent, "out")
				}
				assert.Greater(t, seenOld, 10)
				assert.Greater(t, seenJournal, 4)
				assert.Positive(t, seenNew)
			})
		}
	}
}

// Files are replaced only when the journal is on the disk, and it goes last.
func TestJournalOutlastsEveryReplacement(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	var order []string
	require.NoError(t, writeTo(t.Context(), func(change, name string) error {
		rel, err := filepath.Rel(dir, name)
		if change == "sync" || rel == Journal || change != "write" && !strings.Contains(rel, workName) {
			order = append(order, change+" "+rel)
		}
		return err
	}, dir, newFiles(), meta, Options{}))
	assert.Equal(t, []string{"mkdir .", "sync .hcgen/tmp/journal.json", "rename .hcgen/journal.json", "remove gone/b.v", "rmdir gone",
		"rename Makefile", "rename rtl/a.v", "rename tb", "rename manifest.json", "remove .hcgen/journal.json"}, order)
}

func TestJournalBesideCompleteFilesIsRemoved(t *testing.T) {
	dir, fault := outDir(t), errors.New("fault")
	err := writeTo(t.Context(), func(change, name string) error {
		if change == "remove" && filepath.Base(name) == journalName {
			return fault
		}
		return nil
	}, dir, newFiles(), meta, Options{})
	require.ErrorIs(t, err, fault)
	assert.Contains(t, tree(t, dir), Journal)
	require.NoError(t, write(t, dir, newFiles(), Options{}))
	assert.Equal(t, newTree, tree(t, dir))
}

func TestInterruptBeforeTheJournalChangesNothing(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	ctx, cancel := context.WithCancel(t.Context())
	err := writeTo(ctx, func(_, name string) error {
		if filepath.Base(name) == "probe" { // all files are staged and compared
			cancel()
		}
		return nil
	}, dir, newFiles(), meta, Options{})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, oldTree, tree(t, dir))
}

func TestKillAtRandomLeavesWholeFiles(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	put(t, filepath.Join(dir, "mine"), "notes")
	wantOld, wantNew := plus(oldTree, "mine", "notes"), plus(newTree, "mine", "notes")
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		cmd := start(t, dir, []string{"new", "old"}[i%2])
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(random.IntN(20000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			require.ErrorIs(t, err, os.ErrProcessDone)
		}
		err := cmd.Wait()
		require.True(t, err == nil || killed(err), "%v", err)
		got, journal := visible(t, dir)
		isOld, isNew := wholeFiles(t, got, wantOld, wantNew)
		assert.True(t, isOld || isNew || journal, "round %d: %v", i, got)
	}
	require.NoError(t, write(t, dir, newFiles(), Options{}))
	assert.Equal(t, wantNew, tree(t, dir))
	alone(t, parent, "out")
}

func TestSecondWriterHasToWait(t *testing.T) {
	dir := outDir(t)
	var second error
	files := append(newFiles(), File{Path: "z", Content: func(io.Writer) error {
		second = write(t, dir, oldFiles(), Options{})
		return nil
	}})
	require.NoError(t, write(t, dir, files, Options{}))
	var refused *DirError
	require.ErrorAs(t, second, &refused)
	assert.ErrorContains(t, second, "is being written by another hcgen")
	assert.Equal(t, plus(newTree, "z", ""), tree(t, dir))
	alone(t, filepath.Dir(dir), "out")
}

// Runs that begin at the same time write one after the other, or give up.
func TestRunsAtOnceNeverMix(t *testing.T) {
	dir := outDir(t)
	wrote := 0
	for round := range 10 {
		errs := make([]error, 8)
		var all sync.WaitGroup
		for i := range errs {
			files := filesOf([]map[string]string{oldTree, newTree}[(round+i)%2])
			all.Go(func() { errs[i] = write(t, dir, files, Options{}) })
		}
		all.Wait()
		for _, err := range errs {
			if err == nil {
				wrote++
				continue
			}
			var refused *DirError
			require.ErrorAs(t, err, &refused)
			assert.ErrorContains(t, err, "is being written by another hcgen")
		}
		assert.Contains(t, []map[string]string{oldTree, newTree}, tree(t, dir))
	}
	assert.GreaterOrEqual(t, wrote, 10)
	require.NoError(t, write(t, dir, newFiles(), Options{}), "the manifest is that of the files")
}
