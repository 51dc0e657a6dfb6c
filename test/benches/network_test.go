// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

func TestNetworkBench(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	b := build(t, "network")
	const cycles = 300
	good := func() *trace { return stormTrace(cycles) }

	t.Run("an equal design passes whatever must not matter", func(t *testing.T) {
		golden := good()
		transfers, stalls := golden.counts("")
		injections, _ := golden.counts("s_local")
		for seed := range 5 {
			status, stdout, stderr := b.run(t, golden.String(), fmt.Sprintf("+seed=%d", seed))
			assert.Equal(t, equal, status)
			assert.Empty(t, stderr)
			assert.Regexp(t, fmt.Sprintf(`^PASS: standin_network\.storm: %d cycles, 32 streams, \d+ values compared, `+
				`%d transfers, %d stalls, 0 expected header errors, 0 mismatches\n`, cycles, transfers, stalls), stdout)
			var broadcasts, deliveries, rest int
			_, err := fmt.Sscanf(stdout[strings.Index(stdout, "exactly once"):],
				"exactly once: %d messages, %d deliveries, network empty %d cycles after the trace", &broadcasts, &deliveries, &rest)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, broadcasts, injections)
			assert.Equal(t, (standinNodes-1)*broadcasts, deliveries)
			assert.Contains(t, stdout, "\n"+longest(golden, cycles)+"\n")
		}
	})

	t.Run("the longest times are those of the trace", func(t *testing.T) {
		for _, cycles := range []int{7, 20, 64, 150, 299} {
			golden := stormTrace(cycles)
			status, stdout, stderr := b.run(t, golden.String())
			require.Equal(t, equal, status, stderr)
			assert.Contains(t, stdout, "\n"+longest(golden, cycles)+"\n")
		}
	})

	t.Run("a message that a receiver holds is under way until it is taken", func(t *testing.T) {
		held := func(cycles, until int) *trace {
			asked := 0 // for each node in each cycle
			return networkTrace("held", cycles,
				func() bool { asked++; return asked > standinNodes*until || asked%standinNodes != 1 },
				func(node, cycle int) (uint64, bool) { return 42, node == 1 && cycle == 5 })
		}
		for _, c := range []struct {
			cycles, until int
			want          string
			junit         map[string]string
		}{
			{80, 60, "under way: longest 55 cycles (source 1, from cycle 5), at most 0 injections meanwhile, 0 undelivered when the trace ends; longest wait 0 cycles",
				map[string]string{"longest_under_way": "55", "longest_under_way_source": "1", "longest_under_way_from": "5", "undelivered": "0"}},
			{40, 60, "under way: longest 35 cycles (source 1, from cycle 5), at most 0 injections meanwhile, 1 undelivered when the trace ends; longest wait 0 cycles",
				map[string]string{"longest_under_way": "35", "undelivered": "1", "longest_wait": "0", "equal_messages": "0"}},
		} {
			dir := t.TempDir()
			status, stdout, stderr := b.run(t, held(c.cycles, c.until).String(), "+junit="+filepath.Join(dir, "junit.xml"), "+result="+filepath.Join(dir, "result.tsv"))
			require.Equal(t, equal, status, stderr)
			assert.Contains(t, stdout, "\n"+c.want+"\n")
			assert.Subset(t, properties(t, filepath.Join(dir, "junit.xml")), c.junit)
			result, err := os.ReadFile(filepath.Join(dir, "result.tsv"))
			require.NoError(t, err)
			assert.Regexp(t, `\nresult\tpassed\t.* 0 mismatches; `+regexp.QuoteMeta(c.want)+`\n$`, string(result))
		}
	})

	t.Run("a message that waits for its injection at the end counts with the cycles until then", func(t *testing.T) {
		golden := networkTrace("waits", 50,
			func() bool { return false },
			func(node, cycle int) (uint64, bool) { return uint64(cycle), node == 2 })
		status, stdout, stderr := b.run(t, golden.String())
		require.Equal(t, equal, status, stderr)
		require.Contains(t, golden.lines, "49 2 s_local 0 - 0000000005", "offered since cycle 5")
		assert.Contains(t, stdout, "; longest wait 45 cycles (node 2, from cycle 5)\n")
		assert.Contains(t, stdout, longest(golden, 50))
	})

	t.Run("equal messages under way at the same time are left out", func(t *testing.T) {
		const twins = 42
		random, sent := rand.New(rand.NewPCG(3, 3)), 0
		golden := networkTrace("twins", 2000,
			func() bool { return random.IntN(3) > 0 },
			func(node, cycle int) (uint64, bool) {
				if node == 1 && cycle >= 1000 && sent < 2 {
					sent++
					return twins, true
				}
				return twins + 1 + random.Uint64N(stuck-twins-1), random.IntN(8) == 0
			})
		status, stdout, stderr := b.run(t, golden.String())
		require.Equal(t, equal, status, stderr)
		rest := *golden
		rest.lines = slices.DeleteFunc(slices.Clone(golden.lines), func(line string) bool { return strings.HasSuffix(line, fmt.Sprintf(" %010x", twins)) })
		require.Less(t, len(rest.lines), len(golden.lines))
		want, _, _ := strings.Cut(longest(&rest, 2000), "; longest wait")
		assert.Contains(t, stdout, "\n"+want+", without 2 equal messages; longest wait ")
	})

	t.Run("nothing is measured if many messages are equal", func(t *testing.T) {
		golden := networkTrace("equal", 60,
			func() bool { return true },
			func(node, cycle int) (uint64, bool) { return 42, node == 1 && cycle < 10 })
		path := filepath.Join(t.TempDir(), "junit.xml")
		status, stdout, stderr := b.run(t, golden.String(), "+junit="+path)
		require.Equal(t, equal, status, stderr)
		injected, _ := golden.counts("s_local")
		require.Greater(t, injected, 1)
		assert.Contains(t, stdout, fmt.Sprintf("\nunder way: not measured, %d of %d messages are equal to others under way; longest wait ", injected, injected))
		p := properties(t, path)
		assert.Equal(t, fmt.Sprint(injected), p["equal_messages"])
		assert.NotContains(t, p, "longest_under_way")
		assert.Contains(t, p, "longest_wait")
	})

	t.Run("a free run needs no trace", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "junit.xml")
		status, stdout, stderr := b.run(t, "", "+free-run=3000", "+junit="+path)
		assert.Equal(t, equal, status)
		assert.Empty(t, stderr)
		assert.Regexp(t, `^PASS: standin_network\.free_run: 3000 cycles of 4 routers, [1-9]\d+ injections, [1-9]\d+ deliveries, 0\.\d+ per node and cycle, 0 mismatches\n`+
			`under way: longest [1-9]\d* cycles \(source \d, from cycle \d+\), at most [1-9]\d* injections meanwhile, \d+ undelivered when the load ends; `+
			`longest wait [1-9]\d* cycles \(node \d, from cycle \d+\), [1-9]\d* injections of other nodes during a wait, of at most 18\n`+
			`speed: \d+\.\d\d s of processor time, \d+\.\d\d million router cycles per second\n$`, stdout)
		suite := readJUnit(t, path).Suites[0]
		assert.Equal(t, "standin_network.free_run", suite.Name)
		assert.Equal(t, []int{4, 0, 0}, []int{suite.Tests, suite.Failures, suite.Errors})
	})

	t.Run("each difference is named", func(t *testing.T) {
		checkDifferences(t, b, good, []difference{
			{"header of an inner link", wrongValue(" 2 m_link01 ", 4, "header", linkHeader)},
			{"payload of an inner link", wrongValue(" 3 m_link02 ", 5, "payload", plain)},
			{"ready of an inner link", wrongValue(" 0 m_link00 1 ", 3, "ready", plain)},
			{"source of a delivery", wrongValue(" 1 m_local ", 4, "header", source)},
			{"payload of a delivery", wrongValue(" 3 m_local ", 5, "payload", plain)},
			{"ready of an injection", wrongValue(" 2 s_local 1 ", 3, "ready", plain)},
			{"valid of an inner link not expected", missing(" 3 m_link01 ", linkHeader)},
			{"valid of delivery not expected", missing(" 2 m_local ", source)},
			{"pace", wrongPace(3, 40)},
			{"valid of an inner link missing", extra("m_link02", "valid: expected 1 with header ")},
			{"valid of delivery missing", extra("m_local", "valid: expected 1 with header ")},
		})
	})

	t.Run("a header error is expected of its router and of the network as a whole", func(t *testing.T) {
		golden := good()
		i := golden.find("^1.. 2 ", 0)
		line := golden.column(i, 0) + " 2 header_error01 1 - -"
		golden.insert(i, line)
		status, _, stderr := b.run(t, golden.String(), "+max-mismatch=2")
		assert.Equal(t, differs, status)
		cycle, shown := golden.column(i, 0), fmt.Sprintf("  > TRACE:%d: %s\n", i+2, line)
		assert.Contains(t, stderr, "mismatch 1: "+golden.place(i)+"header_error: expected 1, got 0\n")
		assert.Contains(t, stderr, shown+"mismatch 2: cycle "+cycle+", node 2, header_error of the network: expected 1, got 0\n")
		assert.Contains(t, stderr, shown+"stopped after 2 mismatches")
	})

	t.Run("a header error nobody expects is found", func(t *testing.T) {
		golden := loneTrace(corrupt)
		require.Equal(t, 3, strings.Count(golden.String(), "header_error"))
		for range 3 {
			golden.remove(golden.find("header_error", 0))
		}
		status, stdout, stderr := b.run(t, golden.String(), "+max-mismatch=4")
		assert.Equal(t, differs, status)
		assert.Contains(t, stderr, "mismatch 1: cycle 7, node 0, stream header_error00 (port 0): header_error: expected 0, got 1\n")
		assert.Contains(t, stderr, "mismatch 2: cycle 7, some node, header_error of the network: expected 0, got 1\n")
		assert.Contains(t, stdout, " 0 expected header errors, 4 mismatches")
	})

	t.Run("the latency of a lone broadcast is printed", func(t *testing.T) {
		status, stdout, _ := b.run(t, loneTrace(42).String())
		assert.Equal(t, equal, status)
		assert.Contains(t, stdout, "latency: 4 cycles from the first injection (cycle 5) to the last delivery (cycle 9), 1 injections\n"+
			"exactly once: 1 messages, 3 deliveries, network empty 0 cycles after the trace\n"+
			"under way: longest 4 cycles (source 1, from cycle 5), at most 0 injections meanwhile, 0 undelivered when the trace ends; longest wait 0 cycles\n")
	})

	t.Run("messages under way at the end of the trace arrive", func(t *testing.T) {
		golden := networkTrace("short", 6,
			func() bool { return true },
			func(node, cycle int) (uint64, bool) { return uint64(10*node + cycle), true })
		status, stdout, stderr := b.run(t, golden.String())
		assert.Equal(t, equal, status, stderr)
		assert.NotContains(t, stdout, "network empty 0 cycles")
	})

	t.Run("exactly once is checked even if trace and design agree", func(t *testing.T) {
		for name, c := range map[string]struct {
			payload uint64
			want    string
		}{
			"lost":  {lost, "mismatch 1: node 0: exactly once: expected 1 deliveries, got 0\n"},
			"twice": {twice, "mismatch 1: cycle 8, node 0, stream m_local: exactly once: 2 messages delivered, but the other nodes have sent 1\n"},
			"other message": {swapped,
				"mismatch 1: node 0: exactly once: 1 messages delivered, but not the ones that were sent\n"},
			"dropped": {corrupt, "mismatch 1: node 0: exactly once: expected 1 deliveries, got 0\n"},
			"stuck":   {stuck, "mismatch 1: deadlock: all receivers are ready, but 3 deliveries have not come "},
		} {
			t.Run(name, func(t *testing.T) {
				status, stdout, stderr := b.run(t, loneTrace(c.payload).String())
				assert.Equal(t, differs, status)
				assert.True(t, strings.HasPrefix(stderr, c.want), stderr)
				assert.Contains(t, stdout, "FAIL: standin_network.lone")
				assert.NotContains(t, stdout, "exactly once: 1 messages")
				assert.NotContains(t, stdout, "under way: ", "a figure of deliveries that are wrong")
			})
		}
	})

	t.Run("JUnit report of the nodes", func(t *testing.T) {
		golden := good()
		i := golden.find(" 2 m_local ", 0)
		golden.set(i, 5, flip(golden.column(i, 5)))
		path := filepath.Join(t.TempDir(), "junit.xml")
		status, _, _ := b.run(t, golden.String(), "+junit="+path)
		require.Equal(t, differs, status)
		suite := readJUnit(t, path).Suites[0]
		assert.Equal(t, "standin_network.storm", suite.Name)
		assert.Equal(t, []int{5, 1, 0}, []int{suite.Tests, suite.Failures, suite.Errors})
		require.Len(t, suite.Cases, 5)
		for n, c := range suite.Cases {
			assert.Equal(t, []string{"node 0", "node 1", "node 2", "node 3", "network"}[n], c.Name)
			assert.Len(t, c.Failures, map[bool]int{true: 1}[n == 2])
		}
		assert.Contains(t, suite.Cases[2].Failures[0].Message, "node 2, stream m_local: payload: expected ")
	})

	t.Run("a trace of one router is rejected", func(t *testing.T) {
		status, _, stderr := b.run(t, routerTrace(0, 20).String())
		assert.Equal(t, badInput, status)
		assert.Contains(t, stderr, "no such stream here: \"link_pace\"")
	})
}

