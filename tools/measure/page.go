// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
)

// place is where an experiment writes its figures: the text between the marks <!-- NAME --> and
// <!-- NAME ends --> of a page in Markdown.
type place struct{ file, name string }

// checkPlaces returns an error if a page lacks its place: experiments take minutes before they write.
func checkPlaces(places ...place) error {
	var errs []error
	for _, p := range places {
		_, _, err := p.around()
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// write puts text between the marks.
func (p place) write(text string) error {
	before, after, err := p.around()
	if err != nil {
		return err
	}
	return os.WriteFile(p.file, slices.Concat(before, []byte("\n"+text+"\n"), after), 0o644)
}

// around returns what the page has up to the first mark and from the second one on.
func (p place) around() (before, after []byte, err error) {
	text, err := os.ReadFile(p.file)
	if err != nil {
		return nil, nil, err
	}
	begin, end := "<!-- "+p.name+" -->\n", "<!-- "+p.name+" ends -->"
	first := bytes.Index(text, []byte(begin))
	second := bytes.Index(text, []byte(end))
	if first < 0 || second < first {
		return nil, nil, fmt.Errorf("%s has no place for %s", p.file, p.name)
	}
	return text[:first+len(begin)], text[second:], nil
}
