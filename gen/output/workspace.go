// SPDX-License-Identifier: Apache-2.0

package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// What a working folder may hold.
const (
	lockName   = "lock"        // locked by the process that writes; holds nothing
	newName    = "new"         // the new tree; after an exchange the old one
	oldName    = "old"         // the old tree, where trees cannot be exchanged in one step
	linkName   = "link"        // a file on its way into the new tree
	recordName = "commit.json" // present while new or old may hold files of the user
	draftName  = "commit.tmp"  // the record while it is written
)

// workspace is the working folder beside the output folder.
type workspace struct {
	disk   disk
	dir    string // the output folder as the user named it
	target string // its absolute path
	path   string
	lock   *os.File
	keep   bool // something of the user is still in it
	warn   func(string)
}

// record is written before the trees change places. It lets the next run tell
// which tree is which.
type record struct {
	Old     string   `json:"old"`     // identity of the old tree's root
	Settled []string `json:"settled"` // files of the user in the old tree that need no rescue
}

// openWorkspace creates the working folder, or takes over that of a run that
// was killed, after bringing back what it left. It returns a *DirError if that
// is not possible.
func openWorkspace(d disk, dir, target string, warn func(string)) (*workspace, error) {
	w := &workspace{disk: d, dir: dir, target: target, warn: warn}
	w.path = filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".hcgen-tmp")
	for {
		if err := os.Mkdir(w.path, 0o700); err != nil {
			if !errors.Is(err, fs.ErrExist) {
				return nil, &DirError{Dir: dir, Reason: "cannot be written", Err: err,
					Advice: "the folder that it is in must be writable, because the output is replaced as a whole"}
			}
			if err := w.checkOwn(); err != nil {
				return nil, err
			}
		}
		lock, err := os.OpenFile(filepath.Join(w.path, lockName), os.O_RDWR|os.O_CREATE, 0o600)
		if errors.Is(err, fs.ErrNotExist) {
			continue // its owner has just removed the folder
		} else if err != nil {
			_ = w.disk.remove(w.path) // empty if this process has made it; else it stays
			return nil, &DirError{Dir: dir, Reason: "cannot be written", Err: err}
		}
		if err := tryLock(lock); err != nil {
			lock.Close()
			return nil, &DirError{Dir: dir, Reason: "is being written by another hcgen", Err: err, Advice: "wait until it has finished"}
		}
		if !sameAt(lock, filepath.Join(w.path, lockName)) {
			lock.Close()
			continue // locked what its owner had just removed
		}
		w.lock = lock
		break
	}
	if err := w.recover(); err != nil {
		w.lock.Close()
		return nil, err
	}
	return w, nil
}

