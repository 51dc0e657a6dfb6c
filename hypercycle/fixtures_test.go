// SPDX-License-Identifier: Apache-2.0

package hypercycle_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
)

// record is one line of a table in testdata, by column.
type record map[string]string

func (r record) int(t testing.TB, column string) int {
	t.Helper()
	n, err := strconv.Atoi(r[column])
	require.NoError(t, err, "column %s of %v", column, r)
	return n
}

// readFixture reads testdata/<name>.csv; no line, or an empty table, is an error.
func readFixture(t testing.TB, name string) []record {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".csv")
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	lines, err := r.ReadAll()
	require.NoError(t, err)
	require.Greater(t, len(lines), 1, "%s is empty", name)
	var records []record
	for _, line := range lines[1:] {
		rec := record{}
		for i, column := range lines[0] {
			rec[column] = line[i]
		}
		records = append(records, rec)
	}
	return records
}

// parseRings reads lists such as "4 3" and "1 1", highest dimension first.
func parseRings(t testing.TB, m, rho string) []hypercycle.Dimension {
	t.Helper()
	ms, rhos := strings.Fields(m), strings.Fields(rho)
	require.Equal(t, len(ms), len(rhos))
	dims := make([]hypercycle.Dimension, len(ms))
	for i := range ms {
		var err error
		d := &dims[len(ms)-1-i]
		d.M, err = strconv.Atoi(ms[i])
		require.NoError(t, err)
		d.Rho, err = strconv.Atoi(rhos[i])
		require.NoError(t, err)
	}
	return dims
}

// weightOf returns the entering weight of a port, 0 if there is no such port.
func weightOf(g *hypercycle.Graph, p hypercycle.Preference, dimension int, dir hypercycle.Direction, distance int) int {
	for i, port := range g.Ports() {
		if port.Dimension == dimension && port.Direction == dir && port.Distance == distance {
			return g.Weights(p)[i]
		}
	}
	return 0
}

// sends collects the messages of a clockwise broadcast from node 0.
func sends(g *hypercycle.Graph) (list []hypercycle.Send) {
	g.Sends(0, hypercycle.Clockwise, func(s hypercycle.Send) { list = append(list, s) })
	return list
}

func TestConstantsTable(t *testing.T) {
	rows := readFixture(t, "constants")
	require.Len(t, rows, 56, "all rings with m <= 15")
	var o oracle
	for _, row := range rows {
		d := hypercycle.Dimension{M: row.int(t, "m"), Rho: row.int(t, "rho")}
		g := mustNew(t, d)
		o.reset([]hypercycle.Dimension{d})
		o.bfs(0)
		tree := g.Broadcast(0, hypercycle.Clockwise)
		late, arrivals := 0, 0
		for node, step := range tree.Step {
			late += indicator(step > o.distance[node])
			arrivals += int(step)
		}
		unused := 0
		for _, weight := range g.Weights(hypercycle.Clockwise) {
			unused += indicator(weight == 0)
		}
		earliest := d.D() - indicator(late > 0)
		for column, got := range map[string]int{
			"degree": g.Degree(), "D": d.D(), "a": d.A(), "k": d.K(), "late_nodes": late, "unused_links": unused,
			"D_earliest": earliest, "sum_arrival": arrivals, "sum_distance": g.DistanceSum(),
		} {
			assert.Equal(t, row.int(t, column), got, "%s of %v", column, d)
		}
	}
}

func TestDistanceTables(t *testing.T) {
	for _, row := range readFixture(t, "hctables") {
		g := mustNew(t, parseRings(t, row["m"], row["rho"])...)
		for column, got := range map[string]int{
			"degree": g.Degree(), "diameter": g.Diameter(), "nodes": g.Nodes(), "sum_of_distances": g.DistanceSum(),
		} {
			assert.Equal(t, row.int(t, column), got, "%s of %s / %s", column, row["m"], row["rho"])
		}
		assert.Equal(t, row["avg_div_N_minus_1"], fmt.Sprintf("%.4f", g.AverageDistance()), "%s / %s", row["m"], row["rho"])
	}
}

