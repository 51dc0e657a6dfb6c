// SPDX-License-Identifier: Apache-2.0

// Release makes the published files of a version of hcgen: a static binary for every platform, each in an
// archive with completions and licences, an SBOM, and the checksums of all files. The same
// sources and the same Go give the same bytes, in any folder and on any day.
//
//	go run ./tools/release     (in the top folder of the project)
//
// The version is that of CHANGELOG.md. Exit codes: 0 fine, 1 failed, 2 bad usage.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// platforms are those that are published, as GOOS/GOARCH.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run is the program; it returns the exit code.
func run(args []string, messages io.Writer) int {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(messages)
	out := flags.String("out", "build/release", "folder to write; what an earlier release left in it is replaced")
	only := platforms
	flags.Func("platforms", "`list` of the GOOS/GOARCH of the binaries, instead of "+strings.Join(platforms, ","), func(text string) (err error) {
		only, err = chosen(text)
		return err
	})
	again := flags.Bool("again", false, "make it a second time, from a copy in another folder and with nothing kept, and compare")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		fmt.Fprintf(messages, "release: error: unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	if err := publish(*out, only, *again); err != nil {
		fmt.Fprintf(messages, "release: error: %v\n", err)
		return 1
	}
	return 0
}

// chosen reads a list of platforms, with commas or blanks between them. Those named twice are there once.
func chosen(text string) (all []string, err error) {
	for _, p := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		if !slices.Contains(platforms, p) {
			return nil, fmt.Errorf("%q is none of %s", p, strings.Join(platforms, ", "))
		}
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no platform is named: want some of %s", strings.Join(platforms, ", "))
	}
	return all, nil
}

// publish makes the files and moves them into the folder when all are complete.
func publish(out string, platforms []string, again bool) error {
	files, err := release{root: ".", platforms: platforms}.files()
	if err != nil {
		return err
	}
	if again {
		if err := compareAgain(files, platforms); err != nil {
			return err
		}
	}
	if err := emptied(out); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(out, name), files[name], 0o644); err != nil {
			return err
		}
		fmt.Println(filepath.Join(out, name))
	}
	return nil
}

// sumsName is the file with the sums of all others, in the format of sha256sum.
const sumsName = "SHA256SUMS"

// release is one version, made from the module in the folder root.
type release struct {
	root      string
	platforms []string
	cache     string // of the Go toolchain, if not the usual one
}

// files makes everything that is published, by name.
func (r release) files() (map[string][]byte, error) {
	version, err := versionOf(r.root)
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "hcgen-release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	modules, err := modulesOf(r.root)
	if err != nil {
		return nil, err
	}
	binaries := map[string]string{}
	for _, platform := range r.platforms {
		binary, linked, err := r.build(platform, version, work)
		if err != nil {
			return nil, err
		}
		binaries[platform] = binary
		for _, m := range linked {
			if known := modules[m.Path]; known == nil || known.Version != m.Version {
				return nil, fmt.Errorf("%s has %s %s, and go.sum does not", platform, m.Path, m.Version)
			}
			modules[m.Path].Linked = true
		}
	}
	common, err := r.common(version, work, binaries, modules)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for platform, binary := range binaries {
		content := maps.Clone(common)
		program, err := os.ReadFile(binary)
		if err != nil {
			return nil, err
		}
		content[filepath.Base(binary)] = entry{program, true}
		base := fmt.Sprintf("hcgen_%s_%s", strings.TrimPrefix(version, "v"), strings.ReplaceAll(platform, "/", "_"))
		name, data, err := archive(platform, base, content)
		if err != nil {
			return nil, err
		}
		files[name] = data
	}
	sbom, err := billOfMaterials(version, modules)
	if err != nil {
		return nil, err
	}
	files[fmt.Sprintf("hcgen_%s.cdx.json", strings.TrimPrefix(version, "v"))] = sbom
	var sums strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum := sha256.Sum256(files[name])
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), name)
	}
	files[sumsName] = []byte(sums.String())
	return files, nil
}

// compareAgain makes the release from a copy of the sources, with an empty cache.
func compareAgain(first map[string][]byte, platforms []string) error {
	dir, err := os.MkdirTemp("", "hcgen-again")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	root := filepath.Join(dir, "sources of another name")
	if err := copySources(root, "."); err != nil {
		return err
	}
	second, err := release{root: root, platforms: platforms, cache: filepath.Join(dir, "cache")}.files()
	if err != nil {
		return err
	}
	return difference(first, second)
}

// difference names the files that are not the same.
func difference(first, second map[string][]byte) error {
	var all []error
	for _, name := range slices.Sorted(maps.Keys(first)) {
		if !bytes.Equal(first[name], second[name]) {
			all = append(all, fmt.Errorf("%s has other bytes when it is made a second time", name))
		}
	}
	if len(all) == 0 && len(first) != len(second) {
		return fmt.Errorf("the first time makes %d files, the second %d", len(first), len(second))
	}
	return errors.Join(all...)
}

// emptied makes the folder and removes what an earlier release left in it.
func emptied(out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || e.Name() != sumsName && !strings.HasPrefix(e.Name(), "hcgen_") {
			return fmt.Errorf("%s is not of a release: move it away, or name another folder with -out", filepath.Join(out, e.Name()))
		}
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(out, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
