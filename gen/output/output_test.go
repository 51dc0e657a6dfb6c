// SPDX-License-Identifier: Apache-2.0

package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/artifact"
)

var meta = Meta{Version: "v1.2.3", Machine: "ring", ConfigHash: "abc"}

// text is a file with the given content.
func text(path, content string) artifact.File {
	return artifact.File{Path: path, Role: "rtl", Content: func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	}}
}

// tree returns what is below root: content by path, "dir" for folders, the
// goal for links. The manifest is left out.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		rel, err := filepath.Rel(root, name)
		require.NoError(t, err)
		switch {
		case rel == "." || rel == manifestName:
		case d.IsDir():
			out[rel] = "dir"
		case d.Type()&fs.ModeSymlink != 0:
			out[rel], err = os.Readlink(name)
			require.NoError(t, err)
		default:
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			out[rel] = string(data)
		}
		return nil
	}))
	return out
}

// oldTree and newTree are two generations of output.
var (
	oldTree = map[string]string{"rtl": "dir", "rtl/a.v": "a1", "rtl/same.v": "same", "gone": "dir", "gone/b.v": "b1", "Makefile": "m1"}
	newTree = map[string]string{"rtl": "dir", "rtl/a.v": "a2", "rtl/same.v": "same", "tb": "dir", "tb/c.cpp": "c2", "Makefile": "m2"}
)

func oldFiles() []artifact.File { return filesOf(oldTree) }
func newFiles() []artifact.File { return filesOf(newTree) }

// filesOf returns the files of a tree.
func filesOf(tree map[string]string) (files []artifact.File) {
	for p, content := range tree {
		if content != "dir" {
			files = append(files, text(p, content))
		}
	}
	return files
}

// plus returns a tree with more entries: path, content, path, content...
func plus(tree map[string]string, more ...string) map[string]string {
	out := map[string]string{}
	for k, v := range tree {
		out[k] = v
	}
	for i := 0; i < len(more); i += 2 {
		out[more[i]] = more[i+1]
	}
	return out
}

// outDir returns the name of a folder that does not exist yet; after the test,
// it must be alone in its parent.
func outDir(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "out")
}

func write(t testing.TB, dir string, files []artifact.File, opts Options) error {
	t.Helper()
	return Write(context.Background(), dir, files, meta, opts)
}

func put(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o666))
}

// missing reports whether nothing is at the path.
func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// alone checks that the folder holds nothing but the named entries.
func alone(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	got := []string{}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	assert.ElementsMatch(t, names, got)
}

func TestNewFolderHoldsFilesAndManifest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "er", "out")
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	assert.Equal(t, oldTree, tree(t, dir))
	alone(t, filepath.Dir(dir), "out")
	got, err := os.ReadFile(filepath.Join(dir, manifestName))
	require.NoError(t, err)
	assert.Equal(t, `{
  "complete": true,
  "hcgen_version": "v1.2.3",
  "machine": "ring",
  "config_hash": "abc",
  "files": [
    {
      "path": "Makefile",
      "role": "rtl",
      "sha256": "ca0df2c95aa144c1d0ff2ff3c8f967fdc1de9ef0c4120b3726416701b519d619"
    },
    {
      "path": "gone/b.v",
      "role": "rtl",
      "sha256": "7dc96f776c8423e57a2785489a3f9c43fb6e756876d6ad9a9cac4aa4e72ec193"
    },
    {
      "path": "rtl/a.v",
      "role": "rtl",
      "sha256": "f55ff16f66f43360266b95db6f8fec01d76031054306ae4a4b380598f6cfd114"
    },
    {
      "path": "rtl/same.v",
      "role": "rtl",
      "sha256": "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5"
    }
  ]
}
`, string(got))
}

