// SPDX-License-Identifier: Apache-2.0

package jsonfile

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	standard "encoding/json"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// example is {"n": NUMBER, "list": [TEXT..], "kind": KIND}.
type (
	example struct {
		N    digit    `json:"n"`
		List []string `json:"list"`
		Kind kindName `json:"kind"`
		Sure bool     `json:"sure"`
		Size float64  `json:"size"`
	}
	digit    int
	kindName string
)

var readers = json.WithUnmarshalers(json.JoinUnmarshalers(
	json.UnmarshalFromFunc(func(dec *jsontext.Decoder, d *digit) error {
		n, err := Int(dec, -1, 9)
		*d = digit(n)
		return err
	}),
	json.UnmarshalFromFunc(func(dec *jsontext.Decoder, k *kindName) error {
		s, err := OneOf(dec, "ring", "torus")
		*k = kindName(s)
		return err
	}),
))

func read(text string) (e example, err error) {
	err = Unmarshal([]byte(text), 1000, "the file", &e, readers)
	return e, err
}

func TestFieldsComeInAnyOrder(t *testing.T) {
	for _, text := range []string{`{"n": 7, "list": ["a", "ü"]}`, "\ufeff\r\n{ \"list\" :\t[ \"a\" , \"\\u00fc\"\n] , \"n\": 7 } \n"} {
		e, err := read(text)
		require.NoError(t, err)
		assert.Equal(t, example{N: 7, List: []string{"a", "ü"}}, e)
	}
	e, err := read(`{"n": -1, "kind": "t\u006frus"}`)
	require.NoError(t, err)
	assert.Equal(t, example{N: -1, Kind: "torus"}, e)
}

func TestMistakesAreReportedWithTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		``:                                     "line 1, column 1: it is empty",
		"\n ":                                  "line 2, column 2: it is empty",
		`{"n": 1`:                              "line 1, column 8: it ends in the middle: it was cut short, make it again",
		"{\"n\": 1\n":                          "line 2, column 1: it ends in the middle: it was cut short, make it again",
		`{"n": 1, "sure": tru`:                 "line 1, column 21: it ends in the middle: it was cut short, make it again",
		"\n{\"n\": x}":                         "line 2, column 7: it is not JSON: invalid character 'x' at start of value",
		"\n{\"list\": [\"ü\", x]}":             "line 2, column 16: it is not JSON: invalid character 'x' at start of value",
		`{"n": 1} 2`:                           "line 1, column 10: it is not JSON: invalid character '2' after top-level value",
		"{\"n\": 1, \"\xff\": 2}":              "line 1, column 11: it is not UTF-8: byte 0xff",
		"{\"list\": [\"\xff\"]}":               "line 1, column 12: it is not UTF-8: byte 0xff",
		"\x1f\x8b\b":                           "line 1, column 1: it is compressed: unpack it first, with gzip -d",
		`[]`:                                   "line 1, column 1: the file is a list, want an object",
		"{\"n\": 1,\n \"n\": 1}":               `line 2, column 2: field "n" is given twice`,
		`{"n": 1, "\u006e": 1}`:                `line 1, column 10: field "n" is given twice`,
		`{"N": 1}`:                             `line 1, column 2: unknown field "N": write "n"`,
		`{"n": 1, "m": 1}`:                     `line 1, column 10: unknown field "m": the fields here are n, list, kind, sure, size`,
		`{"n": "1"}`:                           `line 1, column 7: n is "1", want a whole number from -1 to 9`,
		`{"n": null}`:                          "line 1, column 7: n is null, want a whole number from -1 to 9",
		`{"n": [1]}`:                           "line 1, column 7: n is a list, want a whole number from -1 to 9",
		`{"n": 1.0}`:                           "line 1, column 7: n is 1.0, want a whole number from -1 to 9",
		`{"n": 1e0}`:                           "line 1, column 7: n is 1e0, want a whole number from -1 to 9",
		`{"n": -0}`:                            "line 1, column 7: n is -0, want a whole number from -1 to 9",
		`{"n": 10}`:                            "line 1, column 7: n is 10, want a whole number from -1 to 9",
		`{"n": -2}`:                            "line 1, column 7: n is -2, want a whole number from -1 to 9",
		`{"n": 99999999999999999999}`:          "line 1, column 7: n is 99999999999999999999, want a whole number from -1 to 9",
		`{"kind": "Ring"}`:                     `line 1, column 10: kind is "Ring", want one of ring, torus`,
		`{"kind": 5}`:                          "line 1, column 10: kind is 5, want one of ring, torus",
		`{"n": 1, "list": {}}`:                 "line 1, column 18: list is an object, want a list",
		"{\"n\": 1, \"list\": [\"\",\ntrue]}":  "line 2, column 1: an element of list is true or false, want a text",
		`{"sure": "yes"}`:                      "line 1, column 10: sure is a text, want true or false",
		`{"size": "big"}`:                      "line 1, column 10: size is a text, want a number",
		`{"size": 1e999}`:                      "line 1, column 10: size is 1e999, which is out of range",
		`{"n": 1}` + strings.Repeat(" ", 1000): "line 1, column 1: it has more than 1000 bytes, the limit",
	} {
		_, err := read(text)
		assert.EqualError(t, err, want, "%q", text)
		assert.ErrorAs(t, err, new(*Error))
	}
}

// A reader may leave fields out.
func TestUnknownFieldsAreAnOption(t *testing.T) {
	var v struct {
		A int `json:"a"`
	}
	require.NoError(t, Unmarshal([]byte(`{"a": 1, "b": {"c": [2]}}`), 1000, "the file", &v, json.RejectUnknownMembers(false)))
	assert.Equal(t, 1, v.A)
	err := Unmarshal([]byte(`{"a": 1, "b": {"c": [2], "c": 3}}`), 1000, "the file", &v, json.RejectUnknownMembers(false))
	assert.EqualError(t, err, `line 1, column 26: field "c" is given twice`)
}

// FuzzUnmarshal: encoding/json reads the same value from an accepted text, and the error of a rejected text has a place in it.
func FuzzUnmarshal(f *testing.F) {
	for _, text := range []string{`{"n": 1, "list": ["\u00fc"], "size": -2.5e3}`, "\ufeff{}", `{"n": 1, "n": 2}`, "[[\n[1, x", `{"list": ["\ud800"]}`, "1", " null\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var got example
		err := Unmarshal(text, math.MaxInt, "the file", &got, readers)
		if mistake := (*Error)(nil); errors.As(err, &mistake) {
			lines := strings.Split(string(text), "\n")
			if mistake.Line < 1 || mistake.Line > len(lines) || mistake.Column < 1 || mistake.Column > 1+len(lines[mistake.Line-1]) || mistake.Text == "" {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		require.NoError(t, err)
		var want example
		require.NoError(t, standard.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &want))
		assert.Equal(t, fmt.Sprint(want), fmt.Sprint(got))
	})
}
