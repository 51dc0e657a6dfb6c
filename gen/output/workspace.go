// SPDX-License-Identifier: Apache-2.0

package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// workName is the working folder of a run, in the output folder.
const workName = ".hcgen"

// Journal is the path of the journal in the output folder. While it exists, the files are partly of
// the old output and partly of the new one.
const Journal = workName + "/" + journalName

// What the working folder may hold.
const (
	lockName    = "lock"         // locked by the run; empty
	stagedName  = "new"          // the files to be written
	draftName   = "journal.new"  // the journal while it is written
	journalName = "journal.json" // present while files are replaced
	probeName   = "probe"        // a folder that is renamed to try whether files can be replaced
)

// errLocked means that another run has the lock.
var errLocked = errors.New("its lock is held")

// workspace is the working folder of a run that has the lock.
type workspace struct {
	disk disk
	dir  string // the output folder
	path string
	lock *os.File
}

// openWorkspace creates the working folder, or takes over that of a run that was killed. It
// returns a *DirError if that is not possible.
func openWorkspace(d disk, dir string) (*workspace, error) {
	w := &workspace{disk: d, dir: dir, path: filepath.Join(dir, workName)}
	for w.lock == nil {
		if err := d.mkdir(w.path); errors.Is(err, fs.ErrExist) {
			if err := w.checkOwn(); err != nil {
				return nil, err
			}
		} else if err != nil {
			return nil, &DirError{Dir: dir, Reason: "cannot be written", Err: err, Advice: "make it writable, or choose another output folder"}
		}
		lock, err := acquire(filepath.Join(w.path, lockName))
		switch {
		case errors.Is(err, fs.ErrNotExist): // the run that had the lock has just ended: once more
		case errors.Is(err, errLocked):
			return nil, &DirError{Dir: dir, Reason: "is being written by another hcgen", Err: err, Advice: "wait until it has finished"}
		case err != nil:
			d.removeEmpty([]string{w.path})
			return nil, &DirError{Dir: dir, Reason: "cannot be locked", Err: err}
		}
		w.lock = lock
	}
	if err := w.clear(); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// checkOwn refuses a working folder that is not hcgen's.
func (w *workspace) checkOwn() error {
	notOurs := &DirError{Dir: w.dir, Reason: "cannot be written: " + w.path + " is in the way and not hcgen's", Advice: "move it away"}
	info, err := os.Lstat(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil || !info.IsDir() {
		return notOurs
	}
	entries, err := os.ReadDir(w.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &DirError{Dir: w.dir, Reason: "cannot be written", Err: err}
	}
	for _, e := range entries {
		if !slices.Contains([]string{lockName, stagedName, draftName, journalName, probeName}, e.Name()) {
			return notOurs
		}
	}
	return nil
}

// in returns the name of a path in the working folder.
func (w *workspace) in(p ...string) string { return filepath.Join(append([]string{w.path}, p...)...) }

// clear removes everything but the lock and the journal.
func (w *workspace) clear() error {
	for _, name := range []string{draftName, probeName, stagedName} {
		if err := w.disk.removeAll(w.in(name)); err != nil {
			return err
		}
	}
	return nil
}

// close removes the working folder, unless it has a journal.
func (w *workspace) close() error {
	err := errors.Join(w.clear(), release(w.lock))
	w.disk.removeEmpty([]string{w.path}) // another run may be in it already
	return err
}

// stage writes a file to the staged tree and returns its hash.
func (w *workspace) stage(ctx context.Context, f File) (sum string, err error) {
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	name := w.in(stagedName, filepath.FromSlash(f.Path))
	if _, err := w.disk.makeFolders(filepath.Dir(name)); err != nil {
		return "", err
	}
	err = w.disk.write(name, func(to diskFile) error {
		sum, err = digest(ctx, to, f.Content)
		return err
	})
	return sum, err
}

// probe refuses folders in which files cannot be replaced, as the file system may not say before
// the first is. In each folder it renames a folder from here and back.
func (w *workspace) probe(s *survey) error {
	if err := w.disk.mkdir(w.in(probeName)); err != nil {
		return err
	}
	for _, p := range slices.Sorted(maps.Keys(s.folders())) {
		there := filepath.Join(s.name(p), workName+"-"+probeName)
		w.disk.removeEmpty([]string{there}) // of a run that was killed here
		err := w.disk.rename(w.in(probeName), there)
		if err == nil {
			err = w.disk.rename(there, w.in(probeName))
		}
		if err != nil {
			w.disk.removeEmpty([]string{there})
			return &DirError{Dir: w.dir, Reason: "has a folder that you may not change, " + p, Err: err, Advice: "move it away, or choose another output folder"}
		}
	}
	return nil
}

// writeJournal writes the journal to the disk, in one step for other processes. The sync keeps a
// power failure from leaving replaced files beside a journal without content.
func (w *workspace) writeJournal(j *manifest) error {
	err := w.disk.write(w.in(draftName), func(f diskFile) error { return errors.Join(j.write(f), f.Sync()) })
	if err != nil {
		return err
	}
	return w.disk.rename(w.in(draftName), w.in(journalName))
}

// commit replaces the files and removes the journal. It stops at a file that has changed since the
// survey.
func (w *workspace) commit(s *survey) error {
	for _, p := range slices.Sorted(maps.Keys(s.remove)) {
		if err := unchanged(s.name(p), s.remove[p]); err != nil {
			return err
		}
		if err := w.disk.remove(s.name(p)); err != nil {
			return err
		}
	}
	for _, p := range slices.Backward(slices.Sorted(maps.Keys(s.empty))) {
		if at, info, err := s.look(p); err == nil && at == p && info != nil && info.IsDir() {
			w.disk.removeEmpty([]string{s.name(p)})
		}
	}
	order := slices.DeleteFunc(slices.Sorted(maps.Keys(s.replace)), func(p string) bool { return p == manifestName })
	if _, ok := s.replace[manifestName]; ok {
		order = append(order, manifestName)
	}
	for _, p := range order {
		if err := unchanged(s.name(p), s.replace[p]); err != nil {
			return err
		}
		if err := w.disk.rename(w.in(stagedName, filepath.FromSlash(p)), s.name(p)); err != nil {
			return err
		}
	}
	return w.disk.remove(w.in(journalName))
}

// unchanged reports an error if what is at name is not what it was; nil: nothing.
func unchanged(name string, was fs.FileInfo) error {
	is, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && was == nil:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && was != nil && os.SameFile(is, was) && is.ModTime().Equal(was.ModTime()) && is.Size() == was.Size():
		return nil
	}
	return fmt.Errorf("%s changed while hcgen was at work", name)
}
