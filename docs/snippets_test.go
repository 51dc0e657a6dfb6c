// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// indentedCommands lists the commands of the indented blocks of a page, without comments.
func indentedCommands(p page) (all []string) {
	for _, block := range p.indented {
		for _, line := range strings.Split(block, "\n") {
			line, _, _ = strings.Cut(line, " #")
			if line = strings.TrimSpace(line); regexp.MustCompile(`^(hcgen|make|source <\(hcgen)\b`).MatchString(line) {
				all = append(all, line)
			}
		}
	}
	return all
}

// What pages show without its output works, too: hcgen is run, targets of Makefiles are there.
// The pages of pictures and README have tests of their own.
func TestCommandsShownWithoutOutputWork(t *testing.T) {
	top, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	names, err := filepath.Glob("*.md")
	require.NoError(t, err)
	ran := 0
	for _, name := range append(names, "../CONTRIBUTING.md", "../README.md") {
		p := read(t, name)
		commands := indentedCommands(p)
		if name == gallery || name == algorithm || len(commands) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := newSession(t, p)
			machine := "torus4x4.hcl" // or what the page describes
			if _, err := os.Stat(filepath.Join(s.dir, "ring.hcl")); err == nil {
				machine = "ring.hcl"
			}
			s.write("machine.hcl", s.read(machine))
			s.succeed("hcgen -c machine.hcl -o out")
			for _, command := range commands {
				ran++
				words := strings.Fields(command)
				switch {
				case words[0] == "hcgen" || words[0] == "source":
					command = strings.ReplaceAll(command, "~", filepath.Join(s.dir, "home"))
					command, _, _ = strings.Cut(command, " | make")
					require.NoError(t, os.MkdirAll(filepath.Join(s.dir, "home/.config/fish/completions"), 0o755))
					if words[0] == "source" {
						command = "bash -c '" + command + "'"
					}
					s.succeed(command)
				case len(words) > 1 && words[1] == "-C":
					s.succeed(strings.Replace(command, "make ", "make -n ", 1))
				case len(words) > 1:
					assert.Regexp(t, `(?m)^`+words[1]+`:.* ## `, string(top), command)
				}
			}
		})
	}
	assert.Greater(t, ran, 30)
}
