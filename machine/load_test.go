// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/schedule"
)

var withSchedules = WithSchedules(schedule.LoadFile, schedule.Messages)

// loadText loads a description that must be free of errors and warnings.
func loadText(t testing.TB, text string) *Machine {
	t.Helper()
	m, files, diags := LoadBytes("machine.hcl", []byte(text), nil, withSchedules)
	require.Empty(t, diags, rendered(t, files, diags))
	require.NotNil(t, m)
	return m
}

func TestGoodDescriptionsEvaluateToTheRecordedMachine(t *testing.T) {
	for _, d := range cases(t, good) {
		t.Run(d.name, func(t *testing.T) {
			m, files, diags := d.load()
			require.NotNil(t, m, rendered(t, files, diags))
			d.compare(t, "want.json", string(m.CanonicalJSON())+"\n")
			d.compare(t, "want.txt", rendered(t, files, diags))
			assertConsistent(t, m)
		})
	}
}

// assertConsistent checks the properties that every user of a Machine relies on.
func assertConsistent(t testing.TB, m *Machine) {
	t.Helper()
	require.NotNil(t, m.Graph)
	assert.Equal(t, len(m.Dimensions), m.Graph.Rank())
	for i, d := range m.Dimensions {
		assert.Equal(t, d.Dimension, m.Graph.Dimension(i+1))
		assert.NotEmpty(t, d.Name)
	}
	assert.LessOrEqual(t, m.Graph.Degree(), hypercycle.MaxDegree)
	assert.NotEmpty(t, m.Synthesis)
	for _, tr := range m.Traffic {
		assert.True(t, tr.Cycles >= 1 && tr.Cycles <= MaxCycles)
		last := 0
		for _, b := range tr.Sends {
			assert.True(t, b.From >= 0 && b.From < m.Graph.Nodes())
			assert.True(t, b.At >= last && b.At < tr.Cycles, "messages are sorted by time")
			assert.True(t, b.To == nil || m.Destination && !b.To.Broadcast() && !m.Graph.Nobody(b.To, b.From))
			assert.True(t, m.Last || !b.Last)
			last = b.At
		}
		assert.True(t, len(tr.Sends) > 0 || tr.Random != nil)
		last = 0
		for _, s := range tr.Stalls {
			assert.True(t, s.At >= last && s.At < tr.Cycles, "stalls are sorted by time")
			assert.True(t, s.Cycles >= 0 && s.At+s.Cycles <= tr.Cycles)
			assertDifferentNodes(t, m, s.Receivers)
			last = s.At
		}
		if r := tr.Random; r != nil {
			if r.Sources != nil {
				assertDifferentNodes(t, m, r.Sources)
			}
			assert.True(t, r.Pattern == ToAll || m.Destination)
			assert.True(t, r.Hot >= 0 && r.Hot < m.Graph.Nodes())
		}
	}
	assert.False(t, m.Network && m.Graph.Nodes() > MaxNetworkNodes)
	sum := sha256.Sum256(m.CanonicalJSON())
	assert.Equal(t, hex.EncodeToString(sum[:]), m.Hash)
}

// assertDifferentNodes fails unless the list has one or more nodes of a machine, ascending, each once.
func assertDifferentNodes(t testing.TB, m *Machine, nodes []int) {
	t.Helper()
	assert.NotEmpty(t, nodes)
	last := -1
	for _, v := range nodes {
		assert.Greater(t, v, last)
		last = v
	}
	assert.Less(t, last, m.Graph.Nodes())
}

