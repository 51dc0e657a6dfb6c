// SPDX-License-Identifier: Apache-2.0

// Package strictjson reads JSON that people or other tools write. Unlike encoding/json it rejects
// ambiguous text: unknown names, names given twice or in another case, and text that is not UTF-8.
// Every error has a place. The package imports only the standard library, so that independent checks
// may use it.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is a mistake in a text.
type Error struct {
	Place
	Text string // without the place
}

// Error returns the text with its place.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
}

// Place is a character of a text. Both count from 1, columns in characters.
type Place struct{ Line, Column int }

// Kind is a kind of values.
type Kind int

// The kinds of values.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Object
)

var kindNames = [...]string{"null", "true or false", "a number", "a text", "a list", "an object"}

// String returns the name with its article.
func (k Kind) String() string { return kindNames[k] }

// Reader reads the values of a text in order. At the first mistake its methods stop the function that
// Read calls.
type Reader struct {
	text    []byte
	decoder *json.Decoder

	// The place that was last computed, from which the next one is counted.
	offset int
	place  Place
}

// Read reads a text of at most limit bytes, which must be exactly one value, with f. A byte order mark
// is ignored. The error is an *Error.
func Read(text []byte, limit int, f func(*Reader)) (err error) {
	r := &Reader{text: bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), place: Place{1, 1}}
	defer func() {
		if fault := recover(); fault != nil {
			mistake, ok := fault.(*Error)
			if !ok {
				panic(fault)
			}
			err = mistake
		}
	}()
	if len(text) > limit {
		Fail(r.at(0), "it has more than %d bytes, the limit", limit)
	}
	r.check()
	r.decoder = json.NewDecoder(bytes.NewReader(r.text))
	r.decoder.UseNumber()
	f(r)
	if r.next() != len(r.text) {
		panic("strictjson: a value was not read")
	}
	return nil
}

// check fails if the text is not JSON.
func (r *Reader) check() {
	if bytes.HasPrefix(r.text, []byte("\x1f\x8b")) {
		Fail(r.at(0), "it is compressed: unpack it first, with gzip -d")
	}
	if bad := firstInvalid(r.text); bad < len(r.text) {
		Fail(r.at(bad), "it is not UTF-8: byte 0x%02x", r.text[bad])
	}
	var whole json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(r.text, &whole); errors.As(err, &syntax) {
		// encoding/json treats the end of the text within a word or a number as a blank.
		if what := err.Error(); int(syntax.Offset) >= len(r.text) && (strings.Contains(what, "unexpected end") || strings.Contains(what, "invalid character ' ' in ")) {
			if len(bytes.TrimSpace(r.text)) == 0 {
				Fail(r.at(len(r.text)), "it is empty")
			}
			Fail(r.at(len(r.text)), "it ends in the middle: it was cut short, make it again")
		}
		Fail(r.at(max(0, int(syntax.Offset)-1)), "it is not JSON: %v", err)
	} else if err != nil {
		Fail(r.at(0), "it is not JSON: %v", err)
	}
}

