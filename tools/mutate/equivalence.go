// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/internal/smt"
)

// register is one of the flattened router.
type register struct {
	name string
	bits int
}

// wire is a port of the router.
type wire struct {
	name  string
	input bool
	bits  int
}

// claim is something that a comparison asserts of both routers in every cycle.
type claim struct {
	text string
	goal bool // of the ports; the others only help, and are given up where they do not hold
}

// How long is searched for a difference from reset on, and how long it may take.
const (
	searchedCycles = 24
	longestSearch  = 4 * time.Minute
)

// ports of the router, as Yosys has them.
func (d *design) ports(dir string) ([]wire, error) {
	text, err := os.ReadFile(filepath.Join(dir, "ports.json"))
	if err != nil {
		return nil, err
	}
	var netlist struct {
		Modules map[string]struct {
			Ports map[string]struct {
				Direction string
				Bits      []any
			}
		}
	}
	if err := json.Unmarshal(text, &netlist); err != nil {
		return nil, err
	}
	var ports []wire
	for name, p := range netlist.Modules[d.p.RouterModule].Ports {
		ports = append(ports, wire{name, p.Direction == "input", len(p.Bits)})
	}
	slices.SortFunc(ports, func(a, b wire) int { return strings.Compare(a.name, b.name) })
	return ports, nil
}

// known are the registers and the ports of the router without a mutation.
func (c *campaign) known(ctx context.Context, d *design) (ports []wire, registers []register, err error) {
	dir := filepath.Join(d.dir, "equivalence")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, nil, err
	}
	script := append([]string{"read_rtlil ../base.il"}, withoutProperties...)
	script = append(script, "flatten", "expose -dff", "write_json ports.json.new")
	if _, err := os.Stat(filepath.Join(dir, "ports.json")); err != nil {
		if err := smt.Yosys(ctx, dir, "ports", script...); err != nil {
			return nil, nil, err
		}
		if err := os.Rename(filepath.Join(dir, "ports.json.new"), filepath.Join(dir, "ports.json")); err != nil {
			return nil, nil, err
		}
	}
	all, err := d.ports(dir)
	if err != nil {
		return nil, nil, err
	}
	header, err := os.ReadFile(filepath.Join(d.out, "rtl", d.p.RouterModule+".v"))
	if err != nil {
		return nil, nil, err
	}
	var own []string
	for _, name := range port.FindAllStringSubmatch(string(header), -1) {
		own = append(own, name[1])
	}
	for _, p := range all {
		if slices.Contains(own, p.name) {
			ports = append(ports, p)
		} else {
			registers = append(registers, register{p.name, p.bits})
		}
	}
	if len(ports) != len(own) || len(registers) == 0 {
		return nil, nil, fmt.Errorf("the ports of %s are not understood", d.p.RouterModule)
	}
	return ports, registers, nil
}

// symbolic finds what a file of properties leaves open.
var symbolic = regexp.MustCompile(`\(\* anyconst \*\)[^;]*?(\w+);`)

// surroundings are the lines of properties that assume something of the surroundings of a
// module, which in a router are other modules: file:line, of the file in hdl.
func surroundings() ([]string, error) {
	var lines []string
	err := fs.WalkDir(hdl.Proofs, "proofs", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(hdl.Proofs, path)
		if err != nil {
			return err
		}
		open := symbolic.FindAllStringSubmatch(string(text), -1)
		for i, line := range strings.Split(string(text), "\n") {
			if !strings.Contains(line, "assume (") || strings.Contains(line, "assume (rst)") {
				continue
			}
			about := false
			for _, name := range open {
				about = about || strings.Contains(line, name[1]+" ")
			}
			if !about {
				lines = append(lines, fmt.Sprintf("%s:%d", e.Name(), i+1))
			}
		}
		return nil
	})
	return lines, err
}

// comparison is two routers with the same inputs, or one whose properties are asserted.
type comparison struct {
	d         *design
	ports     []wire
	registers []register
	claims    []claim
	alone     bool // one router
	covers    bool // of which is asked whether messages come out
}

