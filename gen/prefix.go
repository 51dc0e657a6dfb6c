// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/hdl"
)

// libraryWord finds the name of a library module, or the name of a missing module with which a library module
// refuses a parameter: hc_pace or hc_pace_LINKS_must_be_1_or_more.
var libraryWord = regexp.MustCompile(`\b(?:` + strings.Join(libraryNames(), "|") + `)(?:_[A-Z]\w*)?\b`)

// libraryNames returns the names of all hand-written modules that an output folder can contain.
func libraryNames() []string {
	properties, err := fs.Glob(hdl.RouterProof, "proofs/router/*.v")
	if err != nil {
		panic(err) // the pattern is constant
	}
	return append(hdl.Modules(), each.Of(properties, func(file string) string {
		return strings.TrimSuffix(path.Base(file), ".v")
	})...)
}

// prefixed puts the name of the machine before the name of each library module, in the paths and in the
// contents of the files: hc_pace becomes <machine>_hc_pace. One design can then contain the files of several
// machines, whose library modules may come from different versions of hcgen.
func prefixed(machine string, files []artifact.File) []artifact.File {
	return each.Of(files, func(f artifact.File) artifact.File {
		content := f.Content
		f.Path = string(WithPrefix(machine, []byte(f.Path)))
		f.Content = func(w io.Writer) error {
			p := &prefixWriter{machine: machine, w: w}
			if err := content(p); err != nil {
				return err
			}
			return p.flush(len(p.pending))
		}
		return f
	})
}

// WithPrefix puts the name of the machine before the name of each library module in a text.
func WithPrefix(machine string, text []byte) []byte {
	if !bytes.Contains(text, []byte("hc_")) {
		return text // the search for a word takes much longer
	}
	return libraryWord.ReplaceAll(text, []byte(machine+"_${0}"))
}

// prefixWriter puts the prefix into a text line by line, as the text of a network can be large.
type prefixWriter struct {
	machine string
	w       io.Writer
	pending []byte // the line that is not complete
}

func (p *prefixWriter) Write(text []byte) (int, error) {
	p.pending = append(p.pending, text...)
	if err := p.flush(bytes.LastIndexByte(p.pending, '\n') + 1); err != nil {
		return 0, err
	}
	return len(text), nil
}

// flush writes the first n pending bytes.
func (p *prefixWriter) flush(n int) error {
	if n == 0 {
		return nil
	}
	_, err := p.w.Write(WithPrefix(p.machine, p.pending[:n]))
	p.pending = append(p.pending[:0], p.pending[n:]...)
	return err
}
