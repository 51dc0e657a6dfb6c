// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// module is one that the project is built or tested with.
type module struct {
	Version string
	Sum     string // sha256 of its content as go.sum has it, hexadecimal
	Linked  bool   // part of a published binary
}

// modulesOf reads go.sum: the modules whose content is used.
func modulesOf(root string) (map[string]*module, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	modules := map[string]*module{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			return nil, fmt.Errorf("go.sum: %q is not a line of three fields", line)
		}
		path, version := fields[0], fields[1]
		if strings.HasSuffix(version, "/go.mod") {
			continue // only its requirements were read
		}
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(fields[2], "h1:"))
		if err != nil {
			return nil, fmt.Errorf("go.sum: %s: %w", path, err)
		}
		if other, twice := modules[path]; twice {
			return nil, fmt.Errorf("go.sum has %s %s and %s: run go mod tidy", path, other.Version, version)
		}
		modules[path] = &module{Version: version, Sum: hex.EncodeToString(sum)}
	}
	return modules, nil
}

// billOfMaterials lists the modules as CycloneDX. What is linked is required, and what
// only tests and scripts use is excluded from the product.
func billOfMaterials(version string, modules map[string]*module) ([]byte, error) {
	component := func(path, version string) cdx.Component {
		url := "pkg:golang/" + path + "@" + version
		return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: url}
	}
	product := component("github.com/hcgen/hcgen", version)
	product.Type = cdx.ComponentTypeApplication
	product.Licenses = &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}

	std := component("std", strings.TrimPrefix(runtime.Version(), "go"))
	std.Scope = cdx.ScopeRequired
	components := []cdx.Component{std}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m := modules[path]
		c := component(path, m.Version)
		c.Scope = cdx.ScopeExcluded
		if m.Linked {
			c.Scope = cdx.ScopeRequired
		}
		c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: m.Sum}}
		components = append(components, c)
	}
	var requires []string
	for _, c := range components {
		if c.Scope == cdx.ScopeRequired {
			requires = append(requires, c.BOMRef)
		}
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &product}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: product.BOMRef, Dependencies: &requires}}
	var out bytes.Buffer
	err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).EncodeVersion(bom, cdx.SpecVersion1_6)
	return out.Bytes(), err
}
