// SPDX-License-Identifier: Apache-2.0

package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/hcgen/hcgen/gen/artifact"
)

// Write makes dir hold exactly the given files, manifest.json, and the files of the user. Generated
// files of an earlier run that are not among files are removed unless they were edited; folders
// that this empties are removed too. Files that stay the same are not touched.
//
// An error while the temporary files are written leaves dir as it was. It is a *ConflictError or a
// *DirError if the user has to act, the cause of ctx if it ended, else that of the operating system or
// a Content function. If Write panics because a Content function did, it cleans up as well.
//
// An error after that is one of the operating system. Write then removes the files that it has added.
// If dir had a manifest, the incomplete one stays, and the message says so.
func Write(ctx context.Context, dir string, files []artifact.File, meta Meta, opts Options) error {
	files, err := sorted(files, meta)
	if err != nil {
		return err
	}
	if err := usable(dir); err != nil {
		return err
	}
	made := missingFolders(dir)
	defer func() {
		for _, name := range made {
			_ = remove(name) // fails if the folder is not empty
		}
	}()
	if err := mkdirAll(dir); err != nil {
		return &DirError{Dir: dir, Reason: "cannot be created", Err: err}
	}
	if err := removeDrafts(dir); err != nil {
		return &DirError{Dir: dir, Reason: "has temporary files of a run that was killed, which cannot be removed", Err: err}
	}
	d := drafts{dir: dir}
	defer d.remove()

	draft := map[string]string{} // by path
	m, hashes, err := generate(files, meta, func(f artifact.File) (sum string, err error) {
		draft[f.Path], sum, err = d.write(ctx, f)
		return sum, err
	})
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
	if len(s.place) > 0 {
		incomplete, _, err := d.write(ctx, artifact.File{Path: manifestName, Content: s.known.incomplete(m).write})
		if err != nil {
			return err
		}
		if err := s.commit(incomplete, draft); err != nil {
			return err
		}
	}
	if opts.Dropped != nil {
		for _, p := range slices.Sorted(maps.Keys(s.changes)) {
			if c := s.changes[p]; c == Extra || c == ExtraEdited {
				opts.Dropped(p, c == Extra)
			}
		}
	}
	return nil
}

// commit makes the changes of a survey. incomplete and draft, which is by path, are names of temporary files.
func (s *survey) commit(incomplete string, draft map[string]string) (err error) {
	var added []string
	put := func(from, p string) error {
		err := mkdirAll(filepath.Dir(s.name(p)))
		if err == nil {
			err = rename(from, s.name(p))
		}
		if err != nil {
			return fmt.Errorf("cannot write %s: %w", p, err)
		}
		if s.changes[p] == Missing {
			added = append(added, p)
		}
		return nil
	}
	if err := put(incomplete, manifestName); err != nil {
		return err
	}
	defer func() {
		if err == nil {
			return
		}
		for _, p := range slices.Backward(added) { // the manifest last
			_ = remove(s.name(p))
		}
		s.removeEmpty(foldersOf(draft))
		if s.changes[manifestName] != Missing {
			err = fmt.Errorf("%w; %s is incomplete until hcgen generates it again", err, s.dir)
		}
	}()
	for _, p := range s.clear {
		if err := remove(s.name(p)); err != nil {
			return err
		}
	}
	for _, p := range s.place {
		if p == manifestName {
			continue
		}
		if err := put(draft[p], p); err != nil {
			return err
		}
	}
	for _, p := range s.remove {
		if err := remove(s.name(p)); err != nil {
			return err
		}
	}
	s.removeEmpty(foldersOf(s.known))
	return put(draft[manifestName], manifestName)
}

// removeEmpty removes the folders that are empty.
func (s *survey) removeEmpty(folders map[string]bool) {
	for _, p := range slices.Backward(slices.Sorted(maps.Keys(folders))) {
		if at, info, err := s.look(p); err == nil && at == p && info != nil && info.IsDir() {
			_ = remove(s.name(p))
		}
	}
}

// drafts are the temporary files of a run. They are in the output folder, and a rename puts each in its place.
type drafts struct {
	dir   string
	names []string
}

// draftName matches the names of temporary files.
var draftName = regexp.MustCompile(`^\.hcgen-[0-9a-f]{16}\.tmp$`)

// write writes a file under a temporary name and returns this name and the SHA-256.
func (d *drafts) write(ctx context.Context, f artifact.File) (name, sum string, err error) {
	name = filepath.Join(d.dir, fmt.Sprintf(".hcgen-%016x.tmp", rand.Uint64()))
	changing()
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrPermission) {
		return "", "", &DirError{Dir: d.dir, Reason: "cannot be written", Err: err, Advice: "make it writable, or choose another output folder"}
	}
	if err != nil {
		return "", "", err
	}
	d.names = append(d.names, name)
	defer file.Close() // a second time, unless there is an error
	if sum, err = copyTo(ctx, file, f); err != nil {
		return "", "", err
	}
	return name, sum, file.Close()
}

// remove removes the temporary files that have not been put in their places.
func (d *drafts) remove() {
	for _, name := range d.names {
		_ = remove(name)
	}
}

// removeDrafts removes the temporary files of a run that was killed.
func removeDrafts(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if draftName.MatchString(e.Name()) {
			if err := remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// changing is called before each change on the disk. A test ends its process there.
var changing = func() {}

func mkdirAll(name string) error {
	changing()
	return os.MkdirAll(name, 0o777)
}

func rename(from, to string) error {
	changing()
	return os.Rename(from, to)
}

func remove(name string) error {
	changing()
	return os.Remove(name)
}
