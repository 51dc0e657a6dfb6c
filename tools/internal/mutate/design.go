// SPDX-License-Identifier: Apache-2.0

// Package mutate changes the generated router of a machine in small ways, with the command mutate of Yosys,
// and wires of its network, and finds the check that detects each change: the benches with the golden
// traces, the proofs of the modules, or the proof of the router. A mutant that no check detects is compared
// with the unchanged router.
//
// Prepare makes the folder of a design once, for all its mutants:
//
//	design.json   the Design
//	out           the output folder of hcgen
//	base.il       the netlist of the router, with the properties of its modules
//	benches       an output folder whose benches have all mutants, and select one by its number
package mutate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/gen/prefix"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/internal/smt"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

// described are the machines that are mutated by default.
//
//go:embed machines/*.hcl
var described embed.FS

// Settings choose the mutants of a design.
type Settings struct {
	Count   int      // mutations of the router that are drawn for each filter
	Wires   int      // pairs of wires of the network that change places
	Seed    uint64   // of the mutations of the router
	Filters []string // options of mutate -list
}

// Design is a machine whose router and network are mutated.
type Design struct {
	Name        string // of the description, or its file
	Description []byte
	Modules     map[string]module // of the router, by their names in the netlist
	Registers   []register        // of the flattened router
	Mutations   []Mutation

	Folder string `json:"-"`
	dir    string // the folder, absolute
	p      *plan.Plan
}

// module is a module of the netlist.
type module struct {
	Source string   // its name in the source, without parameters
	Parts  []string // the modules that it has instances of
}

// register is a register of the flattened router.
type register struct {
	Name string
	Bits int
}

// Machine is the name of the machine.
func (d *Design) Machine() string { return d.p.Name }

// Refused is a mistake in what the user asks for.
type Refused struct{ text string }

func (r *Refused) Error() string { return r.text }

// packages are those of Debian with tools that have another name.
var packages = map[string]string{"yosys-smtbmc": "yosys", "sh": "dash", "timeout": "coreutils", "cksum": "coreutils"}

// Tools returns the versions of the tools that decide about mutants. The error wraps *process.ToolError if one
// that is needed is not installed.
func Tools(ctx context.Context) (versions map[string]string, err error) {
	for _, tool := range slices.Concat(smt.Tools, []string{"verilator", "make", "g++", "sh", "timeout", "cksum"}) {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, &process.ToolError{Tool: tool, Debian: packages[tool], Err: exec.ErrNotFound}
		}
	}
	versions = map[string]string{}
	for tool, option := range map[string]string{"yosys": "-V", "verilator": "--version", "z3": "--version"} {
		text, err := process.Command(ctx, tool, option).Output()
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", tool, option, err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		versions[tool] = first
	}
	return versions, nil
}

// Load reads the description of a machine, which is one of the folder machines or a file.
func Load(name string) (*Design, error) {
	text, err := described.ReadFile("machines/" + name + ".hcl")
	if err != nil {
		if text, err = os.ReadFile(name); err != nil {
			return nil, &Refused{fmt.Sprintf("%v: neither a file nor one of tools/internal/mutate/machines", err)}
		}
	}
	d := &Design{Name: name, Description: text}
	return d, d.plan()
}

// plan makes the plan of the machine.
func (d *Design) plan() error {
	m, _, diags := machine.LoadBytes(d.Name, d.Description, nil, machine.WithSchedules(schedule.LoadFile, schedule.Messages))
	switch {
	case diags.HasErrors():
		return &Refused{diags.Error()}
	case m.Programmable != nil:
		return &Refused{d.Name + ": its router is programmable, and mutants are of specialized ones: set kind = \"specialized\""}
	case !m.Network:
		return &Refused{d.Name + ": no network is generated, and mutants are of a router in its network: choose network = true, or a smaller machine"}
	}
	d.p = plan.New(m)
	return nil
}

// folderName names the folder of a design by all that its mutants follow from.
func folderName(p *plan.Plan, s Settings, versions map[string]string) (string, error) {
	inputs, err := json.Marshal([]any{p.Machine.Hash, s, versions})
	return fmt.Sprintf("%s-%.6x", p.Name, sha256.Sum256(inputs)), err
}

// Open reads the design in its folder, which is in another one. Versions are those of the tools and of this
// program. The error is fs.ErrNotExist if Prepare has not made the folder.
func (d *Design) Open(folder string, s Settings, versions map[string]string) error {
	name, err := folderName(d.p, s, versions)
	if err != nil {
		return err
	}
	d.Folder = filepath.Join(folder, name)
	return d.open()
}

// Prepare makes the folder of a design that Open has not found. Other runs may do so at the same time: the first one
// to end makes it.
func (d *Design) Prepare(ctx context.Context, s Settings, messages io.Writer) error {
	folder := filepath.Dir(d.Folder)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(folder, "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if d.dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	fmt.Fprintf(messages, "mutate: %s: drawing mutants and building benches\n", d.p.Name)
	if err := d.prepare(ctx, s); err != nil {
		return err
	}
	if err := os.Rename(dir, d.Folder); err != nil && !errors.Is(err, fs.ErrExist) { // another run has made it
		return err
	}
	return d.open()
}

// open reads the design in its folder.
func (d *Design) open() error {
	dir, err := filepath.Abs(d.Folder)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, "design.json"))
	if err != nil {
		return err
	}
	*d = Design{Folder: d.Folder, dir: dir}
	if err := json.Unmarshal(text, d); err != nil {
		return err
	}
	return d.plan()
}

