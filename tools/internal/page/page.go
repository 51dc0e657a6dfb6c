// SPDX-License-Identifier: Apache-2.0

// Package page replaces what a program has measured in a Markdown page: the text
// between the marks <!-- NAME --> and <!-- NAME ends -->.
package page

import (
	"bytes"
	"fmt"
	"os"
	"slices"
)

// Check returns an error if the page has no place with this name: for programs that
// take minutes before they write.
func Check(file, name string) error {
	_, _, err := around(file, name)
	return err
}

// Write puts text between the marks of the page.
func Write(file, name, text string) error {
	before, after, err := around(file, name)
	if err != nil {
		return err
	}
	return os.WriteFile(file, slices.Concat(before, []byte("\n"+text+"\n"), after), 0o644)
}

// around returns what a page has up to the first mark and from the second one on.
func around(file, name string) (before, after []byte, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- "+name+" ends -->"
	first := bytes.Index(text, []byte(begin))
	second := bytes.Index(text, []byte(end))
	if first < 0 || second < first {
		return nil, nil, fmt.Errorf("%s has no place for %s", file, name)
	}
	return text[:first+len(begin)], text[second:], nil
}
