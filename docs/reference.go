// SPDX-License-Identifier: Apache-2.0

// Package docs holds the pages for users, and what a program reads from them.
package docs

import (
	_ "embed" // the page
	"regexp"
	"strings"
)

// configurationPage is the reference of the configuration language.
//
//go:embed configuration.md
var configurationPage string

// Rows of the page: the heading of a block, and an attribute with its range,
// default and meaning.
var (
	blockHeading = regexp.MustCompile("^### `([a-z]+)`$")
	attributeRow = regexp.MustCompile("^\\| `([a-z_]+)` \\|.*\\|.*\\| (.*) \\|$")
)

// Meanings returns the meaning of each attribute of the configuration language from
// its reference page, by "block.attribute".
func Meanings() map[string]string {
	meanings := map[string]string{}
	block := ""
	for _, line := range strings.Split(configurationPage, "\n") {
		if strings.HasPrefix(line, "#") {
			block = ""
		}
		if m := blockHeading.FindStringSubmatch(line); m != nil {
			block = m[1]
		} else if m := attributeRow.FindStringSubmatch(line); m != nil && block != "" {
			meanings[block+"."+m[1]] = strings.ReplaceAll(m[2], "`", "")
		}
	}
	return meanings
}
