// SPDX-License-Identifier: Apache-2.0

// Package artifact is the type of a generated file. The rooms of package gen make files, and package output writes
// them; neither imports the other.
package artifact

import (
	"fmt"
	"io"
	"io/fs"
	"path"
)

// File is one generated file.
type File struct {
	Path    string                  // slash-separated, relative to the output folder, clean
	Role    string                  // what it is for: one of the roles below, report, ...
	Content func(w io.Writer) error // writes the file; must write the same bytes every time
}

// Roles of files, as the manifest names them.
const (
	RTL         = "rtl"
	Build       = "build"
	Bench       = "testbench"
	Synthesis   = "synthesis"
	Integration = "integration"
	Registers   = "registers"
	Formal      = "formal"
	Golden      = "golden"
)

// Text is the content of a file that is this text.
func Text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// Copied puts an embedded file unchanged into a folder of the output.
func Copied(from fs.FS, name, folder, role string) (File, error) {
	data, err := fs.ReadFile(from, name)
	if err != nil {
		return File{}, fmt.Errorf("embedded file: %w", err)
	}
	return File{Path: path.Join(folder, path.Base(name)), Role: role, Content: Text(string(data))}, nil
}