func TestPortWeightsTable(t *testing.T) {
	byRing := map[string][]record{}
	for _, row := range readFixture(t, "portweights") {
		ring := row["m"] + " " + row["rho"]
		byRing[ring] = append(byRing[ring], row)
	}
	for ring, rows := range byRing {
		d := parseRings(t, rows[0]["m"], rows[0]["rho"])[0]
		g := mustNew(t, d)
		seen := map[int]map[int]bool{}        // port -> weights of the messages that leave by it
		continuesTo := map[int]map[int]bool{} // port of arrival -> port of continuation
		in := map[int]int{}
		for _, s := range sends(g) {
			note(seen, s.Port, s.WC)
			if from, ok := in[s.From]; ok {
				note(continuesTo, from, s.Port)
			}
			in[s.To] = s.Port
		}
		ports := 0
		for _, row := range rows {
			dir := parseDirection(t, row["dir"])
			assert.Equal(t, row.int(t, "first_hop_weight"), weightOf(g, hypercycle.Clockwise, 1, dir, row.int(t, "dist")), "%v", row)
			if dir == hypercycle.CCW && 2*row.int(t, "dist") == d.M {
				t.Fatalf("%v names the antipode a second time", row)
			}
			port := g.PortIndex(1, dir, row.int(t, "dist"))
			var weights, next []string
			for wc := 1; wc <= d.D(); wc++ {
				if seen[port][wc] {
					weights = append(weights, strconv.Itoa(wc))
				}
			}
			for i, p := range g.Ports() {
				if continuesTo[port][i] {
					next = append(next, fmt.Sprintf("%s %d", short(p.Direction), p.Distance))
				}
			}
			assert.Equal(t, row["weights_seen_on_port"], orDash(weights), "%v", row)
			assert.Equal(t, row["continues_to"], orDash(next), "%v", row)
			ports++
		}
		assert.Equal(t, g.Degree(), ports, "ring %s", ring)
	}
}

func note(m map[int]map[int]bool, key, value int) {
	if m[key] == nil {
		m[key] = map[int]bool{}
	}
	m[key][value] = true
}

func orDash(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, " ")
}

func short(d hypercycle.Direction) string {
	if d == hypercycle.CW {
		return "cw"
	}
	return "ccw"
}

func parseDirection(t testing.TB, s string) hypercycle.Direction {
	t.Helper()
	switch s {
	case "cw":
		return hypercycle.CW
	case "ccw":
		return hypercycle.CCW
	}
	t.Fatalf("no direction: %q", s)
	return 0
}

// label writes a node as in the worked examples: its digits, or its number in a
// ring.
func label(g *hypercycle.Graph, node int) string {
	if g.Rank() == 1 {
		return strconv.Itoa(node)
	}
	s := ""
	for _, digit := range g.Digits(node) {
		s += strconv.Itoa(digit)
	}
	return s
}

// The machines of the worked examples, highest dimension first.
var workedExamples = map[string][2]string{
	"trace_6_1":       {"6", "1"},
	"trace_6_2":       {"6", "2"},
	"trace_9_2":       {"9", "2"},
	"trace_11_3":      {"11", "3"},
	"trace_8_4":       {"8", "4"},
	"trace_4_3":       {"4 3", "1 1"},
	"trace_2_5":       {"2 5", "1 1"},
	"trace_5_4":       {"5 4", "1 1"},
	"trace_6_4_rho22": {"6 4", "2 2"},
	"fwd_6_rho2":      {"6", "2"},
	"fwd_9_rho3":      {"9", "3"},
	"fwd_5_4":         {"5 4", "1 1"},
	"fwd_6_4_rho22":   {"6 4", "2 2"},
}

