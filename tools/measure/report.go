// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// report is what an experiment has measured. Its tables are printed and written as JSON.
type report struct {
	Tables         []table  `json:"tables"`
	Conditions     string   `json:"conditions,omitempty"`     // versions of tools and the like
	Contradictions []string `json:"contradictions,omitempty"` // figures that contradict a guarantee

	pages    []page
	pictures []picture
}

// page is what a place in the documentation shows.
type page struct {
	place
	tables     []table
	conditions string
}

// picture is a file of the documentation.
type picture struct {
	file string
	svg  []byte
}

// print prints the tables.
func (r *report) print(out io.Writer) error {
	var b strings.Builder
	for _, t := range r.Tables {
		b.WriteString(t.String())
	}
	if r.Conditions != "" {
		b.WriteString(r.Conditions + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// writeJSON writes the values of the tables.
func (r *report) writeJSON(file string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// writeDocs writes the tables and the pictures of the documentation.
func (r *report) writeDocs() error {
	var errs []error
	for _, p := range r.pages {
		errs = append(errs, p.write(p.text()))
	}
	for _, p := range r.pictures {
		errs = append(errs, os.WriteFile(p.file, p.svg, 0o644))
	}
	return errors.Join(errs...)
}

// text is the page's text between its marks.
func (p page) text() string {
	var parts []string
	for _, t := range p.tables {
		parts = append(parts, t.markdown())
	}
	if p.conditions != "" {
		parts = append(parts, p.conditions+"\n")
	}
	return strings.Join(parts, "\n")
}

// contradiction is an error if a figure contradicts a guarantee.
func (r *report) contradiction() error {
	if len(r.Contradictions) == 0 {
		return nil
	}
	return errors.New(strings.Join(r.Contradictions, "\nerror: "))
}

// contradict adds a figure that contradicts a guarantee.
func (r *report) contradict(format string, values ...any) {
	r.Contradictions = append(r.Contradictions, fmt.Sprintf(format, values...))
}
