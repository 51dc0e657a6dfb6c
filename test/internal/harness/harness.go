// SPDX-License-Identifier: Apache-2.0

// Package harness generates machines for tests and runs their Makefiles.
package harness

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

// configs is the folder of the example machines, seen from a package in test/.
const configs = "../../configs"

// Examples returns the names of the example machines, without .hcl.
func Examples(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(configs, "*.hcl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".hcl"))
	}
	return names
}

// Example writes the output of an example machine into a new folder.
func Example(t testing.TB, name string, vars map[string]string) (*machine.Machine, string) {
	t.Helper()
	return Generate(t, filepath.Join(configs, name+".hcl"), vars)
}

// Generate writes the output of a description into a new folder.
func Generate(t testing.TB, config string, vars map[string]string) (*machine.Machine, string) {
	t.Helper()
	m, _, diags := machine.Load(config, vars, machine.WithSchedules(schedule.LoadFile, schedule.Messages))
	require.False(t, diags.HasErrors(), diags.Error())
	files, err := assemble.Files(plan.New(m), assemble.Options{})
	require.NoError(t, err)
	// The path of t.TempDir contains the name of the test, which may have characters that make rejects.
	dir, err := os.MkdirTemp("", "hcgen-test")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	out := filepath.Join(dir, "out")
	meta := output.Meta{Version: "test", Machine: m.Name, ConfigHash: m.Hash}
	require.NoError(t, output.Write(t.Context(), out, files, meta, output.Options{}))
	return m, out
}

// File returns the path of a file in an output folder. Library modules are named as in hdl.
func File(t testing.TB, out, name string) string {
	t.Helper()
	dir, base := filepath.Split(filepath.FromSlash(name))
	if !strings.HasPrefix(base, "hc_") {
		return filepath.Join(out, dir, base)
	}
	found, err := filepath.Glob(filepath.Join(out, dir, "*_"+base))
	require.NoError(t, err)
	require.Len(t, found, 1, name)
	return found[0]
}

// Text writes a description into a file of its own and returns its name.
func Text(t testing.TB, description string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "machine.hcl")
	require.NoError(t, os.WriteFile(name, []byte(description), 0o644))
	return name
}

// Make runs targets of the generated Makefile, with hcgen not in PATH, and returns their output.
func Make(ctx context.Context, t testing.TB, out string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(ctx, "make", append([]string{"-C", out, "--no-print-directory"}, arguments...)...)
	text, err := command.CombinedOutput()
	require.NoError(t, err, "make %s:\n%s", strings.Join(arguments, " "), text)
	return string(text)
}

// Library writes all modules of the library into a folder, and returns their names.
func Library(t testing.TB, dir string) []string {
	t.Helper()
	modules := hdl.Modules()
	require.NotEmpty(t, modules)
	for _, m := range modules {
		source, err := hdl.Source(m)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, m+".v"), []byte(source), 0o644))
	}
	return modules
}

// Unaligned is a text of Verilog in which a part can be found: the text itself if it has the part, or else the text without
// the blanks by which ports and connections stand in columns.
func Unaligned(text, part string) string {
	if strings.Contains(text, part) {
		return text
	}
	text = regexp.MustCompile(`(?m)^( *\.\w+) +\(`).ReplaceAllString(text, "$1(")
	return regexp.MustCompile(`(?m)^( *)(input |output) +(\S+) +(\[[^\]]*\] )? *(\w)`).ReplaceAllString(text, "$1$2 $3 $4$5")
}
