// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/gen/prefix"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/internal/options"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

// numbered is the name of a class of nodes, or of its memory, or of the proof of a ring, with its number.
var numbered = regexp.MustCompile(`^(node|memory|rings)\d+`)

// endings are those of modules of a machine, library modules included, and of a collective network. Classes of nodes and
// proofs of rings have numbers.
func endings() (ofMachine, ofNetwork []string) {
	ofMachine = slices.Concat(plan.Endings, prefix.Names(), []string{"rings0", "rings12"})
	for _, ending := range plan.CollectiveEndings {
		if name, is := strings.CutPrefix(ending, "node"); is && !strings.HasPrefix(name, "s") {
			ofNetwork = append(ofNetwork, "node0"+name, "node12"+name)
		}
		ofNetwork = append(ofNetwork, ending)
	}
	ofNetwork = append(ofNetwork, "memory0", "memory12")
	return ofMachine, ofNetwork
}

// The name of a module has one meaning: see package plan.
func TestNoEndingOfANameEndsInAnother(t *testing.T) {
	ofMachine, ofNetwork := endings()
	for _, list := range [][]string{ofMachine, ofNetwork} {
		for _, a := range list {
			assert.NotContains(t, "_"+a+"_", "__")
			for _, b := range list {
				assert.False(t, strings.HasSuffix(a, "_"+b), "a module of machine x_%s and one of machine x are both x_%s",
					strings.TrimSuffix(a, "_"+b), a)
			}
		}
	}
	for _, ending := range plan.Endings {
		assert.NotContains(t, prefix.Names(), "hc_"+ending, "a module of machine hc gets a prefix")
	}
}

// Verilator replaces names of more than 127 characters, and counts a double underscore as 6.
func TestNamesOfModulesAreShortEnoughForVerilator(t *testing.T) {
	const longest, most = 127, "1023" // MaxNetworkNodes classes
	require.LessOrEqual(t, machine.MaxNetworkNodes, 1024)
	ofMachine, ofNetwork := endings()
	for _, ending := range ofMachine {
		assert.LessOrEqual(t, machine.MaxNameLength+1+len(ending), longest, ending)
	}
	for _, ending := range ofNetwork {
		ending = numbered.ReplaceAllString(ending, "${1}"+most)
		assert.LessOrEqual(t, machine.MaxNameLength+6+machine.MaxNameLength+1+len(ending), longest, ending)
	}
}

var declaredModule = regexp.MustCompile(`(?m)^(?:module|package) +(\w+)`)

// modules are the modules and packages of the files of a machine.
func modules(t require.TestingT, p *plan.Plan) map[string]bool {
	networks, err := plan.Collectives(p.Machine, schedule.ForNetwork)
	require.NoError(t, err)
	files, err := Files(p, networks, "")
	require.NoError(t, err)
	names := map[string]bool{}
	paths := map[string]bool{}
	for _, f := range files {
		assert.False(t, paths[f.Path], "two files %s", f.Path)
		paths[f.Path] = true
		extension := filepath.Ext(f.Path)
		if !slices.Contains([]string{".v", ".sv", ".vh", ".vhd", ".py"}, extension) {
			continue
		}
		var b strings.Builder
		require.NoError(t, f.Content(&b))
		for _, match := range declaredModule.FindAllStringSubmatch(b.String(), -1) {
			names[match[1]] = true
		}
		if name := strings.TrimSuffix(filepath.Base(f.Path), extension); strings.HasPrefix(name, p.Name+"_") {
			names[name] = true
		}
	}
	return names
}

// ending returns what follows the machine, or the only collective network that the module can belong to, in the name of a
// module. A number of a class of nodes, or of a port, is left out.
func ending(t require.TestingT, p *plan.Plan, module string) (text string, ofNetwork bool) {
	rest, ok := strings.CutPrefix(module, p.Name+"_")
	require.True(t, ok, module)
	rest, ofNetwork = strings.CutPrefix(rest, "_")
	if !ofNetwork {
		return numbered.ReplaceAllString(rest, "$1"), false
	}
	var found []string
	for _, c := range p.Machine.Collectives {
		if text, ok := strings.CutPrefix(rest, c.Name+"_"); ok {
			text = numbered.ReplaceAllString(text, "$1")
			if slices.Contains(plan.CollectiveEndings, text) {
				found = append(found, text)
			}
		}
	}
	require.Len(t, found, 1, "%s is a module of one network", module)
	return found[0], true
}