// goodOne returns a case without an error.
func goodOne(t *testing.T, name string) *description {
	t.Helper()
	all := cases(t, good)
	i := slices.IndexFunc(all, func(d *description) bool { return d.name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return all[i]
}

// hashOf loads a case without an error and returns its hash.
func hashOf(t *testing.T, name string) string {
	t.Helper()
	m, files, diags := goodOne(t, name).load()
	require.NotNil(t, m, rendered(t, files, diags))
	return m.Hash
}

func TestHashIgnoresSyntaxVariablesDefaultsAndPath(t *testing.T) {
	want := hashOf(t, "written_out")
	for _, twin := range []string{"written_out_json", "written_out_computed", "written_out_computed_json"} {
		assert.Equal(t, want, hashOf(t, twin), twin)
	}
	assert.Equal(t, hashOf(t, "dimensions_only"), hashOf(t, "dimensions_only_defaults_written_out"))
	assert.Equal(t, hashOf(t, "addressed"), hashOf(t, "addressed_json"))
	assert.Equal(t, hashOf(t, "addressed_defaults"), hashOf(t, "addressed_defaults_written_out"))
	assert.Equal(t, hashOf(t, "stalls"), hashOf(t, "stalls_written_out"))
	assert.Equal(t, hashOf(t, "stalls"), hashOf(t, "stalls_json"))
	assert.Equal(t, hashOf(t, "links"), hashOf(t, "links_json"))

	src := string(goodOne(t, "written_out").src)
	m, _, _ := LoadBytes("/some/other/path.hcl", []byte("# a comment\r\n\n"+strings.ReplaceAll(src, "\n", "\r\n")), nil)
	require.NotNil(t, m)
	assert.Equal(t, want, m.Hash)
}

func TestHashChangesWithEveryValue(t *testing.T) {
	for name, changes := range map[string][][2]string{
		"written_out": {
			{`"torus"`, `"torus1"`}, {`"x"`, `"z"`}, {"m   = 4", "m   = 5"}, {"rho = 2", "rho = 3"},
			{"payload_bits = 16", "payload_bits = 17"}, {"source_id    = true", "source_id    = false"},
			{`"balanced"`, `"clockwise"`}, {"fifo_depth = 5", "fifo_depth = 6"}, {`"corner"`, `"corner1"`}, {"cycles = 50", "cycles = 51"},
			{"[5, 3]", "[5, 2]"}, {"[7, 0]", "[8, 0]"}, {"0.25", "0.26"}, {"0.5", "0.6"}, {"seed  = 9", "seed  = 8"},
			{`"fast"`, `"slow"`}, {`"up5k"`, `"up3k"`}, {`"sg48"`, `"uwg30"`}, {"12.5", "13"}, {"[7, 8]", "[8, 7]"},
			{`machine "torus" {`, "machine \"torus\" {\n  network = false"}, {`machine "torus" {`, "machine \"torus\" {\n  node_errors = true"},
			{"source_id    = true", "source_id    = true\n    destination  = true"}, {"source_id    = true", "source_id    = true\n    last         = true"},
		},
		"stalls": {
			{"[[3, 1], [0, 2]]", "[[3, 1], [0, 3]]"}, {"    sources = [[3, 1], [0, 2]]\n", ""}, {"[[4, 3], [1, 2]]", "[[4, 3], [1, 1]]"}, {"at        = 200", "at        = 201"},
			{"cycles    = 10\n", "cycles    = 11\n"}, {"cycles    = 10\n", ""}, {"at        = 150", "at        = 151"}, {"  stall {\n    receivers = [[2, 2]]\n  }\n", ""},
		},
		"collective": {
			{`"gather"`, `"scatter"`}, {"root      = [2, 1]", "root      = [2, 0]"}, {"at        = 3", "at        = 4"},
		},
		"links_clocks": {
			{"kind = \"clocks\"", "kind = \"wires\""}, {"registers = 2", "registers = 1"},
		},
		"links_chips": {
			{"word_bits = 64", "word_bits = 32"}, {"flight    = 100", "flight    = 101"}, {"silence   = 1000", "silence   = 1001"}, {"registers = 2", "registers = 1"},
		},
		"links": {
			{"registers = 3", "registers = 4"}, {"      registers = 3\n", ""}, {"    rho = 1\n  }", "    rho = 1\n    link {\n      kind      = \"wires\"\n      registers = 3\n    }\n  }"},
		},
		"addressed": {
			{"barrier = true", "barrier = false"}, {"from = [2, 3]", "from = [2, 2]"}, {"to   = [4, 0]", "to   = [4, \"*\"]"},
			{"to   = [2, \"*\"]", "to   = [\"*\", 2]"}, {"to   = [\"*\", \"*\"]", "to   = [2, \"*\"]"}, {"at   = 9", "at   = 8"},
			{"    last = true", "    last = false"}, {"    last    = true", "    last    = false"}, {"broadcasts = 0.25", "broadcasts = 0.5"},
			{`pattern = "transpose"`, `pattern = "neighbour"`}, {"hot        = [3, 2]", "hot        = [3, 1]"}, {"share      = 0.75", "share      = 0.5"},
		},
	} {
		base := string(goodOne(t, name).src)
		seen := map[string]string{loadText(t, base).Hash: "base"}
		for _, change := range changes {
			changed := strings.Replace(base, change[0], change[1], 1)
			require.NotEqual(t, base, changed, "%q is not in the description", change[0])
			h := loadText(t, changed).Hash
			assert.NotContains(t, seen, h, "%q gives the hash of %s", change[1], seen[h])
			seen[h] = change[1]
		}
	}
}

// Without registers a link block changes nothing.
func TestLinksWithoutRegistersAreTheMachineWithoutThem(t *testing.T) {
	none := loadText(t, string(goodOne(t, "links_none").src))
	assert.Equal(t, none, loadText(t, string(goodOne(t, "links_of_no_registers").src)))
	assert.NotContains(t, string(none.HCL()), "link")
}

// The default traffic lasts until a broadcast has reached the farthest node, whatever is on the way.
func TestCornersOfMachinesWithRegistersArrive(t *testing.T) {
	for name, want := range map[string]int{"links_none": 4, "links": 2 + 2*4, "links_most": 2 + 2 + 65, "links_without_network": 2 * 3} {
		m := loadText(t, string(goodOne(t, name).src))
		assert.Greater(t, m.Traffic[0].Cycles, want+1, name)
	}
}

// The hash depends on the steps and transfers in a schedule file, not on its notation or name.
func TestHashHoldsTheScheduleOfACollective(t *testing.T) {
	src := string(goodOne(t, "collective_schedule").src)
	const name = "testdata/schedules/exchange.json"
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	with := func(file string) string { return loadText(t, strings.Replace(src, name, file, 1)).Hash }

	other := filepath.Join(t.TempDir(), "other.json")
	require.NoError(t, os.WriteFile(other, []byte(strings.ReplaceAll(string(text), ",", " ,\n")), 0o644))
	assert.Equal(t, with(name), with(filepath.ToSlash(other)))
	assert.NotEqual(t, with(name), with("testdata/schedules/slow.json"))
	assert.NotEqual(t, with(name), loadText(t, strings.Replace(src, "schedule  =", "# schedule", 1)).Hash)
}

// A schedule file is next to the description, and of a limited size.
func TestSchedulesAreReadFromTheFolderOfTheDescription(t *testing.T) {
	d := goodOne(t, "collective_schedule")
	src := []byte(strings.Replace(string(d.src), "testdata/schedules/", "", 1))
	m, _, diags := LoadBytes("testdata/schedules/machine.hcl", src, nil, withSchedules)
	require.Empty(t, diags)
	require.NotNil(t, m.Collectives[0].Given)
	assert.Equal(t, 3, m.Collectives[0].Given.Steps)
	assert.Equal(t, "exchange.json", m.Collectives[0].File)

	folder := t.TempDir()
	f, err := os.Create(filepath.Join(folder, "exchange.json"))
	require.NoError(t, err)
	require.NoError(t, f.Truncate(schedule.MaxFileBytes+1))
	require.NoError(t, f.Close())
	_, _, diags = LoadBytes(filepath.Join(folder, "machine.hcl"), src, nil, withSchedules)
	require.Len(t, diags, 1)
	assert.Equal(t, "Cannot read the schedule", diags[0].Summary)
	assert.Contains(t, diags[0].Detail, "exchange.json is larger than 67108864 bytes. ")
	assert.Equal(t, 9, diags[0].Subject.Start.Line)
}

// A program without the option finds no schedules, and says so.
func TestLoadWithoutSchedulesReportsTheBlocksThatNeedThem(t *testing.T) {
	src := strings.Replace(string(goodOne(t, "collective_schedule").src), "  routers = false\n", "", 1)
	_, _, diags := LoadBytes("machine.hcl", []byte(src+"\ntraffic \"t\" {\n  cycles = 100\n  collective {\n    operation = \"broadcast\"\n  }\n}\n"), nil)
	require.Len(t, diags, 2)
	for _, d := range diags {
		assert.Equal(t, "No schedules", d.Summary)
	}
	assert.Equal(t, 8, diags[0].Subject.Start.Line)
	assert.Equal(t, strings.Count(src, "\n")+5, diags[1].Subject.Start.Line)
}

func TestScheduledMessagesOfOneCycleKeepTheOrderOfTheFile(t *testing.T) {
	m := loadText(t, string(goodOne(t, "addressed").src))
	row := hypercycle.Destination{hypercycle.All, 2}
	assert.Equal(t, []Send{
		{From: 11, To: hypercycle.Destination{0, 4}},
		{From: 8, To: row},
		{From: 5, At: 7, Last: true},
		{From: 0, To: row, At: 7},
		{From: 1, To: row, At: 9},
		{From: 0, At: 9, Last: true},
	}, m.Traffic[0].Sends, "a broadcast, however it is written, has no destination")
	assert.Equal(t, Random{Rate: 0.5, Seed: 1, Pattern: ToHotSpot, Broadcasts: 0.125, Hot: 14, Share: 0.75}, *m.Traffic[5].Random)
}

func TestStallsAndSourcesAreInOrder(t *testing.T) {
	m := loadText(t, string(goodOne(t, "stalls").src))
	assert.Equal(t, []Stall{
		{Receivers: []int{6}, At: 150},
		{Receivers: []int{6, 19}, At: 200, Cycles: 10},
		{Receivers: []int{0}, At: 299, Cycles: 1},
	}, m.Traffic[0].Stalls)
	assert.Equal(t, []int{2, 13}, m.Traffic[0].Random.Sources)
	assert.Nil(t, m.Traffic[1].Random.Sources)
	assert.Nil(t, loadText(t, string(goodOne(t, "stalls_written_out").src)).Traffic[1].Random.Sources, "all nodes, written out")
}

func TestEveryLegalRingUpTo64Loads(t *testing.T) {
	for m := 2; m <= 64; m++ {
		for rho := 1; rho <= m/2+1; rho++ {
			ring := hypercycle.Dimension{M: m, Rho: rho}
			text := fmt.Sprintf("machine \"a\" {\n  dimension \"x\" {\n    m   = %d\n    rho = %d\n  }\n}\n", m, rho)
			got, files, diags := LoadBytes("machine.hcl", []byte(text), nil)
			legal := ring.Validate() == nil && ring.Degree() <= hypercycle.MaxDegree
			if !legal {
				require.Nil(t, got, "m = %d, rho = %d", m, rho)
				require.Len(t, diags, 1, rendered(t, files, diags))
				require.Equal(t, 4, diags[0].Subject.Start.Line)
				require.Equal(t, 11, diags[0].Subject.Start.Column)
				continue
			}
			require.Empty(t, diags, rendered(t, files, diags))
			require.Equal(t, ring, got.Graph.Dimension(1))
			assertConsistent(t, got)
		}
	}
}

func TestEveryExampleLoadsWithoutAMessage(t *testing.T) {
	files, err := filepath.Glob("../configs/*.hcl")
	require.NoError(t, err)
	want := map[string]string{ // file: Nodes, degree, D, traffic
		"addressed4x4": "16 4 4 sets uniform rows",
		"addressed5x6": "30 6 4 sets mix",
		"bit":          "2 1 1 corner storm",
		"c6_2":         "6 4 2 corner storm",
		"clocks4x4":    "16 4 4 corner storm rows",
		"cube4":        "16 4 4 corner storm overload",
		"degree16":     "50625 16 16 corner",
		"endpoints2x2": "4 2 2 corner storm rows",
		"g4_3":         "12 4 3 corner storm",
		"g5_4":         "20 4 4 corner storm",
		"gh2_4":        "16 6 2 corner storm",
		"k6x5":         "30 6 4 corner storm overload held",
		"mixed":        "24 6 3 corner storm",
		"programmable": "10 3 3 storm",
		"prototype15":  "50625 8 28 corner",
		"ring8":        "8 2 4 corner storm overload",
		"rows4x4":      "16 4 4 corner storm rows",
		"torus4x4":     "16 4 4 corner storm overload",
		"wide":         "5 2 2 corner storm",
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".hcl")
		m, files, diags := Load(f, nil)
		require.Empty(t, diags, rendered(t, files, diags))
		assertConsistent(t, m)
		got := fmt.Sprintf("%d %d %d", m.Graph.Nodes(), m.Graph.Degree(), m.Graph.Diameter())
		for _, tr := range m.Traffic {
			got += " " + tr.Name
		}
		assert.Equal(t, want[name], got, f)
		delete(want, name)
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(text), "# SPDX-License-Identifier: Apache-2.0\n#\n# "), "%s: header", f)
	}
	assert.Empty(t, want, "missing examples")
}

