// SPDX-License-Identifier: Apache-2.0

package output

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
)

// staged is what stage has written.
type staged struct {
	hashes   map[string]string // SHA-256 by path
	manifest []byte
}

// all returns the hashes of all files, the manifest included.
func (s *staged) all() map[string]string {
	all := maps.Clone(s.hashes)
	sum := sha256.Sum256(s.manifest)
	all[manifestName] = hex.EncodeToString(sum[:])
	return all
}

// stage writes files and manifest to the new folder root. Existing folders are
// not expected.
func stage(ctx context.Context, d disk, root string, files []File, meta Meta) (*staged, error) {
	if err := os.Mkdir(root, 0o777); err != nil {
		return nil, err
	}
	s, err := inventoried(ctx, files, meta, func(f File) (string, error) {
		return writeFile(ctx, d, filepath.Join(root, filepath.FromSlash(f.Path)), f.Content)
	})
	if err != nil {
		return nil, err
	}
	_, err = writeFile(ctx, d, filepath.Join(root, manifestName), func(w io.Writer) error {
		_, err := w.Write(s.manifest)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", manifestName, err)
	}
	return s, nil
}

// inventoried makes every file by make, which returns its hash, and the manifest
// of them.
func inventoried(ctx context.Context, files []File, meta Meta, make func(File) (string, error)) (*staged, error) {
	s := &staged{hashes: map[string]string{}}
	m := manifest{Version: meta.Version, Machine: meta.Machine, ConfigHash: meta.ConfigHash, Files: []manifestEntry{}}
	for _, f := range files {
		sum, err := make(f)
		if err != nil {
			if cause := context.Cause(ctx); cause != nil {
				return nil, cause
			}
			return nil, fmt.Errorf("cannot write %s: %w", f.Path, err)
		}
		s.hashes[f.Path] = sum
		m.Files = append(m.Files, manifestEntry{Path: f.Path, Role: f.Role, SHA256: sum})
	}
	var err error
	s.manifest, err = m.encode()
	return s, err
}

// writeFile creates a file and the folders above it and returns its hash.
func writeFile(ctx context.Context, d disk, name string, content func(io.Writer) error) (sum string, err error) {
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return "", err
	}
	f, err := d.create(name)
	if err != nil {
		return "", err
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
	}()
	h := sha256.New()
	w := bufio.NewWriterSize(contextWriter{ctx, io.MultiWriter(f, h)}, 1<<16)
	if err := content(w); err != nil {
		return "", err
	}
	if err := w.Flush(); err != nil {
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
