// SPDX-License-Identifier: Apache-2.0

// Package weaken tests that a model needs each of its rules: it builds the tests of a package with the option -overlay, in which
// copies of files have a switch for each rule, and runs the calling test there.
package weaken

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Rules lists rules by file: the name of a rule, its text in the file, found once, and the text without it. There OFF is true while the
// rule is off, and pick(OFF, a, b) is a if it is off.
type Rules map[string][][3]string

const source = `

var weak = ""

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}
`

const switches = `

func init() { off = func(rule string) { weak = rule } }
`

// Each finds a fault without any of the rules, and none with all. off is the variable off of the package, which is nil in the
// model of the contract; in the weakened one it switches a rule off.
func Each(t *testing.T, rules Rules, off func(rule string), find func() (fault string)) {
	t.Helper()
	if off == nil {
		text, err := exec.CommandContext(t.Context(), build(t, rules), "-test.run=^"+t.Name()+"$", "-test.v").CombinedOutput()
		require.NoError(t, err, "in the weakened model:\n%s", text)
		require.Contains(t, string(text), "--- PASS: "+t.Name()+" (")
		return
	}
	require.Empty(t, find(), "with all rules")
	for _, list := range rules {
		for _, r := range list {
			off(r[0])
			fault := find()
			t.Logf("without %q: %s", r[0], fault)
			if fault == "" {
				t.Errorf("%q is not needed", r[0])
			}
		}
	}
}

// build makes the program of the tests of the package in the working directory.
func build(t *testing.T, rules Rules) string {
	t.Helper()
	here, err := os.Getwd()
	require.NoError(t, err)
	folder, replace := t.TempDir(), map[string]string{}
	write := func(name, text string) {
		replace[filepath.Join(here, name)] = filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	head := "package " + filepath.Base(here)
	write("weakened.go", head+source)
	write("weakened_test.go", head+switches)
	for name, list := range rules {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		weak := string(text)
		for _, r := range list {
			require.Equal(t, 1, strings.Count(weak, r[1]), "%s: %s", r[0], r[1])
			weak = strings.Replace(weak, r[1], strings.ReplaceAll(r[2], "OFF", "(weak == \""+r[0]+"\")"), 1)
		}
		write(name, weak)
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	require.NoError(t, err)
	overlay, program := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "weakened.test")
	require.NoError(t, os.WriteFile(overlay, list, 0o666))
	made, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", made)
	return program
}
