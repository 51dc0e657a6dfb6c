// SPDX-License-Identifier: Apache-2.0

//go:build unix

package process

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// A program that make runs makes targets of its own, in which BUILD and the flags of that make mean nothing.
func TestMakeInheritsNothingFromTheMakeAbove(t *testing.T) {
	needs.Tools(t, "make")
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "Makefile"), []byte("BUILD ?= none\nshow:\n\t@echo $(BUILD) $(OTHER)\n"), 0o666))
	t.Setenv("MAKEFLAGS", "n -- BUILD=elsewhere OTHER=more")
	t.Setenv("BUILD", "environment")
	out, err := Make(t.Context(), folder, "show").CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, "build\n", string(out))
}
