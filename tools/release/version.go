// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// unreleased is the version of sources that have none yet.
const unreleased = "v0.0.0-unreleased"

// sectionHeading is the heading of a version in CHANGELOG.md.
var sectionHeading = regexp.MustCompile(`^## \[?([^\] ]+)`)

// semantic is a version as Go wants it, without the v.
var semantic = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`)

// versionOf returns the version of the sources: the newest section of CHANGELOG.md. A tag of
// the commit must name the same.
func versionOf(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return "", err
	}
	version, err := newestVersion(string(text))
	if err != nil {
		return "", err
	}
	tags, err := tags(root)
	if err != nil {
		return "", err
	}
	for _, tag := range tags {
		if tag != version {
			return "", fmt.Errorf("the commit has the tag %s, but the newest section of CHANGELOG.md is %s", tag, version)
		}
	}
	changed, err := git(root, "status", "--porcelain")
	if err != nil {
		return "", err
	}
	if version != unreleased && changed != "" {
		return "", fmt.Errorf("%s is made from what is committed, but this has changed:\n%s", version, strings.TrimRight(changed, "\n"))
	}
	return version, nil
}

// newestVersion finds the first section that has something in it.
func newestVersion(changelog string) (string, error) {
	version := ""
	for _, line := range strings.Split(changelog, "\n") {
		if m := sectionHeading.FindStringSubmatch(line); m != nil {
			version = strings.TrimPrefix(m[1], "v")
			continue
		}
		if version == "" || strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		switch {
		case version == "Unreleased":
			return unreleased, nil
		case !semantic.MatchString(version):
			return "", fmt.Errorf("CHANGELOG.md: the section %q is no version such as 1.2.3", version)
		}
		return "v" + version, nil
	}
	return "", errors.New("CHANGELOG.md has no section with anything in it")
}

// tags lists the version tags of the commit; none if the sources are not in git.
func tags(root string) ([]string, error) {
	out, err := git(root, "tag", "--points-at", "HEAD", "--list", "v*")
	return strings.Fields(out), err
}

// git returns what git says of the sources, and nothing if they are not in git.
func git(root string, arguments ...string) (string, error) {
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		return "", nil
	}
	out, err := exec.Command("git", append([]string{"-C", root}, arguments...)...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("git %s: %s", arguments[0], strings.TrimSpace(string(exit.Stderr)))
	}
	return string(out), err
}
