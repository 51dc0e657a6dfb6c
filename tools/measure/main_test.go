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

func TestTablesHaveTheirTitlesInTheFirstRow(t *testing.T) {
	made := table{{"name", "LUT4"}, {"4-cube", "7"}, {"größer", "1000"}}
	assert.Equal(t, "| name | LUT4 |\n| --- | --- |\n| 4-cube | 7 |\n| größer | 1000 |\n", made.markdown())
	assert.Equal(t, "name    LUT4\n4-cube     7\ngrößer  1000\n", made.aligned())
	assert.Equal(t, "-", known("%d", 0))
	assert.Equal(t, "1 / 2", list("%d", 1, 2))
	assert.Equal(t, "-", list[int]("%d"))
}
