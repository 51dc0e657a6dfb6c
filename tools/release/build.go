// SPDX-License-Identifier: Apache-2.0

package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// environment is that of every build: nothing of the user's settings reaches the binary.
func (r release) environment(platform string) []string {
	system, processor, _ := strings.Cut(platform, "/")
	env := append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOEXPERIMENT=", "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOFIPS140=off",
		"GOOS="+system, "GOARCH="+processor)
	if r.cache != "" {
		env = append(env, "GOCACHE="+r.cache)
	}
	return env
}

// build makes the program of one platform and returns the modules in it.
func (r release) build(platform, version, work string) (binary string, linked []*debug.Module, err error) {
	system, processor, _ := strings.Cut(platform, "/")
	binary = filepath.Join(work, system+"_"+processor, "hcgen")
	if system == "windows" {
		binary += ".exe"
	}
	fmt.Fprintf(os.Stderr, "release: building %s for %s\n", version, platform)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X main.released="+version, "-o", binary, "./cmd/hcgen")
	cmd.Dir = r.root
	cmd.Env = r.environment(platform)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("%s: %w\n%s", platform, err, out)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return "", nil, err
	}
	return binary, info.Deps, nil
}

// common makes the files that are the same in all archives; binaries are the built programs, by platform.
func (r release) common(version, work string, binaries map[string]string, modules map[string]*module) (map[string]entry, error) {
	content := map[string]entry{}
	texts := map[string]bool{"LICENSE": true, "README.md": true, "CHANGELOG.md": true}
	for name := range texts {
		data, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return nil, err
		}
		if filepath.Ext(name) == ".md" {
			page, err := absoluteLinks(r.root, version, string(data), texts)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			data = []byte(page)
		}
		content[name] = entry{data: data}
	}
	host := runtime.GOOS + "/" + runtime.GOARCH
	program, built := binaries[host]
	if !built {
		var err error
		if program, _, err = r.build(host, version, work); err != nil {
			return nil, err
		}
	}
	for shell, name := range map[string]string{"bash": "hcgen.bash", "fish": "hcgen.fish", "powershell": "hcgen.ps1", "zsh": "_hcgen"} {
		script, err := exec.Command(program, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("hcgen completion %s: %w", shell, err)
		}
		content["completions/"+name] = entry{data: script}
	}
	return content, r.licences(content, modules)
}

// licences adds the licences of all modules in the binaries.
func (r release) licences(content map[string]entry, modules map[string]*module) error {
	arguments := []string{"list", "-m", "-json"}
	for path, m := range modules {
		if m.Linked {
			arguments = append(arguments, path)
		}
	}
	cmd := exec.Command("go", arguments...)
	cmd.Dir = r.root
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list -m: %w", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var m struct{ Path, Dir string }
		if err := d.Decode(&m); err != nil {
			return err
		}
		before := len(content)
		if err := add(content, "licenses/"+m.Path, os.DirFS(m.Dir), "LICEN[CS]E*", "COPYING*", "NOTICE*"); err != nil {
			return err
		}
		if len(content) == before {
			return fmt.Errorf("%s has no file with its licence", m.Path)
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	return add(content, "licenses/go", os.DirFS(strings.TrimSpace(string(root))), "LICENSE")
}

// add puts the files that match a pattern into a folder of the archive.
func add(content map[string]entry, folder string, from fs.FS, patterns ...string) error {
	for _, pattern := range patterns {
		names, err := fs.Glob(from, pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			data, err := fs.ReadFile(from, name)
			if err != nil {
				return err
			}
			content[folder+"/"+name] = entry{data: data}
		}
	}
	return nil
}

// copySources copies the module, but neither what is built nor git's records.
func copySources(to, from string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
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
	})
}
