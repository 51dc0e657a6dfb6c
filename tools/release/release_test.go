// SPDX-License-Identifier: Apache-2.0

// Package release has the tests of what is published: the files of make release, and the module.
package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	modversion "golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"github.com/hcgen/hcgen/internal/needs"
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

// copySources copies the module, but neither what is built nor git's records.
func copySources(t *testing.T, to string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && (rel == "build" || rel == "out" || rel == ".git"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	}))
}

var targets = regexp.MustCompile(`(?m)^    targets: .*$`)

// A version is released for the platform of the test, twice.
func TestReleaseOfATag(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "git", "make")
	root := filepath.Join(t.TempDir(), "hcgen")
	copySources(t, root)
	config := filepath.Join(root, ".goreleaser.yaml")
	text, err := os.ReadFile(config)
	require.NoError(t, err)
	require.Regexp(t, targets, string(text))
	require.NoError(t, os.WriteFile(config, targets.ReplaceAll(text, []byte("    targets: [linux_"+runtime.GOARCH+"]")), 0o644))
	for _, arguments := range [][]string{
		{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "a"}, {"tag", "v0.9.9"},
		{"remote", "add", "origin", "https://github.com/hcgen/hcgen"},
	} {
		output(t, root, nil, "git", arguments...)
	}
	output(t, root, []string{"MAKEFLAGS="}, "make", "release", "AGAIN=1")

	folder := filepath.Join(root, "build", "release")
	base := "hcgen_0.9.9_linux_" + runtime.GOARCH
	sums, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
	require.NoError(t, err)
	files := map[string][]byte{}
	for line := range strings.Lines(string(sums)) {
		sum, name, found := strings.Cut(strings.TrimSpace(line), "  ")
		require.True(t, found, line)
		files[name], err = os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		is := sha256.Sum256(files[name])
		assert.Equal(t, hex.EncodeToString(is[:]), sum, name)
	}
	require.Len(t, files, 2)
	require.Contains(t, files, base+".tar.gz")
	require.Contains(t, files, base+".cdx.json")

	content := unpacked(t, files[base+".tar.gz"])
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "completions/_hcgen", "completions/hcgen.bash", "completions/hcgen.fish", "completions/hcgen.ps1",
		"licenses/go/LICENSE", "licenses/github.com/hashicorp/hcl/v2/LICENSE"} {
		assert.NotEmpty(t, content[base+"/"+name], name)
	}
	links := regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(string(content[base+"/README.md"]), -1)
	assert.NotEmpty(t, links)
	for _, link := range links {
		assert.Contains(t, link[1], "://", "a link of README leads nowhere")
	}

	program := filepath.Join(t.TempDir(), "hcgen")
	require.NoError(t, os.WriteFile(program, content[base+"/hcgen"], 0o755))
	binary, err := elf.Open(program)
	require.NoError(t, err)
	defer binary.Close()
	for _, segment := range binary.Progs {
		assert.NotContains(t, []elf.ProgType{elf.PT_INTERP, elf.PT_DYNAMIC}, segment.Type, "the binary is not static")
	}
	if runtime.GOOS == "linux" {
		assert.Equal(t, "hcgen v0.9.9 "+runtime.Version()+" linux/"+runtime.GOARCH, output(t, t.TempDir(), nil, program, "version"))
	}
	assert.NotContains(t, string(content[base+"/hcgen"]), root, "the folder it was built in is in the binary")

	var bill struct {
		BOMFormat  string
		Metadata   struct{ Component struct{ Version string } }
		Components []struct{ Name, Version string }
	}
	require.NoError(t, json.Unmarshal(files[base+".cdx.json"], &bill))
	assert.Equal(t, "CycloneDX", bill.BOMFormat)
	assert.Equal(t, "v0.9.9", bill.Metadata.Component.Version)
	listed := map[string]bool{}
	for _, c := range bill.Components {
		listed[c.Name+" "+c.Version] = true
	}
	const format = "{{with .Module}}{{if not .Main}}{{.Path}}@{{.Version}}{{end}}{{end}}"
	linked := strings.Fields(output(t, top, []string{"CGO_ENABLED=0", "GOOS=linux"}, "go", "list", "-deps", "-f", format, "./cmd/hcgen"))
	require.Greater(t, len(linked), 5)
	for _, m := range linked {
		assert.Contains(t, listed, strings.Replace(m, "@", " ", 1), "a module of the binary is not in the SBOM")
	}
}

// unpacked reads a tar.gz.
func unpacked(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	files := map[string][]byte{}
	for r := tar.NewReader(packed); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		require.NoError(t, err)
		files[h.Name], err = io.ReadAll(r)
		require.NoError(t, err)
		if !strings.HasSuffix(h.Name, "/") {
			assert.Equal(t, strings.HasSuffix(h.Name, "/hcgen"), h.Mode == 0o755, "%s has the mode %o", h.Name, h.Mode)
		}
	}
}

// go install of a published version, which comes as a zip from a proxy. The test needs no
// network: the proxy is a folder, and the other modules come from the cache.
func TestGoInstallWorksFromAProxy(t *testing.T) {
	const version = "v0.9.9"
	proxy := t.TempDir()
	at := filepath.Join(proxy, "github.com/hcgen/hcgen/@v")
	require.NoError(t, os.MkdirAll(at, 0o755))
	copied := t.TempDir()
	copySources(t, copied)
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
