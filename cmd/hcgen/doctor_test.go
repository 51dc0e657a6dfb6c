// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// doctor and make setup require the same tools.
func TestToolsAreThoseOfSetup(t *testing.T) {
	script, err := os.ReadFile("../../tools/setup.sh")
	require.NoError(t, err)
	var want, got []string
	for _, name := range []string{"\ntools='\n", "\nif_tests='\n"} {
		_, table, ok := strings.Cut(string(script), name)
		require.True(t, ok)
		table, _, _ = strings.Cut(table, "\n'")
		for _, line := range strings.Split(table, "\n") {
			want = append(want, strings.Join(strings.Fields(line), " "))
		}
	}
	for _, tool := range tools {
		if tool.oldest == "" {
			assert.Regexp(t, `(?m)^`+tool.name+` +`+tool.debian+`$`, string(script))
			continue
		}
		asked := tool.name
		if tool.asks != "" {
			asked = tool.asks
		}
		got = append(got, strings.Join(append([]string{tool.name, tool.debian, tool.oldest, asked}, tool.ask...), " "))
	}
	assert.ElementsMatch(t, want, got)
}

// The targets and the variables are those of the generated Makefile.
func TestToolsAreThoseOfTheGeneratedMakefile(t *testing.T) {
	makefile, err := os.ReadFile("../../templates/build/Makefile.tmpl")
	require.NoError(t, err)
	for _, tool := range tools {
		if tool.env != "" {
			assert.Regexp(t, `(?m)^`+tool.env+` +\?=( `+tool.name+`)?$`, string(makefile))
		}
		for _, target := range tool.targets {
			if tool.use == byMakefile {
				assert.Regexp(t, `(?m)^`+target+`:.* ## `, string(makefile))
			}
		}
	}
}

// An error names missing tools that the generated Makefile needs, and no others.
func TestMissingToolsAreThoseOfTheGeneratedMakefile(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	d := examine(t.Context(), func(string) string { return "" })
	var text strings.Builder
	require.NoError(t, d.write(&text))
	forUsers, forHcgen, found := strings.Cut(text.String(), "\nonly to develop hcgen:\n")
	require.True(t, found)
	assert.Regexp(t, `(?m)^gtkwave +missing +- +- +none: optional, it shows waves$`, forUsers)
	message := d.verdict().Error()
	for _, tool := range tools {
		assert.Equal(t, tool.use == byMakefile, strings.Contains(message, tool.name+" is missing"), tool.name)
		assert.Equal(t, tool.use == byHcgenOnly, strings.Contains(forHcgen, "\n"+tool.name+" "), tool.name)
		assert.Equal(t, tool.use != byHcgenOnly, strings.Contains(forUsers, "\n"+tool.name+" "), tool.name)
	}
}

func TestVersionsAreComparedAsNumbers(t *testing.T) {
	for _, c := range []struct {
		version, oldest string
		want            bool
	}{
		{"5.006", "5.0", true}, {"0.9", "0.23", false}, {"0.23", "0.23", true}, {"0.55.3", "0.23", true},
		{"4.2", "5.0", false}, {"12.2.0", "9.0", true}, {"4.10", "4.8", true},
	} {
		assert.Equal(t, c.want, atLeast(c.version, c.oldest), c)
	}
}
