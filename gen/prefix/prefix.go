// SPDX-License-Identifier: Apache-2.0

// Package prefix is the step that names library modules after their machine: hc_pace becomes <machine>_hc_pace. One design
// can then contain the files of several machines, whose library modules may come from different versions of hcgen.
//
// The rooms that print library modules, rtl and formal, take this step with all their files. Other rooms get the names
// from the files of rtl, or from Plan.Library.
package prefix

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/hdl"
)

// names are the names that the step changes.
var names = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range Names() {
		set[name] = true
	}
	return set
}()

// Names returns the names of all hand-written modules that an output folder can contain.
func Names() []string {
	properties, err := fs.Glob(hdl.RouterProof, "proofs/router/*.v")
	if err != nil {
		panic(err) // the pattern is constant
	}
	return append(hdl.Modules(), each.Of(properties, func(file string) string {
		return strings.TrimSuffix(path.Base(file), ".v")
	})...)
}

// Files puts the name of the machine before the name of each library module, in the paths and in the contents of the files
// of a room.
func Files(machine string, files []artifact.File) []artifact.File {
	return each.Of(files, func(f artifact.File) artifact.File {
		content := f.Content
		f.Path = string(Text(machine, []byte(f.Path)))
		f.Content = func(w io.Writer) error {
			p := &writer{machine: machine, w: w}
			if err := content(p); err != nil {
				return err
			}
			return p.flush(len(p.pending))
		}
		return f
	})
}

// Text puts the name of the machine before the name of each library module in a text.
func Text(machine string, text []byte) []byte {
	if !bytes.Contains(text, []byte("hc_")) {
		return text
	}
	var result []byte
	for len(text) > 0 {
		word := bytes.IndexFunc(text, isOfWord)
		if word < 0 {
			word = len(text)
		}
		result, text = append(result, text[:word]...), text[word:]
		end := bytes.IndexFunc(text, func(r rune) bool { return !isOfWord(r) })
		if end < 0 {
			end = len(text)
		}
		if isLibrary(text[:end]) {
			result = append(append(result, machine...), '_')
		}
		result, text = append(result, text[:end]...), text[end:]
	}
	return result
}

func isOfWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// isLibrary reports whether a word is the name of a library module, or of a missing module with which a library module
// refuses a parameter: hc_pace or hc_pace_DEGREE_must_be_1_or_more.
func isLibrary(word []byte) bool {
	for i := 0; i+1 < len(word); i++ {
		if word[i] == '_' && 'A' <= word[i+1] && word[i+1] <= 'Z' {
			word = word[:i]
		}
	}
	return names[string(word)]
}

// writer takes the step line by line, as the text of a network can be large.
type writer struct {
	machine string
	w       io.Writer
	pending []byte // the line that is not complete
}

func (p *writer) Write(text []byte) (int, error) {
	p.pending = append(p.pending, text...)
	if err := p.flush(bytes.LastIndexByte(p.pending, '\n') + 1); err != nil {
		return 0, err
	}
	return len(text), nil
}

// flush writes the first n pending bytes.
func (p *writer) flush(n int) error {
	if n == 0 {
		return nil
	}
	_, err := p.w.Write(Text(p.machine, p.pending[:n]))
	p.pending = append(p.pending[:0], p.pending[n:]...)
	return err
}