func TestValuesFromTheCommandLineReplaceDefaults(t *testing.T) {
	m, files, diags := Load("../configs/torus4x4.hcl", map[string]string{"payload_bits": "64"})
	require.Empty(t, diags, rendered(t, files, diags))
	assert.Equal(t, 64, m.PayloadBits)
	m, _, _ = Load("../configs/torus4x4.hcl", map[string]string{"payload_bits": "8 * 3"})
	require.NotNil(t, m)
	assert.Equal(t, 24, m.PayloadBits)
}

func TestStringVariablesTakeTheTextAsItStands(t *testing.T) {
	text := "variable \"kind\" {\n  type = string\n}\nmachine \"a\" {\n  dimension \"x\" {\n    m   = var.kind == \"1 + ${\" ? 4 : 5\n    rho = 1\n  }\n}\n"
	text = strings.ReplaceAll(text, "${", "$${")
	m, files, diags := LoadBytes("machine.hcl", []byte(text), map[string]string{"kind": "1 + ${"})
	require.Empty(t, diags, rendered(t, files, diags))
	assert.Equal(t, 4, m.Graph.Nodes())
}

func TestNetworkDefaultDependsOnTheSizeAndWarns(t *testing.T) {
	text := "machine \"a\" {\n%s  dimension \"x\" {\n    m   = %d\n    rho = 1\n  }\n}\n"
	assert.True(t, loadText(t, fmt.Sprintf(text, "", MaxNetworkNodes)).Network)
	assert.False(t, loadText(t, fmt.Sprintf(text, "  network = false\n", 4)).Network)
	assert.False(t, loadText(t, fmt.Sprintf(text, "  network = false\n", MaxNetworkNodes+1)).Network)

	m, _, diags := LoadBytes("machine.hcl", fmt.Appendf(nil, text, "", MaxNetworkNodes+1), nil)
	require.NotNil(t, m)
	assert.False(t, m.Network)
	require.Len(t, diags, 1)
	assert.Equal(t, hcl.DiagWarning, diags[0].Severity)
	assert.Contains(t, diags[0].Detail, "network = false")
}

