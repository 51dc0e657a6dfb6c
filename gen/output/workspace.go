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

	"github.com/hcgen/hcgen/internal/filelock"
)

// workName is the working folder of a run, in the output folder.
const workName = ".hcgen"

// Journal is the path of the journal in the output folder. While it exists, the files are partly of
// the old output and partly of the new one.
const Journal = workName + "/" + journalName

// What the working folder holds.
const (
	lockName    = "lock"         // locked by the run; empty
	journalName = "journal.json" // present while files are replaced
	tempName    = "tmp"          // temporary files; not needed after the run
)

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
		if info, err := os.Lstat(w.path); err == nil && !info.IsDir() {
			return nil, &DirError{Dir: dir, Reason: "cannot be written: " + w.path + " is in the way and not hcgen's", Advice: "move it away"}
		}
		if err := d.mkdirAll(w.path); err != nil {
			return nil, &DirError{Dir: dir, Reason: "cannot be written", Err: err, Advice: "make it writable, or choose another output folder"}
		}
		lock, err := filelock.Acquire(filepath.Join(w.path, lockName))
		switch {
		case errors.Is(err, fs.ErrNotExist): // the run that had the lock has just ended: try again
		case errors.Is(err, filelock.ErrHeld):
			return nil, &DirError{Dir: dir, Reason: "is being written by another hcgen", Err: err, Advice: "wait until it has finished"}
		case err != nil:
			d.removeEmpty(w.path)
			return nil, &DirError{Dir: dir, Reason: "cannot be locked", Err: err}
		}
		w.lock = lock
	}
	if err := d.removeAll(w.temp()); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// temp returns the name of a path among the temporary files.
func (w *workspace) temp(p ...string) string {
	return filepath.Join(append([]string{w.path, tempName}, p...)...)
}

// staged returns the name of a file or folder of the output while it is among the temporary files.
func (w *workspace) staged(p string) string { return w.temp("files", filepath.FromSlash(p)) }

// close removes the working folder, unless it has a journal.
func (w *workspace) close() error {
	err := errors.Join(w.disk.removeAll(w.temp()), filelock.Release(w.lock))
	w.disk.removeEmpty(w.path) // another run may be in it already
	return err
}

// stage writes a file to the staged tree and returns its hash.
func (w *workspace) stage(ctx context.Context, f File) (sum string, err error) {
	name := w.staged(f.Path)
	if err := w.disk.mkdirAll(filepath.Dir(name)); err != nil {
		return "", err
	}
	err = w.disk.write(name, func(to diskFile) error {
		sum, err = digest(ctx, to, f.Content)
		return err
	})
	return sum, err
}

// probe returns an error for folders in which files cannot be replaced, because the system would report it
// only after other files have been replaced. It moves an empty folder into each folder and back.
func (w *workspace) probe(s *survey) error {
	here := w.temp("probe")
	if err := w.disk.mkdirAll(here); err != nil {
		return err
	}
	for _, p := range s.folders() {
		there := filepath.Join(s.name(p), workName+"-probe")
		w.disk.removeEmpty(there) // of a run that was killed here
		err := w.disk.rename(here, there)
		if err == nil {
			err = w.disk.rename(there, here)
		}
		if err != nil {
			w.disk.removeEmpty(there)
			return &DirError{Dir: w.dir, Reason: "has a folder that you may not change, " + p, Err: err, Advice: "move it away, or choose another output folder"}
		}
	}
	return nil
}

// writeJournal writes the journal in one step. The sync keeps a power failure from leaving replaced
// files beside a journal without content.
func (w *workspace) writeJournal(j *manifest) error {
	draft := w.temp(journalName)
	err := w.disk.write(draft, func(f diskFile) error { return errors.Join(j.write(f), f.Sync()) })
	if err != nil {
		return err
	}
	return w.disk.rename(draft, filepath.Join(w.dir, Journal))
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
		if _, info, err := s.look(p); err == nil && info != nil && info.IsDir() {
			w.disk.removeEmpty(s.name(p))
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
		if err := w.disk.rename(w.staged(p), s.name(p)); err != nil {
			return err
		}
	}
	return w.disk.remove(filepath.Join(w.dir, Journal))
}

// unchanged returns an error if the file at name is not the file that was found; nil: nothing was found.
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
