// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// Load reads the description in the file at path, with vars as values for its
// variables (from --var name=value). A path that ends in ".json", or a text that
// begins with a brace, is read as HCL's JSON syntax.
//
// The machine is nil if the diagnostics contain an error; warnings can come
// with a machine. Descriptions that refer to schedules need the option WithSchedules. All mistakes
// of a file are reported at once, in the order of their position. files holds the source that the diagnostics point into, with
// control characters masked so that it can be shown on a terminal; hand it to
// WriteDiagnostics or hcl.NewDiagnosticTextWriter. A file that cannot be read
// is reported as a diagnostic too.
func Load(path string, vars map[string]string, options ...Option) (m *Machine, files map[string]*hcl.File, diags hcl.Diagnostics) {
	src, diags := readDescription(path)
	if diags.HasErrors() {
		return nil, map[string]*hcl.File{}, diags
	}
	return LoadBytes(path, src, vars, options...)
}

// readDescription is readFile with the error as a diagnostic.
func readDescription(path string) ([]byte, hcl.Diagnostics) {
	src, err := readFile(path)
	if err != nil {
		return nil, hcl.Diagnostics{{
			Severity: hcl.DiagError,
			Summary:  "Cannot read the description",
			Detail:   printable(err.Error()),
		}}
	}
	return src, nil
}

// LoadBytes is Load for text that is already in memory. filename appears in
// diagnostics, selects the syntax, and its folder is that of the schedules that the description names.
// It reads nothing from disk, except for these by WithSchedules.
func LoadBytes(filename string, src []byte, vars map[string]string, options ...Option) (m *Machine, files map[string]*hcl.File, diags hcl.Diagnostics) {
	src = bytes.TrimPrefix(src, byteOrderMark)
	l := newLoader(filename, src)
	for _, option := range options {
		option(l)
	}
	m = l.load(src, vars)
	if l.diags.HasErrors() {
		m = nil
	}
	return m, l.files, tidy(l.diags)
}

// byteOrderMark is a prefix that some editors write before UTF-8 text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// reason is an error of the file system, with the path as messages quote it.
func reason(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", quotePath(path), err)
}

// readFile reads at most one byte more than MaxFileBytes, so that the caller sees that a file is larger.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, reason(path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, reason(path, err)
	} else if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory. Name the file in it", quotePath(path))
	}
	src, err := io.ReadAll(io.LimitReader(f, MaxFileBytes+1))
	if err != nil {
		return nil, reason(path, err)
	}
	return src, nil
}

// loader is the state of one Load.
type loader struct {
	filename string
	ctx      *hcl.EvalContext
	files    map[string]*hcl.File
	diags    hcl.Diagnostics

	variables map[string]hcl.Range // declared variables and where
	locals    map[string]hcl.Range

	schedules    *schedules  // nil: there are none
	m            *Machine    // as far as it is known
	rings        *rings      // its dimensions
	collectiveAt []hcl.Range // the names of its collective blocks
}

// Option is a setting of Load.
type Option func(*loader)

// schedules finds the schedules to which descriptions refer.
type schedules struct {
	file     func(g *hypercycle.Graph, path string) (*collective.Schedule, error)
	messages func(g *hypercycle.Graph, operation string, root int) ([]collective.Message, error)
}

// WithSchedules gives the functions by which schedules are found: those of files, checked and for collective networks,
// and the messages of the general schedule of an operation. They are schedule.LoadFile and schedule.Messages.
func WithSchedules(file func(g *hypercycle.Graph, path string) (*collective.Schedule, error),
	messages func(g *hypercycle.Graph, operation string, root int) ([]collective.Message, error)) Option {
	return func(l *loader) { l.schedules = &schedules{file, messages} }
}

// noSchedules reports whether there are none, with an error at a place that refers to one.
func (l *loader) noSchedules(at hcl.Range) bool {
	if l.schedules == nil {
		l.errorAt(at, "No schedules", "This program loads descriptions without schedules: use hcgen, or give machine.Load the option machine.WithSchedules.")
	}
	return l.schedules == nil
}

func newLoader(filename string, src []byte) *loader {
	return &loader{filename: filename, files: map[string]*hcl.File{filename: {Bytes: masked(src)}}}
}

// IsJSON reports whether a file of this name is read as HCL's JSON syntax.
func IsJSON(filename string) bool { return strings.HasSuffix(strings.ToLower(filename), ".json") }

// isJSON reports whether a text is JSON, by the name of its file or because no text in the native
// syntax begins like it.
func isJSON(filename string, src []byte) bool {
	return IsJSON(filename) || bytes.HasPrefix(bytes.TrimSpace(src), []byte("{"))
}

func (l *loader) load(src []byte, vars map[string]string) *Machine {
	body := l.parse(src)
	if body == nil {
		return nil
	}
	l.evalContext(body, vars)
	root := dynblock.Expand(body, l.ctx, dynblock.OptCheckForEach(checkForEach))
	return l.machine(root)
}

// parse checks the text and returns its body, nil if it cannot be evaluated.
func (l *loader) parse(src []byte) hcl.Body {
	switch bad := firstInvalidUTF8(src); {
	case len(src) > MaxFileBytes:
		l.diags = append(l.diags, &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  "File too large",
			Detail:   fmt.Sprintf("%s is larger than %d bytes. Generate repeated parts with for expressions or dynamic blocks.", quotePath(l.filename), MaxFileBytes),
		})
		return nil
	case len(bytes.TrimSpace(src)) == 0:
		l.errorAt(rangeOfByte(src, l.filename, 0), "Empty description",
			"The file is empty. A description needs a machine block with at least one dimension.")
		return nil
	case bytes.IndexByte(src, 0) >= 0:
		at := bytes.IndexByte(src, 0)
		l.errorAt(rangeOfByte(src, l.filename, at), "Not a text file",
			"There is a NUL byte at offset %d. A description is UTF-8 text.", at)
		return nil
	case bad >= 0:
		l.errorAt(rangeOfByte(src, l.filename, bad), "Not UTF-8 text",
			"Byte 0x%02x at offset %d is not valid UTF-8. Save the file as UTF-8 text.", src[bad], bad)
		return nil
	}
	var (
		file  *hcl.File
		diags hcl.Diagnostics
	)
	if isJSON(l.filename, src) {
		file, diags = json.Parse(src, l.filename)
		if diags.HasErrors() {
			diags = diags[:1] // the parser reports consequences of the first mistake
		}
	} else {
		file, diags = hclsyntax.ParseConfig(src, l.filename, hcl.InitialPos)
	}
	l.add(diags)
	if diags.HasErrors() {
		return nil // a half-parsed file would give misleading errors about missing blocks
	}
	l.files[l.filename].Nav = file.Nav
	return file.Body
}

// firstInvalidUTF8 returns the offset of the first byte that is not part of
// valid UTF-8, or -1.
func firstInvalidUTF8(src []byte) int {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}

// followUp marks a diagnostic that only reports a consequence of an earlier
// one.
type followUp struct{}

// checkForEach rejects a dynamic block over a value that is unknown because of another error.
func checkForEach(v cty.Value, e hcl.Expression, _ *hcl.EvalContext) hcl.Diagnostics {
	if v.IsKnown() {
		return nil
	}
	r := e.Range()
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Unknown for_each", Detail: "The value of for_each is not known.", Subject: &r, Extra: followUp{}}}
}