func TestSecondGenerationReplacesTheFirst(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	same, err := os.Stat(filepath.Join(dir, "rtl/same.v"))
	require.NoError(t, err)
	require.NoError(t, write(t, dir, newFiles(), Options{}))
	assert.Equal(t, newTree, tree(t, dir), "the folder gone/ is empty now and must be gone")
	after, err := os.Stat(filepath.Join(dir, "rtl/same.v"))
	require.NoError(t, err)
	assert.True(t, os.SameFile(same, after), "a file that stays the same keeps its time, so make does not rebuild")
	alone(t, filepath.Dir(dir), "out")
}

func TestSameInputTouchesNoFile(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	before := infos(t, dir)
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	for name, info := range infos(t, dir) {
		require.Contains(t, before, name)
		assert.True(t, os.SameFile(before[name], info), name)
		assert.Equal(t, before[name].ModTime(), info.ModTime(), name)
	}
	alone(t, filepath.Dir(dir), "out")
}

// infos describes everything in a folder.
func infos(t *testing.T, dir string) map[string]fs.FileInfo {
	t.Helper()
	found := map[string]fs.FileInfo{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		if name != dir {
			found[name], err = d.Info()
		}
		return err
	}))
	require.NotEmpty(t, found)
	return found
}

func TestDeletedFilesComeBack(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "rtl")))
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	assert.Equal(t, oldTree, tree(t, dir))
}

func TestFilesOfTheUserStay(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	put(t, filepath.Join(dir, "notes.txt"), "mine")
	put(t, filepath.Join(dir, "gone/mine.v"), "mine too")
	put(t, filepath.Join(dir, "build/obj/x.o"), "object")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "empty"), 0o750))
	require.NoError(t, os.Symlink("/nowhere", filepath.Join(dir, "link")))
	require.NoError(t, os.Chmod(filepath.Join(dir, "build"), 0o555))
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "build"), 0o755) })
	before, err := os.Stat(filepath.Join(dir, "build"))
	require.NoError(t, err)
	notes, err := os.Stat(filepath.Join(dir, "notes.txt"))
	require.NoError(t, err)

	for _, force := range []bool{false, true} {
		for _, files := range [][]artifact.File{newFiles(), oldFiles(), newFiles()} {
			require.NoError(t, write(t, dir, files, Options{Force: force}))
		}
		assert.Equal(t, plus(newTree, "notes.txt", "mine", "gone", "dir", "gone/mine.v", "mine too", "build", "dir",
			"build/obj", "dir", "build/obj/x.o", "object", "empty", "dir", "link", "/nowhere"), tree(t, dir))
	}
	after, err := os.Stat(filepath.Join(dir, "build"))
	require.NoError(t, err)
	assert.Equal(t, before.Mode(), after.Mode())
	assert.Equal(t, before.ModTime(), after.ModTime())
	kept, err := os.Stat(filepath.Join(dir, "notes.txt"))
	require.NoError(t, err)
	assert.True(t, os.SameFile(notes, kept))
	alone(t, filepath.Dir(dir), "out")
}

