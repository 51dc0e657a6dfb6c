// SPDX-License-Identifier: Apache-2.0

//go:build unix

package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The variables by which a test starts its own binary as a process that writes.
const (
	helperDir      = "HCGEN_TEST_DIR"      // output folder; set: be the helper
	helperMode     = "HCGEN_TEST_MODE"     // old or new: which files
	helperKill     = "HCGEN_TEST_KILL"     // change on disk, counted from 1, to be killed before; 0: never
	helperLimit    = "HCGEN_TEST_LIMIT"    // largest file in bytes that the system lets it write
	helperExchange = "HCGEN_TEST_EXCHANGE" // "no": as on a system that cannot exchange folders
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperDir); dir != "" {
		os.Exit(helper(dir))
	}
	os.Exit(m.Run())
}

// killingDisk ends the process before one of its changes.
type killingDisk struct {
	systemDisk
	left       int // changes up to that one; 0: never
	noExchange bool
}

func (d *killingDisk) count() {
	if d.left--; d.left == 0 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

func (d *killingDisk) create(name string) (*os.File, error) {
	d.count()
	return d.systemDisk.create(name)
}

func (d *killingDisk) rename(from, to string) error {
	d.count()
	return d.systemDisk.rename(from, to)
}

func (d *killingDisk) remove(name string) error {
	d.count()
	return d.systemDisk.remove(name)
}

func (d *killingDisk) removeAll(root string) error {
	d.count()
	return d.systemDisk.removeAll(root)
}

func (d *killingDisk) link(from, to string) error {
	d.count()
	return d.systemDisk.link(from, to)
}

func (d *killingDisk) exchange(a, b string) error {
	d.count()
	if d.noExchange {
		return errors.ErrUnsupported
	}
	return d.systemDisk.exchange(a, b)
}

// helper writes once and returns the exit code.
func helper(dir string) int {
	d := &killingDisk{noExchange: os.Getenv(helperExchange) == "no"}
	d.left, _ = strconv.Atoi(os.Getenv(helperKill))
	if limit := os.Getenv(helperLimit); limit != "" {
		signal.Ignore(syscall.SIGXFSZ)
		var r syscall.Rlimit // its fields have another type on each system
		fmt.Sscan(limit, &r.Cur)
		r.Max = r.Cur
		syscall.Setrlimit(syscall.RLIMIT_FSIZE, &r)
	}
	files := newFiles()
	if os.Getenv(helperMode) == "old" {
		files = oldFiles()
	}
	if os.Getenv(helperLimit) != "" {
		files = append(files, File{Path: "big", Content: func(w io.Writer) error {
			_, err := w.Write(make([]byte, 1<<20))
			return err
		}})
	}
	if err := writeTo(context.Background(), d, dir, files, meta, Options{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// start begins a helper process.
func start(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), env...)
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

func TestKillAtEveryMomentLeavesOldOrNew(t *testing.T) {
	for _, c := range []struct {
		name, exchange string
		exists         bool
	}{
		{"existing folder", "yes", true},
		{"existing folder without exchange", "no", true},
		{"no folder yet", "yes", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			moments, sawOld, sawNew := 0, false, false
			for at := 1; ; at++ {
				parent := t.TempDir()
				dir := filepath.Join(parent, "out")
				wantOld, wantNew := map[string]string(nil), newTree
				if c.exists {
					require.NoError(t, write(t, dir, oldFiles(), Options{}))
					put(t, filepath.Join(dir, "mine"), "notes")
					put(t, filepath.Join(dir, "gone/mine"), "more")
					wantOld = plus(oldTree, "mine", "notes", "gone/mine", "more")
					wantNew = plus(newTree, "mine", "notes", "gone", "dir", "gone/mine", "more")
				}
				err := start(t, helperDir+"="+dir, helperMode+"=new", helperExchange+"="+c.exchange, helperKill+"="+strconv.Itoa(at)).Run()
				if err == nil {
					break // there are fewer moments than that
				}
				require.True(t, killed(err), "%v", err)
				moments++

				var got map[string]string
				if !missing(dir) {
					got = tree(t, dir)
				}
				switch {
				case assert.ObjectsAreEqual(wantOld, got):
					sawOld = true
				case assert.ObjectsAreEqual(wantNew, got):
					sawNew = true
				case c.exchange == "no" && got == nil:
					// the one moment in which the output is away; the next run has to bring it back
				default:
					assert.Failf(t, "mixture", "moment %d: %v", at, got)
				}
				// A run that fails brings back the old output as well, and cleans up.
				require.Error(t, write(t, dir, []File{{Path: "x", Content: func(io.Writer) error { return errors.New("broken") }}}, Options{}))
				if c.exists {
					alone(t, parent, "out")
					again := tree(t, dir)
					assert.True(t, assert.ObjectsAreEqual(wantOld, again) || assert.ObjectsAreEqual(wantNew, again), "moment %d: %v", at, again)
				}
				require.NoError(t, write(t, dir, newFiles(), Options{}))
				assert.Equal(t, wantNew, tree(t, dir), "moment %d", at)
				alone(t, parent, "out")
			}
			assert.Greater(t, moments, 8)
			assert.True(t, sawOld && sawNew, "the moments lie on both sides of the change")
		})
	}
}

func TestKillAtRandomLeavesOldOrNew(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	put(t, filepath.Join(dir, "mine"), "notes")
	wantOld, wantNew := plus(oldTree, "mine", "notes"), plus(newTree, "mine", "notes")
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		mode := []string{"new", "old"}[i%2]
		cmd := start(t, helperDir+"="+dir, helperMode+"="+mode)
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(random.IntN(20000)) * time.Microsecond)
		require.NoError(t, errors.Join(ignoreDone(cmd.Process.Kill())))
		err := cmd.Wait()
		require.True(t, err == nil || killed(err), "%v", err)
		got := tree(t, dir)
		assert.True(t, assert.ObjectsAreEqual(wantOld, got) || assert.ObjectsAreEqual(wantNew, got), "round %d: %v", i, got)
	}
	require.NoError(t, write(t, dir, newFiles(), Options{}))
	assert.Equal(t, wantNew, tree(t, dir))
	alone(t, parent, "out")
}

