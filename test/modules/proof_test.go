// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/smt"
)

// ringTable holds the constants of every ring of the prototype from package hypercycle, as
// a Verilog function: {k, q} of floor((m-1)/2), {k, q} of floor(m/2), {k, a, D}.
func ringTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("    function [27:0] f_table(input [5:0] nodes, input [5:0] reach);\n        case ({nodes[3:0], reach[3:0]})\n")
	for m := 2; m <= maxNodes; m++ {
		for rho := 1; rho <= m/2; rho++ {
			d := hypercycle.Dimension{M: m, Rho: rho}
			cw, ccw := d.Sides(hypercycle.Balanced)
			near, far := d.Sides(hypercycle.Clockwise)
			require.Equal(t, hypercycle.Side{Q: d.D()}, near)
			require.Equal(t, hypercycle.Side{Q: d.A(), K: d.K()}, far)
			fmt.Fprintf(&b, "            8'h%x%x: f_table = 28'h%x%x%x%x%x%x%x;\n", m, rho, ccw.K, ccw.Q, cw.K, cw.Q, d.K(), d.A(), d.D())
		}
	}
	b.WriteString("            default: f_table = 28'd0;\n        endcase\n    endfunction\n")
	return b.String()
}

// proof is one module with its properties, as a folder of files.
type proof struct {
	t       *testing.T
	dir     string
	top     string
	sources []string
	after   string // a command of Yosys behind the elaboration; empty: none
	asserts int
	covers  int
	formula smt.Formula
}

// assumedOfUser finds assumptions about the user of a module.
var assumedOfUser = regexp.MustCompile(`assume (\(.*\);  // asserted of )`)

// covers finds lines with covers.
var covers = regexp.MustCompile(`(?m)^.*\bcover \(.*\n`)

// prove writes a module, the first of sources, with the properties of all sources that have
// properties. faults are pairs of texts and their replacements.
func prove(t *testing.T, sources []string, faults ...string) *proof {
	t.Helper()
	p := layOut(t, true, sources, faults)
	if p.top == "hc_link_credits" { // words and credits are delayed
		p.instances("hc_delay", 2)
	}
	return p
}

// bare lays out modules without their properties, for use within another one.
func bare(t *testing.T, sources []string, faults ...string) *proof {
	t.Helper()
	return layOut(t, false, sources, faults)
}

func layOut(t *testing.T, proved bool, sources, faults []string) *proof {
	t.Helper()
	p := &proof{t: t, dir: t.ArtifactDir(), top: sources[0]}
	changed := 0
	for i, s := range sources {
		text, err := hdl.Source(s)
		require.NoError(t, err)
		for at := 0; at < len(faults); at += 2 {
			changed += 2 * strings.Count(text, faults[at])
			text = strings.ReplaceAll(text, faults[at], faults[at+1])
		}
		if properties, err := fs.ReadFile(hdl.Proofs, "proofs/"+s+".v"); proved && err == nil {
			added := string(properties)
			if i > 0 { // assumptions of a module about its user must be proved of the user
				added = assumedOfUser.ReplaceAllString(added, "assert $1")
			}
			p.asserts += strings.Count(added, "assert (")
			p.covers += strings.Count(added, "cover (")
			text = strings.Replace(text, "\nendmodule\n", "\n"+added+"\nendmodule\n", 1)
		}
		require.NoError(t, os.WriteFile(filepath.Join(p.dir, s+".v"), []byte(text), 0o644))
		p.sources = append(p.sources, s+".v")
	}
	require.Equal(t, len(faults), changed, "each fault is in one place")
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "hc_ring_table.vh"), []byte(ringTable(t)), 0o644))
	return p
}

// within adds a module with its properties that uses n instances of the proved module. The assumptions of
// the instances about their user must be proved of the new module. Their covers are left out.
func (p *proof) within(name, text string, n int) {
	p.t.Helper()
	file := filepath.Join(p.dir, p.top+".v")
	below, err := os.ReadFile(file)
	require.NoError(p.t, err)
	shown := assumedOfUser.ReplaceAllString(string(below), "assert $1")
	shown = covers.ReplaceAllString(shown, "")
	require.NoError(p.t, os.WriteFile(file, []byte(shown), 0o644))
	require.NoError(p.t, os.WriteFile(filepath.Join(p.dir, name+".v"), []byte(text), 0o644))
	p.asserts += n*strings.Count(shown, "assert (") - strings.Count(string(below), "assert (") + strings.Count(text, "assert (")
	p.covers = strings.Count(text, "cover (")
	p.top = name
	p.sources = append(p.sources, name+".v")
}

// instances sets the number of instances of a module in the top, if not one.
func (p *proof) instances(module string, n int) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, module+".v"))
	require.NoError(p.t, err)
	p.asserts += (n - 1) * strings.Count(string(text), "assert (")
	p.covers += (n - 1) * strings.Count(string(text), "cover (")
}

// compile makes the formula, with parameters of the top.
func (p *proof) compile(parameters ...string) {
	p.t.Helper()
	needs.Tools(p.t, smt.Tools...)
	require.Positive(p.t, p.asserts)
	script := append([]string{"read_verilog -formal " + strings.Join(p.sources, " ")}, smt.Elaborate(p.top, parameters...)...)
	if p.after != "" {
		script = append(script, p.after)
	}
	f, err := smt.Compile(p.t.Context(), p.dir, "proof", script...)
	require.NoError(p.t, err)
	require.Equal(p.t, p.asserts, f.Assertions, "assertions in the formula")
	p.formula = f
}

// longest is the time that a solver may take, enough for a busy machine.
const longest = time.Hour

func (p *proof) solve(task smt.Task) smt.Verdict {
	p.t.Helper()
	v, err := p.formula.Solve(p.t.Context(), longest, task)
	require.NoError(p.t, err)
	return v
}

// holds proves by induction: no assertion fails in the first steps after reset, nor in the step after the
// same number of steps without failure. go test -artifacts keeps the waves of a failure.
func (p *proof) holds(steps int) {
	p.t.Helper()
	for _, task := range []smt.Task{smt.Base(steps + 2), smt.Induction(steps)} {
		v := p.solve(append(task, "--dump-vcd", "failure.vcd"))
		assert.True(p.t, v.Passed, "%s\nwaves: %s", v.Log, filepath.Join(p.dir, "failure.vcd"))
	}
}

// fails shows that an assertion fails in the first steps.
func (p *proof) fails(steps int) {
	p.t.Helper()
	v := p.solve(smt.Base(steps))
	assert.False(p.t, v.Passed, v.Log)
}

// reaches shows that the assumptions permit all covers.
func (p *proof) reaches(steps int) {
	p.t.Helper()
	v := p.solve(smt.Cover(steps))
	assert.True(p.t, v.Passed, v.Log)
	require.Positive(p.t, p.covers)
	assert.Equal(p.t, p.covers, v.Reached)
}

// add adds properties to the top.
func (p *proof) add(file string) {
	p.t.Helper()
	properties, err := fs.ReadFile(hdl.Proofs, "proofs/"+file)
	require.NoError(p.t, err)
	name := filepath.Join(p.dir, p.top+".v")
	text, err := os.ReadFile(name)
	require.NoError(p.t, err)
	p.asserts += strings.Count(string(properties), "assert (")
	p.covers += strings.Count(string(properties), "cover (")
	require.NoError(p.t, os.WriteFile(name, []byte(strings.Replace(string(text), "\nendmodule\n", "\n"+string(properties)+"\nendmodule\n", 1)), 0o644))
}