func TestFilesThatCannotBeReadAreDiagnostics(t *testing.T) {
	folder := t.TempDir()
	large := filepath.Join(folder, "large.hcl")
	require.NoError(t, os.WriteFile(large, make([]byte, MaxFileBytes+1), 0o644))
	for path, want := range map[string]string{
		filepath.Join(folder, "missing.hcl"):   "no such file or directory",
		filepath.Join(folder, "a\x1b[31m.hcl"): `a\x1b[31m.hcl: no such file`,
		folder:                                 "is a directory",
		large:                                  "larger than 1048576 bytes",
		"":                                     "no such file or directory",
	} {
		m, files, diags := Load(path, nil)
		assert.Nil(t, m)
		require.Len(t, diags, 1)
		assert.Equal(t, hcl.DiagError, diags[0].Severity)
		got := rendered(t, files, diags)
		assert.Contains(t, got, want)
		assertShowable(t, got)
	}
}

func TestAWarningComesWithTheErrorsOfTheSameFile(t *testing.T) {
	text := "machine \"a\" {\n  dimension \"x\" {\n    m   = 2000\n    rho = 1\n  }\n  message {\n    payload_bits = 0\n  }\n}\n"
	m, _, diags := LoadBytes("machine.hcl", []byte(text), nil)
	assert.Nil(t, m)
	require.Len(t, diags, 2)
	assert.Equal(t, hcl.DiagWarning, diags[0].Severity)
	assert.Equal(t, hcl.DiagError, diags[1].Severity)
}

