// SPDX-License-Identifier: Apache-2.0

package synthesis

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/synth"
	"github.com/hcgen/hcgen/internal/process"
)

// Files are texts by their slash-separated paths.
type Files map[string]string

// Hash identifies the files.
func (f Files) Hash() string {
	sum := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(sum, "%q %q\n", path, f[path])
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// write writes the files into a folder.
func (f Files) write(folder string) error {
	for path, text := range f {
		name := filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Map reads files of Verilog with Yosys, in this order, which has an influence on the result, runs commands on them, and returns
// the cells of the design by type.
func (f Files) Map(ctx context.Context, paths []string, commands string) (map[string]int, error) {
	stat, err := f.yosys(ctx, "read_verilog", paths, commands, "tee -q -o result stat")
	if err != nil {
		return nil, err
	}
	return Stat(string(stat))
}

// Ports reads files of Verilog with Yosys, and returns the ports of a module with these parameters, by name. Modules below it get
// their parameters before they are read: with the defaults they may need modules that the files lack.
func (f Files) Ports(ctx context.Context, paths []string, top string, parameters map[string]int) ([]synth.Port, error) {
	commands := "hierarchy -check -top " + top
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		commands += fmt.Sprintf(" -chparam %s %d", name, parameters[name])
	}
	text, err := f.yosys(ctx, "read_verilog -defer", paths, commands+"; proc", "write_json result")
	if err != nil {
		return nil, err
	}
	var netlist struct {
		Modules map[string]struct {
			Attributes map[string]any
			Ports      map[string]struct {
				Direction string
				Bits      []any
			}
		}
	}
	if err := json.Unmarshal(text, &netlist); err != nil {
		return nil, err
	}
	var ports []synth.Port
	for _, module := range netlist.Modules {
		if module.Attributes["top"] == nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(module.Ports)) {
			p := module.Ports[name]
			if p.Direction == "inout" {
				return nil, fmt.Errorf("the port %s of %s is an inout, which a wrapper of registers cannot drive", name, top)
			}
			ports = append(ports, synth.Port{Name: name, Output: p.Direction == "output", Bits: len(p.Bits)})
		}
	}
	return ports, nil
}

// yosys reads files of Verilog, runs commands, and returns the file result that the last of them writes.
func (f Files) yosys(ctx context.Context, read string, paths []string, commands, last string) ([]byte, error) {
	work, err := os.MkdirTemp("", "hcgen-synthesis-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	if err := f.write(work); err != nil {
		return nil, err
	}
	cmd := process.Command(ctx, "yosys", "-q", "-p", fmt.Sprintf("%s %s; %s; %s", read, strings.Join(paths, " "), commands, last))
	cmd.Dir = work
	text, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("yosys %s: %w\n%s", commands, err, bytes.TrimSpace(text))
	}
	return os.ReadFile(filepath.Join(work, "result"))
}
