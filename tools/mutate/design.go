// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen"
	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/internal/smt"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// design is a machine whose router is mutated.
type design struct {
	p         *plan.Plan
	out       string // folder that hcgen makes
	dir       string // folder of this program, one for each set of inputs
	rtl       string // checksum of the Verilog; set of the one that an output folder gets the results of
	sources   string // hash of what is mutated and of the properties that it has to have
	mutations []mutation
	drawn     string              // hash of the mutations
	modules   map[string][]string // of the netlist, and what they are made of
	users     map[string][]int    // lines of properties that are asserted of the user of a module
}

// edition changes when results of an older program are not to be taken over.
const edition = "2"

// generate makes the files of a machine, as hcgen does, and finds the folder for the
// results of these inputs.
func (c *campaign) generate(ctx context.Context, file string) (*design, error) {
	text, err := readMachine(file)
	if err != nil {
		return nil, err
	}
	m, _, diags := machine.LoadBytes(file, text, nil)
	if diags.HasErrors() {
		return nil, &refused{diags.Error()}
	}
	d := &design{p: plan.New(m), users: map[string][]int{}}
	switch {
	case d.p.Programmable != nil:
		return nil, &refused{file + ": its router is programmable, and mutants are of specialized ones: set kind = \"specialized\""}
	case !m.Network:
		return nil, &refused{file + ": no network is generated, and mutants are of a router in its network: choose network = true, or a smaller machine"}
	}
	d.out = filepath.Join(c.work, m.Name, "out")
	files, err := assemble.Files(d.p, assemble.Options{})
	if err != nil {
		return nil, err
	}
	meta := output.Meta{Version: "mutate", Machine: m.Name, ConfigHash: m.Hash}
	if err := output.Write(ctx, d.out, files, meta, output.Options{}); err != nil {
		return nil, err
	}
	manifest, err := os.ReadFile(filepath.Join(d.out, "manifest.json"))
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	hash.Write(manifest)
	if err := fs.WalkDir(hdl.Proofs, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(hdl.Proofs, path)
		hash.Write(text)
		return err
	}); err != nil {
		return nil, err
	}
	d.sources = hex.EncodeToString(hash.Sum(nil))
	inputs := sha256.New()
	fmt.Fprintf(inputs, "%s %s %d %d %d %q %q", edition, d.sources, c.count, c.wires, c.seed, c.filters, c.tools)
	d.dir = filepath.Join(c.work, m.Name, hex.EncodeToString(inputs.Sum(nil))[:12])
	return d, os.MkdirAll(d.dir, 0o777)
}

// assumedOfUser finds assumptions about who uses a module.
var assumedOfUser = regexp.MustCompile(`assume \(.*\);  // asserted of `)

