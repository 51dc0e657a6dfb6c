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

// survey compares an output folder with what is to be written. It looks only at paths of
// generated files, old and new, and follows no symbolic link below the folder.
type survey struct {
	dir     string
	known   ledger
	journal bool // a run was stopped while it replaced files

	changes   map[string]Change
	dropped   map[string]bool // files that are not generated any more; true: as hcgen wrote them, so a run removes them
	conflicts map[string]Conflict

	// What a run does, in this order. The values are what was found at the path when it is
	// removed or replaced; nil: nothing.
	remove  map[string]fs.FileInfo // files and links
	empty   map[string]bool        // folders to remove if they are empty
	replace map[string]fs.FileInfo // files and folders to rename from the staged tree
}

// examine makes the survey of dir. hashes are those of all files to be written, by path.
func examine(dir string, hashes map[string]string) (*survey, error) {
	known, journal, err := readLedger(dir)
	if err != nil {
		return nil, err
	}
	s := &survey{dir: dir, known: known, journal: journal, changes: map[string]Change{}, dropped: map[string]bool{}, conflicts: map[string]Conflict{},
		remove: map[string]fs.FileInfo{}, empty: map[string]bool{}, replace: map[string]fs.FileInfo{}}
	for p, hash := range hashes {
		if err := s.generated(p, hash); err != nil {
			return nil, &DirError{Dir: dir, Reason: "cannot be read", Err: err}
		}
	}
	for p := range known {
		if _, generated := hashes[p]; generated {
			continue
		}
		if err := s.noLongerGenerated(p); err != nil {
			return nil, &DirError{Dir: dir, Reason: "cannot be read", Err: err}
		}
	}
	needed := foldersOf(hashes)
	for p := range foldersOf(known) {
		if !needed[p] {
			s.empty[p] = true
		}
	}
	return s, nil
}

// generated examines the path of a file that is to be written.
func (s *survey) generated(p, want string) error {
	at, info, err := s.look(p)
	if err != nil {
		return err
	}
	switch {
	case info == nil:
		s.changes[p], s.replace[at] = Missing, nil
		return nil
	case at != p:
		s.changes[p], s.replace[at] = Missing, nil
		return s.clearFile(at, info)
	case info.IsDir():
		s.changes[p], s.replace[p] = Stale, nil
		return s.clearFolder(p)
	}
	hash, err := s.hash(p, info)
	if err != nil || hash == want {
		return err
	}
	s.changes[p], s.replace[p] = Stale, info
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
	s.dropped[p], s.changes[p] = ours, ExtraEdited
	if ours {
		s.remove[p], s.changes[p] = info, Extra
	}
	return err
}

// clearFile has a file or link removed where a folder has to be.
func (s *survey) clearFile(p string, info fs.FileInfo) error {
	s.remove[p] = info
	ours, err := s.ours(p, info)
	switch {
	case err != nil || ours:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		s.blocked(p, "is a symbolic link where a folder has to be", true)
	default:
		s.blocked(p, "is a file where a folder has to be", true)
	}
	return nil
}

// clearFolder has a folder removed where a file has to be. Generated files in it are
// removed as files that are not generated any more.
func (s *survey) clearFolder(root string) error {
	if !foldersOf(s.known)[root] {
		s.blocked(root, "is a folder", true)
	}
	return filepath.WalkDir(s.name(root), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.dir, name)
		if err != nil {
			return err
		}
		p := filepath.ToSlash(rel)
		if d.IsDir() {
			s.empty[p] = true
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		ours, err := s.ours(p, info)
		if err == nil && !ours {
			s.blocked(root, "is a folder with files that hcgen did not write", false)
		}
		return err
	})
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

// look returns the first of the folders above p, and p, that is not a folder, and what it is; p and
// what it is if there is none; and no info if nothing is there.
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

// ours reports whether what is at p is a file as hcgen wrote it.
func (s *survey) ours(p string, info fs.FileInfo) (bool, error) {
	if s.known[p] == nil {
		return false, nil
	}
	hash, err := s.hash(p, info)
	return slices.Contains(s.known[p], hash), err
}

// hash returns the SHA-256 of a regular file, and nothing for what is none.
func (s *survey) hash(p string, info fs.FileInfo) (string, error) {
	if !info.Mode().IsRegular() {
		return "", nil
	}
	return hashFile(s.name(p))
}

// folders returns the existing folders in which a run removes or replaces files, sorted.
func (s *survey) folders() []string {
	folders := map[string]bool{}
	for p := range s.remove {
		folders[path.Dir(p)] = true
	}
	for p := range s.replace {
		folders[path.Dir(p)] = true
	}
	return slices.Sorted(maps.Keys(folders))
}
