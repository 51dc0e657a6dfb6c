// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/smt"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

func TestMutationsOfYosysAreRead(t *testing.T) {
	d := &Design{Modules: map[string]module{
		`$paramod$06c1\hc_pace`:                   {Source: "hc_pace"},
		`$paramod\hc_arbiter\REQUESTERS=s32'0010`: {Source: "hc_arbiter"},
		"ring_router":                             {Source: "ring_router"},
	}}
	var texts []string
	for _, line := range []string{
		`mutate -ctrl mutant 32 1 -mode cnot0 -module $paramod$06c1\hc_pace -cell $procdff$4249 -port Q -portbit 1 -ctrlbit 3 -wire credit_q -wirebit 1 -src rtl/hc_pace.v:48.31-48.38 -src rtl/hc_pace.v:81.5-96.8`,
		`mutate -ctrl mutant 32 2 -mode const1 -module $paramod\hc_arbiter\REQUESTERS=s32'0010 -cell $procmux$3274 -port A -portbit 0 -src rtl/hc_arbiter.v:57.33-57.42`,
		"mutate -ctrl mutant 32 3 -mode inv -module ring_router -cell out0 -port m_axis_tdata -portbit 2",
	} {
		m, err := d.parse(line)
		require.NoError(t, err)
		d.Mutations = append(d.Mutations, m)
		texts = append(texts, m.Module+": "+m.String())
		assert.Equal(t, line, m.selectable())
	}
	assert.Equal(t, []string{
		"hc_pace: cnot0 at Q bit 1 of $procdff$4249, by bit 3 (credit_q[1]), rtl/hc_pace.v:81",
		"hc_arbiter: const1 at A bit 0 of $procmux$3274, rtl/hc_arbiter.v:57",
		"ring_router: inv at m_axis_tdata bit 2 of out0, ring_router",
	}, texts)
	assert.True(t, strings.HasPrefix(d.Mutations[0].Command, "mutate -mode cnot0 "))

	for _, line := range []string{"mutate -mode inv", "mutate -ctrl mutant 32 1 -mode inv -module other_router"} {
		_, err := d.parse(line)
		assert.ErrorContains(t, err, "is not understood")
	}
}

func TestModulesWhoseProofsLookAtAMutant(t *testing.T) {
	d := &Design{p: planOf(t, tiny), Modules: map[string]module{
		"tiny_router":                         {"tiny_router", []string{"ring", "group"}},
		"ring":                                {"tiny_hc_ring_port", []string{"tree", "lonely"}},
		"group":                               {"tiny_hc_group", []string{"tree"}},
		"tree":                                {"tiny_hc_tree_arbiter", nil},
		`\hc_arbiter\REQUESTERS=s32'00000001`: {"tiny_hc_arbiter", nil},
	}}
	assert.Equal(t, []string{"group", "ring", "tree"}, d.provedWith(Mutation{}))
	assert.Equal(t, []string{"group", "ring", "tree"}, d.provedWith(Mutation{Netlist: "tree"}))
	assert.Equal(t, []string{"ring"}, d.provedWith(Mutation{Netlist: "ring"}))
	assert.Empty(t, d.provedWith(Mutation{Netlist: "tiny_router"}))
}

// A wire mutant has one check of its own: the others look at routers.
func TestUnits(t *testing.T) {
	d := &Design{Mutations: []Mutation{{Number: 1}, {Number: 2, Swap: &Swap{}}}}
	var all []string
	for _, u := range d.Units([]string{Proof, Network}) {
		all = append(all, u.Name("tiny")+" "+strings.Join(u.Checks, " "))
	}
	assert.Equal(t, []string{
		"tiny,none,network network", "tiny,none,proof proof", "tiny,none,equivalence equivalence",
		"tiny,1 network proof equivalence", "tiny,2 network equivalence",
	}, all)
}