// A network with faults that appear one after the other: it hides all header errors
// but those of all ports at once, later it changes a payload, forgets a delivery, and the
// clocks of some routers do as they like.
func TestNetworkBenchFindsFaultsOfTheDesign(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	b := build(t, "network",
		"assign header_error = |link_error;", "assign header_error = &link_error;",
		"    wire [7:0]   pace;", `    wire [7:0]   pace;
    reg [11:0] now_q;
    always @(posedge clk) now_q <= rst ? 12'd0 : now_q + 12'd1;`,
		".m_axis_local_tready(m_axis_tready[n])", ".m_axis_local_tready(m_axis_tready[n] | n == 1 & now_q[11:8] == 4'd2)",
		".s_axis_local_tdata (s_axis_tdata[n*39+:39])", ".s_axis_local_tdata (s_axis_tdata[n*39+:39] ^ {38'd0, n == 2 & now_q[11:4] == 8'd30})",
		"pace[(n+3)%4*2+:2], pace[(n+2)%4*2+:2], pace[(n+1)%4*2+:2]",
		"{3{now_q[11] ? pace[n*2+:2] : 2'd0}} | {6{!now_q[11]}} & {pace[(n+3)%4*2+:2], pace[(n+2)%4*2+:2], pace[(n+1)%4*2+:2]}")

	t.Run("header errors that the network hides", func(t *testing.T) {
		// good traffic has no malformed messages; only the random registers before the first reset hold some
		status, _, stderr := b.run(t, loneTrace(42).String(), "+max-mismatch=1")
		assert.Equal(t, differs, status)
		assert.Regexp(t, `^mismatch 1: disturbed cycle \d+, node \d, header_error of the network: expected 1, got 0\n`, stderr)
	})

	t.Run("a free run sees losses, changes and unfair turns", func(t *testing.T) {
		status, stdout, stderr := b.run(t, "", "+free-run=8000", "+max-mismatch=100000")
		assert.Equal(t, differs, status)
		for _, want := range []string{
			`cycle [5-7]\d\d, node 1: not message \d+ of node \d: one was lost, changed, doubled or overtaken`,
			`cycle \d+, node [013]: not message \d+ of node 2: `,
			`node \d: exactly once: expected \d+ deliveries, got \d+`,
			`cycle 2\d\d\d, node \d: pace \d, but that of its neighbour \d is \d`,
			`cycle [23]\d\d\d, node \d: \d+ injections, more than 4 ahead of node \d with \d+`,
		} {
			assert.Regexp(t, `(?m)^mismatch \d+: `+want, stderr)
		}
		assert.NotRegexp(t, `cycle [1]\d\d\d, node \d: (pace|\d+ injections)`, stderr)
		assert.Contains(t, stdout, "FAIL: standin_network.free_run: ")
		_, _, stderr = b.run(t, "", "+free-run=8000", "+max-mismatch=1")
		assert.Equal(t, 1, strings.Count(stderr, "mismatch "))
		assert.Contains(t, stderr, "stopped after 1 mismatches")
	})
}