// collectives are networks with one class of nodes and with many, of names that could be mistaken for those of modules.
const collectives = `
  collective "c" {
    operation        = "all-reduce"
    operator_module  = "own"
    operator_latency = 1
  }
  collective "c_nodes" {
    operation = "gather"
  }
  collective "c_network" {
    operation = "all-reduce"
    words     = "one"
    operator  = "max"
  }
  collective "c_node" {
    operation = "scatter"
    vector    = 3
  }
  collective "c_memory" {
    operation = "total-exchange"
    vector    = 3
  }
`

// The plan lists every ending of the names of modules and their files, and no others.
func TestModulesHaveTheEndingsOfThePlan(t *testing.T) {
	plans := slices.Collect(maps.Values(options.Machines()))
	plans = append(plans,
		options.Described("machine \"m\" {\n"+options.Torus+collectives+"}"),
		options.Described("machine \"alone\" {\nrouters = false\n"+options.Torus+collectives+"}"),
		options.Described("machine \"boards\" {\n"+options.Torus+"\ndimension \"z\" {\nm = 2\nrho = 1\nlink {\nkind = \"chips\"\n}\n}\nendpoint {}\n}"),
		options.Of("ended", options.Torus, "source_id = true\nlast = true", ""))
	configs, err := filepath.Glob("../configs/*.hcl")
	require.NoError(t, err)
	require.NotEmpty(t, configs)
	for _, config := range configs {
		m, _, diags := machine.Load(config, nil)
		require.False(t, diags.HasErrors(), diags.Error())
		plans = append(plans, plan.New(m))
	}
	found := map[bool]map[string]bool{false: {}, true: {}}
	for _, p := range plans {
		for name := range modules(t, p) {
			if name == "own" {
				continue // the stand-in of a module of the user
			}
			text, ofNetwork := ending(t, p, name)
			found[ofNetwork][text] = true
		}
	}
	library := map[string]bool{}
	for _, name := range prefix.Names() {
		library[name] = true
	}
	maps.DeleteFunc(found[false], func(name string, _ bool) bool { return library[name] })
	assert.ElementsMatch(t, plan.Endings, slices.Collect(maps.Keys(found[false])))
	assert.ElementsMatch(t, plan.CollectiveEndings, slices.Collect(maps.Keys(found[true])))
}

func TestModulesOfRandomMachinesHaveTheEndingsOfThePlan(t *testing.T) {
	ofMachine, _ := endings()
	rapid.Check(t, func(t *rapid.T) {
		p := plan.New(machines.Described().Draw(t, "machine"))
		p.Machine.Synthesis = append(p.Machine.Synthesis, machine.Synthesis{Name: "hx8k", Family: "ice40", Device: "hx8k", Package: "ct256", ClockMHz: 100, Seeds: []int{1}})
		for name := range modules(t, p) {
			text, _ := ending(t, p, name)
			assert.Contains(t, ofMachine, text, name)
		}
	})
}

// Modules of two machines, or of two collective networks of a machine, have different names, whatever the names in the
// descriptions are made of.
func TestModulesOfDifferentMachinesDiffer(t *testing.T) {
	ofMachine, ofNetwork := endings()
	words := []string{"net", "c", "hc", "node0"}
	for _, ending := range slices.Concat(ofMachine, ofNetwork) {
		words = append(words, strings.Split(ending, "_")...)
	}
	slices.Sort(words)
	name := rapid.Map(rapid.SliceOfN(rapid.SampledFrom(slices.Compact(words)), 1, 4), func(list []string) string { return strings.Join(list, "_") })
	rapid.Check(t, func(t *rapid.T) {
		first := name.Draw(t, "machine")
		second := rapid.OneOf(name, rapid.Map(name, func(more string) string { return first + "_" + more })).Draw(t, "another machine")
		owner := map[string]string{}
		for _, machine := range slices.Compact([]string{first, second}) {
			take := func(module, by string) {
				require.Empty(t, owner[module], "%s is a module of %s, too", module, by)
				owner[module] = by
			}
			p := &plan.Plan{Name: machine}
			for _, ending := range plan.Endings {
				take(p.Module(ending), machine)
			}
			for _, library := range prefix.Names() {
				take(string(prefix.Text(machine, []byte(library))), machine)
			}
			network := name.Draw(t, "collective network")
			another := rapid.OneOf(name, rapid.Map(name, func(more string) string { return network + "_" + more })).Draw(t, "another collective network")
			for _, collective := range slices.Compact([]string{network, another}) {
				c := &plan.Collective{Machine: p.Name}
				c.Name = collective
				for _, ending := range ofNetwork {
					take(strings.TrimSuffix(c.Module("network"), "network")+ending, machine+" and "+collective)
				}
			}
		}
	})
}
