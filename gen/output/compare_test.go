// SPDX-License-Identifier: Apache-2.0

package output

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/artifact"
)

// What Compare lists is what Write changes, for every state of a file.
func TestCompareFindsWhatWriteWouldChange(t *testing.T) {
	meta := meta
	first := []artifact.File{text("a", "1"), text("b/c", "2"), text("gone", "3"), text("gone_edited", "4")}
	next := []artifact.File{text("a", "1"), text("b/c", "other"), text("new", "5")}
	dir := filepath.Join(t.TempDir(), "out")
	compare := func(files []artifact.File) *Comparison {
		t.Helper()
		c, err := Compare(context.Background(), dir, files, meta)
		require.NoError(t, err)
		return c
	}

	c := compare(first)
	assert.Equal(t, []Difference{{"a", Missing}, {"b/c", Missing}, {"gone", Missing}, {"gone_edited", Missing}, {manifestName, Missing}}, c.Differences)
	assert.NoDirExists(t, dir)
	require.NoError(t, Write(context.Background(), dir, first, meta, Options{}))
	assert.Empty(t, compare(first).Differences)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("mine"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gone_edited"), []byte("mine"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes"), []byte("mine"), 0o666))
	c = compare(next)
	assert.Equal(t, []Difference{{"a", Edited}, {"b/c", Stale}, {"gone", Extra}, {"gone_edited", ExtraEdited}, {manifestName, Stale}, {"new", Missing}}, c.Differences)
	assert.Equal(t, &meta, c.Previous)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "new"), []byte("mine"), 0o666))
	c = compare(next)
	require.NotNil(t, c.Blocked)
	assert.Contains(t, c.Differences, Difference{"new", InTheWay})
	assert.Equal(t, Write(context.Background(), dir, next, meta, Options{}), error(c.Blocked))
	dropped := map[string]bool{}
	require.NoError(t, Write(context.Background(), dir, next, meta, Options{Force: true, Dropped: func(path string, removed bool) { dropped[path] = removed }}))
	assert.Equal(t, map[string]bool{"gone": true, "gone_edited": false}, dropped)
	assert.NoFileExists(t, filepath.Join(dir, "gone"))
	assert.FileExists(t, filepath.Join(dir, "gone_edited"))
	assert.Empty(t, compare(next).Differences)

	meta.Version = "2"
	assert.Equal(t, []Difference{{manifestName, Stale}}, compare(next).Differences)

	// A file where a folder has to be, written by hcgen and edited.
	meta.Version = "1"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "new"), []byte("mine"), 0o666))
	c = compare([]artifact.File{text("new/below", "6")})
	assert.Contains(t, c.Differences, Difference{"new", InTheWay})
	assert.Contains(t, c.Differences, Difference{"new/below", Missing})
}

func TestCompareStopsWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Compare(ctx, filepath.Join(t.TempDir(), "out"), []artifact.File{{Path: "a", Content: func(io.Writer) error { return nil }}}, Meta{Version: "1"})
	assert.ErrorIs(t, err, context.Canceled)
}
