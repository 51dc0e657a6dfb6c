// SPDX-License-Identifier: Apache-2.0

package output

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// survey compares an output folder with the files of a run. It looks only at paths of
// generated files, old and new, and follows no symbolic link below the folder.
type survey struct {
	dir      string
	previous *manifest // of the folder; nil without one
	known    ledger

	changes   map[string]Change
	conflicts map[string]Conflict

	// The changes of a run, in this order.
	clear  []string // what is in the way of generated files, in the order of removal
	place  []string // generated files that differ, sorted; empty if there is nothing to do
	remove []string // files of an earlier run, sorted
}

// examine makes the survey of dir. hashes are those of all files of the run, by path.
func examine(dir string, hashes map[string]string) (*survey, error) {
	previous, sum := readManifest(dir)
	s := &survey{dir: dir, previous: previous, known: newLedger(previous, sum), changes: map[string]Change{}, conflicts: map[string]Conflict{}}
	for _, p := range slices.Sorted(maps.Keys(hashes)) {
		if err := s.generated(p, hashes[p]); err != nil {
			return nil, &DirError{Dir: dir, Reason: "cannot be read", Err: err}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(s.known)) {
		if _, generated := hashes[p]; generated {
			continue
		}
		if err := s.noLongerGenerated(p); err != nil {
			return nil, &DirError{Dir: dir, Reason: "cannot be read", Err: err}
		}
	}
	return s, nil
}

// incomplete reports whether the last run did not finish.
func (s *survey) incomplete() bool { return s.previous != nil && !s.previous.Complete }

// generated examines the path of a file of the run.
func (s *survey) generated(p, want string) error {
	at, info, err := s.look(p)
	if err != nil {
		return err
	}
	differs := func(c Change) {
		s.changes[p] = c
		s.place = append(s.place, p)
	}
	switch {
	case info == nil:
		differs(Missing)
		return nil
	case at != p:
		differs(Missing)
		return s.clearFile(at, info)
	case info.IsDir():
		differs(Stale)
		return s.clearFolder(p)
	}
	hash, err := s.hash(p, info)
	if err != nil || hash == want {
		return err
	}
	differs(Stale)
	switch sums := s.known[p]; {
	case sums == nil:
		s.blocked(p, "was not written by hcgen", true)
	case !slices.Contains(sums, hash):
		s.blocked(p, "was edited since hcgen wrote it", true)
		s.changes[p] = Edited
	}
	return nil
}

// noLongerGenerated examines the path of a file of an earlier run.
func (s *survey) noLongerGenerated(p string) error {
	at, info, err := s.look(p)
	_, blocks := s.conflicts[p]
	if err != nil || info == nil || at != p || info.IsDir() || blocks {
		return err
	}
	ours, err := s.ours(p, info)
	if !ours {
		s.changes[p] = ExtraEdited
		return err
	}
	s.changes[p] = Extra
	if !slices.Contains(s.clear, p) {
		s.remove = append(s.remove, p)
	}
	return nil
}

// clearFile plans to remove a file or link at the path of a folder.
func (s *survey) clearFile(p string, info fs.FileInfo) error {
	if slices.Contains(s.clear, p) {
		return nil
	}
	s.clear = append(s.clear, p)
	ours, err := s.ours(p, info)
	if err != nil || ours {
		return err
	}
	reason := "is a file where a folder has to be"
	if info.Mode()&fs.ModeSymlink != 0 {
		reason = "is a symbolic link where a folder has to be"
	}
	s.blocked(p, reason, true)
	return nil
}

// clearFolder plans to remove a folder at the path of a file, if all files in it are hcgen's.
func (s *survey) clearFolder(root string) error {
	ours := foldersOf(s.known)[root]
	var found []string
	err := filepath.WalkDir(s.name(root), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.dir, name)
		if err != nil {
			return err
		}
		p := filepath.ToSlash(rel)
		found = append(found, p)
		if d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		known, err := s.ours(p, info)
		ours = ours && known
		return err
	})
	if err != nil {
		return err
	}
	if !ours {
		s.blocked(root, "is a folder where a file has to be", false)
		return nil
	}
	slices.Reverse(found) // what is in a folder before the folder
	s.clear = append(s.clear, found...)
	return nil
}

// blocked records a conflict.
func (s *survey) blocked(p, reason string, forced bool) {
	s.changes[p] = InTheWay
	s.conflicts[p] = Conflict{Path: p, Reason: reason, Forced: forced}
}

// conflictError returns the conflicts that force does not resolve, or nil.
func (s *survey) conflictError(force bool) *ConflictError {
	e := &ConflictError{Dir: s.dir}
	for _, p := range slices.Sorted(maps.Keys(s.conflicts)) {
		if c := s.conflicts[p]; !c.Forced || !force {
			e.Conflicts = append(e.Conflicts, c)
		}
	}
	if len(e.Conflicts) == 0 {
		return nil
	}
	return e
}

// name returns the name of a path on the disk.
func (s *survey) name(p string) string { return filepath.Join(s.dir, filepath.FromSlash(p)) }

// look returns the first of p and the folders above it that is not a folder, with its info. If all are
// folders it returns p. The info is nil if the path does not exist.
func (s *survey) look(p string) (at string, info fs.FileInfo, err error) {
	for _, name := range strings.Split(p, "/") {
		at = path.Join(at, name)
		info, err = os.Lstat(s.name(at))
		if errors.Is(err, fs.ErrNotExist) {
			return at, nil, nil
		}
		if err != nil || !info.IsDir() {
			break
		}
	}
	return at, info, err
}

// ours reports whether p is a file as hcgen wrote it.
func (s *survey) ours(p string, info fs.FileInfo) (bool, error) {
	if s.known[p] == nil {
		return false, nil
	}
	hash, err := s.hash(p, info)
	return slices.Contains(s.known[p], hash), err
}

// hash returns the SHA-256 of a regular file, and nothing for any other.
func (s *survey) hash(p string, info fs.FileInfo) (string, error) {
	if !info.Mode().IsRegular() {
		return "", nil
	}
	return hashFile(s.name(p))
}