// ignoreDone drops the error of killing a process that has ended.
func ignoreDone(err error) error {
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

func TestWriteErrorOfTheSystemLeavesTheOldTree(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	message, err := start(t, helperDir+"="+dir, helperMode+"=new", helperLimit+"=65536").CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(message), "cannot write big: ")
	assert.Contains(t, string(message), "file too large")
	assert.Equal(t, oldTree, tree(t, dir))
	alone(t, parent, "out")
}

// The first file, draft or manifest that would grow beyond the limit cannot be written,
// as on a full disk; what is shorter can.
func TestFilesLimitedAtEveryLengthLeaveTheOldTree(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	put(t, filepath.Join(dir, "mine"), "notes")
	want := tree(t, dir)
	for _, limit := range []int{0, 1, 2, 3, 4, 5, 40, 100, 200, 400, 700, 1000, 4096, 1<<20 - 1} {
		message, err := start(t, helperDir+"="+dir, helperMode+"=new", helperLimit+"="+strconv.Itoa(limit)).CombinedOutput()
		require.Error(t, err, limit)
		assert.Contains(t, string(message), "file too large", limit)
		assert.Equal(t, want, tree(t, dir), limit)
		alone(t, parent, "out")
	}
	message, err := start(t, helperDir+"="+dir, helperMode+"=new", helperLimit+"="+strconv.Itoa(1<<20)).CombinedOutput()
	require.NoError(t, err, string(message))
}

func TestSecondWriterIsToldToWait(t *testing.T) {
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
