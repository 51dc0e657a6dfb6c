// SPDX-License-Identifier: Apache-2.0

// Package output writes generated files into a folder. A run that fails leaves the folder as it
// was, and no run changes files that hcgen did not write.
//
// A run stages its files in the subfolder .hcgen. An error up to this point removes the subfolder
// and changes nothing else. The run then writes a journal, renames the files to their places, and
// removes the journal. If the process is killed while the journal exists, every file is whole, but
// some are of the old output and some of the new one; the generated Makefile refuses such a folder,
// and the next run replaces what remains.
//
// manifest.json lists every generated file with its SHA-256, and the journal the files that its
// run may have written. A file that neither lists, or that has another hash, is the user's.
package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// File is one generated file.
type File struct {
	Path    string                  // slash-separated, relative to the output folder, clean
	Role    string                  // what it is for: rtl, testbench, golden, synthesis, report, build, ...
	Content func(w io.Writer) error // writes the file; must write the same bytes every time
}

// Meta is the part of the manifest that describes the output as a whole.
type Meta struct {
	Version    string // of hcgen
	Machine    string // name of the machine
	ConfigHash string // hash of the configuration
}

// Options change how Write treats existing files.
type Options struct {
	// Force lets Write replace conflicting files of the user, but never a folder with files in it.
	Force bool

	// Dropped, unless nil, is called at the end of a run that succeeds, for each file of an earlier
	// run that is not generated any more, by path. removed is false for a file that stays because it
	// was edited.
	Dropped func(path string, removed bool)
}

// Conflict is a file of the user at the path of a generated one.
type Conflict struct {
	Path   string // slash-separated, relative to the output folder
	Reason string // such as "was edited since hcgen wrote it"
	Forced bool   // Options.Force replaces it
}

// ConflictError lists the files of the user that prevent Write from writing.
// Nothing was changed.
type ConflictError struct {
	Dir       string
	Conflicts []Conflict // sorted by path, not empty
}

// Error lists the files, one a line.
func (e *ConflictError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s has files that generation would overwrite:", e.Dir)
	for _, c := range e.Conflicts {
		fmt.Fprintf(&b, "\n  %s: %s", c.Path, c.Reason)
	}
	return b.String()
}

// Hint returns advice for the user.
func (e *ConflictError) Hint() string {
	for _, c := range e.Conflicts {
		if !c.Forced {
			return "move them away, or choose another output folder; --force does not replace folders that have files in them"
		}
	}
	return "move them away, or use --force to overwrite them"
}

// DirError is the reason why a folder cannot be used for output. Nothing was changed.
type DirError struct {
	Dir    string
	Reason string // a clause: "is a file, not a folder"
	Advice string // what to do; may be empty
	Err    error  // cause; may be nil
}

// Error returns folder, reason and cause.
func (e *DirError) Error() string {
	s := e.Dir + " " + e.Reason
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Hint says what the user can do.
func (e *DirError) Hint() string { return e.Advice }

// Unwrap returns the cause.
func (e *DirError) Unwrap() error { return e.Err }

// Write makes dir hold exactly the given files, manifest.json, and the files of the user. Generated
// files of an earlier run that are not among files are removed unless they were edited; folders
// that this empties are removed too. Files that stay the same are not touched.
//
// If Write returns an error, dir is as it was, with two exceptions. If the system fails or the user
// changes a file after the journal was written, the message says that dir is incomplete. If
// temporary files cannot be removed, it says so. The error is a *ConflictError or a *DirError if the
// user has to act, the cause of ctx if it ended before the journal was written, else that of the
// operating system or a Content function. If Write panics because a Content function did, it
// cleans up as well.
func Write(ctx context.Context, dir string, files []File, meta Meta, opts Options) error {
	return writeTo(ctx, nil, dir, files, meta, opts)
}

func writeTo(ctx context.Context, d disk, dir string, files []File, meta Meta, opts Options) (err error) {
	if files, err = sorted(files, meta); err != nil {
		return err
	}
	if err := usable(dir); err != nil {
		return err
	}
	made := missingFolders(dir)
	defer d.removeEmpty(made...) // none is empty if the run succeeds
	if err := d.mkdirAll(dir); err != nil {
		return &DirError{Dir: dir, Reason: "cannot be created", Err: err}
	}
	w, err := openWorkspace(d, dir)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := w.close(); closeErr != nil {
			err = errors.Join(err, fmt.Errorf("cannot remove temporary files: %w", closeErr))
		}
	}()

	m, hashes, err := generate(ctx, files, meta, func(f File) (string, error) { return w.stage(ctx, f) })
	if err != nil {
		return err
	}
	s, err := examine(dir, hashes)
	if err != nil {
		return err
	}
	if err := s.conflictError(opts.Force); err != nil {
		return err
	}
	if !s.journal && len(s.replace)+len(s.remove) == 0 {
		return nil
	}
	if err := w.probe(s); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := w.writeJournal(s.known.journal(m)); err != nil {
		return fmt.Errorf("cannot write the journal: %w", err)
	}
	if err := w.commit(s); err != nil {
		return fmt.Errorf("%w; %s is incomplete until hcgen generates it again", err, dir)
	}
	if opts.Dropped != nil {
		for _, p := range slices.Sorted(maps.Keys(s.dropped)) {
			opts.Dropped(p, s.dropped[p])
		}
	}
	return nil
}

// sorted returns the files by path, after a check of what no caller may ask for.
func sorted(files []File, meta Meta) ([]File, error) {
	if meta.Version == "" {
		return nil, errors.New("output: the version is empty; the manifest would not be recognised as hcgen's")
	}
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, checkPaths(files)
}

// checkPaths reports paths that no caller may ask for.
func checkPaths(files []File) error {
	seen := map[string]bool{manifestName: true}
	for _, f := range files {
		if !validPath(f.Path) {
			return fmt.Errorf("output: %q is not a clean relative path", f.Path)
		}
		if seen[f.Path] {
			return fmt.Errorf("output: %q is generated twice", f.Path)
		}
		seen[f.Path] = true
	}
	for p := range foldersOf(seen) {
		if seen[p] {
			return fmt.Errorf("output: %q is both a file and a folder", p)
		}
	}
	return nil
}

// validPath accepts slash-separated, clean paths that stay below their root on every operating
// system, and outside of the working folder.
func validPath(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return p != "." && fs.ValidPath(p) && !strings.ContainsAny(p, "\\:\x00") && filepath.IsLocal(filepath.FromSlash(p)) &&
		!strings.EqualFold(first, workName)
}

// foldersOf returns all folders above the given paths.
func foldersOf[V any](paths map[string]V) map[string]bool {
	folders := map[string]bool{}
	for p := range paths {
		for p = path.Dir(p); p != "." && !folders[p]; p = path.Dir(p) {
			folders[p] = true
		}
	}
	return folders
}
