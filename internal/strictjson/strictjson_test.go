// SPDX-License-Identifier: Apache-2.0

package strictjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// read reads {"n": NUMBER, "list": [TEXT..]}, the list optional.
func read(text string) (n int, list []string, err error) {
	err = Read([]byte(text), 1000, func(r *Reader) {
		r.Object("the file", []Field{
			{Name: "n", Read: func() { n = r.Int("n", -1, 9) }},
			{Name: "list", Read: func() { r.List("list", func() { list = append(list, r.Text("an element")) }) }, Optional: true},
		})
	})
	return n, list, err
}

func TestFieldsComeInAnyOrder(t *testing.T) {
	for _, text := range []string{`{"n": 7, "list": ["a", "ü"]}`, "\ufeff\r\n{ \"list\" :\t[ \"a\" , \"\\u00fc\"\n] , \"n\": 7 } \n"} {
		n, list, err := read(text)
		require.NoError(t, err)
		assert.Equal(t, 7, n)
		assert.Equal(t, []string{"a", "ü"}, list)
	}
	_, list, err := read(`{"n": -1}`)
	require.NoError(t, err)
	assert.Empty(t, list)
}

func TestMistakesAreReportedWithTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		``:                                     "line 1, column 1: it is empty",
		"\n ":                                  "line 2, column 2: it is empty",
		`{"n": 1`:                              "line 1, column 8: it ends in the middle: it was cut short, make it again",
		"{\"n\": 1\n":                          "line 2, column 1: it ends in the middle: it was cut short, make it again",
		"\n{\"ü\": x}":                         "line 2, column 7: it is not JSON: invalid character 'x' looking for beginning of value",
		`{"n": 1} 2`:                           "line 1, column 10: it is not JSON: invalid character '2' after top-level value",
		"{\"n\": 1, \"\xff\": 2}":              "line 1, column 11: it is not UTF-8: byte 0xff",
		"\x1f\x8b\b":                           "line 1, column 1: it is compressed: unpack it first, with gzip -d",
		`[]`:                                   "line 1, column 1: the file is a list, want an object",
		`{}`:                                   `line 1, column 1: the file lacks the field "n"`,
		"{\"n\": 1,\n \"n\": 1}":               `line 2, column 2: field "n" is given twice`,
		`{"n": 1, "\u006e": 1}`:                `line 1, column 10: field "n" is given twice`,
		`{"N": 1}`:                             `line 1, column 2: unknown field "N": write "n"`,
		`{"n": 1, "m": 1}`:                     `line 1, column 10: unknown field "m": the file has n, list`,
		`{"n": "1"}`:                           "line 1, column 7: n is a text, want a number",
		`{"n": null}`:                          "line 1, column 7: n is null, want a number",
		`{"n": 1.0}`:                           "line 1, column 7: n is 1.0, want a whole number from -1 to 9",
		`{"n": 1e0}`:                           "line 1, column 7: n is 1e0, want a whole number from -1 to 9",
		`{"n": -0}`:                            "line 1, column 7: n is -0, want a whole number from -1 to 9",
		`{"n": 10}`:                            "line 1, column 7: n is 10, want a whole number from -1 to 9",
		`{"n": -2}`:                            "line 1, column 7: n is -2, want a whole number from -1 to 9",
		`{"n": 99999999999999999999}`:          "line 1, column 7: n is 99999999999999999999, want a whole number from -1 to 9",
		`{"n": 1, "list": {}}`:                 "line 1, column 18: list is an object, want a list",
		"{\"n\": 1, \"list\": [\"\",\ntrue]}":  "line 2, column 1: an element is true or false, want a text",
		`{"n": 1}` + strings.Repeat(" ", 1000): "line 1, column 1: it has more than 1000 bytes, the limit",
	} {
		_, _, err := read(text)
		assert.EqualError(t, err, want, "%q", text)
		assert.ErrorAs(t, err, new(*Error))
	}
}

func TestWhatIsSkippedHasAnyNames(t *testing.T) {
	err := Read([]byte(`{"a": {"b": 1, "b": [2]}, "c": null}`), 1000, func(r *Reader) {
		var names []string
		r.Members("the file", func(name string) {
			names = append(names, name)
			r.Skip()
		})
		assert.Equal(t, []string{"a", "c"}, names)
	})
	assert.NoError(t, err)
	err = Read([]byte(`{"a": 1, "a": 1}`), 1000, func(r *Reader) { r.Members("the file", func(string) { r.Skip() }) })
	assert.EqualError(t, err, `line 1, column 10: field "a" is given twice`)
}

// FuzzRead: the reader and encoding/json read the same values from an accepted text, and the error of a
// rejected text has a place in it.
func FuzzRead(f *testing.F) {
	for _, text := range []string{`{"n": [1, -2.5e3, "\u00fc", true, null, {}]}`, "\ufeff[]", `{"a": 1, "a": 2}`, "[[\n[1, x", `"\ud800"`, "1", " null\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var got any
		err := Read(text, math.MaxInt, func(r *Reader) { got = tree(r) })
		var mistake *Error
		if errors.As(err, &mistake) {
			lines := strings.Split(string(text), "\n")
			if mistake.Line < 1 || mistake.Line > len(lines) || mistake.Column < 1 || mistake.Column > 1+len(lines[mistake.Line-1]) || mistake.Text == "" {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		require.NoError(t, err)
		var want any
		standard := json.NewDecoder(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff")))
		standard.UseNumber() // a number may be beyond every float64
		require.NoError(t, standard.Decode(&want))
		assert.Equal(t, fmt.Sprint(want), fmt.Sprint(got))
	})
}

func tree(r *Reader) any {
	r.Place()
	switch r.Kind() {
	case Null:
		r.Null("")
		return nil
	case Bool:
		return r.Bool("")
	case Number:
		return json.Number(r.Literal(""))
	case String:
		return r.Text("")
	case List:
		list := []any{}
		r.List("", func() { list = append(list, tree(r)) })
		return list
	}
	object := map[string]any{}
	r.Members("", func(name string) { object[name] = tree(r) })
	return object
}
