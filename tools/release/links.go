// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Where the sources of a version are to be read, and their files to be had.
const (
	repository = "https://github.com/hcgen/hcgen"
	rawFiles   = "https://raw.githubusercontent.com/hcgen/hcgen"
)

// link is one of Markdown: an exclamation mark for a picture, its text, and where it leads.
var link = regexp.MustCompile(`(!?)\[([^\]]*)\]\(([^)\s]*)\)`)

// absoluteLinks makes links of a page to the sources, most of which are not in an archive, lead
// to the repository at the version; links to what is in the archive stay. The page is of the top
// folder. A link that leads nowhere is an error.
func absoluteLinks(root, version, page string, inArchive map[string]bool) (string, error) {
	at := version
	if version == unreleased {
		at = "HEAD" // there is no tag
	}
	var wrong error
	page = link.ReplaceAllStringFunc(page, func(whole string) string {
		found := link.FindStringSubmatch(whole)
		picture, text, target := found[1], found[2], found[3]
		path, anchor, _ := strings.Cut(target, "#")
		if strings.Contains(target, "://") || path == "" || inArchive[path] {
			return whole
		}
		info, err := os.Stat(filepath.Join(root, path))
		if err != nil {
			wrong = fmt.Errorf("the link to %s leads nowhere", target)
			return whole
		}
		var to string
		switch {
		case picture != "":
			to = rawFiles + "/" + at + "/" + path
		case info.IsDir():
			to = repository + "/tree/" + at + "/" + path
		default:
			to = repository + "/blob/" + at + "/" + path
		}
		if anchor != "" {
			to += "#" + anchor
		}
		return picture + "[" + text + "](" + to + ")"
	})
	return page, wrong
}
