// SPDX-License-Identifier: Apache-2.0

package output

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/hcgen/hcgen/gen/artifact"
)

// manifestName is the path of the manifest in the output folder.
const manifestName = "manifest.json"

// manifest is the content of manifest.json. It holds no date, host or absolute
// path, so that the same input makes the same bytes.
type manifest struct {
	Complete   bool            `json:"complete"` // false from the first change of a run to the last
	Version    string          `json:"hcgen_version"`
	Machine    string          `json:"machine"`
	ConfigHash string          `json:"config_hash"`
	Files      []manifestEntry `json:"files"` // sorted by path, each once; incomplete: an entry for each hash of a path, old and new
}

// manifestEntry describes one generated file.
type manifestEntry struct {
	Path   string `json:"path"`
	Role   string `json:"role"`
	SHA256 string `json:"sha256"` // lower-case hex
}

// write writes the bytes of manifest.json.
func (m *manifest) write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(m)
}

// meta returns the description of the output.
func (m *manifest) meta() Meta {
	return Meta{Version: m.Version, Machine: m.Machine, ConfigHash: m.ConfigHash}
}

// readManifest returns the manifest of an output folder and its SHA-256, or nil if the folder has no manifest of hcgen.
func readManifest(dir string) (m *manifest, sum string) {
	name := filepath.Join(dir, manifestName)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil, ""
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, ""
	}
	m = new(manifest)
	if err := json.Unmarshal(raw, m); err != nil || m.Version == "" || m.Files == nil {
		return nil, ""
	}
	for _, f := range m.Files {
		if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != sha256.Size || !validPath(f.Path) {
			return nil, ""
		}
	}
	return m, fmt.Sprintf("%x", sha256.Sum256(raw))
}

// ledger lists, by path, the hashes that a file has if hcgen wrote it.
type ledger map[string][]string

// newLedger returns the ledger of the manifest in an output folder. It is empty without a manifest.
func newLedger(m *manifest, sum string) ledger {
	l := ledger{}
	if m != nil {
		l[manifestName] = []string{sum}
		for _, f := range m.Files {
			l[f.Path] = append(l[f.Path], f.SHA256)
		}
	}
	return l
}

// incomplete returns the manifest of a run while it changes the folder: its own files, and the files that the
// ledger lists.
func (l ledger) incomplete(m *manifest) *manifest {
	mixed := *m
	mixed.Complete = false
	mixed.Files = slices.Clone(m.Files)
	for _, p := range slices.Sorted(maps.Keys(l)) {
		for _, sum := range l[p] {
			same := func(f manifestEntry) bool { return f.Path == p && f.SHA256 == sum }
			if p != manifestName && !slices.ContainsFunc(mixed.Files, same) {
				mixed.Files = append(mixed.Files, manifestEntry{Path: p, SHA256: sum})
			}
		}
	}
	return &mixed
}

// generate makes every file and manifest.json by write, which returns the SHA-256 of a file. It
// returns the manifest and all hashes by path.
func generate(files []artifact.File, meta Meta, write func(artifact.File) (string, error)) (*manifest, map[string]string, error) {
	hashes := map[string]string{}
	m := &manifest{Complete: true, Version: meta.Version, Machine: meta.Machine, ConfigHash: meta.ConfigHash, Files: []manifestEntry{}}
	for _, f := range files {
		sum, err := write(f)
		if err != nil {
			return nil, nil, err
		}
		hashes[f.Path] = sum
		m.Files = append(m.Files, manifestEntry{Path: f.Path, Role: f.Role, SHA256: sum})
	}
	sum, err := write(artifact.File{Path: manifestName, Content: m.write})
	hashes[manifestName] = sum
	return m, hashes, err
}

// copyTo writes the file to w and returns its SHA-256 in hex. It stops when ctx ends, and returns the cause.
func copyTo(ctx context.Context, w io.Writer, f artifact.File) (string, error) {
	sum, err := digest(contextWriter{ctx, w}, f.Content)
	if cause := context.Cause(ctx); cause != nil {
		return "", cause
	}
	if err != nil {
		return "", fmt.Errorf("cannot write %s: %w", f.Path, err)
	}
	return sum, nil
}

// contextWriter fails once its context has ended, so that long files stop too.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c contextWriter) Write(p []byte) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

// digest passes content on to w and returns its SHA-256 in hex.
func digest(w io.Writer, content func(io.Writer) error) (string, error) {
	h := sha256.New()
	buffer := bufio.NewWriterSize(io.MultiWriter(w, h), 1<<16)
	if err := content(buffer); err != nil {
		return "", err
	}
	if err := buffer.Flush(); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashFile returns the SHA-256 of a file on disk in hex.
func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return digest(io.Discard, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}
