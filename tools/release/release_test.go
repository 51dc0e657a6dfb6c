// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	modversion "golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

const top = "../.."

// output runs a command that must end well.
func output(t *testing.T, dir string, environment []string, name string, arguments ...string) string {
	t.Helper()
	cmd := exec.Command(name, arguments...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), environment...)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	require.NoError(t, err, "%s %v\n%s", name, arguments, messages.String())
	return strings.TrimSpace(string(out))
}

// unpacked reads a tar.gz and checks what must always be the same.
func unpacked(t *testing.T, data []byte) (names []string, files map[string]entry) {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	assert.True(t, packed.ModTime.IsZero())
	files = map[string]entry{}
	for r := tar.NewReader(packed); ; {
		h, err := r.Next()
		if err == io.EOF {
			return names, files
		}
		require.NoError(t, err)
		assert.True(t, h.ModTime.Equal(day), h.Name)
		assert.Equal(t, []any{0, 0, "", ""}, []any{h.Uid, h.Gid, h.Uname, h.Gname}, h.Name)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		names = append(names, h.Name)
		files[h.Name] = entry{data, h.Mode == 0o755}
	}
}

func TestReleaseIsTheSameFromAnyFolderAndComplete(t *testing.T) {
	platform := []string{"linux/" + runtime.GOARCH}
	files, err := release{root: top, platforms: platform}.files()
	require.NoError(t, err)

	copied := filepath.Join(t.TempDir(), "another name")
	require.NoError(t, copySources(copied, top))
	again, err := release{root: copied, platforms: platform}.files()
	require.NoError(t, err)
	require.NoError(t, difference(files, again))

	version, err := versionOf(top)
	require.NoError(t, err)
	base := "hcgen_" + strings.TrimPrefix(version, "v") + "_linux_" + runtime.GOARCH
	bill := "hcgen_" + strings.TrimPrefix(version, "v") + ".cdx.json"
	sums := ""
	for _, name := range []string{bill, base + ".tar.gz"} {
		require.Contains(t, files, name)
		sum := sha256.Sum256(files[name])
		sums += hex.EncodeToString(sum[:]) + "  " + name + "\n"
	}
	assert.Equal(t, sums, string(files[sumsName]))
	assert.Len(t, files, 3)

	names, content := unpacked(t, files[base+".tar.gz"])
	assert.True(t, slices.IsSorted(names))
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "completions/_hcgen",
		"licenses/go/LICENSE", "licenses/github.com/hashicorp/hcl/v2/LICENSE"} {
		assert.Contains(t, names, base+"/"+name)
	}
	for _, name := range names {
		assert.Equal(t, name == base+"/hcgen", content[name].executable, name)
	}

	for _, page := range []string{"README.md", "CHANGELOG.md"} {
		links := markdownLink.FindAllStringSubmatch(string(content[base+"/"+page].data), -1)
		assert.NotEmpty(t, links, page)
		for _, m := range links {
			if !strings.Contains(m[1], "://") {
				assert.Contains(t, names, base+"/"+m[1], "%s: a link leads nowhere", page)
			}
		}
	}

	program := filepath.Join(t.TempDir(), "hcgen")
	require.NoError(t, os.WriteFile(program, content[base+"/hcgen"].data, 0o755))
	binary, err := elf.Open(program)
	require.NoError(t, err)
	defer binary.Close()
	for _, segment := range binary.Progs {
		assert.NotContains(t, []elf.ProgType{elf.PT_INTERP, elf.PT_DYNAMIC}, segment.Type, "the binary is not static")
	}
	if runtime.GOOS == "linux" {
		assert.Equal(t, "hcgen "+version+" "+runtime.Version()+" linux/"+runtime.GOARCH, output(t, t.TempDir(), nil, program, "version"))
	}
	root, err := filepath.Abs(top)
	require.NoError(t, err)
	assert.NotContains(t, string(content[base+"/hcgen"].data), root, "the folder it was built in is in the binary")

	var bom cdx.BOM
	require.NoError(t, cdx.NewBOMDecoder(bytes.NewReader(files[bill]), cdx.BOMFileFormatJSON).Decode(&bom))
	assert.Equal(t, version, bom.Metadata.Component.Version)
	scopes := map[string]cdx.Scope{}
	for _, c := range *bom.Components {
		scopes[c.Name+" "+c.Version] = c.Scope
	}
	const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}"
	environment := []string{"CGO_ENABLED=0", "GOOS=linux"}
	for _, m := range strings.Fields(strings.ReplaceAll(output(t, top, environment, "go", "list", "-deps", "-test", "-f", format, "./..."), " ", "@")) {
		assert.Contains(t, scopes, strings.Replace(m, "@", " ", 1), "a module that is used is not in the SBOM")
	}
	linked := map[string]bool{"std " + strings.TrimPrefix(runtime.Version(), "go"): true}
	for _, m := range strings.Fields(strings.ReplaceAll(output(t, top, environment, "go", "list", "-deps", "-f", format, "./cmd/hcgen"), " ", "@")) {
		linked[strings.Replace(m, "@", " ", 1)] = true
	}
	for name, scope := range scopes {
		assert.Equal(t, linked[name], scope == cdx.ScopeRequired, name)
	}
	require.Greater(t, len(linked), 5)
}

