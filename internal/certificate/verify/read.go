// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxBytes is the largest certificate that is read. Those of the largest machines
// have less than a tenth of it.
const MaxBytes = 1 << 20

// Malformed is a file that is no certificate: not the text of one, or of a machine
// that cannot be described.
type Malformed struct {
	Line int // from 1
	Text string
}

// Error says what is wrong, without the line.
func (m *Malformed) Error() string { return m.Text }

// kind of a value in JSON.
type kind int

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

var kindNames = [...]string{"null", "true or false", "a number", "a text", "a list", "an object"}

// value is a value of the file with its line.
type value struct {
	line   int
	kind   kind
	text   string // of a text, or of a number as it is written
	truth  bool
	items  []value // of a list or an object
	fields []string
	read   map[string]bool
}

// maxNesting is the deepest nesting of lists and objects; a certificate has 4.
const maxNesting = 8

// parser reads JSON into values. Unlike encoding/json itself it refuses what could
// be read in two ways, such as a field given twice.
type parser struct {
	data   []byte
	dec    *json.Decoder
	line   int // at offset
	offset int
}

// fail ends reading; parse turns it into an error.
func fail(line int, format string, args ...any) {
	panic(&Malformed{Line: line, Text: fmt.Sprintf(format, args...)})
}

// caught turns what fail panics with into an error.
func caught(err *error) {
	if r := recover(); r != nil {
		m, ok := r.(*Malformed)
		if !ok {
			panic(r)
		}
		*err = m
	}
}

// parse reads exactly one value.
func parse(data []byte) value {
	if len(data) > MaxBytes {
		fail(1, "it has more than %d bytes, the limit of a certificate", MaxBytes)
	}
	at := func(offset int) int { return 1 + bytes.Count(data[:min(offset, len(data))], []byte("\n")) }
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		fail(1, "it is compressed: unpack it first, with gzip -d")
	}
	if !utf8.Valid(data) {
		fail(at(firstInvalid(data)), "it is not UTF-8")
	}
	var whole json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, &whole); errors.As(err, &syntax) {
		// encoding/json takes the end of the text within a word or a number for a blank
		if what := err.Error(); int(syntax.Offset) >= len(data) && (strings.Contains(what, "unexpected end") || strings.Contains(what, "invalid character ' ' in ")) {
			fail(at(len(data)), "it ends in the middle: it was cut short, make it again")
		}
		fail(at(int(syntax.Offset)), "it is not JSON: %v", err)
	} else if err != nil {
		fail(1, "it is not JSON: %v", err)
	}
	p := &parser{data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	p.dec.UseNumber()
	return p.value(p.token(), 0)
}

func firstInvalid(data []byte) int {
	at := 0
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}

// token returns the next token and keeps the line of its end.
func (p *parser) token() json.Token {
	t, err := p.dec.Token()
	if err != nil {
		panic(fmt.Sprintf("verify: valid JSON cannot be read: %v", err))
	}
	offset := int(p.dec.InputOffset())
	p.line += bytes.Count(p.data[p.offset:offset], []byte("\n"))
	p.offset = offset
	return t
}

func (p *parser) value(t json.Token, depth int) value {
	v := value{line: p.line}
	switch t := t.(type) {
	case nil:
	case bool:
		v.kind, v.truth = boolean, t
	case json.Number:
		v.kind, v.text = number, t.String()
	case string:
		v.kind, v.text = text, t
	case json.Delim:
		if depth == maxNesting {
			fail(p.line, "it is nested deeper than %d, the limit of a certificate", maxNesting)
		}
		if t == '[' {
			v.kind = list
			for p.dec.More() {
				v.items = append(v.items, p.value(p.token(), depth+1))
			}
		} else {
			v.kind, v.read = object, map[string]bool{}
			for p.dec.More() {
				name := p.token().(string) // so is JSON
				if _, twice := v.read[name]; twice {
					fail(p.line, "field %q is given twice", shown(name))
				}
				v.read[name] = false
				v.fields = append(v.fields, name)
				v.items = append(v.items, p.value(p.token(), depth+1))
			}
		}
		p.token() // the end
	}
	return v
}

// must checks the kind of a value.
func (v *value) must(name string, k kind) {
	if v.kind != k {
		fail(v.line, "%s is %s, want %s", name, kindNames[v.kind], kindNames[k])
	}
}

// optional returns a field of an object, or nil.
func (v *value) optional(name string) *value {
	for i, f := range v.fields {
		if f == name {
			v.read[f] = true
			return &v.items[i]
		}
	}
	return nil
}

// field returns a field that an object must have.
func (v *value) field(name string) *value {
	f := v.optional(name)
	if f == nil {
		fail(v.line, "field %q is missing", name)
	}
	return f
}

// The fields of an object by their kinds: those that it must have, ..
func (v *value) intField(name string) int       { return v.field(name).int(name) }
func (v *value) stringField(name string) string { return v.field(name).string(name) }
func (v *value) boolField(name string) bool     { return v.field(name).bool(name) }
func (v *value) listField(name string) []value  { return v.field(name).list(name) }

// .. and those that it may have; 0 or "" without them, which is the one way to say so.
func (v *value) optionalInt(name string) int {
	f := v.optional(name)
	if f == nil {
		return 0
	}
	n := f.int(name)
	if n == 0 {
		fail(f.line, "%s is 0, want it left out", name)
	}
	return n
}

func (v *value) optionalString(name string) string {
	f := v.optional(name)
	if f == nil {
		return ""
	}
	s := f.string(name)
	if s == "" {
		fail(f.line, "%s is empty, want it left out", name)
	}
	return s
}

// done reports fields that nobody has asked for.
func (v *value) done() {
	for i, f := range v.fields {
		if !v.read[f] {
			fail(v.items[i].line, "unknown field %q", shown(f))
		}
	}
}

var integer = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,9})$`)

// int returns a whole number of up to 10 digits, more than any that a certificate
// can have.
func (v *value) int(name string) int {
	v.must(name, number)
	if !integer.MatchString(v.text) {
		fail(v.line, "%s is %s, want a whole number of up to 10 digits", name, shown(v.text))
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	if err != nil {
		panic(err) // the pattern excludes it
	}
	return int(n)
}

func (v *value) string(name string) string {
	v.must(name, text)
	return v.text
}

func (v *value) bool(name string) bool {
	v.must(name, boolean)
	return v.truth
}

func (v *value) list(name string) []value {
	v.must(name, list)
	return v.items
}

// shown shortens what a message quotes.
func shown(s string) string {
	if len(s) > 40 {
		return s[:40] + ".."
	}
	return s
}
