// SPDX-License-Identifier: Apache-2.0

//go:build unix

// The programs that replace Yosys here are shell scripts.

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A Yosys that fails is reported differently from a missing Yosys.
func TestBrokenYosysIsShown(t *testing.T) {
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "yosys"), []byte("#!/bin/sh\necho libtcl8.6.so is not there >&2\nexit 127\n"), 0o755))
	t.Setenv("PATH", bin)
	var messages bytes.Buffer
	code := run(t.Context(), &console{out: io.Discard, err: &messages}, []string{"explore", "--nodes", "2", "--measure", "1", "--folder", t.TempDir()})
	assert.Equal(t, exitTool, code)
	assert.Equal(t, "hcgen: error: yosys -V failed: exit status 127\nlibtcl8.6.so is not there\n"+
		"hint: on Debian: apt-get install --reinstall yosys\n", messages.String())
}
