// SPDX-License-Identifier: Apache-2.0

package output

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// manifestName is the path of the manifest in the output folder.
const manifestName = "manifest.json"

// manifest is the content of manifest.json. It holds no date, host or absolute
// path, so that the same input makes the same bytes.
type manifest struct {
	Version    string          `json:"hcgen_version"`
	Machine    string          `json:"machine"`
	ConfigHash string          `json:"config_hash"`
	Files      []manifestEntry `json:"files"` // sorted by path
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

// readManifest returns a manifest and its bytes. ok is false if there is no manifest of hcgen.
func readManifest(name string) (m manifest, raw []byte, ok bool) {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return manifest{}, nil, false
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return manifest{}, nil, false
	}
	if err := json.Unmarshal(raw, &m); err != nil || m.Version == "" || m.Files == nil {
		return manifest{}, nil, false
	}
	for _, f := range m.Files {
		if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != sha256.Size || !validPath(f.Path) {
			return manifest{}, nil, false
		}
	}
	return m, raw, true
}

// generate makes every file and manifest.json by write, which returns the hash of a file. It
// returns the manifest and all hashes by path.
func generate(ctx context.Context, files []File, meta Meta, write func(File) (string, error)) (*manifest, map[string]string, error) {
	hashes := map[string]string{}
	add := func(f File) error {
		sum, err := write(f)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		} else if err != nil {
			return fmt.Errorf("cannot write %s: %w", f.Path, err)
		}
		hashes[f.Path] = sum
		return nil
	}
	m := &manifest{Version: meta.Version, Machine: meta.Machine, ConfigHash: meta.ConfigHash, Files: []manifestEntry{}}
	for _, f := range files {
		if err := add(f); err != nil {
			return nil, nil, err
		}
		m.Files = append(m.Files, manifestEntry{Path: f.Path, Role: f.Role, SHA256: hashes[f.Path]})
	}
	return m, hashes, add(File{Path: manifestName, Content: m.write})
}

// digest passes content on to w and returns its SHA-256 in hex. It stops when ctx ends.
func digest(ctx context.Context, w io.Writer, content func(io.Writer) error) (string, error) {
	h := sha256.New()
	buffer := bufio.NewWriterSize(contextWriter{ctx, io.MultiWriter(w, h)}, 1<<16)
	if err := content(buffer); err != nil {
		return "", err
	}
	if err := buffer.Flush(); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
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

// hashFile returns the SHA-256 of a file in hex.
func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return digest(context.Background(), io.Discard, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}

// ledger lists the hashes under which a file at a path is hcgen's.
type ledger map[string][]string

// readLedger reads the manifest and the journal of an output folder, and reports whether there is
// a journal.
func readLedger(dir string) (known ledger, journal bool, err error) {
	known = ledger{}
	if m, raw, ok := readManifest(filepath.Join(dir, manifestName)); ok {
		known.add(&m)
		sum := sha256.Sum256(raw)
		known[manifestName] = append(known[manifestName], hex.EncodeToString(sum[:]))
	}
	name := filepath.Join(dir, Journal)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return known, false, nil
	} else if err != nil {
		return nil, false, &DirError{Dir: dir, Reason: "cannot be read", Err: err}
	}
	m, _, ok := readManifest(name)
	if !ok {
		return nil, false, &DirError{Dir: dir, Reason: "has a damaged journal, " + name,
			Advice: "remove it; what the stopped run wrote then counts as edited"}
	}
	known.add(&m)
	return known, true, nil
}

// add enters the files of a manifest.
func (l ledger) add(m *manifest) {
	for _, f := range m.Files {
		l[f.Path] = append(l[f.Path], f.SHA256)
	}
}

// journal returns the manifest with an entry for each hash in the ledger.
func (l ledger) journal(m *manifest) *manifest {
	j := *m
	j.Files = slices.Clone(m.Files)
	for _, p := range slices.Sorted(maps.Keys(l)) {
		for _, sum := range l[p] {
			j.Files = append(j.Files, manifestEntry{Path: p, SHA256: sum})
		}
	}
	return &j
}