// checkOwn refuses a folder of the working folder's name that is not hcgen's.
func (w *workspace) checkOwn() error {
	notOurs := &DirError{Dir: w.dir, Reason: "cannot be written: " + w.path + " is in the way and not hcgen's", Advice: "move it away"}
	if info, err := os.Lstat(w.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil || !info.IsDir() {
		return notOurs
	}
	entries, err := os.ReadDir(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return &DirError{Dir: w.dir, Reason: "cannot be written", Err: err}
	}
	for _, e := range entries {
		if !slices.Contains([]string{lockName, newName, oldName, linkName, recordName, draftName}, e.Name()) {
			return notOurs
		}
	}
	return nil
}

// sameAt reports whether the open file is the one at path.
func sameAt(f *os.File, path string) bool {
	a, errA := f.Stat()
	b, errB := os.Lstat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

func (w *workspace) newTree() string { return filepath.Join(w.path, newName) }
func (w *workspace) oldTree() string { return filepath.Join(w.path, oldName) }

// commit makes the new tree the output folder and brings along what the user
// did in the old one meanwhile. If it fails the old tree is in place.
func (w *workspace) commit(settled []string) error {
	info, err := os.Lstat(w.target)
	if err != nil {
		return err
	}
	if err := w.writeRecord(record{Old: identity(info), Settled: settled}); err != nil {
		return err
	}
	err = w.disk.exchange(w.newTree(), w.target)
	old := w.newTree()
	if errors.Is(err, errors.ErrUnsupported) {
		old = w.oldTree()
		err = w.renameTwice()
	}
	if err != nil {
		if missing(w.target) {
			w.keep = true
			return fmt.Errorf("%w; the old output is in %s, and the next run puts it back", err, w.oldTree())
		}
		return err
	}
	w.settle(old, settled)
	return nil
}

// renameTwice replaces the output folder where the system cannot exchange two
// folders. Between its two steps there is no output folder; recover knows.
func (w *workspace) renameTwice() error {
	if err := w.disk.rename(w.target, w.oldTree()); err != nil {
		return err
	}
	if err := w.disk.rename(w.newTree(), w.target); err != nil {
		return errors.Join(err, w.disk.rename(w.oldTree(), w.target))
	}
	return nil
}

// settle rescues the user's files from the old tree and declares the rest of
// the working folder worthless.
func (w *workspace) settle(old string, settled []string) {
	if err := w.rescue(old, settled); err != nil {
		w.keep = true
		w.warn(fmt.Sprintf("files of yours could not be brought along and are still in %s; the next run tries again: %v", old, err))
		return
	}
	if err := w.disk.remove(filepath.Join(w.path, recordName)); err != nil {
		w.keep = true
		w.warn(fmt.Sprintf("cannot remove %s: %v", filepath.Join(w.path, recordName), err))
	}
}

// writeRecord writes the record in one step.
func (w *workspace) writeRecord(r record) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	draft := filepath.Join(w.path, draftName)
	if err := os.WriteFile(draft, data, 0o600); err != nil {
		return err
	}
	return w.disk.rename(draft, filepath.Join(w.path, recordName))
}

// recover finishes or undoes what a killed run had begun and empties the
// working folder.
func (w *workspace) recover() error {
	data, err := os.ReadFile(filepath.Join(w.path, recordName))
	if err == nil {
		var r record
		if err := json.Unmarshal(data, &r); err != nil {
			return &DirError{Dir: w.dir, Reason: "cannot be written: an earlier run left " + w.path + " damaged", Err: err, Advice: "look there for files of yours, then remove it"}
		}
		old := ""
		if !missing(w.oldTree()) {
			old = w.oldTree()
		} else if info, err := os.Lstat(w.newTree()); err == nil && identity(info) == r.Old {
			old = w.newTree()
		}
		switch {
		case old == "": // killed before the trees changed places
		case missing(w.target):
			if err := w.disk.rename(old, w.target); err != nil {
				return err
			}
		default:
			w.settle(old, r.Settled)
			if w.keep {
				return &DirError{Dir: w.dir, Reason: "cannot be written: an earlier run left files of yours in " + old, Advice: "move them away"}
			}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return w.empty()
}

// empty removes everything but the lock. The record goes first: once it is
// gone, nothing here is worth keeping.
func (w *workspace) empty() error {
	for _, name := range []string{recordName, draftName, linkName, newName, oldName} {
		if err := w.removeTree(filepath.Join(w.path, name)); err != nil {
			return err
		}
	}
	return nil
}

// close removes the working folder unless something of the user is in it.
func (w *workspace) close() error {
	defer w.lock.Close()
	if w.keep {
		return nil
	}
	if err := w.empty(); err != nil {
		return err
	}
	if err := removeLocked(w.lock, filepath.Join(w.path, lockName)); err != nil {
		return err
	}
	return w.disk.remove(w.path)
}

// missing reports whether nothing is at the path.
func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// removeTree removes a tree, also if the user had made folders read-only.
func (w *workspace) removeTree(root string) error {
	if w.disk.removeAll(root) == nil {
		return nil
	}
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(name, 0o700) // RemoveAll reports what matters
		}
		return nil
	})
	return w.disk.removeAll(root)
}
