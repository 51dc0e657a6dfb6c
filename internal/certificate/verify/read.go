// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"regexp"
	"strconv"

	"github.com/hcgen/hcgen/internal/strictjson"
)

// MaxBytes is the size of the largest certificate that is read. Certificates of the largest machines have
// less than a tenth of it.
const MaxBytes = 1 << 20

// Malformed is the error for a file that is no certificate: its text is wrong, or its machine cannot be
// described.
type Malformed = strictjson.Error

// value is a value of the file with its place.
type value struct {
	strictjson.Place
	kind   strictjson.Kind
	text   string // of a text, or of a number as it is written
	truth  bool
	items  []value // of a list or an object
	fields []string
	read   map[string]bool
}

// maxNesting is the deepest nesting of lists and objects; a certificate has 4.
const maxNesting = 8

// fail ends reading.
func fail(at strictjson.Place, format string, args ...any) { strictjson.Fail(at, format, args...) }

// shown shortens a text for a message.
func shown(s string) string { return strictjson.Shown(s) }

// parse reads the only value of a text and passes it to f.
func parse(data []byte, f func(value)) error {
	return strictjson.Read(data, MaxBytes, func(r *strictjson.Reader) { f(read(r, 0)) })
}

// read reads the next value.
func read(r *strictjson.Reader, depth int) value {
	v := value{Place: r.Place(), kind: r.Kind()}
	if depth == maxNesting && (v.kind == strictjson.List || v.kind == strictjson.Object) {
		fail(v.Place, "it is nested deeper than %d, the limit of a certificate", maxNesting)
	}
	switch v.kind {
	case strictjson.Null:
		r.Null("")
	case strictjson.Bool:
		v.truth = r.Bool("")
	case strictjson.Number:
		v.text = r.Literal("")
	case strictjson.String:
		v.text = r.Text("")
	case strictjson.List:
		r.List("", func() { v.items = append(v.items, read(r, depth+1)) })
	case strictjson.Object:
		v.read = map[string]bool{}
		r.Members("", func(name string) {
			v.fields = append(v.fields, name)
			v.read[name] = false
			v.items = append(v.items, read(r, depth+1))
		})
	}
	return v
}

// must checks the kind of a value.
func (v *value) must(name string, k strictjson.Kind) {
	if v.kind != k {
		fail(v.Place, "%s is %s, want %s", name, v.kind, k)
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
		fail(v.Place, "field %q is missing", name)
	}
	return f
}

// The required fields of an object, by kind.
func (v *value) intField(name string) int       { return v.field(name).int(name) }
func (v *value) stringField(name string) string { return v.field(name).string(name) }
func (v *value) boolField(name string) bool     { return v.field(name).bool(name) }
func (v *value) listField(name string) []value  { return v.field(name).list(name) }

// The optional fields of an object, by kind; 0 or "" if absent, and not allowed otherwise.
func (v *value) optionalInt(name string) int {
	f := v.optional(name)
	if f == nil {
		return 0
	}
	n := f.int(name)
	if n == 0 {
		fail(f.Place, "%s is 0, want it left out", name)
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
		fail(f.Place, "%s is empty, want it left out", name)
	}
	return s
}

// done reports fields that have not been read.
func (v *value) done() {
	for i, f := range v.fields {
		if !v.read[f] {
			fail(v.items[i].Place, "unknown field %q", shown(f))
		}
	}
}

var integer = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,9})$`)

// int returns a whole number of up to 10 digits, enough for every number in a certificate.
func (v *value) int(name string) int {
	v.must(name, strictjson.Number)
	if !integer.MatchString(v.text) {
		fail(v.Place, "%s is %s, want a whole number of up to 10 digits", name, shown(v.text))
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	if err != nil {
		panic(err) // the pattern excludes it
	}
	return int(n)
}

func (v *value) string(name string) string {
	v.must(name, strictjson.String)
	return v.text
}

func (v *value) bool(name string) bool {
	v.must(name, strictjson.Bool)
	return v.truth
}

func (v *value) list(name string) []value {
	v.must(name, strictjson.List)
	return v.items
}
