// SPDX-License-Identifier: Apache-2.0

package output

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// state says whose an entry of an output folder is.
type state int

const (
	folder  state = iota // a folder, not a link to one
	ours                 // generated, and still as hcgen wrote it
	edited               // generated, but changed since
	foreign              // not generated: a file, link or anything else of the user
)

// entry is one thing in an output folder.
type entry struct {
	path  string // slash-separated, relative
	info  fs.FileInfo
	state state
	hash  string // SHA-256 of a regular file that the manifest lists
}

// inventory is what an output folder holds.
type inventory struct {
	root     string
	exists   bool
	info     fs.FileInfo       // of the folder itself
	entries  []entry           // folders before what is in them; without the manifest if it is hcgen's
	hashes   map[string]string // of the manifest
	manifest []byte            // nil if it is missing or not hcgen's
}

// scan reads the output folder. It follows no symbolic link.
func scan(root string) (*inventory, error) {
	inv := &inventory{root: root}
	info, err := os.Lstat(root)
	if errors.Is(err, fs.ErrNotExist) {
		return inv, nil
	} else if err != nil {
		return nil, err
	}
	inv.exists, inv.info = true, info
	hashes, raw, ok := readManifest(root)
	if ok {
		inv.hashes, inv.manifest = hashes, raw
	}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil || rel == "." {
			return err
		}
		e := entry{path: filepath.ToSlash(rel), state: foreign}
		if e.path == manifestName && ok {
			return nil
		}
		if e.info, err = d.Info(); errors.Is(err, fs.ErrNotExist) {
			return nil // gone while we looked
		} else if err != nil {
			return err
		}
		want, listed := hashes[e.path]
		switch {
		case d.IsDir():
			e.state = folder
		case listed && e.info.Mode().IsRegular():
			if e.hash, err = hashFile(name); err != nil {
				return err
			}
			e.state = edited
			if e.hash == want {
				e.state = ours
			}
		case listed:
			e.state = edited
		}
		inv.entries = append(inv.entries, e)
		return nil
	})
	return inv, err
}

// listedFolders returns the folders that the manifest's files need.
func (inv *inventory) listedFolders() map[string]bool {
	return foldersOf(func(yield func(string)) {
		for p := range inv.hashes {
			yield(p)
		}
	})
}

// foldersOf returns all folders above the given paths.
func foldersOf(paths func(yield func(string))) map[string]bool {
	folders := map[string]bool{}
	paths(func(p string) {
		for p = path.Dir(p); p != "." && !folders[p]; p = path.Dir(p) {
			folders[p] = true
		}
	})
	return folders
}

// hashFile returns the SHA-256 of a file in hex.
func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