// Only the name of an operator's module stands alone in Verilog; all others are parts of longer names.
func TestNamesThatStandAloneInVerilogAreNoKeywords(t *testing.T) {
	const module = "machine \"a\" {\n  dimension \"x\" {\n    m   = 4\n    rho = 1\n  }\n  collective \"sum\" {\n" +
		"    operation       = \"all-reduce\"\n    operator_module = %q\n  }\n}\n"
	const others = "machine %[1]q {\n  dimension %[1]q {\n    m   = 4\n    rho = 1\n  }\n  collective \"c_%[1]s\" {\n    operation = \"all-gather\"\n  }\n}\n" +
		"traffic %[1]q {\n  cycles = 1\n  random {\n    rate = 1\n  }\n}\nsynthesis %[1]q {\n}\n"
	for _, list := range []string{verilogKeywords, systemVerilogKeywords} {
		for _, word := range strings.Fields(list) {
			_, _, diags := LoadBytes("machine.hcl", fmt.Appendf(nil, module, word), nil)
			require.Len(t, diags, 1, word)
			require.Contains(t, diags[0].Detail, "keyword", word)
			m, _, diags := LoadBytes("machine.hcl", fmt.Appendf(nil, others, word), nil)
			require.Empty(t, diags, word)
			require.Equal(t, word, m.Name)
		}
	}
	assert.Len(t, strings.Fields(verilogKeywords), 124, "IEEE Std 1364-2005 has the 123 of 2001 and uwire")
}

