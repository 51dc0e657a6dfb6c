// SPDX-License-Identifier: Apache-2.0

// Package output writes generated files to disk completely or not at all, and never changes files
// that it did not write.
//
// Everything is first written to a working folder beside the output folder
// (".<name>.hcgen-tmp"). If the output folder exists, the files in it that are
// the user's get a hard link in the new tree. Then one system call exchanges the old and the new
// tree. A process that is killed at any moment therefore leaves the old output or the new one; the
// next run finds its working folder and cleans up.
//
// manifest.json in the output folder records which files belong to hcgen: it lists every
// generated file with its SHA-256. A file that is not listed, or has another
// hash, is the user's.
package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
	// Warn, if not nil, is called with warnings of a successful run.
	Warn func(message string)
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
// that this empties are removed too. Files that stay the same keep their modification time; if all
// do, nothing is touched.
//
// If Write returns an error, dir is as it was and the working folder is gone.
// The error is a *ConflictError or a *DirError if the user has to act, the cause of ctx if it ended
// before the new tree was complete, else that of the operating system or a Content function. If
// Write panics because a Content function did, it cleans up as well.
func Write(ctx context.Context, dir string, files []File, meta Meta, opts Options) error {
	return writeTo(ctx, systemDisk{}, dir, files, meta, opts)
}

func writeTo(ctx context.Context, d disk, dir string, files []File, meta Meta, opts Options) (err error) {
	files, err = sorted(files, meta)
	if err != nil {
		return err
	}
	warn := opts.Warn
	if warn == nil {
		warn = func(string) {}
	}
	target, err := resolve(dir)
	if err != nil {
		return err
	}
	made, err := makeParents(filepath.Dir(target))
	if err != nil {
		return &DirError{Dir: dir, Reason: "cannot be created", Err: err}
	}
	committed := false
	defer func() {
		if !committed {
			removeParents(made)
		}
	}()

	ws, err := openWorkspace(d, dir, target, warn)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := ws.close(); closeErr != nil {
			warn(fmt.Sprintf("cannot remove the working folder %s: %v", ws.path, closeErr))
		}
	}()

	old, err := scan(target)
	if err != nil {
		return &DirError{Dir: dir, Reason: "cannot be read", Err: err}
	}
	staged, err := stage(ctx, d, ws.newTree(), files, meta)
	if err != nil {
		return err
	}
	if !old.exists {
		if err := d.rename(ws.newTree(), target); err != nil {
			return err
		}
		committed = true
		return nil
	}
	merged, err := merge(dir, old, staged, opts.Force)
	if err != nil {
		return err
	}
	if merged.unchanged {
		return nil
	}
	if err := merged.carry(d, ws.newTree()); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := ws.commit(merged.settled); err != nil {
		return err
	}
	committed = true
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

// checkPaths reports paths that no caller may ask for. files are sorted.
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
	for _, f := range files {
		for p := path.Dir(f.Path); p != "."; p = path.Dir(p) {
			if seen[p] {
				return fmt.Errorf("output: %q is both a file and the folder of %q", p, f.Path)
			}
		}
	}
	return nil
}

// validPath accepts slash-separated, clean paths that stay below their root on
// every operating system.
func validPath(p string) bool {
	return p != "." && fs.ValidPath(p) && !strings.ContainsAny(p, "\\:\x00") && filepath.IsLocal(filepath.FromSlash(p))
}

// resolve returns the absolute path of the folder that dir means, following
// symbolic links, and refuses folders that cannot be replaced as a whole.
func resolve(dir string) (string, error) {
	if dir == "" {
		return "", &DirError{Dir: `""`, Reason: "is not the name of a folder"}
	}
	target, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(target)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		if target, err = filepath.EvalSymlinks(target); err != nil {
			return "", &DirError{Dir: dir, Reason: "is a symbolic link that leads nowhere", Advice: "remove the link, or create the folder it names", Err: err}
		}
		if info, err = os.Lstat(target); err != nil {
			return "", &DirError{Dir: dir, Reason: "cannot be read", Err: err}
		}
	case errors.Is(err, fs.ErrNotExist):
		return resolveMissing(target), nil
	case err != nil:
		return "", &DirError{Dir: dir, Reason: "cannot be used", Err: err}
	}
	if !info.IsDir() {
		return "", &DirError{Dir: dir, Reason: "is not a folder", Advice: "remove it, or choose another output folder"}
	}
	if target, err = filepath.EvalSymlinks(target); err != nil {
		return "", &DirError{Dir: dir, Reason: "cannot be read", Err: err}
	}
	const inside = "name a folder inside it, such as out"
	parent, err := os.Stat(filepath.Dir(target))
	if err != nil {
		return "", &DirError{Dir: dir, Reason: "cannot be used", Err: err}
	}
	if os.SameFile(info, parent) || device(info) != device(parent) {
		return "", &DirError{Dir: dir, Reason: "is the root of a file system; the output folder is replaced as a whole", Advice: inside}
	}
	if isCurrent(info) {
		return "", &DirError{Dir: dir, Reason: "is the current folder or above it; the output folder is replaced as a whole", Advice: inside}
	}
	if home, err := os.UserHomeDir(); err == nil {
		if h, err := os.Stat(home); err == nil && os.SameFile(h, info) {
			return "", &DirError{Dir: dir, Reason: "is your home folder; the output folder is replaced as a whole", Advice: inside}
		}
	}
	return target, nil
}

// resolveMissing follows symbolic links in the part of the path that exists.
func resolveMissing(target string) string {
	parent := filepath.Dir(target)
	if parent == target {
		return target
	}
	if real, err := filepath.EvalSymlinks(parent); err == nil {
		return filepath.Join(real, filepath.Base(target))
	}
	return filepath.Join(resolveMissing(parent), filepath.Base(target))
}

// isCurrent reports whether the folder is the current one or above it: a
// process whose current folder is replaced would stay in the old one.
func isCurrent(folder fs.FileInfo) bool {
	at, err := os.Getwd()
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	for {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, folder) {
			return true
		}
		up := filepath.Dir(at)
		if up == at {
			return false
		}
		at = up
	}
}

// makeParents creates dir and what is missing above it, and returns the
// folders it made, outermost first.
func makeParents(dir string) (made []string, err error) {
	if info, err := os.Stat(dir); err == nil {
		if !info.IsDir() {
			return nil, fmt.Errorf("%s is not a folder", dir)
		}
		return nil, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if up := filepath.Dir(dir); up != dir {
		if made, err = makeParents(up); err != nil {
			return nil, err
		}
	}
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		removeParents(made)
		return nil, err
	}
	return append(made, dir), nil
}

// removeParents undoes makeParents. Folders that are in use by now stay:
// removing one that is not empty fails.
func removeParents(made []string) {
	for _, dir := range slices.Backward(made) {
		if os.Remove(dir) != nil {
			return
		}
	}
}