func TestPlatformsAreChosenFromThoseThatArePublished(t *testing.T) {
	for _, text := range []string{"linux/amd64,darwin/arm64", " linux/amd64  darwin/arm64\t", "linux/amd64, darwin/arm64,,linux/amd64"} {
		all, err := chosen(text)
		require.NoError(t, err)
		assert.Equal(t, []string{"linux/amd64", "darwin/arm64"}, all, "%q", text)
	}
	const six = "linux/amd64, linux/arm64, darwin/amd64, darwin/arm64, windows/amd64, windows/arm64\n"
	for text, says := range map[string]string{
		"linux/mips":        `"linux/mips" is none of ` + six,
		"linux/amd64,linux": `"linux" is none of ` + six,
		"/":                 `"/" is none of ` + six,
		" , ":               "no platform is named: want some of " + six,
		"":                  "no platform is named: want some of " + six,
	} {
		var messages bytes.Buffer
		assert.Equal(t, 2, run([]string{"-out", t.TempDir(), "-platforms", text}, &messages), "%q", text)
		assert.Contains(t, messages.String(), says)
	}
	assert.Equal(t, 2, run([]string{"linux/amd64"}, io.Discard))
	assert.Equal(t, 0, run([]string{"-help"}, io.Discard))
}

// docker buildx, for one, has PLATFORMS in the environment, which is no choice of what is published.
func TestMakeReleaseTakesPlatformsFromItsCommandLineOnly(t *testing.T) {
	t.Setenv("PLATFORMS", "linux/amd64")
	t.Setenv("MAKEFLAGS", "")
	dry := func(more ...string) string {
		return output(t, top, nil, "make", append([]string{"--dry-run", "release"}, more...)...)
	}
	assert.NotContains(t, dry(), "-platforms")
	assert.NotContains(t, dry("-e"), "-platforms")
	assert.NotContains(t, dry("PLATFORMS="), "-platforms")
	assert.Contains(t, dry("PLATFORMS=linux/arm64 darwin/arm64"), ` -platforms "linux/arm64 darwin/arm64"`)
}

// markdownLink has in its group where a link leads.
var markdownLink = regexp.MustCompile(`\]\(([^)]*)\)`)

func TestLinksOfArchivesLeadToTheSourcesOfTheVersion(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "docs"), 0o755))
	for _, name := range []string{"LICENSE", "docs/page.md", "docs/a.svg"} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), nil, 0o644))
	}
	archive := map[string]bool{"LICENSE": true}
	for from, to := range map[string]string{
		"[a](docs/page.md)":             "[a](https://github.com/hcgen/hcgen/blob/v1.2.3/docs/page.md)",
		"[a b](docs/page.md#part)":      "[a b](https://github.com/hcgen/hcgen/blob/v1.2.3/docs/page.md#part)",
		"[docs/](docs)":                 "[docs/](https://github.com/hcgen/hcgen/tree/v1.2.3/docs)",
		"![a](docs/a.svg) [a](LICENSE)": "![a](https://raw.githubusercontent.com/hcgen/hcgen/v1.2.3/docs/a.svg) [a](LICENSE)",
		"[a](#part) [a](https://a.b/c)": "[a](#part) [a](https://a.b/c)",
		"a (b) [c] `d[1](2, 3)`":        "a (b) [c] `d[1](2, 3)`",
	} {
		got, err := absoluteLinks(root, "v1.2.3", from, archive)
		require.NoError(t, err)
		assert.Equal(t, to, got)
	}
	got, err := absoluteLinks(root, unreleased, "[a](docs)", archive)
	require.NoError(t, err)
	assert.Equal(t, "[a](https://github.com/hcgen/hcgen/tree/HEAD/docs)", got, "there is no tag yet")
	_, err = absoluteLinks(root, "v1.2.3", "[a](docs/none.md)", archive)
	assert.EqualError(t, err, "the link to docs/none.md leads nowhere")
}

