// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/internal/synthesis"
)

// mapping is a run of Yosys with commands that are not those of generated folders. Its result are the cells by type.
type mapping struct {
	Description string   `json:",omitempty"` // of the machine whose router is read
	Modules     []string `json:",omitempty"` // patterns of the files that are read in place of a router
	Commands    string   // for what was read
	Files       string   // hash of what is read
}

// newMapping completes a mapping.
func newMapping(m mapping) (*mapping, error) {
	files, _, err := m.sources()
	m.Files = files.Hash()
	return &m, err
}

// sources are files, and those that are read, in their order.
func (m *mapping) sources() (files synthesis.Files, read []string, err error) {
	if m.Description == "" {
		files, err = modules(m.Modules...)
		return files, slices.Sorted(maps.Keys(files)), err
	}
	of, err := parseMachine(m.Description)
	if err != nil {
		return nil, nil, err
	}
	d, err := synthesis.Router(of)
	if err != nil {
		return nil, nil, err
	}
	network := func(path string) bool { return path == "rtl/"+of.Name+"_network.v" }
	return d.Files, slices.DeleteFunc(strings.Fields(d.Files["filelist.f"]), network), nil
}

// library are the patterns of the modules of routers.
var library = []string{"hdl/*.v", "hdl/programmable/*.v"}

// modules reads the files of patterns.
func modules(patterns ...string) (synthesis.Files, error) {
	all := synthesis.Files{}
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			all[filepath.ToSlash(name)] = string(text)
		}
	}
	return all, nil
}

// errOther is the error of a unit whose files are not those of its input.
var errOther = errors.New("the Verilog is not that of the beginning of the experiment")

func (m *mapping) do(ctx context.Context) (map[string]int, error) {
	files, read, err := m.sources()
	if err != nil {
		return nil, err
	}
	if files.Hash() != m.Files {
		return nil, errOther
	}
	return files.Map(ctx, read, m.Commands)
}
