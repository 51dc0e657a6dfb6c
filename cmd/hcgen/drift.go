// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
)

// drift reports what in the output folder is not as it would be generated: the
// files on standard output, the command that mends them as the advice.
func (g *generate) drift(c *console, found *output.Comparison, files int) error {
	if len(found.Differences) == 0 {
		fmt.Fprintf(c.err, "hcgen: %s is as generated from %s, %d files\n", g.folder.value, g.source(), files)
		return nil
	}
	for _, d := range found.Differences {
		fmt.Fprintf(c.out, "%s %s\n", d.Change, d.Path)
	}
	advice := "to mend it: " + g.command(false)
	if found.Blocked != nil {
		advice = "files that hcgen would not overwrite are in the way; to overwrite them: " + g.command(true)
		if slices.ContainsFunc(found.Blocked.Conflicts, func(c output.Conflict) bool { return !c.Forced }) {
			advice = "folders with files that hcgen did not write are in the way; move them away, then: " + g.command(true)
		}
	}
	return failure{code: exitCheck, advice: advice,
		err: fmt.Errorf("%s differs from the output for %s: %s", g.folder.value, g.source(), count(len(found.Differences), "difference"))}
}

// source names where the description comes from.
func (g *generate) source() string {
	if g.config.path.value == "-" {
		return "standard input"
	}
	return g.config.path.value
}

// command is the command line that generates what was compared with, for a shell, by the same command.
func (g *generate) command(force bool) string {
	words := []string{"hcgen"}
	if g.name != "" {
		words = append(words, g.name)
	}
	words = append(words, "-c", g.config.path.value, "-o", g.folder.value)
	for _, name := range slices.Sorted(maps.Keys(g.config.vars.values)) {
		words = append(words, "--var", name+"="+g.config.vars.values[name])
	}
	if force {
		words = append(words, "--force")
	}
	for i, w := range words {
		words[i] = quoted(w)
	}
	return strings.Join(words, " ")
}

// plain words mean themselves to a shell.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quoted writes a word so that a shell reads it as it is.
func quoted(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
