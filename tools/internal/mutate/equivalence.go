// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/internal/smt"
	"github.com/hcgen/hcgen/plan"
)

// Verdicts of a comparison.
const (
	Equivalent = "equivalent"
	Reachable  = "equivalent in every reachable state"
	Differs    = "differs"
	Unknown    = "not shown"
)

// How many cycles from reset on are searched for a difference, and how long that may take.
const (
	searchedCycles = 24
	longestSearch  = 4 * time.Minute
)

// compare reports whether a mutant is equivalent to the router: by induction alone, by induction with the
// properties of the modules, which hold in every reachable state, or by a search from reset on.
func (d *Design) compare(ctx context.Context, m Mutation, dir string) (verdict, detail string, err error) {
	for _, assuming := range []bool{false, true} {
		if err := d.pair(ctx, m, dir, assuming); err != nil {
			return "", "", err
		}
		claims := d.claims()
		given, err := d.induct(ctx, claims, dir)
		switch {
		case errors.Is(err, smt.ErrNoResult):
		case err != nil:
			return "", "", err
		case given == 0 && !assuming:
			return Equivalent, "", nil
		case given >= 0:
			return Reachable, "", nil
		}
	}
	// Not by induction: is there a run that shows it?
	if err := d.pair(ctx, m, dir, false); err != nil {
		return "", "", err
	}
	goals := slices.DeleteFunc(d.claims(), func(c claim) bool { return !c.goal })
	f, err := d.both(goals).formula(ctx, dir)
	if err != nil {
		return "", "", err
	}
	v, err := f.Solve(ctx, longestSearch, smt.Base(searchedCycles))
	switch {
	case errors.Is(err, smt.ErrNoResult):
		return Unknown, "no difference was found in " + longestSearch.String(), nil
	case err != nil:
		return "", "", err
	case v.Passed:
		return Unknown, fmt.Sprintf("no difference in the first %d cycles", searchedCycles), nil
	}
	broken, err := failed(v)
	if err != nil {
		return "", "", err
	}
	return Differs, fmt.Sprintf("in cycle %d: %s", v.Step, strings.Join(strings.Fields(strings.ReplaceAll(goals[broken[0]].text, `\`, "")), " ")), nil
}

// pair writes routers.il with the flat router, called good, and its mutant, called bad. Both have their
// registers as outputs, also those that the mutant does not use.
func (d *Design) pair(ctx context.Context, m Mutation, dir string, assuming bool) error {
	expose := "expose"
	for _, r := range d.Registers {
		expose += " w:" + r.Name
	}
	flat := []string{"hierarchy -top " + d.p.RouterModule, "flatten", expose}
	read := "read_rtlil " + d.file("base.il")
	properties := dropProperties
	if assuming {
		properties = "delete t:$cover\nchtype -set $assume t:$assert"
	}
	return smt.Yosys(ctx, dir, "routers", slices.Concat(
		[]string{read, m.Command, dropProperties}, flat, []string{"rename " + d.p.RouterModule + " bad", "design -stash bad"},
		[]string{read, properties}, flat, []string{"rename " + d.p.RouterModule + " good", "design -copy-from bad bad", "write_rtlil routers.il"})...)
}

// proveInvariants shows of the router without a mutation that all properties of its modules hold together,
// what they assume of each other included, and that messages go through where they are assumed.
func (d *Design) proveInvariants(ctx context.Context, dir string) error {
	around, err := d.assumptions()
	if err != nil {
		return err
	}
	for _, step := range []struct {
		what       string
		properties []string
		covers     bool
		tasks      []smt.Task
	}{
		// from the first cycle after reset on
		{"the properties of all modules together", around, false, []smt.Task{{"-t", "1:4"}, smt.Induction(3)}},
		{"messages under the properties of all modules", []string{"chtype -set $assume t:$assert"}, true, []smt.Task{smt.Cover(8)}},
	} {
		if err := smt.Yosys(ctx, dir, "routers", slices.Concat([]string{"read_rtlil " + d.file("base.il"), "delete t:$cover"}, step.properties,
			[]string{"hierarchy -top " + d.p.RouterModule, "flatten", "rename " + d.p.RouterModule + " good", "write_rtlil routers.il"})...); err != nil {
			return err
		}
		x := d.alone()
		x.Covers = step.covers
		f, err := x.formula(ctx, dir)
		if err != nil {
			return err
		}
		for _, task := range step.tasks {
			v, err := f.Solve(ctx, 2*longestProof, task)
			if err != nil {
				return fmt.Errorf("%s: %w", step.what, err)
			}
			if !v.Passed {
				return fmt.Errorf("%s fail: %d of %d covers are reached; %s", step.what, v.Reached, f.Covers, strings.Join(v.Failures, ", "))
			}
		}
	}
	return nil
}

// symbolic finds what a file of properties leaves open.
var symbolic = regexp.MustCompile(`\(\* anyconst \*\)[^;]*?(\w+);`)

// assumptions returns the commands of Yosys that turn what properties assume of the surroundings of their module,
// which in a router are other modules, into assertions. Yosys states where an assumption ends, but not where it begins.
func (d *Design) assumptions() (script []string, err error) {
	err = fs.WalkDir(hdl.Proofs, "proofs", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(hdl.Proofs, path)
		if err != nil {
			return err
		}
		own := []string{"assume (rst)"}
		for _, found := range symbolic.FindAllStringSubmatch(string(text), -1) {
			own = append(own, "assume ("+found[1]+" ")
		}
		for i, line := range strings.Split(string(text), "\n") {
			of := func(own string) bool { return strings.Contains(line, own) }
			if strings.Contains(line, "assume (") && !slices.ContainsFunc(own, of) {
				script = append(script, fmt.Sprintf("chtype -set $assert t:$assume a:src=properties/%s_%s:*-%d.* %%i", d.p.Name, e.Name(), i+1))
			}
		}
		return nil
	})
	return script, err
}

// claim is something that a comparison asserts of both routers in every cycle.
type claim struct {
	text string
	goal bool // of the ports; the others only help, and are given up where they do not hold
}

// of is a signal of one of the two routers.
func of(router, name string) string { return `\` + router + "." + name + " " }

// lane is a lane of a vector.
func lane(vector string, i, bits int) string {
	return fmt.Sprintf("%s[%d:%d]", vector, (i+1)*bits-1, i*bits)
}

// equal claims that a lane of a signal is equal in both routers, or whether it is where a condition holds.
func equal(condition, name string, i, bits int) string {
	return fmt.Sprintf("%s || %s == %s", condition, lane(of("good", name), i, bits), lane(of("bad", name), i, bits))
}

// claims are what a comparison begins with. Of registers that hold data the second, weaker claim is that they
// are equal where they are in use.
func (d *Design) claims() (all []claim) {
	goal := func(text string) { all = append(all, claim{text, true}) }
	help := func(text string) { all = append(all, claim{text, false}) }
	for _, w := range d.p.RouterWires() {
		stream, field := streamOf(w.Name), fieldOf(w.Name)
		good, bad := of("good", w.Name), of("bad", w.Name)
		switch {
		case !w.Output:
		case field == "ready":
			goal(fmt.Sprintf("(%s & %s_tvalid) == (%s & %s_tvalid)", good, stream, bad, stream))
		case field == "" || field == "valid":
			goal(good + "== " + bad)
		default: // while valid
			for i := range w.Lanes {
				goal(equal(fmt.Sprintf("!%s[%d]", of("good", stream+"_tvalid"), i), w.Name, i, w.Bits))
			}
		}
	}
	bits := map[string]int{}
	for _, r := range d.Registers {
		bits[r.Name] = r.Bits
	}
	for _, r := range d.Registers {
		help(of("good", r.Name) + "== " + of("bad", r.Name))
		if output, is := strings.CutSuffix(r.Name, "data_q"); is && bits[output+"full_q"] > 0 {
			help(equal("!"+of("good", output+"full_q"), r.Name, 0, r.Bits))
		}
		// The oldest message of an input is in head_q, the others in slots_q.
		if input, is := strings.CutSuffix(r.Name, "head_q"); is && bits[input+"free_q"] > 0 {
			help(equal(of("good", input+"free_q")+"[0]", r.Name, 0, r.Bits))
		}
		if input, is := strings.CutSuffix(r.Name, "queue.slots_q"); is && bits[input+"free_q"] > 1 {
			slots := bits[input+"free_q"] - 1
			for i := range slots {
				help(equal(fmt.Sprintf("%s[%d]", of("good", input+"free_q"), i+1), r.Name, i, r.Bits/slots))
			}
		}
	}
	return all
}

// fieldOf is what a port of a stream carries, such as data for m_axis_link_tdata. Other ports have no field.
func fieldOf(port string) string {
	if at := strings.LastIndex(port, "_t"); strings.Contains(port, "_axis_") {
		return port[at+len("_t"):]
	}
	return ""
}

// streamOf is the name of the stream of a port, if it has one.
func streamOf(port string) string { return strings.TrimSuffix(port, "_t"+fieldOf(port)) }

// induct proves claims by induction, and gives up those of registers that do not hold. given is their number,
// or -1 if a claim of a port does not hold.
func (d *Design) induct(ctx context.Context, claims []claim, dir string) (given int, err error) {
	for {
		f, err := d.both(claims).formula(ctx, dir)
		if err != nil {
			return 0, err
		}
		var broken []int
		for _, task := range []smt.Task{smt.Base(2), smt.Induction(1)} {
			v, err := f.Solve(ctx, longestProof, task)
			if err != nil {
				return 0, err
			}
			if broken, err = failed(v); err != nil {
				return 0, fmt.Errorf("%s: %w", dir, err)
			}
			if len(broken) > 0 {
				break
			}
		}
		if len(broken) == 0 {
			return given, nil
		}
		var kept []claim
		for i, c := range claims {
			if c.goal || !slices.Contains(broken, i) {
				kept = append(kept, c)
			}
		}
		if len(kept) == len(claims) {
			return -1, nil // what fails is at the ports
		}
		given += len(claims) - len(kept)
		claims = kept
	}
}

// failed lists the claims that do not hold. Each has a line of claims.v.
func failed(v smt.Verdict) (claims []int, err error) {
	for _, place := range v.Failures {
		var line int
		if _, err := fmt.Sscanf(place, "claims.v:%d.", &line); err != nil {
			return nil, fmt.Errorf("what fails is no claim: %s", place)
		}
		claims = append(claims, line-1)
	}
	return claims, nil
}

//go:embed comparison.v.tmpl
var comparisonText string

var comparisonTemplate = template.Must(template.New("").Option("missingkey=error").Funcs(template.FuncMap{"of": of, "stream": streamOf, "field": fieldOf}).Parse(comparisonText))

// comparison is what the template of a comparison prints.
type comparison struct {
	*plan.Plan
	Constant  plan.Place
	Routers   []string
	Registers []register // compared; none of a router that is alone
	Covers    bool       // messages are to come out
	claims    []claim
}

// alone is a comparison of the router with its properties.
func (d *Design) alone() *comparison {
	return &comparison{Plan: d.p, Constant: plan.Constant, Routers: []string{"good"}}
}

// both is a comparison of the router and its mutant.
func (d *Design) both(claims []claim) *comparison {
	return &comparison{Plan: d.p, Constant: plan.Constant, Routers: []string{"good", "bad"}, Registers: d.Registers, claims: claims}
}

// formula makes the formula of the comparison of routers.il.
func (x *comparison) formula(ctx context.Context, dir string) (f smt.Formula, err error) {
	var text, claims strings.Builder
	if err := comparisonTemplate.Execute(&text, x); err != nil {
		return f, err
	}
	for _, c := range x.claims {
		fmt.Fprintf(&claims, "always @* if (!begins) assert (%s);\n", c.text)
	}
	for name, text := range map[string]string{"comparison.v": text.String(), "claims.v": claims.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return f, err
		}
	}
	f, err = smt.Compile(ctx, dir, "comparison", "read_rtlil routers.il", "read_verilog -formal -I. comparison.v",
		"hierarchy -check -top comparison", "proc", "flatten", "opt_expr -keepdc", "opt_clean", "memory_map", "opt_expr -keepdc")
	if err == nil && f.Assertions+f.Covers == 0 {
		err = fmt.Errorf("%s: the formula of the comparison has neither assertions nor covers", dir)
	}
	return f, err
}