func firstInvalid(text []byte) int {
	if utf8.Valid(text) {
		return len(text)
	}
	at := 0
	for at < len(text) {
		c, n := utf8.DecodeRune(text[at:])
		if c == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}

// Fail stops reading.
func Fail(at Place, format string, args ...any) {
	panic(&Error{at, fmt.Sprintf(format, args...)})
}

// at is the place of an offset.
func (r *Reader) at(offset int) Place {
	if offset < r.offset {
		r.offset, r.place = 0, Place{1, 1}
	}
	between := r.text[r.offset:offset]
	if lines := bytes.Count(between, []byte("\n")); lines > 0 {
		r.place = Place{r.place.Line + lines, 1}
		between = between[bytes.LastIndexByte(between, '\n')+1:]
	}
	r.place.Column += utf8.RuneCount(between)
	r.offset = offset
	return r.place
}

// next is the offset of the next token.
func (r *Reader) next() int {
	at := int(r.decoder.InputOffset())
	for at < len(r.text) && bytes.IndexByte([]byte(" \t\r\n,:"), r.text[at]) >= 0 {
		at++
	}
	return at
}

// Place is the place of the next value.
func (r *Reader) Place() Place { return r.at(r.next()) }

// Kind is the kind of the next value.
func (r *Reader) Kind() Kind {
	switch r.text[r.next()] {
	case 'n':
		return Null
	case 't', 'f':
		return Bool
	case '"':
		return String
	case '[':
		return List
	case '{':
		return Object
	}
	return Number
}

func (r *Reader) token() json.Token {
	t, err := r.decoder.Token()
	if err != nil {
		panic(fmt.Sprintf("strictjson: valid JSON cannot be read: %v", err))
	}
	return t
}

// must fails unless the next value is of a kind.
func (r *Reader) must(what string, k Kind) {
	if got := r.Kind(); got != k {
		Fail(r.Place(), "%s is %s, want %s", what, got, k)
	}
}

// Members reads an object: member reads the value of each name.
func (r *Reader) Members(what string, member func(name string)) {
	r.must(what, Object)
	r.token()
	var names []string
	for r.decoder.More() {
		at := r.next()
		name := r.token().(string)
		if slices.Contains(names, name) {
			Fail(r.at(at), "field %q is given twice", Shown(name))
		}
		names = append(names, name)
		member(name)
	}
	r.token()
}

// Field is a field of an object.
type Field struct {
	Name     string
	Read     func()
	Optional bool
}

// Object reads an object with these fields and no others.
func (r *Reader) Object(what string, fields []Field) {
	var given uint64
	begin := r.next()
	r.must(what, Object)
	r.token()
	for r.decoder.More() {
		at := r.next()
		name := r.token().(string)
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
		switch {
		case i < 0:
			Fail(r.at(at), "%s", unknown(what, name, fields))
		case given>>i&1 != 0:
			Fail(r.at(at), "field %q is given twice", Shown(name))
		}
		given |= 1 << i
		fields[i].Read()
	}
	r.token()
	for i, f := range fields {
		if !f.Optional && given>>i&1 == 0 {
			Fail(r.at(begin), "%s lacks the field %q", what, f.Name)
		}
	}
}

// unknown reports an unknown name and what to write instead.
func unknown(what, name string, fields []Field) string {
	var names []string
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return fmt.Sprintf("unknown field %q: write %q", Shown(name), f.Name)
		}
		names = append(names, f.Name)
	}
	return fmt.Sprintf("unknown field %q: %s has %s", Shown(name), what, strings.Join(names, ", "))
}

// List reads a list: element reads each of its values.
func (r *Reader) List(what string, element func()) {
	r.must(what, List)
	r.token()
	for r.decoder.More() {
		element()
	}
	r.token()
}

// Literal reads a number as it is written.
func (r *Reader) Literal(what string) string {
	r.must(what, Number)
	return r.token().(json.Number).String()
}

// Int reads a whole number in lo..hi.
func (r *Reader) Int(what string, lo, hi int) int {
	at := r.next()
	literal := r.Literal(what)
	n, err := strconv.Atoi(literal)
	if err != nil || strconv.Itoa(n) != literal || n < lo || n > hi {
		Fail(r.at(at), "%s is %s, want a whole number from %d to %d", what, Shown(literal), lo, hi)
	}
	return n
}

// Text reads a string.
func (r *Reader) Text(what string) string {
	r.must(what, String)
	return r.token().(string)
}

// Bool reads true or false.
func (r *Reader) Bool(what string) bool {
	r.must(what, Bool)
	return r.token().(bool)
}

// Null reads null.
func (r *Reader) Null(what string) {
	r.must(what, Null)
	r.token()
}

// Skip reads a value of any kind, whose names are not checked.
func (r *Reader) Skip() {
	var v json.RawMessage
	if err := r.decoder.Decode(&v); err != nil {
		panic(fmt.Sprintf("strictjson: valid JSON cannot be read: %v", err))
	}
}

// Shown shortens text of a file for a message.
func Shown(s string) string {
	const longest = 40
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + ".."
	}
	return s
}