func TestFilesInTheWayNeedForce(t *testing.T) {
	cases := map[string]struct {
		disturb func(t *testing.T, dir string)
		want    []Conflict
		forced  map[string]string // nil: force does not help
	}{
		"edited and foreign files": {
			func(t *testing.T, dir string) {
				put(t, filepath.Join(dir, "rtl/a.v"), "edited")
				put(t, filepath.Join(dir, "tb/c.cpp"), "mine")
			},
			[]Conflict{{"rtl/a.v", "was edited since hcgen wrote it", true}, {"tb/c.cpp", "was not written by hcgen", true}},
			newTree,
		},
		"link in place of a folder": {
			func(t *testing.T, dir string) {
				require.NoError(t, os.Rename(filepath.Join(dir, "rtl"), filepath.Join(dir, "elsewhere")))
				require.NoError(t, os.Symlink("elsewhere", filepath.Join(dir, "rtl")))
			},
			[]Conflict{{"rtl", "is a symbolic link where a folder has to be", true}},
			plus(newTree, "elsewhere", "dir", "elsewhere/a.v", "a1", "elsewhere/same.v", "same"),
		},
		"link in place of a file": {
			func(t *testing.T, dir string) {
				put(t, filepath.Join(dir, "mine.mk"), "m1")
				require.NoError(t, os.Remove(filepath.Join(dir, "Makefile")))
				require.NoError(t, os.Symlink("mine.mk", filepath.Join(dir, "Makefile")))
			},
			[]Conflict{{"Makefile", "was edited since hcgen wrote it", true}},
			plus(newTree, "mine.mk", "m1"),
		},
		"file in place of a folder": {
			func(t *testing.T, dir string) { put(t, filepath.Join(dir, "tb"), "mine") },
			[]Conflict{{"tb", "is a file where a folder has to be", true}},
			newTree,
		},
		"empty folder in place of a file": {
			func(t *testing.T, dir string) {
				require.NoError(t, os.MkdirAll(filepath.Join(dir, "tb/c.cpp"), 0o777))
			},
			[]Conflict{{"tb/c.cpp", "is a folder where a file has to be", false}},
			nil,
		},
		"full folder in place of a file": {
			func(t *testing.T, dir string) { put(t, filepath.Join(dir, "tb/c.cpp/mine"), "mine") },
			[]Conflict{{"tb/c.cpp", "is a folder where a file has to be", false}},
			nil,
		},
		"manifest that is not hcgen's": {
			func(t *testing.T, dir string) {
				require.NoError(t, os.RemoveAll(dir))
				put(t, filepath.Join(dir, "manifest.json"), `{"name": "web app"}`)
			},
			[]Conflict{{"manifest.json", "was not written by hcgen", true}},
			newTree,
		},
		"folder in place of the manifest": {
			func(t *testing.T, dir string) {
				require.NoError(t, os.RemoveAll(dir))
				require.NoError(t, os.MkdirAll(filepath.Join(dir, manifestName), 0o777))
			},
			[]Conflict{{"manifest.json", "is a folder where a file has to be", false}},
			nil,
		},
		"manifest that names files outside": {
			func(t *testing.T, dir string) {
				require.NoError(t, os.RemoveAll(dir))
				put(t, filepath.Join(filepath.Dir(dir), "victim"), "mine")
				put(t, filepath.Join(dir, "manifest.json"), fmt.Sprintf(`{"hcgen_version": "v1", "files": [{"path": "../victim", "sha256": "%064d"}]}`, 0))
			},
			[]Conflict{{"manifest.json", "was not written by hcgen", true}},
			newTree,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := outDir(t)
			require.NoError(t, write(t, dir, oldFiles(), Options{}))
			c.disturb(t, dir)
			before := tree(t, dir)
			neighbours, err := os.ReadDir(filepath.Dir(dir))
			require.NoError(t, err)

			err = write(t, dir, newFiles(), Options{})
			var conflict *ConflictError
			require.ErrorAs(t, err, &conflict)
			assert.Equal(t, c.want, conflict.Conflicts)
			for _, w := range c.want {
				assert.ErrorContains(t, err, w.Path+": "+w.Reason)
			}
			assert.Equal(t, before, tree(t, dir))

			err = write(t, dir, newFiles(), Options{Force: true})
			if c.forced == nil {
				require.ErrorAs(t, err, &conflict)
				assert.Contains(t, conflict.Hint(), "--force does not")
				assert.Equal(t, before, tree(t, dir))
			} else {
				require.NoError(t, err)
				assert.Equal(t, c.forced, tree(t, dir))
			}
			after, err := os.ReadDir(filepath.Dir(dir))
			require.NoError(t, err)
			assert.Len(t, after, len(neighbours), "nothing beside is touched")
		})
	}
}

func TestEditedFileThatIsNoLongerGeneratedStays(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, oldFiles(), Options{}))
	put(t, filepath.Join(dir, "gone/b.v"), "edited")
	require.NoError(t, write(t, dir, newFiles(), Options{}))
	assert.Equal(t, plus(newTree, "gone", "dir", "gone/b.v", "edited"), tree(t, dir))
}