// hold is a counter of cycles for faults of the network.
const hold = `    wire [7:0]   pace;
    reg [11:0] now_q;
    always @(posedge clk) now_q <= rst ? 12'd0 : now_q + 12'd1;
    wire hold = now_q >= 12'd1000 & now_q < 12'd1500;`

// Nothing is wrong with what is delivered, but node 3 delivers nothing for 500 cycles.
func TestFreeRunShowsAMessageThatIsHeld(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	b := build(t, "network",
		"    wire [7:0]   pace;", hold,
		".m_axis_local_tready(m_axis_tready[n])", ".m_axis_local_tready(m_axis_tready[n] & !(n == 3 & hold))",
		".m_axis_local_tvalid(m_axis_tvalid[n])", ".m_axis_local_tvalid(offers)",
		"            wire [2:0] ready;", `            wire [2:0] ready;
            wire offers;
            assign m_axis_tvalid[n] = offers & !(n == 3 & hold);`)
	path := filepath.Join(t.TempDir(), "junit.xml")
	status, stdout, stderr := b.run(t, "", "+free-run=4000", "+junit="+path)
	require.Equal(t, equal, status, stderr)
	p := properties(t, path)
	from := number(p["longest_under_way_from"])
	assert.InDelta(t, 1000, from, 100)
	assert.InDelta(t, 1500, from+number(p["longest_under_way"]), 100)
	assert.GreaterOrEqual(t, number(p["longest_under_way"]), 500)
	assert.Contains(t, stdout, fmt.Sprintf("\nunder way: longest %s cycles (source %s, from cycle %d), ", p["longest_under_way"], p["longest_under_way_source"], from))
	assert.Equal(t, "18", p["longest_wait_injections_bound"])
	assert.Contains(t, stdout, fmt.Sprintf(", %s injections of other nodes during a wait, of at most 18\n", p["longest_wait_injections"]))
}

