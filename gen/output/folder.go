// SPDX-License-Identifier: Apache-2.0

package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// usable returns an error for a path that cannot be an output folder. A folder that does not exist can.
func usable(dir string) error {
	if dir == "" {
		return &DirError{Dir: `""`, Reason: "is not the name of a folder"}
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if link, linkErr := os.Lstat(dir); linkErr == nil && link.Mode()&fs.ModeSymlink != 0 {
			return &DirError{Dir: dir, Reason: "is a symbolic link that leads nowhere", Advice: "remove the link, or create the folder it names", Err: err}
		}
		return nil
	case err != nil:
		return &DirError{Dir: dir, Reason: "cannot be used", Err: err}
	case !info.IsDir():
		return &DirError{Dir: dir, Reason: "is not a folder", Advice: "remove it, or choose another output folder"}
	}
	return nil
}

// missingFolders returns dir and the folders above it that do not exist, innermost first.
func missingFolders(dir string) (missing []string) {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return missing
		}
		missing = append(missing, dir)
	}
}

// Existing reads the manifest of an output folder: its description of the output, and the paths of
// the generated files. The error is a *DirError.
func Existing(dir string) (Meta, []string, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Meta{}, nil, &DirError{Dir: dir, Reason: "does not exist", Advice: "hcgen -c FILE -o " + dir + " generates it"}
	case err != nil:
		return Meta{}, nil, &DirError{Dir: dir, Reason: "cannot be read", Err: err}
	case !info.IsDir():
		return Meta{}, nil, &DirError{Dir: dir, Reason: "is a file, not a folder", Advice: "name the folder that hcgen -c FILE -o FOLDER wrote"}
	}
	m, _ := readManifest(dir)
	switch {
	case m == nil:
		return Meta{}, nil, &DirError{Dir: dir, Reason: "is not an output folder of hcgen: it has no " + manifestName + " of hcgen",
			Advice: "name the folder that hcgen -c FILE -o FOLDER wrote"}
	case !m.Complete:
		return Meta{}, nil, &DirError{Dir: dir, Reason: "is incomplete: the last run of hcgen did not finish", Advice: "generate the machine again"}
	}
	var paths []string
	for _, f := range m.Files {
		paths = append(paths, f.Path)
	}
	return m.meta(), paths, nil
}
