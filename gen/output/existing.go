// SPDX-License-Identifier: Apache-2.0

package output

import (
	"errors"
	"io/fs"
	"os"
)

// Existing reads the manifest of an output folder: the description of the whole, and the paths of
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
	m, _, ok := decodeManifest(dir)
	if !ok {
		return Meta{}, nil, &DirError{Dir: dir, Reason: "is not an output folder of hcgen: it has no " + manifestName + " of hcgen",
			Advice: "name the folder that hcgen -c FILE -o FOLDER wrote"}
	}
	var paths []string
	for _, f := range m.Files {
		paths = append(paths, f.Path)
	}
	return Meta{Version: m.Version, Machine: m.Machine, ConfigHash: m.ConfigHash}, paths, nil
}
