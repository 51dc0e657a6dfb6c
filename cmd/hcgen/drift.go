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

// drift reports the differences between the output folder and the output of a run: the
// files on standard output, the changes since the last run on standard error, and the
// command that generates the files again as the advice.
func (g *generate) drift(c *console, found *output.Comparison, now output.Meta) error {
	if len(found.Differences) == 0 {
		fmt.Fprintf(c.err, "hcgen: %s is as generated from %s\n", g.folder.value, g.source())
		return nil
	}
	for _, d := range found.Differences {
		fmt.Fprintf(c.out, "%s %s\n", d.Change, d.Path)
	}
	if found.Incomplete {
		fmt.Fprintf(c.err, "hcgen: %s is incomplete: the last run of hcgen did not finish\n", g.folder.value)
	} else if was := found.Previous; was != nil {
		for _, change := range changes(*was, now) {
			fmt.Fprintf(c.err, "hcgen: %s\n", change)
		}
	}
	advice := "to generate the files again: " + g.command(false)
	if found.Blocked != nil {
		advice = "files that hcgen would not overwrite are in the way; to overwrite them: " + g.command(true)
		if slices.ContainsFunc(found.Blocked.Conflicts, func(c output.Conflict) bool { return !c.Forced }) {
			advice = "folders are in the way of files; move them away, then: " + g.command(true)
		}
	}
	return failure{code: exitCheck, advice: advice,
		err: fmt.Errorf("%s differs from the output for %s: %s", g.folder.value, g.source(), count(len(found.Differences), "difference"))}
}

// changes lists the differences between the last run and a run that would write the folder.
func changes(was, now output.Meta) (list []string) {
	if was.Machine != now.Machine {
		list = append(list, fmt.Sprintf("the machine in the folder is %s, but the description is of %s", was.Machine, now.Machine))
	}
	if was.ConfigHash != now.ConfigHash {
		list = append(list, "the description has changed since the files were generated")
	}
	if was.Version != now.Version {
		list = append(list, fmt.Sprintf("hcgen %s generated the files, this is hcgen %s", was.Version, now.Version))
	}
	return list
}

// source names the origin of the description.
func (g *generate) source() string {
	if g.config.path.value == "-" {
		return "standard input"
	}
	return g.config.path.value
}

// command is the command line, for a shell, that generates the compared output with the same command.
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

// plain matches words that a shell takes literally.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// quoted writes a word so that a shell takes it literally.
func quoted(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