// go install of a published version, which comes as a zip from a proxy. The test needs no
// network: the proxy is a folder, and the other modules come from the cache.
func TestGoInstallWorksFromAProxy(t *testing.T) {
	const version = "v0.9.9"
	proxy := t.TempDir()
	at := filepath.Join(proxy, "github.com/hcgen/hcgen/@v")
	require.NoError(t, os.MkdirAll(at, 0o755))
	copied := t.TempDir()
	require.NoError(t, copySources(copied, top))
	archive, err := os.Create(filepath.Join(at, version+".zip"))
	require.NoError(t, err)
	require.NoError(t, modzip.CreateFromDir(archive, modversion.Version{Path: "github.com/hcgen/hcgen", Version: version}, copied))
	require.NoError(t, archive.Close())
	mod, err := os.ReadFile(filepath.Join(top, "go.mod"))
	require.NoError(t, err)
	for name, text := range map[string]string{"list": version + "\n", version + ".mod": string(mod), version + ".info": `{"Version":"` + version + `"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), []byte(text), 0o644))
	}
	cache, err := filepath.Abs(filepath.Join(output(t, top, nil, "go", "env", "GOMODCACHE"), "cache/download"))
	require.NoError(t, err)
	bin := t.TempDir()
	output(t, t.TempDir(), []string{"GOPROXY=file://" + proxy + ",file://" + cache, "GONOSUMDB=*", "GONOSUMCHECK=1", "GOSUMDB=off", "GOBIN=" + bin,
		"GOMODCACHE=" + t.TempDir(), "GOFLAGS=-modcacherw -trimpath", "CGO_ENABLED=0"}, "go", "install", "github.com/hcgen/hcgen/cmd/hcgen@"+version)
	assert.Contains(t, output(t, bin, nil, filepath.Join(bin, "hcgen"), "version"), "hcgen "+version+" ")
	description, err := filepath.Abs(top + "/configs/torus4x4.hcl")
	require.NoError(t, err)
	assert.Contains(t, output(t, bin, nil, filepath.Join(bin, "hcgen"), "info", "-c", description, "--json"), `"nodes": 16`)
}

func TestVersionIsTheNewestSectionOfTheChangelog(t *testing.T) {
	for text, want := range map[string]string{
		"# Changelog\n\nwords\n\n## Unreleased\n\n### Generator\n\n- a\n\n## 1.2.3\n\n- b\n": "v0.0.0-unreleased",
		"# Changelog\n\n## Unreleased\n\n### Generator\n\n## [1.2.3] - 2026-11-22\n\n- b\n":  "v1.2.3",
		"## 2.0.0-rc.1\n- b\n## 1.0.0\n- a\n":                                                "v2.0.0-rc.1",
		"## v1.0.0\n- a\n":                                                                   "v1.0.0",
	} {
		got, err := newestVersion(text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, text := range []string{"", "# Changelog\n", "## 1.0.0\n", "## soon\n- a\n", "## 1.0\n- a\n", "## 01.0.0\n- a\n", "## 1.0.0-rc..1\n- a\n"} {
		_, err := newestVersion(text)
		assert.Error(t, err, text)
	}
}

func TestTagAndChangelogMustAgree(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "CHANGELOG.md"), []byte("## 1.2.3\n- a\n"), 0o644))
	version, err := versionOf(dir)
	require.NoError(t, err, "sources without git")
	assert.Equal(t, "v1.2.3", version)
	for _, arguments := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "a"}, {"tag", "v1.2.3"}} {
		output(t, dir, nil, "git", arguments...)
	}
	_, err = versionOf(dir)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "more"), nil, 0o644))
	_, err = versionOf(dir)
	assert.EqualError(t, err, "v1.2.3 is made from what is committed, but this has changed:\n?? more")
	require.NoError(t, os.Remove(filepath.Join(dir, "more")))
	output(t, dir, nil, "git", "tag", "v1.2.4")
	_, err = versionOf(dir)
	assert.EqualError(t, err, "the commit has the tag v1.2.4, but the newest section of CHANGELOG.md is v1.2.3")

	// An error of git ends the release.
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("nonsense\n"), 0o644))
	_, err = versionOf(dir)
	assert.ErrorContains(t, err, "git tag: fatal: ")
}

func TestDifferencesAreFound(t *testing.T) {
	a := map[string][]byte{"x": []byte("1"), "y": []byte("2")}
	require.NoError(t, difference(a, a))
	assert.EqualError(t, difference(a, map[string][]byte{"x": []byte("1"), "y": []byte("3")}), "y has other bytes when it is made a second time")
	assert.Error(t, difference(a, map[string][]byte{"x": []byte("1"), "y": []byte("2"), "z": nil}))
}

func TestZipForWindowsIsTheSameEveryTime(t *testing.T) {
	content := map[string]entry{"hcgen.exe": {[]byte("program"), true}, "LICENSE": {[]byte("text"), false}}
	name, first, err := archive("windows/arm64", "hcgen_1", content)
	require.NoError(t, err)
	assert.Equal(t, "hcgen_1.zip", name)
	_, second, err := archive("windows/arm64", "hcgen_1", content)
	require.NoError(t, err)
	assert.Equal(t, first, second)
	r, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	require.NoError(t, err)
	require.Len(t, r.File, 2)
	assert.Equal(t, "hcgen_1/LICENSE", r.File[0].Name)
	assert.Equal(t, "hcgen_1/hcgen.exe", r.File[1].Name)
	assert.True(t, r.File[1].Modified.Equal(day))
}

func TestForeignFilesAreNotRemoved(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"hcgen_1.zip", sumsName} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644))
	assert.ErrorContains(t, emptied(dir), "notes.txt is not of a release")
	assert.FileExists(t, filepath.Join(dir, "hcgen_1.zip"))
	require.NoError(t, os.Remove(filepath.Join(dir, "notes.txt")))
	require.NoError(t, emptied(dir))
	assert.NoFileExists(t, filepath.Join(dir, "hcgen_1.zip"))
}
