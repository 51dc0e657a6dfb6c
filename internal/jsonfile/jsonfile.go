// SPDX-License-Identifier: Apache-2.0

// Package jsonfile reads JSON that people or other tools write, and says in which line and column a mistake is. The reader is
// github.com/go-json-experiment/json, which rejects ambiguous text: names given twice and text that is not UTF-8. The package
// imports nothing else of hcgen, so that independent checks may use it.
package jsonfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Error is a mistake in a text.
type Error struct {
	Line, Column int    // from 1, columns in characters
	Text         string // without the place
}

// Error returns the text with its place.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
}

// Unmarshal reads a text of at most limit bytes into v. Fields that v lacks are mistakes, unless an option says
// otherwise. A byte order mark is ignored. The error is an *Error; what names the whole value in it, such as "the schedule".
func Unmarshal(text []byte, limit int, what string, v any, options ...json.Options) error {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	switch {
	case len(text) > limit:
		return at(text, 0, fmt.Sprintf("it has more than %d bytes, the limit", limit))
	case bytes.HasPrefix(text, []byte("\x1f\x8b")):
		return at(text, 0, "it is compressed: unpack it first, with gzip -d")
	case len(bytes.TrimSpace(text)) == 0:
		return at(text, len(text), "it is empty")
	}
	err := json.Unmarshal(text, v, json.RejectUnknownMembers(true), json.JoinOptions(options...))
	var own *mistake
	var meaning *json.SemanticError
	var syntax *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return at(text, own.offset, own.text)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return at(text, len(text), "it ends in the middle: it was cut short, make it again")
	case errors.As(err, &syntax):
		offset := int(syntax.ByteOffset)
		c, n := utf8.DecodeRune(text[offset:])
		switch {
		case syntax.Err == jsontext.ErrDuplicateName:
			return at(text, offset, fmt.Sprintf("field %q is given twice", Shown(syntax.JSONPointer.LastToken())))
		case c == utf8.RuneError && n == 1:
			return at(text, offset, fmt.Sprintf("it is not UTF-8: byte 0x%02x", text[offset]))
		}
		return at(text, offset, fmt.Sprintf("it is not JSON: %v", syntax.Err))
	case errors.As(err, &meaning):
		return at(text, int(meaning.ByteOffset), misfit(meaning, what))
	}
	return at(text, 0, err.Error())
}

// at is a mistake at an offset in bytes.
func at(text []byte, offset int, what string) error {
	before := text[:offset]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return &Error{1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(line), what}
}

// misfit explains a value that does not fit its Go type.
func misfit(e *json.SemanticError, what string) string {
	if e.Err == json.ErrUnknownName {
		name := e.JSONPointer.LastToken()
		var known []string
		for f := range e.GoType.Fields() {
			field, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if strings.EqualFold(field, name) {
				return fmt.Sprintf("unknown field %q: write %q", Shown(name), field)
			}
			known = append(known, field)
		}
		return fmt.Sprintf("unknown field %q: the fields here are %s", Shown(name), strings.Join(known, ", "))
	}
	name := what
	if e.JSONPointer != "" {
		name = called(e.JSONPointer)
	}
	if errors.Is(e.Err, strconv.ErrRange) {
		return fmt.Sprintf("%s is %s, which is out of range", name, Shown(string(e.JSONValue)))
	}
	wanted := map[reflect.Kind]string{reflect.String: "a text", reflect.Bool: "true or false", reflect.Slice: "a list", reflect.Struct: "an object"}
	want, ok := wanted[e.GoType.Kind()]
	if !ok {
		want = "a number"
	}
	return fmt.Sprintf("%s is %s, want %s", name, kind(e.JSONKind), want)
}

// kind names a kind of values with its article.
func kind(k jsontext.Kind) string {
	return map[jsontext.Kind]string{'n': "null", 't': "true or false", 'f': "true or false", '0': "a number", '"': "a text", '[': "a list", '{': "an object"}[k]
}

// called names the value at a place by its field, or an element by that of its list.
func called(at jsontext.Pointer) string {
	name := at.LastToken()
	if _, err := strconv.Atoi(name); err == nil {
		return "an element of " + at.Parent().LastToken()
	}
	return name
}

// mistake is an error of a function that Unmarshal calls.
type mistake struct {
	offset int
	text   string
}

func (m *mistake) Error() string { return m.text }

// Next is the offset of the next value.
func Next(dec *jsontext.Decoder) int {
	rest := dec.UnreadBuffer()
	return int(dec.InputOffset()) + len(rest) - len(bytes.TrimLeft(rest, " \t\r\n,:"))
}

// Fail returns a mistake at an offset.
func Fail(offset int, format string, args ...any) error {
	return &mistake{offset, fmt.Sprintf(format, args...)}
}

// Int reads a whole number in lo..hi.
func Int(dec *jsontext.Decoder, lo, hi int) (int, error) {
	v, err := dec.ReadValue()
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(string(v))
	if err != nil || strconv.Itoa(n) != string(v) || n < lo || n > hi {
		return 0, Unfit(dec, v, fmt.Sprintf("a whole number from %d to %d", lo, hi))
	}
	return n, nil
}

// OneOf reads one of some texts.
func OneOf(dec *jsontext.Decoder, values ...string) (string, error) {
	v, err := dec.ReadValue()
	if err != nil {
		return "", err
	}
	var s string
	if err := json.Unmarshal(v, &s); err != nil || !slices.Contains(values, s) {
		return "", Unfit(dec, v, "one of "+strings.Join(values, ", "))
	}
	return s, nil
}

// Unfit returns the mistake of the value that was read last.
func Unfit(dec *jsontext.Decoder, v jsontext.Value, want string) error {
	is := Shown(string(v))
	if k := v.Kind(); k == '[' || k == '{' {
		is = kind(k)
	}
	return Fail(int(dec.InputOffset())-len(v), "%s is %s, want %s", called(dec.StackPointer()), is, want)
}

// Shown shortens text of a file for a message.
func Shown(s string) string {
	const longest = 40
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + ".."
	}
	return s
}