// examples runs check on every fixture whose name starts with prefix, and
// fails if files and machines do not match.
func examples(t *testing.T, prefix string, check func(t *testing.T, g *hypercycle.Graph, rows []record)) {
	t.Helper()
	files, err := filepath.Glob("testdata/" + prefix + "*.csv")
	require.NoError(t, err)
	var onDisk, known []string
	for _, file := range files {
		onDisk = append(onDisk, strings.TrimSuffix(filepath.Base(file), ".csv"))
	}
	for name := range workedExamples {
		if strings.HasPrefix(name, prefix) {
			known = append(known, name)
		}
	}
	require.ElementsMatch(t, known, onDisk)
	for _, name := range onDisk {
		t.Run(name, func(t *testing.T) {
			machine := workedExamples[name]
			check(t, mustNew(t, parseRings(t, machine[0], machine[1])...), readFixture(t, name))
		})
	}
}

func TestWorkedExamples(t *testing.T) {
	examples(t, "trace_", func(t *testing.T, g *hypercycle.Graph, rows []record) {
		var want, got []string
		for _, r := range rows {
			want = append(want, fmt.Sprintf("step %s: %s -> %s (%s, %s) by %s %s", r["step"], r["src"], r["dst"], r["wd"], r["wc"], r["dir"], r["dist"]))
		}
		for _, s := range sends(g) {
			p := g.Ports()[s.Port]
			got = append(got, fmt.Sprintf("step %d: %s -> %s (%d, %d) by %s %d", s.Step, label(g, s.From), label(g, s.To), s.WD, s.WC, short(p.Direction), p.Distance))
		}
		assert.ElementsMatch(t, want, got)
	})
}

// The outputs of a router depend only on the input port and the weight, and are
// those of the tables. An input is named by the direction and distance of its
// messages.
func TestForwardingTables(t *testing.T) {
	examples(t, "fwd_", func(t *testing.T, g *hypercycle.Graph, rows []record) {
		name := func(port int) string {
			p := g.Ports()[port]
			if 2*p.Distance == g.Dimension(p.Dimension).M {
				return fmt.Sprintf("%d:antipode", p.Dimension)
			}
			return fmt.Sprintf("%d:%s%d", p.Dimension, short(p.Direction), p.Distance)
		}
		want := map[string][]string{} // "input wd wc" -> outputs, sorted
		for _, r := range rows {
			want[r["input_port"]+" "+r["wd"]+" "+r["wc"]] = sorted(strings.Fields(strings.TrimPrefix(r["outputs(port=wd/wc)"], "-")))
		}
		list := sends(g)
		input := map[int]string{0: "local - -"}
		outputs := map[int][]string{}
		for _, s := range list {
			input[s.To] = fmt.Sprintf("%s %d %d", name(s.Port), s.WD, s.WC)
			outputs[s.From] = append(outputs[s.From], fmt.Sprintf("%s=%d/%d", name(s.Port), s.WD, s.WC))
		}
		got := map[string][]string{}
		for node := range g.Nodes() {
			out := sorted(outputs[node])
			if before, ok := got[input[node]]; ok {
				assert.Equal(t, before, out, "input %s at node %d", input[node], node)
			}
			got[input[node]] = out
		}
		assert.Equal(t, want, got)
	})
}

func sorted(s []string) []string {
	s = append([]string{}, s...)
	slices.Sort(s)
	return s
}

func TestUsedCrosspointsTable(t *testing.T) {
	for _, row := range readFixture(t, "crosspoints") {
		g := mustNew(t, parseRings(t, row["m"], row["rho"])...)
		tree := g.Broadcast(0, hypercycle.Clockwise)
		links, crosspoints := map[int32]bool{}, map[[2]int32]bool{}
		for node := 1; node < g.Nodes(); node++ {
			links[tree.Port[node]] = true
			if parent := tree.Parent[node]; parent != 0 {
				crosspoints[[2]int32{tree.Port[parent], tree.Port[node]}] = true
			}
		}
		for column, got := range map[string]int{
			"N": g.Nodes(), "degree": g.Degree(), "steps": tree.Steps,
			"network_links_used": len(links), "network_crosspoints_used": len(crosspoints),
			"full_crossbar_degree_squared": g.Degree() * g.Degree(),
		} {
			assert.Equal(t, row.int(t, column), got, "%s of %s / %s", column, row["m"], row["rho"])
		}
	}
}