func escaped(name string) string { return `\` + name + " " }

// of is a signal of one of the two.
func of(which, name string) string {
	return which + "_" + strings.NewReplacer(".", "__", "[", "_", "]", "_", "$", "_", ":", "_", "\\", "_").Replace(name)
}

// candidates are the claims of a comparison. Of registers that hold data the second, weaker
// one is that they are equal where they are in use.
func (x *comparison) candidates() {
	x.claims = nil
	for _, p := range x.ports {
		if p.input {
			continue
		}
		good, bad := of("good", p.name), of("bad", p.name)
		switch {
		case strings.HasSuffix(p.name, "_tvalid") || p.name == "header_error" || p.name == "pace":
			x.goal("%s == %s", good, bad)
		case strings.HasPrefix(p.name, "s_") && strings.HasSuffix(p.name, "_tready"):
			valid := strings.TrimSuffix(p.name, "ready") + "valid"
			x.goal("(%s & %s) == (%s & %s)", good, valid, bad, valid)
		default: // tdata and tid, while valid
			valid := of("good", regexp.MustCompile(`t(data|id)$`).ReplaceAllString(p.name, "tvalid"))
			lanes := x.width(regexp.MustCompile(`t(data|id)$`).ReplaceAllString(p.name, "tvalid"))
			each := p.bits / lanes
			for i := range lanes {
				x.goal("!%s[%d] || %s[%d:%d] == %s[%d:%d]", valid, i, good, (i+1)*each-1, i*each, bad, (i+1)*each-1, i*each)
			}
		}
	}
	have := map[string]int{}
	for _, r := range x.registers {
		have[r.name] = r.bits
	}
	for _, r := range x.registers {
		good, bad := of("good", r.name), of("bad", r.name)
		x.help("%s == %s", good, bad)
		if output, is := strings.CutSuffix(r.name, "data_q"); is && have[output+"full_q"] > 0 {
			x.help("!%s || %s == %s", of("good", output+"full_q"), good, bad)
		}
		if input, is := strings.CutSuffix(r.name, "head_q"); is && have[input+"room_q"] > 0 {
			x.help("%s[0] || %s == %s", of("good", input+"room_q"), good, bad)
		}
		if input, is := strings.CutSuffix(r.name, "queue.slots_q"); is && have[input+"room_q"] > 1 {
			slots := have[input+"room_q"] // that of the oldest message is head_q
			each := r.bits / (slots - 1)
			for i := range slots - 1 {
				x.help("%s[%d] || %s[%d:%d] == %s[%d:%d]", of("good", input+"room_q"), i+1, good, (i+1)*each-1, i*each, bad, (i+1)*each-1, i*each)
			}
		}
	}
}

func (x *comparison) goal(format string, values ...any) {
	x.claims = append(x.claims, claim{fmt.Sprintf(format, values...), true})
}

func (x *comparison) help(format string, values ...any) {
	x.claims = append(x.claims, claim{fmt.Sprintf(format, values...), false})
}

func (x *comparison) width(name string) int {
	for _, p := range x.ports {
		if p.name == name {
			return p.bits
		}
	}
	return 1
}

// verilog is the text of the comparison, in which every claim has a line of its own, and
// these lines by their numbers.
func (x *comparison) verilog() (text string, lines map[int]int) {
	var b strings.Builder
	lines = map[int]int{}
	line := 1
	put := func(format string, values ...any) {
		fmt.Fprintf(&b, format+"\n", values...)
		line++
	}
	put("module comparison (")
	first := true
	for _, p := range x.ports {
		if p.input {
			put("    %sinput [%d:0] %s", map[bool]string{true: "", false: ", "}[first], p.bits-1, p.name)
			first = false
		}
	}
	put(");")
	routers := []string{"good", "bad"}
	if x.alone {
		routers = routers[:1]
	}
	for _, which := range routers {
		for _, p := range x.ports {
			if !p.input {
				put("    wire [%d:0] %s;", p.bits-1, of(which, p.name))
			}
		}
		if !x.alone {
			for _, r := range x.registers {
				put("    wire [%d:0] %s;", r.bits-1, of(which, r.name))
			}
		}
		put("    %s %s (", which, which)
		for i, p := range x.ports {
			by := p.name
			if !p.input {
				by = of(which, p.name)
			}
			put("        %s.%s(%s)", map[bool]string{true: "", false: ", "}[i == 0], p.name, by)
		}
		if !x.alone {
			for _, r := range x.registers {
				put("        , .%s(%s)", escaped(r.name), of(which, r.name))
			}
		}
		put("    );")
	}
	put("    reg begins = 1'b1;")
	put("    always @(posedge clk) begins <= 1'b0;")
	put("    always @* if (begins) assume (rst);")
	// What is offered stays until it is taken.
	for _, p := range x.ports {
		stream, is := strings.CutSuffix(p.name, "_tvalid")
		if !is || !p.input {
			continue
		}
		data := x.width(stream + "_tdata")
		each := data / p.bits
		put("    reg [%d:0] waits_%s = 0;", p.bits-1, stream)
		put("    reg [%d:0] held_%s;", data-1, stream)
		put("    always @(posedge clk) waits_%s <= rst ? 0 : %s & ~%s;", stream, p.name, of("good", stream+"_tready"))
		put("    always @(posedge clk) held_%s <= %s_tdata;", stream, stream)
		for i := range p.bits {
			put("    always @* if (waits_%s[%d]) assume (%s[%d] && %s_tdata[%d:%d] == held_%s[%d:%d]);", stream, i,
				p.name, i, stream, (i+1)*each-1, i*each, stream, (i+1)*each-1, i*each)
		}
	}
	if x.width("node_id") > 1 {
		put("    reg [%d:0] node_id_q;", x.width("node_id")-1)
		put("    always @(posedge clk) node_id_q <= node_id;")
		put("    always @* if (!begins) assume (node_id == node_id_q);")
	}
	if x.covers {
		put("    always @* cover (!begins && |%s);", of("good", "m_axis_link_tvalid"))
		put("    always @* cover (!begins && |%s && |%s);", of("good", "m_axis_local_tvalid"), of("good", "s_axis_local_tready"))
	}
	if !x.alone {
		// Registers that are not reset hold anything at first, but the same in both.
		for _, r := range x.registers {
			put("    always @* if (begins) assume (%s == %s);", of("good", r.name), of("bad", r.name))
		}
		for i, claim := range x.claims {
			lines[line] = i
			put("    always @* if (!begins) assert (%s);", claim.text)
		}
	}
	put("endmodule")
	return b.String(), lines
}

// formula writes the comparison and turns it into one.
func (x *comparison) formula(ctx context.Context, dir, routers string) (f smt.Formula, lines map[int]int, err error) {
	text, lines := x.verilog()
	if err := os.WriteFile(filepath.Join(dir, "comparison.v"), []byte(text), 0o666); err != nil {
		return f, nil, err
	}
	f, err = smt.Compile(ctx, dir, "comparison", "read_rtlil "+routers, "read_verilog -formal comparison.v",
		"hierarchy -check -top comparison", "proc", "flatten", "opt_expr -keepdc", "opt_clean", "memory_map", "opt_expr -keepdc")
	if err == nil && f.Assertions+f.Covers == 0 {
		err = fmt.Errorf("%s: the formula of the comparison has neither assertions nor covers", dir)
	}
	return f, lines, err
}

// proveInvariants shows of the router without a mutation that all properties of its modules
// hold together, what they assume of each other included.
func (c *campaign) proveInvariants(ctx context.Context, d *design) error {
	ports, registers, err := c.known(ctx, d)
	if err != nil {
		return err
	}
	if err := c.good(ctx, d, registers); err != nil {
		return err
	}
	around, err := surroundings()
	if err != nil {
		return err
	}
	dir := filepath.Join(d.dir, "equivalence")
	script := []string{"read_rtlil ../base.il", "delete t:$cover"}
	for _, line := range around {
		script = append(script, fmt.Sprintf("chtype -set $assert t:$assume a:src=properties/%s_%s.* %%i", d.p.Name, line))
	}
	script = append(script, "hierarchy -top "+d.p.RouterModule, "flatten", "rename "+d.p.RouterModule+" good", "write_rtlil alone.il")
	if err := smt.Yosys(ctx, dir, "alone", script...); err != nil {
		return err
	}
	x := &comparison{d: d, ports: ports, alone: true}
	f, _, err := x.formula(ctx, dir, "alone.il")
	if err != nil {
		return err
	}
	// from the first cycle after reset on
	for _, task := range []smt.Task{{"-t", "1:4"}, smt.Induction(3)} {
		v, err := f.Solve(ctx, 2*longestProof, task)
		if err != nil {
			return fmt.Errorf("the properties of all modules together: %w", err)
		}
		if !v.Passed {
			return fmt.Errorf("%s: the properties of all modules do not hold together: %s", d.p.Name, v.Failures[0])
		}
	}
	// And where they are assumed, as below, something is left: messages go through.
	x.covers = true
	if f, _, err = x.formula(ctx, dir, "assuming.il"); err != nil {
		return err
	}
	v, err := f.Solve(ctx, 2*longestProof, smt.Cover(8))
	if err != nil {
		return fmt.Errorf("messages under the properties of all modules: %w", err)
	}
	if !v.Passed || v.Reached != 2 {
		return fmt.Errorf("%s: the properties of all modules leave no messages: %d of 2 covers are reached", d.p.Name, v.Reached)
	}
	return nil
}

// good writes the flattened router without a mutation, alone or with its properties as
// assumptions, with its registers as outputs.
func (c *campaign) good(ctx context.Context, d *design, registers []register) error {
	dir := filepath.Join(d.dir, "equivalence")
	for name, prepare := range map[string][]string{
		"plain":    withoutProperties,
		"assuming": {"delete t:$cover", "chtype -set $assume t:$assert"},
	} {
		script := append([]string{"read_rtlil ../base.il"}, prepare...)
		script = append(script, "hierarchy -top "+d.p.RouterModule, "flatten")
		script = append(script, exposing(registers), "rename "+d.p.RouterModule+" good", "write_rtlil "+name+".il")
		if err := smt.Yosys(ctx, dir, name, script...); err != nil {
			return err
		}
	}
	return nil
}

func exposing(registers []register) string {
	text := "expose"
	for _, r := range registers {
		text += " w:" + r.name
	}
	return text
}

// Verdicts of a comparison.
const (
	equivalent = "equivalent"
	reachable  = "equivalent in every reachable state"
	differs    = "differs"
	unknown    = "not shown"
)

// compare reports whether a mutant is equivalent to the router.
func (c *campaign) compare(ctx context.Context, d *design, mutation, dir string) (verdict, detail string, err error) {
	ports, registers, err := c.known(ctx, d)
	if err != nil {
		return "", "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", "", err
	}
	base, err := filepath.Abs(d.dir)
	if err != nil {
		return "", "", err
	}
	script := []string{"read_rtlil " + base + "/base.il", mutation, dropProperties}
	script = append(script, "hierarchy -top "+d.p.RouterModule, "flatten", exposing(registers), "rename "+d.p.RouterModule+" bad")
	for _, good := range []string{"plain", "assuming"} {
		script = append(script, "design -save mutant", "read_rtlil "+base+"/equivalence/"+good+".il", "write_rtlil "+good+".il", "design -load mutant")
	}
	if err := smt.Yosys(ctx, dir, "routers", script...); err != nil {
		return "", "", err
	}
	for _, good := range []string{"plain", "assuming"} {
		x := &comparison{d: d, ports: ports, registers: registers}
		x.candidates()
		all := len(x.claims)
		holds, err := induct(ctx, x, dir, good+".il")
		if err != nil && !errors.Is(err, smt.ErrNoResult) {
			return "", "", err
		}
		if holds {
			given := all - len(x.claims)
			if good == "plain" && given == 0 {
				return equivalent, "", nil
			}
			return reachable, "", nil
		}
	}
	// Not by induction: is there a run that shows it?
	x := &comparison{d: d, ports: ports, registers: registers}
	x.candidates()
	x.claims = slices.DeleteFunc(x.claims, func(c claim) bool { return !c.goal })
	f, lines, err := x.formula(ctx, dir, "plain.il")
	if err != nil {
		return "", "", err
	}
	v, err := f.Solve(ctx, longestSearch, smt.Base(searchedCycles))
	switch {
	case errors.Is(err, smt.ErrNoResult):
		return unknown, "no difference was found in " + longestSearch.String(), nil
	case err != nil:
		return "", "", err
	case v.Passed:
		return unknown, fmt.Sprintf("no difference in the first %d cycles", searchedCycles), nil
	}
	broken, err := failed(v, lines)
	if err != nil {
		return "", "", err
	}
	return differs, fmt.Sprintf("in cycle %d: %s", v.Step, x.claims[broken[0]].text), nil
}

// failed finds the claims that do not hold, by their lines.
func failed(v smt.Verdict, lines map[int]int) (claims []int, err error) {
	for _, place := range v.Failures {
		var line int
		if _, err := fmt.Sscanf(place, "comparison.v:%d.", &line); err != nil {
			return nil, fmt.Errorf("what fails is not in the comparison: %s", place)
		}
		i, is := lines[line]
		if !is {
			return nil, fmt.Errorf("line %d of the comparison is no claim", line)
		}
		claims = append(claims, i)
	}
	return claims, nil
}

// induct proves the claims of a comparison by induction, giving up those of registers that
// do not hold.
func induct(ctx context.Context, x *comparison, dir, routers string) (bool, error) {
	for {
		f, lines, err := x.formula(ctx, dir, routers)
		if err != nil {
			return false, err
		}
		var broken []int
		for _, task := range []smt.Task{smt.Base(2), smt.Induction(1)} {
			v, err := f.Solve(ctx, longestProof, task)
			if err != nil {
				return false, err
			}
			if broken, err = failed(v, lines); err != nil {
				return false, fmt.Errorf("%s: %w", dir, err)
			}
			if len(broken) > 0 {
				break
			}
		}
		if len(broken) == 0 {
			return true, nil
		}
		kept := len(x.claims)
		for i := len(x.claims) - 1; i >= 0; i-- {
			if slices.Contains(broken, i) && !x.claims[i].goal {
				x.claims = slices.Delete(x.claims, i, i+1)
			}
		}
		if len(x.claims) == kept {
			return false, nil // what fails is at the ports
		}
	}
}
