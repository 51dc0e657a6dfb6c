// SPDX-License-Identifier: Apache-2.0

package output

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// merged says what becomes of each entry of the old tree.
type merged struct {
	dir       string // as the user named it
	old       *inventory
	unchanged bool     // the old tree is the new one
	same      []string // files that stay as they are
	links     []entry  // the user's files, carried over
	folders   []entry  // folders that both trees have, outermost first
	users     map[string]bool
	settled   []string // the user's files that need no rescue from the old tree any more
}

// merge compares the old tree with what is to be written. It returns a
// *ConflictError if files of the user are in the way, a *DirError if one
// cannot be carried over.
func merge(dir string, old *inventory, s *staged, force bool) (*merged, error) {
	wanted := s.all()
	needed := foldersOf(func(yield func(string)) {
		for p := range wanted {
			yield(p)
		}
	})
	m := &merged{dir: dir, old: old, users: map[string]bool{}}
	conflicts := map[string]Conflict{}
	conflict := func(p, reason string, forced bool) {
		if c, ok := conflicts[p]; !ok || c.Forced {
			conflicts[p] = Conflict{Path: p, Reason: reason, Forced: forced}
		}
		if forced {
			m.settled = append(m.settled, p)
		}
	}
	listed := old.listedFolders()
	kept := map[string]bool{}
	for _, e := range old.entries {
		if err := m.checkEntry(e); err != nil {
			return nil, err
		}
		_, regenerated := wanted[e.path]
		above := fileAbove(e.path, wanted)
		switch {
		case e.state == folder && regenerated && !listed[e.path]:
			conflict(e.path, "is a folder", true)
		case e.state == folder:
			if above == "" && !regenerated && !listed[e.path] && !needed[e.path] {
				kept[e.path], m.users[e.path] = true, true
			}
		case regenerated:
			same, err := e.sameContent(old.root, wanted[e.path])
			if err != nil {
				return nil, &DirError{Dir: dir, Reason: "cannot be read", Err: err}
			}
			switch {
			case same:
				m.same = append(m.same, e.path)
			case e.state == edited:
				conflict(e.path, "was edited since hcgen wrote it", true)
			case e.state == foreign:
				conflict(e.path, "was not written by hcgen", true)
			}
		case e.state == ours:
			// no longer generated: it goes with the old tree
		case needed[e.path] && e.info.Mode()&fs.ModeSymlink != 0:
			conflict(e.path, "is a symbolic link where a folder has to be", true)
		case needed[e.path]:
			conflict(e.path, "is a file where a folder has to be", true)
		case above != "":
			conflict(above, "is a folder with files that hcgen did not write", false)
		default:
			m.links = append(m.links, e)
		}
	}
	if err := conflictError(dir, conflicts, force); err != nil {
		return nil, err
	}
	for p := range foldersOf(func(yield func(string)) {
		for _, e := range m.links {
			yield(e.path)
		}
		for p := range kept {
			yield(p)
		}
	}) {
		kept[p] = true
	}
	for _, e := range old.entries {
		if e.state == folder && (kept[e.path] || needed[e.path]) {
			m.folders = append(m.folders, e)
		}
	}
	m.unchanged = bytes.Equal(old.manifest, s.manifest) && len(m.same) == len(s.hashes) && len(m.settled) == 0
	return m, nil
}

// conflictError returns the conflicts that force does not resolve, or nil.
func conflictError(dir string, conflicts map[string]Conflict, force bool) error {
	e := &ConflictError{Dir: dir}
	for _, c := range conflicts {
		if !c.Forced || !force {
			e.Conflicts = append(e.Conflicts, c)
		}
	}
	if len(e.Conflicts) == 0 {
		return nil
	}
	slices.SortFunc(e.Conflicts, func(a, b Conflict) int { return strings.Compare(a.Path, b.Path) })
	return e
}

// checkEntry refuses what cannot be carried over or removed.
func (m *merged) checkEntry(e entry) error {
	if device(e.info) != device(m.old.info) {
		return &DirError{Dir: m.dir, Reason: "has another file system mounted at " + e.path, Advice: "unmount it, or choose another output folder"}
	}
	if e.state == folder && !canEmpty(filepath.Join(m.old.root, filepath.FromSlash(e.path)), e.info) {
		return &DirError{Dir: m.dir, Reason: "has a folder that you may not change, " + e.path, Advice: "move it away, or choose another output folder"}
	}
	return nil
}

// fileAbove returns the generated file that p is below of, or "".
func fileAbove(p string, wanted map[string]string) string {
	for p = path.Dir(p); p != "."; p = path.Dir(p) {
		if _, ok := wanted[p]; ok {
			return p
		}
	}
	return ""
}

// sameContent reports whether the entry is a regular file with the given hash.
func (e *entry) sameContent(root, hash string) (bool, error) {
	if !e.info.Mode().IsRegular() {
		return false, nil
	}
	if e.hash == "" {
		var err error
		if e.hash, err = hashFile(filepath.Join(root, filepath.FromSlash(e.path))); err != nil {
			return false, err
		}
	}
	return e.hash == hash, nil
}

// carry brings into the new tree what stays of the old one, by second names
// (hard links), so that the old tree is complete all the while.
func (m *merged) carry(d disk, newRoot string) error {
	in := func(root, p string) string { return filepath.Join(root, filepath.FromSlash(p)) }
	for _, e := range m.folders {
		if err := os.MkdirAll(in(newRoot, e.path), 0o777); err != nil {
			return err
		}
	}
	for _, e := range m.links {
		err := carryOne(d, in(m.old.root, e.path), in(newRoot, e.path), e.info)
		switch {
		case err == nil:
			m.settled = append(m.settled, e.path)
		case errors.Is(err, fs.ErrNotExist):
			// removed by the user since we looked
		case errors.Is(err, syscall.EXDEV):
			return &DirError{Dir: m.dir, Reason: "has another file system mounted above " + e.path, Advice: "unmount it, or choose another output folder"}
		default:
			// no hard links here: commit moves the file after the trees have changed places
		}
	}
	// The name beside the new tree makes the replacement one step: without it
	// a failing link would leave nothing at the file's place.
	link := filepath.Join(filepath.Dir(newRoot), linkName)
	for _, p := range m.same {
		if d.link(in(m.old.root, p), link) != nil {
			continue // then it is a new file with the same bytes
		}
		if err := d.rename(link, in(newRoot, p)); err != nil {
			return err
		}
	}
	for _, e := range slices.Backward(m.folders) { // the innermost first: making an entry changes the time of its folder
		name := in(newRoot, e.path)
		if err := os.Chmod(name, e.info.Mode()&^fs.ModeType); err != nil {
			return err
		}
		if m.users[e.path] {
			if err := os.Chtimes(name, e.info.ModTime(), e.info.ModTime()); err != nil {
				return err
			}
		}
	}
	return os.Chmod(newRoot, m.old.info.Mode()&^fs.ModeType)
}

// carryOne gives a file of the user a second name. Symbolic links are made
// anew, because not every system can give a link itself a second name.
func carryOne(d disk, from, to string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeSymlink == 0 {
		return d.link(from, to)
	}
	goal, err := os.Readlink(from)
	if err != nil {
		return err
	}
	return os.Symlink(goal, to)
}
