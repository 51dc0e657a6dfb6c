// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/templates"
)

// ringTable is what package hypercycle says of every ring of the prototype, as a
// Verilog function: {k, q} of floor((m-1)/2), {k, q} of floor(m/2), {k, a, D}.
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
	asserts int
	covers  int
}

// assumedOfUser finds assumptions about who uses a module.
var assumedOfUser = regexp.MustCompile(`assume (\(.*\);  // asserted of )`)

// covers finds lines with covers.
var covers = regexp.MustCompile(`(?m)^.*\bcover \(.*\n`)

// prove lays out a module, first among sources, with the properties of all sources that
// have some. faults are pairs of texts and what takes their place.
func prove(t *testing.T, sources []string, faults ...string) *proof {
	t.Helper()
	p := layOut(t, true, sources, faults)
	return p
}

// bare lays out modules without their properties, for use within another one.
func bare(t *testing.T, sources []string, faults ...string) *proof {
	t.Helper()
	return layOut(t, false, sources, faults)
}

func layOut(t *testing.T, proved bool, sources, faults []string) *proof {
	t.Helper()
	p := &proof{t: t, dir: t.TempDir(), top: sources[0]}
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
			if i > 0 { // what a module assumes of its user is to be shown of a user
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

// within puts a module with its properties above the one that is proved: what that assumes of its
// user is to be shown of the new one, which has n of it. Its covers are left out.
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

// instances says how many of a module the top has, if not one.
func (p *proof) instances(module string, n int) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, module+".v"))
	require.NoError(p.t, err)
	p.asserts += (n - 1) * strings.Count(string(text), "assert (")
	p.covers += (n - 1) * strings.Count(string(text), "cover (")
}

func (p *proof) run(tool string, arguments ...string) (string, error) {
	p.t.Helper()
	needs.Tools(p.t, tool)
	command := exec.Command(tool, arguments...)
	command.Dir = p.dir
	text, err := command.CombinedOutput()
	return string(text), err
}

// compile makes the formula, and cuts it at its wires as that of a router. Yosys drops what it
// does not know in silence, so the assertions that arrived are counted. Its opt -full is wrong (0.23): in the bound of
// hc_tree_arbiter conditions of sums are lost, and the cover of the bound is not reached.
func (p *proof) compile(parameters ...string) {
	p.t.Helper()
	require.Positive(p.t, p.asserts)
	text, err := p.run("yosys", "-p", "read_verilog -formal "+strings.Join(p.sources, " ")+"; hierarchy -top "+p.top+" "+
		strings.Join(parameters, " ")+"; flatten; prep -top "+p.top+"; memory_map; opt; async2sync; dffunmap; stat; write_smt2 -wires whole.smt2")
	require.NoError(p.t, err, text)
	count := regexp.MustCompile(`\$assert +([0-9]+)`).FindAllStringSubmatch(text, -1)
	require.NotEmpty(p.t, count, "no assertion")
	n, err := strconv.Atoi(count[len(count)-1][1])
	require.NoError(p.t, err)
	require.Equal(p.t, p.asserts, n, "assertions in the formula")
	cut, err := templates.Files.ReadFile("formal/cut.awk")
	require.NoError(p.t, err)
	formula, err := p.run("awk", string(cut), "whole.smt2")
	require.NoError(p.t, err, formula)
	require.NoError(p.t, os.WriteFile(filepath.Join(p.dir, "proof.smt2"), []byte(formula), 0o644))
}

// smtbmc runs yosys-smtbmc. --unroll and --noincr let z3 work on plain bit vectors.
func (p *proof) smtbmc(arguments ...string) (string, bool) {
	p.t.Helper()
	text, err := p.run("yosys-smtbmc", append(arguments, "--noprogress", "--unroll", "--noincr", "-s", "z3", "proof.smt2")...)
	if err != nil {
		require.Contains(p.t, text, "Status: FAILED", "the solver must have come to a result")
	}
	return text, err == nil
}

// holds proves by induction: no assertion fails in the first steps after reset, nor
// after as many steps without failure.
func (p *proof) holds(steps int) {
	p.t.Helper()
	text, ok := p.smtbmc("-t", strconv.Itoa(steps+2))
	assert.True(p.t, ok, text)
	text, ok = p.smtbmc("-i", "-t", strconv.Itoa(steps))
	assert.True(p.t, ok, text)
	assert.Contains(p.t, text, "Temporal induction successful")
}

// reaches shows that the assumptions leave everything possible that the covers name.
func (p *proof) reaches(steps int) {
	p.t.Helper()
	text, ok := p.smtbmc("-c", "-t", strconv.Itoa(steps))
	assert.True(p.t, ok, text)
	require.Positive(p.t, p.covers)
	assert.Equal(p.t, p.covers, strings.Count(text, "Reached cover statement"))
}

// add lets the top stand with further properties.
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
