// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain lets the program of these tests be the process of a unit.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "unit" {
		os.Exit(conclude(context.Background(), run(context.Background(), os.Args[1:], os.Stdout)))
	}
	os.Exit(m.Run())
}

// measured runs an experiment.
func measured(t *testing.T, name string, flags ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), append([]string{name}, flags...), &out)
	return out.String(), err
}

// inTop changes to a folder that looks like the top folder of the project, as far as it has these folders.
func inTop(t *testing.T, folders ...string) {
	t.Helper()
	top := t.TempDir()
	for _, f := range folders {
		require.NoError(t, os.MkdirAll(filepath.Join(top, f), 0o777))
	}
	t.Chdir(top)
}

// assertXML checks that a picture is well-formed.
func assertXML(t *testing.T, picture string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
	}
}

// Every experiment is run by the Makefile, with flags that it has.
func TestMakefileRunsEveryExperiment(t *testing.T) {
	text, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(`\$\(call measure,(\w+)[,)]`).FindAllStringSubmatch(string(text), -1) {
		found[m[1]] = true
	}
	want := map[string]bool{}
	for _, e := range experiments {
		want[e.name] = true
	}
	assert.Equal(t, want, found)
}

func TestMistakesInTheCommandLineAreRefused(t *testing.T) {
	_, err := measured(t, "nothing")
	require.EqualError(t, err, `"nothing" is no experiment: give one of these`)
	assert.Equal(t, 2, conclude(t.Context(), err))
	_, err = measured(t, "load", "-fast")
	require.ErrorContains(t, err, "flag provided but not defined: -fast")
	assert.Equal(t, 2, conclude(t.Context(), err))
	_, err = measured(t, "load", "-h")
	assert.Equal(t, 0, conclude(t.Context(), err))
	inTop(t)
	_, err = measured(t, "load")
	require.ErrorContains(t, err, "measure runs in the top folder of the project")
	assert.Equal(t, 1, conclude(t.Context(), err))
}

// figure is a result of the columns below.
type figure struct {
	name  string
	lut4  int
	times []float64
}

var figureColumns = []column[figure]{
	{"name", "name", "", "%s", func(f figure) any { return f.name }},
	{"lut4", "LUT4", "cells", "%d", func(f figure) any { return unlessZero(f.lut4) }},
	{"times_ns", "times, ns", "", "%.1f", func(f figure) any { return f.times }},
}

func TestEverythingFollowsFromTheColumns(t *testing.T) {
	made := tableOf("some figures", figureColumns, []figure{{"4-cube", 7, []float64{1, 2.25}}, {"größer", 0, nil}})
	assert.Equal(t, "| name | LUT4 | times, ns |\n| --- | --- | --- |\n| 4-cube | 7 | 1.0 / 2.2 |\n| größer | - | - |\n", made.markdown())
	assert.Equal(t, "== some figures\n\nname    LUT4  times, ns\n4-cube     7  1.0 / 2.2\ngrößer     -          -\n\nLUT4: cells\n\n", made.String())
	assert.Equal(t, []map[string]any{{"name": "4-cube", "lut4": 7, "times_ns": []float64{1, 2.25}}, {"name": "größer", "times_ns": []float64(nil)}}, made.Rows)
	assert.Equal(t, "| LUT4 | name |\n| --- | --- |\n| 7 | 4-cube |\n", tableOf("", only(figureColumns, "lut4", "name"), []figure{{"4-cube", 7, nil}}).markdown())
	empty := tableOf("none", figureColumns, nil)
	assert.Empty(t, empty.markdown()+empty.String())
}

func TestReportIsPrintedAndWritten(t *testing.T) {
	folder := t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	require.NoError(t, os.WriteFile(file("page.md"), []byte("<!-- a -->\n<!-- a ends -->\n"), 0o666))
	made := tableOf("some", figureColumns[:2], []figure{{"x", 1, nil}})
	r := &report{
		Tables: []table{made}, Conditions: "Measured.", pages: []page{{place{file("page.md"), "a"}, []table{made}, "Measured."}}, pictures: []picture{{file("x.svg"), []byte("<svg/>")}},
	}
	var out bytes.Buffer
	require.NoError(t, r.print(&out))
	assert.Equal(t, made.String()+"Measured.\n", out.String())
	require.NoError(t, r.writeDocs())
	for name, want := range map[string]string{
		"page.md": "<!-- a -->\n\n| name | LUT4 |\n| --- | --- |\n| x | 1 |\n\nMeasured.\n\n<!-- a ends -->\n",
		"x.svg":   "<svg/>",
	} {
		text, err := os.ReadFile(file(name))
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
	}
	require.NoError(t, r.contradiction())
	r.contradict("%d is not %d", 1, 2)
	require.EqualError(t, r.contradiction(), "1 is not 2")
	require.NoError(t, r.writeJSON(file("x.json")))
	text, err := os.ReadFile(file("x.json"))
	require.NoError(t, err)
	assert.JSONEq(t, `{"tables": [{"title": "some", "rows": [{"name": "x", "lut4": 1}]}], "conditions": "Measured.", "contradictions": ["1 is not 2"]}`, string(text))
}
