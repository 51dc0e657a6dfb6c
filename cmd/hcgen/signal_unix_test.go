// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slow is a description whose generation takes long enough to be interrupted.
var slow = torus + "traffic \"storm\" {\n  cycles = 200000\n  random {\n    rate = 0.5\n  }\n}\n"

// start begins to generate the slow machine through a command line, and returns when a
// temporary file in the output folder exists.
func start(t *testing.T, words ...string) (command *exec.Cmd, messages *bytes.Buffer, dir string) {
	t.Helper()
	dir, messages = t.TempDir(), &bytes.Buffer{}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "slow.hcl"), []byte(slow), 0o666))
	words = append(words, "hcgen", "-c", "slow.hcl", "-o", "out")
	command = exec.CommandContext(t.Context(), words[0], words[1:]...)
	command.Dir, command.Stderr = dir, messages
	require.NoError(t, command.Start())
	require.Eventually(t, func() bool {
		found, err := filepath.Glob(filepath.Join(dir, "out", ".hcgen-*.tmp"))
		return err == nil && len(found) > 0
	}, time.Minute, time.Millisecond, "the run ended or does not begin to write")
	return command, messages, dir
}

func TestEverySignalToEndCleansUp(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		t.Run(signal.String(), func(t *testing.T) {
			command, messages, dir := start(t)
			require.NoError(t, command.Process.Signal(signal))
			require.Error(t, command.Wait())
			assert.Equal(t, exitInterrupted, command.ProcessState.ExitCode())
			assert.Equal(t, "hcgen: error: interrupted; nothing was changed\n", messages.String())
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Len(t, left, 1, "only the description is there")
		})
	}
}

// A signal that nohup makes a program ignore stays ignored.
func TestIgnoredSignalsStayIgnored(t *testing.T) {
	command, messages, dir := start(t, "sh", "-c", `trap '' HUP; exec "$@"`, "sh")
	require.NoError(t, command.Process.Signal(syscall.SIGHUP))
	require.NoError(t, command.Wait(), messages.String())
	assert.True(t, strings.HasPrefix(messages.String(), "hcgen: machine torus4x4 is in out\n"))
	assert.FileExists(t, filepath.Join(dir, "out", "manifest.json"))
}