// prepare fills the folder of a design.
func (d *Design) prepare(ctx context.Context, s Settings) error {
	files, err := assemble.Files(d.p, assemble.Options{})
	if err != nil {
		return err
	}
	meta := output.Meta{Version: "mutate", Machine: d.p.Name, ConfigHash: d.p.Machine.Hash}
	if err := output.Write(ctx, d.file("out"), files, meta, output.Options{}); err != nil {
		return err
	}
	if err := d.read(ctx, s); err != nil {
		return err
	}
	if err := d.build(ctx); err != nil {
		return err
	}
	known, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return os.WriteFile(d.file("design.json"), known, 0o666)
}

// file is a path in the folder of the design.
func (d *Design) file(parts ...string) string {
	return filepath.Join(append([]string{d.dir}, parts...)...)
}

// netlist is what is read of a design in the JSON of Yosys.
type netlist struct {
	Modules map[string]struct {
		Attributes struct{ HDLName string }
		Ports      map[string]struct{ Bits []any }
		Cells      map[string]struct{ Type string }
	}
}

func readNetlist(file string) (n netlist, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return n, err
	}
	return n, json.Unmarshal(text, &n)
}

// read reads the design into Yosys, with the properties of its modules, and draws the mutations. Mutations name
// cells as base.il does, so everything is made of it.
func (d *Design) read(ctx context.Context, s Settings) error {
	read, err := d.withProperties()
	if err != nil {
		return err
	}
	script := []string{read, "hierarchy -check -top " + d.p.RouterModule, "proc", "opt_clean",
		// what an arbiter of one requester assumes of two different ones cannot be
		"delete " + lonelyArbiter + "/t:$assert " + lonelyArbiter + "/t:$assume " + lonelyArbiter + "/t:$cover",
		"write_rtlil base.il", "write_json base.json",
		"select -set design * a:src=properties/* %d"}
	for i, filter := range s.Filters {
		script = append(script, fmt.Sprintf("mutate -list %d -seed %d -o list%d.txt -ctrl mutant 32 1 %s @design", s.Count, s.Seed, i, filter))
	}
	script = append(script, dropProperties, "opt_clean", "flatten", "expose -dff", "write_json flat.json")
	if err := smt.Yosys(ctx, d.dir, "base", script...); err != nil {
		return err
	}
	base, err := readNetlist(d.file("base.json"))
	if err != nil {
		return err
	}
	d.Modules = map[string]module{}
	for name, m := range base.Modules {
		known := module{Source: name}
		if m.Attributes.HDLName != "" { // with parameters
			known.Source = strings.TrimPrefix(m.Attributes.HDLName, `\`)
		}
		for _, cell := range m.Cells {
			if _, is := base.Modules[cell.Type]; is && !slices.Contains(known.Parts, cell.Type) {
				known.Parts = append(known.Parts, cell.Type)
			}
		}
		d.Modules[name] = known
	}
	flat, err := readNetlist(d.file("flat.json"))
	if err != nil {
		return err
	}
	registers := flat.Modules[d.p.RouterModule].Ports
	for _, w := range d.p.RouterWires() {
		delete(registers, w.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(registers)) {
		d.Registers = append(d.Registers, register{name, len(registers[name].Bits)})
	}
	return d.draw(s)
}

// withProperties writes the Verilog of the router and its modules, with their properties, and returns the
// command of Yosys that reads it.
func (d *Design) withProperties() (read string, err error) {
	for _, folder := range []string{"rtl", "properties"} {
		if err := os.Mkdir(d.file(folder), 0o777); err != nil {
			return "", err
		}
	}
	list, err := os.ReadFile(d.file("out", "filelist.f"))
	if err != nil {
		return "", err
	}
	read = "read_verilog -formal -I."
	for _, name := range strings.Fields(string(list)) {
		if name == "rtl/"+d.p.NetworkModule+".v" {
			continue
		}
		text, err := os.ReadFile(d.file("out", name))
		if err != nil {
			return "", err
		}
		base := filepath.Base(name)
		if properties, err := d.properties(strings.TrimSuffix(base, ".v")); err == nil {
			text = bytes.Replace(text, []byte("\nendmodule\n"), []byte("\n`include \"properties/"+base+"\"\nendmodule\n"), 1)
			if err := os.WriteFile(d.file("properties", base), properties, 0o666); err != nil {
				return "", err
			}
		}
		if err := os.WriteFile(d.file(name), text, 0o666); err != nil {
			return "", err
		}
		read += " " + name
	}
	return read, nil
}

// lonelyArbiter are the modules <machine>_hc_arbiter with one requester. A tree arbiter with one assumes nothing of two.
const lonelyArbiter = "*hc_arbiter*REQUESTERS=*00000001"

// proved reports whether a module of the netlist has properties.
func (d *Design) proved(name string) bool {
	source := d.Modules[name].Source
	if source == d.p.Name+"_hc_arbiter" && strings.HasSuffix(name, "00000001") {
		return false
	}
	_, err := d.properties(source)
	return err == nil
}

// properties are those of a module of the source, which name library modules as the output folder does.
func (d *Design) properties(source string) ([]byte, error) {
	text, err := fs.ReadFile(hdl.Proofs, "proofs/"+strings.TrimPrefix(source, d.p.Name+"_")+".v")
	return prefix.Text(d.p.Name, text), err
}

// dropProperties leaves of the modules what is hardware.
const dropProperties = "delete t:$assert t:$assume t:$cover t:$anyconst t:$anyseq"