func TestASuggestionIsClose(t *testing.T) {
	known := []string{"m", "rho", "network", "payload_bits", "delivery"}
	for given, want := range map[string]string{"rhoo": "rho", "roh": "rho", "rh": "rho", "netwrok": "network", "payload_bit": "payload_bits", "deliverry": "delivery"} {
		assert.Equal(t, fmt.Sprintf(" Did you mean %q?", want), didYouMean(given, known), given)
	}
	for _, given := range []string{"foo", "two", "x", "mn", "speed"} {
		assert.Empty(t, didYouMean(given, known), given)
	}
}

func TestEveryDeviceTakesEachOfItsPackagesAndNoOther(t *testing.T) {
	for _, family := range fpga.Families {
		for _, device := range allDevices() {
			for _, pkg := range allPackages() {
				text := fmt.Sprintf("machine \"a\" {\n  dimension \"x\" {\n    m   = 4\n    rho = 1\n  }\n}\nsynthesis \"s\" {\n  family  = %q\n  device  = %q\n  package = %q\n}\n",
					family.Name, device, pkg)
				m, _, diags := LoadBytes("machine.hcl", []byte(text), nil)
				assert.Equal(t, slices.Contains(family.Packages(device), pkg), m != nil, "%s %s in %s: %v", family.Name, device, pkg, diags)
			}
		}
		assert.Nil(t, family.Packages("xc4013"))
	}
}

// JSON is known by the name of the file in any case, and by its first character: standard input has
// no name. A byte order mark changes nothing.
func TestJSONIsKnownByNameOrContent(t *testing.T) {
	const text = `{"machine": {"ring": {"dimension": {"x": {"m": 4, "rho": 1}}}}}`
	want, _, diags := LoadBytes("a.json", []byte(text), nil)
	require.False(t, diags.HasErrors())
	for _, name := range []string{"A.JSON", "a.Json", "<stdin>", "a.hcl"} {
		for _, before := range []string{"", " \n", "\ufeff"} {
			m, _, diags := LoadBytes(name, []byte(before+text), nil)
			require.False(t, diags.HasErrors(), "%s %q: %v", name, before, diags)
			assert.Equal(t, want.Hash, m.Hash)
		}
	}
	_, files, diags := Format("<stdin>", []byte("\ufeff"+text))
	require.True(t, diags.HasErrors())
	assert.Contains(t, rendered(t, files, diags), "The text is JSON, which has a layout of its own. Use a formatter for JSON, such as jq.")
}

// A byte order mark is not part of the first line, in messages too.
func TestByteOrderMarkIsIgnored(t *testing.T) {
	const text = "machine \"ring\" {\n  dimension \"x\" {\n    m   = 4\n    rho = 1\n  }\n}\n"
	_, _, diags := LoadBytes("a.hcl", []byte("\ufeff"+text), nil)
	assert.Empty(t, diags)
	formatted, _, diags := Format("a.hcl", []byte("\ufeff"+text))
	assert.Empty(t, diags)
	assert.Equal(t, text, string(formatted))
	_, files, diags := LoadBytes("a.hcl", []byte("\ufeffmachin {}\n"), nil)
	assert.Contains(t, rendered(t, files, diags), "on a.hcl:1:1, in machin\n  1 | machin {}\n    | ^^^^^^\n")
}