// prepare reads the design into Yosys, with the properties of its modules, and draws the
// mutations. What Yosys calls its cells is the same in all that is made of base.il.
func (c *campaign) prepare(ctx context.Context, d *design) error {
	list, err := os.ReadFile(filepath.Join(d.out, "filelist.f"))
	if err != nil {
		return err
	}
	for _, folder := range []string{"rtl", "properties"} {
		if err := os.MkdirAll(filepath.Join(d.dir, folder), 0o777); err != nil {
			return err
		}
	}
	read := "read_verilog -formal -I."
	for _, name := range strings.Fields(string(list)) {
		text, err := os.ReadFile(filepath.Join(d.out, name))
		if err != nil {
			return err
		}
		if name == "rtl/"+d.p.NetworkModule+".v" {
			continue
		}
		base := filepath.Base(name)
		if properties, err := d.properties(strings.TrimSuffix(base, ".v")); err == nil {
			text = []byte(strings.Replace(string(text), "\nendmodule\n", "\n`include \"properties/"+base+"\"\nendmodule\n", 1))
			if err := os.WriteFile(filepath.Join(d.dir, "properties", base), properties, 0o666); err != nil {
				return err
			}
			for i, line := range strings.Split(string(properties), "\n") {
				if assumedOfUser.MatchString(line) {
					d.users[base] = append(d.users[base], i+1)
				}
			}
		}
		if err := os.WriteFile(filepath.Join(d.dir, name), text, 0o666); err != nil {
			return err
		}
		read += " " + name
	}
	script := []string{read, "hierarchy -check -top " + d.p.RouterModule, "proc", "opt_clean",
		// what an arbiter of one requester assumes of two different ones cannot be
		"delete " + lonelyArbiter + "/t:$assert " + lonelyArbiter + "/t:$assume " + lonelyArbiter + "/t:$cover",
		"write_rtlil base.il",
		"select -set design * a:src=properties/* %d"}
	for i, filter := range c.filters {
		script = append(script, fmt.Sprintf("mutate -list %d -seed %d -o list%d.txt -ctrl mutant 32 1 %s @design", c.count, c.seed, i, filter))
	}
	if err := smt.Yosys(ctx, d.dir, "base", script...); err != nil {
		return err
	}
	d.mutations = nil
	for i, filter := range c.filters {
		text, err := os.ReadFile(filepath.Join(d.dir, fmt.Sprintf("list%d.txt", i)))
		if err != nil {
			return err
		}
		drawn, err := parseMutations(string(text))
		if err != nil {
			return err
		}
		if len(drawn) < c.count {
			return &refused{fmt.Sprintf("%s has %d mutations %s, -count asks for %d", d.p.Name, len(drawn), filter, c.count)}
		}
		for _, m := range drawn {
			m.Number = len(d.mutations) + 1
			d.mutations = append(d.mutations, m)
		}
	}
	text, err := os.ReadFile(filepath.Join(d.dir, "base.il"))
	if err != nil {
		return err
	}
	d.modules = instances(string(text))
	network, err := d.swaps(c.wires)
	if err != nil {
		return err
	}
	d.mutations = append(d.mutations, network...)
	hash := sha256.New()
	for _, m := range d.mutations {
		fmt.Fprintln(hash, m.Number, m.Command, m)
	}
	d.drawn = hex.EncodeToString(hash.Sum(nil))
	return nil
}

// lonelyArbiter are the modules <machine>_hc_arbiter with one requester. A tree arbiter with one assumes nothing of two.
const lonelyArbiter = "*hc_arbiter*REQUESTERS=*00000001"

// has reports whether a module of the netlist has properties.
func (d *design) has(module string) bool {
	if sourceName(module) == d.p.Name+"_hc_arbiter" && strings.HasSuffix(module, "00000001") {
		return false
	}
	_, err := d.properties(sourceName(module))
	return err == nil
}

// properties are those of a module, which name library modules as the output folder does.
func (d *design) properties(module string) ([]byte, error) {
	text, err := fs.ReadFile(hdl.Proofs, "proofs/"+strings.TrimPrefix(module, d.p.Name+"_")+".v")
	return gen.WithPrefix(d.p.Name, text), err
}

// withoutProperties leaves of the modules what is hardware. Of a mutant whose registers are
// looked at only dropProperties may be run: a register that it no longer uses must stay.
var withoutProperties = []string{dropProperties, "opt_clean"}

const dropProperties = "delete t:$assert t:$assume t:$cover t:$anyconst t:$anyseq"

// refused is an error of the user.
type refused struct{ text string }

func (r *refused) Error() string { return r.text }

// missing is a tool that is not installed.
type missing struct{ tool string }

func (m *missing) Error() string { return m.tool + " is not installed: make setup installs it" }

// checkTools makes sure that all tools are there, before the minutes that they take, and
// asks those that decide about mutants for their versions.
func checkTools(ctx context.Context) (versions map[string]string, err error) {
	for _, tool := range slices.Concat(smt.Tools, []string{"verilator", "make", "g++", "sh", "timeout", "cksum"}) {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, &missing{tool}
		}
	}
	versions = map[string]string{}
	for tool, option := range map[string]string{"yosys": "-V", "verilator": "--version", "z3": "--version"} {
		text, err := exec.CommandContext(ctx, tool, option).Output()
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", tool, option, err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		versions[tool] = first
	}
	return versions, nil
}

// exitCode is that of a program that has ended, and whether it has by itself.
func exitCode(err error) (code int, ended bool) {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, true
	case errors.As(err, &exit) && exit.Exited():
		return exit.ExitCode(), true
	}
	return -1, false
}
