// SPDX-License-Identifier: Apache-2.0

// Package output writes generated files into a folder. No run changes files that hcgen did not write.
//
// A run writes every file under a temporary name, .hcgen-*.tmp, into the output folder, and compares
// the folder with them. An error up to this point removes the temporary files and changes nothing else.
// Then the run
//
//  1. replaces manifest.json by one with complete false, which lists the files of the earlier output and
//     the new one with both hashes,
//  2. renames each file that differs to its place,
//  3. removes files of the earlier output that are not generated,
//  4. replaces manifest.json by the one with complete true.
//
// If the process is killed in between, every file is whole, but some are of the earlier output and some
// of the new one. The generated Makefile refuses such a folder, and the next run completes it.
//
// manifest.json lists every generated file with its SHA-256. A file that it does not list, or that has
// another hash, is the user's. Two runs at the same time in one folder are not kept apart.
package output

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
)

// Meta is the part of the manifest that describes the output as a whole.
type Meta struct {
	Version    string // of hcgen
	Machine    string // name of the machine
	ConfigHash string // hash of the configuration
}

// Options change how Write treats existing files.
type Options struct {
	// Force lets Write replace conflicting files of the user, but never a folder.
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
			return "move them away, or choose another output folder; --force does not replace folders"
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

// sorted returns the files by path, after a check of what no caller may ask for.
func sorted(files []artifact.File, meta Meta) ([]artifact.File, error) {
	if meta.Version == "" {
		return nil, errors.New("output: the version is empty; the manifest would not be recognised as hcgen's")
	}
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b artifact.File) int { return strings.Compare(a.Path, b.Path) })
	return files, checkPaths(files)
}

// checkPaths reports paths that no caller may ask for.
func checkPaths(files []artifact.File) error {
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
// system.
func validPath(p string) bool {
	return p != "." && fs.ValidPath(p) && !strings.ContainsAny(p, "\\:\x00") && filepath.IsLocal(filepath.FromSlash(p))
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