// The objection of a bench is distinguished from a bench that was killed or does not work.
func TestEndsOfBenches(t *testing.T) {
	ends := func(script string) (string, error) {
		text, ran := exec.CommandContext(t.Context(), "sh", "-c", script).Output()
		return complaint(ran, string(text))
	}
	for script, want := range map[string]string{
		"true":                               "",
		"echo 'mismatch 1: cycle 3'; exit 3": "cycle 3",
		"echo '%Error: Settle region did not converge.'; kill -6 $$": "%Error: Settle region did not converge.",
	} {
		said, err := ends(script)
		require.NoError(t, err, script)
		assert.Equal(t, want, said, script)
	}
	for _, script := range []string{"echo here; kill -9 $$", "echo out of memory; kill -6 $$", "echo did not converge; exit 1", "echo no; exit 2"} {
		said, err := ends(script)
		require.Error(t, err, script)
		assert.Empty(t, said, script)
	}
}

// The objection of a proof is distinguished from a proof that is not found and from a broken tool.
func TestEndsOfProofs(t *testing.T) {
	failed := errors.New("exit status 2")
	said, err := objection(failed, "FAIL: tiny_router: out0")
	require.NoError(t, err)
	assert.Equal(t, "tiny_router: out0", said)
	said, err = objection(nil, "PASS: tiny_router is proved")
	require.NoError(t, err)
	assert.Empty(t, said)
	for _, line := range []string{
		"UNKNOWN: tiny_router: not all is proved", "BOUNDED: tiny_router: nothing fails in the first 12 cycles",
		"FAIL: tiny_router: not so: the properties fit the module",
	} {
		_, err = objection(failed, line)
		require.ErrorIs(t, err, smt.ErrNoResult, line)
	}
	for line, ran := range map[string]error{"PASS: tiny_router is proved": failed, "FAIL: tiny_router: out0": nil, "UNKNOWN: tiny_router": nil, "a FAIL: x": failed, "": failed} {
		_, err := objection(ran, line)
		require.Error(t, err, line)
		assert.NotErrorIs(t, err, smt.ErrNoResult, line)
	}
}

// A design of other tools, settings or descriptions is another one.
func TestDesignsHaveTheirInputsInTheirNames(t *testing.T) {
	names := map[string]bool{}
	for _, text := range []string{tiny, strings.Replace(tiny, "rate  = 0.4", "rate  = 0.5", 1)} {
		for _, s := range []Settings{{Count: 1}, {Count: 1, Seed: 2}, {Count: 1, Filters: []string{"-mode inv"}}} {
			for _, yosys := range []string{"1", "2"} {
				name, err := folderName(planOf(t, text), s, map[string]string{"yosys": yosys, "z3": "4"})
				require.NoError(t, err)
				names[name] = true
				assert.True(t, strings.HasPrefix(name, "tiny-"))
			}
		}
	}
	assert.Len(t, names, 12)
}

// What modules assume of each other is asserted where they are together. A symbolic choice remains assumed.
func TestAssumptionsBetweenModules(t *testing.T) {
	d := &Design{p: planOf(t, tiny)}
	script, err := d.assumptions()
	require.NoError(t, err)
	line := func(module, text string) string {
		properties, err := d.properties(d.p.Name + "_" + module)
		require.NoError(t, err)
		before, _, found := strings.Cut(string(properties), text)
		require.True(t, found, text)
		return fmt.Sprintf("chtype -set $assert t:$assume a:src=properties/tiny_%s.v:*-%d.* %%i", module, 1+strings.Count(before, "\n"))
	}
	assert.Contains(t, script, line("hc_pace", "assume (!inject"))
	assert.Contains(t, script, line("hc_group", "assume ((f_stays"))
	assert.NotContains(t, script, line("hc_group", "assume (f_source"))
	assert.NotContains(t, script, line("hc_group", "assume (rst)"))
}

// tiny is a ring with messages that continue, and little else.
const tiny = `
machine "tiny" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = 2
  }
}
traffic "storm" {
  cycles = 200
  random {
    rate  = 0.4
    stall = 0.3
  }
}
`

func planOf(t *testing.T, description string) *plan.Plan {
	t.Helper()
	m, _, diags := machine.LoadBytes("a.hcl", []byte(description), nil)
	require.False(t, diags.HasErrors(), diags)
	return plan.New(m)
}