// The clocks do as they like, and the network does not see what node 2 offers for 500 cycles, or for ever.
func TestFreeRunFindsANodeThatStarves(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	for name, c := range map[string]struct{ hold, want string }{
		"for a while": {hold, `(?m)^mismatch \d+: cycle 15\d\d, node 2: \d{2,3} injections of other nodes while it waits for its own, more than 18$`},
		"for ever": {strings.Replace(hold, " & now_q < 12'd1500", "", 1),
			`(?m)^mismatch \d+: cycle 3000, node 2: \d{3} injections of other nodes while it waits for its own, more than 18$`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := build(t, "network",
				"    wire [7:0]   pace;", c.hold,
				"pace[(n+3)%4*2+:2], pace[(n+2)%4*2+:2], pace[(n+1)%4*2+:2]", "{3{pace[n*2+:2]}}",
				".s_axis_local_tvalid(s_axis_tvalid[n])", ".s_axis_local_tvalid(s_axis_tvalid[n] & !(n == 2 & hold))",
				".s_axis_local_tready(s_axis_tready[n])", ".s_axis_local_tready(takes)",
				"            wire [2:0] ready;", `            wire [2:0] ready;
            wire takes;
            assign s_axis_tready[n] = takes & !(n == 2 & hold);`)
			status, stdout, stderr := b.run(t, "", "+free-run=3000", "+max-mismatch=100000")
			assert.Equal(t, differs, status)
			assert.Regexp(t, c.want, regexp.MustCompile(`(?m)^.*: pace .*\n`).ReplaceAllString(stderr, ""))
			assert.NotContains(t, stdout, "under way: ")
		})
	}
}