func TestFileWithTheWantedContentIsNoConflict(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, newFiles(), Options{}))
	require.NoError(t, os.Remove(filepath.Join(dir, manifestName)))
	require.NoError(t, write(t, dir, newFiles(), Options{}))
	assert.Equal(t, newTree, tree(t, dir))
	require.NoError(t, write(t, dir, oldFiles(), Options{}), "the files are hcgen's again")
}

func TestFileMayBecomeFolderAndBack(t *testing.T) {
	dir := outDir(t)
	require.NoError(t, write(t, dir, []artifact.File{text("a", "1"), text("b/c", "2")}, Options{}))
	require.NoError(t, write(t, dir, []artifact.File{text("a/x", "1"), text("b", "2")}, Options{}))
	assert.Equal(t, map[string]string{"a": "dir", "a/x": "1", "b": "2"}, tree(t, dir))
	require.NoError(t, write(t, dir, []artifact.File{text("a", "1"), text("b/c", "2")}, Options{}))
	assert.Equal(t, map[string]string{"a": "1", "b": "dir", "b/c": "2"}, tree(t, dir))
}

func TestFailedContentLeavesTheOldTree(t *testing.T) {
	broken := artifact.File{Path: "z", Content: func(w io.Writer) error {
		io.WriteString(w, "half")
		return errors.New("no more")
	}}
	for _, exists := range []bool{false, true} {
		t.Run(fmt.Sprintf("folder exists %v", exists), func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "deep", "out")
			var want map[string]string
			if exists {
				require.NoError(t, write(t, dir, oldFiles(), Options{}))
				want = tree(t, parent)
			}
			err := write(t, dir, append(newFiles(), broken), Options{})
			assert.EqualError(t, err, "cannot write z: no more")
			if exists {
				assert.Equal(t, want, tree(t, parent))
			} else {
				alone(t, parent)
			}
		})
	}
}

func TestPanicInContentLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	assert.Panics(t, func() {
		_ = write(t, filepath.Join(parent, "out"), []artifact.File{{Path: "a", Content: func(io.Writer) error { panic("fault") }}}, Options{})
	})
	alone(t, parent)
}

func TestCancelledContextStopsWithinAFile(t *testing.T) {
	parent := t.TempDir()
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := errors.New("stopped")
	endless := artifact.File{Path: "a", Content: func(w io.Writer) error {
		cancel(stopped)
		for {
			if _, err := w.Write(make([]byte, 1000)); err != nil {
				return err
			}
		}
	}}
	assert.Equal(t, stopped, Write(ctx, filepath.Join(parent, "out"), []artifact.File{endless}, meta, Options{}))
	alone(t, parent)
}

func TestPathsThatNoCallerMayAskFor(t *testing.T) {
	for _, paths := range [][]string{{""}, {"."}, {"/a"}, {"../a"}, {"a/../b"}, {"a//b"}, {"a/"}, {`a\b`}, {"c:x"}, {"a", "a"}, {"a", "a/b"}, {"manifest.json"}} {
		var files []artifact.File
		for _, p := range paths {
			files = append(files, text(p, ""))
		}
		dir := outDir(t)
		assert.ErrorContains(t, write(t, dir, files, Options{}), "output: ", "%q", paths)
		alone(t, filepath.Dir(dir))
	}
}

func TestTwoFoldersGetTheSameBytes(t *testing.T) {
	first, second := outDir(t), outDir(t)
	require.NoError(t, write(t, first, oldFiles(), Options{}))
	require.NoError(t, write(t, second, newFiles(), Options{}))
	files := oldFiles()
	slices.Reverse(files)
	require.NoError(t, write(t, second, files, Options{}))
	assert.Equal(t, tree(t, first), tree(t, second))
	a, err := os.ReadFile(filepath.Join(first, manifestName))
	require.NoError(t, err)
	b, err := os.ReadFile(filepath.Join(second, manifestName))
	require.NoError(t, err)
	assert.Equal(t, string(a), string(b))
}
