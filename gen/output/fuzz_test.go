// SPDX-License-Identifier: Apache-2.0

package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzManifest: whatever manifest.json holds, writing does what it should or refuses and
// changes nothing, and touches nothing beside its folder.
func FuzzManifest(f *testing.F) {
	source := filepath.Join(f.TempDir(), "out")
	require.NoError(f, write(f, source, oldFiles(), Options{}))
	good, err := os.ReadFile(filepath.Join(source, manifestName))
	require.NoError(f, err)
	entry := `{"complete":false,"hcgen_version":"v1","files":[{"path":%q,"sha256":"%064d"}]}`
	for _, s := range []string{string(good), "", "{", "null", "[]", `{"hcgen_version":"v1","files":[]}`, `{"hcgen_version":1}`,
		fmt.Sprintf(entry, "../victim", 0), fmt.Sprintf(entry, "/etc/passwd", 0), fmt.Sprintf(entry, "mine", 0), fmt.Sprintf(entry, "gone", 0),
		fmt.Sprintf(entry, "rtl/../../victim", 0), fmt.Sprintf(entry, "rtl", 0), fmt.Sprintf(entry, "manifest.json", 0), fmt.Sprintf(entry, "", 0)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, manifest []byte) {
		parent := t.TempDir()
		dir := filepath.Join(parent, "out")
		require.NoError(t, write(t, dir, oldFiles(), Options{}))
		put(t, filepath.Join(dir, "mine"), "notes")
		put(t, filepath.Join(parent, "victim"), "precious")
		put(t, filepath.Join(dir, manifestName), string(manifest))
		before := tree(t, dir)
		err := write(t, dir, newFiles(), Options{})
		precious, err2 := os.ReadFile(filepath.Join(parent, "victim"))
		require.NoError(t, err2)
		assert.Equal(t, "precious", string(precious))
		alone(t, parent, "out", "victim")
		after := tree(t, dir)
		assert.Equal(t, "notes", after["mine"])
		var conflict *ConflictError
		var refused *DirError
		switch {
		case err == nil:
			require.True(t, json.Valid(manifest), "nobody knows whose the files are that were replaced")
			for path, content := range newTree {
				assert.Equal(t, content, after[path], path)
			}
			require.NoError(t, write(t, dir, newFiles(), Options{}), "a second run")
		case errors.As(err, &conflict), errors.As(err, &refused):
			assert.Equal(t, before, after)
			raw, err := os.ReadFile(filepath.Join(dir, manifestName))
			require.NoError(t, err)
			assert.Equal(t, string(manifest), string(raw))
		default:
			t.Fatal(err)
		}
	})
}
