// SPDX-License-Identifier: Apache-2.0

package collectives

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// proofTools are what make prove needs.
var proofTools = []string{"yosys", "yosys-smtbmc", "z3"}

// provable are networks that are proved whole.
var provable = []network{
	{rings{"3, 1"}, "all-gather", ""},
	{rings{"4, 2"}, "total-exchange", ""},
	{rings{"3, 1"}, "broadcast", "root = [1]\n"},
	{rings{"2, 1", "3, 1"}, "scatter", "root = [1, 1]\n"},
	{rings{"2, 1", "3, 1"}, "gather", "root = [1, 1]\n"},
	{rings{"2, 1", "3, 1"}, "reduce-scatter", "operator = \"add\"\n"},
	{rings{"5, 1"}, "reduce-scatter", "operator_module = \"test_operator\"\noperator_latency = 2\n"},
	{rings{"3, 1"}, "all-reduce", "operator = \"min\"\n"},
	{rings{"2, 1"}, "all-reduce", ""},
	{rings{"4, 1", "2, 1"}, oneWord, "operator = \"and\"\n"},
	{rings{"4, 1", "4, 1"}, oneWord, ""},
	{rings{"3, 1"}, oneWord, "operator_module = \"test_operator\"\noperator_latency = 3\n"},
}

func (n network) name() string {
	return n.operation + " on " + strings.Join(n.rings, "; ") + ", " + strings.ReplaceAll(n.attributes, "\n", ", ")
}

// The networks do what their operations are defined to do, for all words.
func TestNetworksAreProved(t *testing.T) {
	for i, n := range provable {
		t.Run(n.name(), func(t *testing.T) {
			if i > 1 {
				needs.Time(t)
			}
			needs.Tools(t, proofTools...)
			_, out := n.generate(t)
			assert.Contains(t, harness.Make(t.Context(), t, out, "prove"), "PASS: m_net_network is proved")
		})
	}
}

// control finds the value of the selections in step 2.
var control = regexp.MustCompile(`control <= \d+'b([01_]+);  // step 2\n`)

// A selection, a request, a link or a deadline that is changed by hand is found.
func TestProofFindsChangedNetworks(t *testing.T) {
	gather := network{rings{"2, 1", "3, 1"}, "all-gather", ""}
	scatter := network{rings{"2, 1", "3, 1"}, "reduce-scatter", ""}
	for name, c := range map[string]struct {
		network
		file   string
		change func(text string) string
	}{
		"a selection": {gather, "m_net_node.v", func(text string) string {
			at := control.FindStringSubmatchIndex(text)
			last := text[at[3]-1 : at[3]]
			return text[:at[3]-1] + map[string]string{"0": "1", "1": "0"}[last] + text[at[3]:]
		}},
		"the index of a delivery": {gather, "m_net_node.v", func(text string) string {
			return strings.Replace(text, "assign {m_index, m_valid} = deliveries;", "assign {m_index, m_valid} = deliveries ^ {1'b1, {$bits(deliveries)-1{1'b0}}};", 1)
		}},
		"a link": {gather, "m_net_network.v", func(text string) string {
			return strings.Replace(text, "sent[3*WIDTH+:WIDTH]", "sent[4*WIDTH+:WIDTH]", 1)
		}},
		"a period": {gather, "m_net_node.v", func(text string) string {
			return regexp.MustCompile(`\.PERIOD\((\d+)\)`).ReplaceAllString(text, ".PERIOD(${1}+1)")
		}},
		"a word that is never awaited": {gather, "m_net_node.v", func(text string) string {
			return strings.Replace(text, ".valid({", ".valid(~{", 1)
		}},
		"a register that keeps its word": {scatter, "m_net_node.v", func(text string) string {
			return strings.Replace(text, ".load(register0_load)", ".load(1'b0)", 1)
		}},
		"a sum without a term": {scatter, "m_net_node.v", func(text string) string {
			return strings.Replace(text, ".b(", ".b({WIDTH{1'b0}} & ", 1)
		}},
		"a sum that counts a term twice": {scatter, "m_net_node.v", func(text string) string {
			return regexp.MustCompile(`\.a\(([^\n]*)\),\n        \.b\([^\n]*\),`).ReplaceAllString(text, ".a($1),\n        .b($1),")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			needs.Time(t)
			needs.Tools(t, proofTools...)
			_, out := c.generate(t)
			file := filepath.Join(out, "rtl", c.file)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			changed := c.change(string(text))
			require.NotEqual(t, string(text), changed)
			require.NoError(t, os.WriteFile(file, []byte(changed), 0o644))
			message, err := exec.Command("make", "-C", out, "--no-print-directory", "prove").CombinedOutput()
			require.Error(t, err, string(message))
			assert.Contains(t, string(message), "FAIL: m_net_network")
			assert.Contains(t, string(message), "waves: build/prove-net/failure.vcd", "an assertion fails")
		})
	}
}
