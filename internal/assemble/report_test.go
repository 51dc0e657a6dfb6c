// SPDX-License-Identifier: Apache-2.0

package assemble

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/report"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/traces"
)

// reported is an output folder whose report is tested.
type reported struct {
	t   *testing.T
	p   *plan.Plan
	dir string
}

func newReported(t *testing.T, description string) *reported {
	t.Helper()
	p := plan.New(loaded(t, description))
	files, err := Files(p, Options{})
	require.NoError(t, err)
	r := &reported{t, p, filepath.Join(t.TempDir(), "out")}
	meta := output.Meta{Version: "v1<2", Machine: p.Name, ConfigHash: p.Machine.Hash}
	require.NoError(t, output.Write(t.Context(), r.dir, files, meta, output.Options{}))
	return r
}

// run runs report.sh with further variables of the environment.
func (r *reported) run(environment ...string) (code int, stderr string) {
	r.t.Helper()
	shell, err := exec.LookPath("sh")
	require.NoError(r.t, err)
	command := exec.CommandContext(r.t.Context(), shell, "report/report.sh")
	command.Dir = r.dir
	command.Env = append(os.Environ(), environment...)
	var text strings.Builder
	command.Stderr = &text
	if err := command.Run(); err != nil {
		require.ErrorAs(r.t, err, new(*exec.ExitError))
	}
	return command.ProcessState.ExitCode(), text.String()
}

// page writes the report and returns it.
func (r *reported) page() string {
	r.t.Helper()
	code, stderr := r.run()
	require.Zero(r.t, code, stderr)
	require.Empty(r.t, stderr)
	data, err := os.ReadFile(filepath.Join(r.dir, "build", "report.html"))
	require.NoError(r.t, err)
	require.NotContains(r.t, string(data), "<!-- put", "a part is left out")
	return string(data)
}

// leave puts a file into the folder; HASH and SUM in it become those of the present files.
func (r *reported) leave(path, text string) {
	r.t.Helper()
	sum := exec.CommandContext(r.t.Context(), "sh", "-c", "cat $(cat filelist.f) | cksum")
	sum.Dir = r.dir
	checksum, err := sum.Output()
	require.NoError(r.t, err)
	path = filepath.Join(r.dir, path)
	require.NoError(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
	text = strings.NewReplacer("HASH", r.p.Machine.Hash, "SUM", strings.TrimSpace(string(checksum))).Replace(text)
	require.NoError(r.t, os.WriteFile(path, []byte(text), 0o644))
}

var checkRow = regexp.MustCompile(`<tr><th scope="row"><code>([^<]*)</code></th><td><span class="mark ([a-z]+)">([^<]*)</span></td><td>(?:<code>)?([^<]*)(?:</code>)?</td><td>([^<]*)</td></tr>`)

// checks returns the rows of the table of checks: result, details and tools, by target.
func checks(page string) map[string][]string {
	rows := map[string][]string{}
	for _, m := range checkRow.FindAllStringSubmatch(page, -1) {
		rows[m[1]] = m[3:]
	}
	return rows
}

const (
	replayed    = "of\tHASH\tSUM\nresult\tbroken\ntools\tVerilator 5.006\nresult\tpassed\t40 cycles, 123 values compared\n"
	synthesized = "of\tHASH\tSUM\nresult\tbroken\tsee the logs\ntools\tYosys 0.23, nextpnr-ice40 0.4\n" +
		"table\tClock of the router\nhead\tseed\tMHz\nrow\t1\t96.14\nrow\t22\t100.75\n" +
		"table\tCells\nhead\tdesign\tLUT4\tFF\nrow\trouter\t400\t383\nrow\tnetwork\t2000\t-\n" +
		"result\tpassed\t400 LUT4\n"
	proved = "of\tHASH\tSUM\ntools\tYosys 0.23, Z3 4.8\nresult\tbroken\n" +
		"table\tTasks of the proof\nhead\ttask\tresult\tseconds\nrow\tbase\tpassed\t5\nrow\tcover\tstopped\t300\n" +
		"text\tVerdict: PASS. <171> assertions\nresult\tpassed\tis proved\n"
)

func TestReportTellsWhatWasRunAndWhatWasNot(t *testing.T) {
	r := newReported(t, ring5)
	rows := checks(r.page())
	assert.Len(t, rows, 9)
	for target, row := range rows {
		assert.Equal(t, []string{"not run yet", "make " + target, ""}, row)
	}

	r.leave("build/results/lint-verilator.tsv", "of\tHASH\tSUM\ntools\tVerilator 5\nresult\tfailed\nresult\tpassed\n")
	r.leave("build/results/lint-yosys.tsv", "of\tHASH\tSUM\ntools\tYosys 0.23 <b>\nresult\tfailed\n")
	r.leave("build/results/lint-icarus.tsv", "resu")
	r.leave("build/results/sim-few.tsv", replayed)
	r.leave("build/results/sim-alone.tsv", "of\tHASH\tSUM\nresult\tbroken\n")
	r.leave("build/results/free-run.tsv", strings.Replace(replayed, "123 values compared", "0 mismatches; under way: longest 17 cycles", 1))
	r.leave("build/results/sim-router.tsv", replayed+"result\tfailed\t2 mismatches, first: node 1: a <b>\n")
	r.leave("build/results/synth-hx8k.tsv", synthesized)
	r.leave("build/netlist/hx8k/done", "")
	r.leave("build/results/netlist-hx8k-few.tsv", strings.Replace(replayed, "HASH", "other", 1))
	r.leave("build/results/prove.tsv", proved)
	page := r.page()
	assert.Equal(t, map[string][]string{
		"lint-verilator":      {"passed", "", "Verilator 5"},
		"lint-yosys":          {"failed", "", "Yosys 0.23 &lt;b&gt;"},
		"lint-icarus":         {"no result", "it was started, but ended without a result", ""},
		"sim-router":          {"failed", "2 mismatches, first: node 1: a &lt;b&gt;", "Verilator 5.006"},
		"sim-alone":           {"no result", "it was started, but ended without a result", ""},
		"free-run":            {"passed", "40 cycles, 0 mismatches; under way: longest 17 cycles", "Verilator 5.006"},
		"sim-few":             {"passed", "40 cycles, 123 values compared", "Verilator 5.006"},
		"synth-hx8k":          {"passed", "400 LUT4", "Yosys 0.23, nextpnr-ice40 0.4"},
		"netlist-hx8k-router": {"not run yet", "make netlist-hx8k-router", ""},
		"netlist-hx8k-alone":  {"not run yet", "make netlist-hx8k-alone", ""},
		"netlist-hx8k-few":    {"passed, but outdated", "of another description; 40 cycles, 123 values compared", "Verilator 5.006"},
		"prove":               {"passed", "is proved", "Yosys 0.23, Z3 4.8"},
	}, checks(page))
	for _, part := range []string{
		"<h3>hx8k</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Clock of the router\"><table class=\"table\"><caption>Clock of the router</caption>\n" +
			"<thead><tr><th scope=\"col\">seed</th><th scope=\"col\">MHz</th></tr></thead><tbody>\n" +
			"<tr><th scope=\"row\">1</th><td>96.14</td></tr>\n<tr><th scope=\"row\">22</th><td>100.75</td></tr>\n</tbody></table></div>\n<div",
		"<tr><th scope=\"row\">router</th><td>400</td><td>383</td></tr>\n<tr><th scope=\"row\">network</th><td>2000</td><td>-</td></tr>\n</tbody></table></div>\n</section>",
		"<tr><th scope=\"row\">cover</th><td>stopped</td><td>300</td></tr>\n</tbody></table></div>\n<p>Verdict: PASS. &lt;171&gt; assertions</p>\n</section>",
		"<dt>hcgen</dt><dd>\nv1&lt;2\n</dd>",
	} {
		assert.Contains(t, page, part)
	}
	assert.Equal(t, page, r.page(), "the same results, the same bytes")

	for result, says := range map[string]string{
		"missed": "goal missed", "bounded": "bounded, not proved", "failed": "failed", "broken": "no result", "what": "no result",
	} {
		r.leave("build/results/prove.tsv", proved+"result\t"+result+"\tfor some reason\n")
		assert.Equal(t, []string{says, "for some reason", "Yosys 0.23, Z3 4.8"}, checks(r.page())["prove"])
	}

	r.leave("build/results/prove.tsv", "result\tpassed\n")
	assert.Equal(t, []string{"passed, but outdated", "of another description", ""}, checks(r.page())["prove"], "it does not say of what")

	// the checked files are no longer those in the folder
	r.leave("build/results/prove.tsv", proved)
	r.leave("build/results/sim-few.tsv", replayed)
	r.leave("rtl/ring5_router.v", "// changed\n")
	page = r.page()
	for _, target := range []string{"lint-verilator", "lint-yosys", "sim-router", "sim-few", "synth-hx8k", "prove"} {
		assert.Contains(t, checks(page)[target][0], ", but outdated", target)
		assert.Contains(t, checks(page)[target][1], "the Verilog has changed since", target)
	}
	assert.Contains(t, page, "These results are outdated: the Verilog has changed since. Run <code>make synth-hx8k</code> again.")
	assert.Contains(t, page, "These results are outdated: the Verilog has changed since. Run <code>make prove</code> again.")
}

var shownCommand = regexp.MustCompile(`<code>(make [^<]*)</code>`)

// A command copied from the page into a shell runs, whatever the name of the folder.
func TestCommandsInTheReportWorkInItsFolder(t *testing.T) {
	for _, description := range []string{ring5, fmt.Sprintf(networks4, true), fmt.Sprintf(networks4, false)} {
		r := newReported(t, description)
		commands := map[string]bool{}
		for _, m := range shownCommand.FindAllStringSubmatch(r.page(), -1) {
			commands[m[1]] = true
		}
		assert.GreaterOrEqual(t, len(commands), 10)
		for command := range commands {
			make := exec.CommandContext(t.Context(), "sh", "-c", command+" --dry-run")
			make.Dir = r.dir
			text, err := make.CombinedOutput()
			assert.NoError(t, err, "%s: %s", command, text)
		}
	}
}

// networks4 has collective networks, and routers if %v is true.
const networks4 = `
machine "net4" {
  routers = %v
  dimension "x" {
    m   = 4
    rho = 1
  }
  collective "sum" {
    operation    = "all-reduce"
    operator     = "add"
    words        = "one"
    payload_bits = 8
  }
  collective "all" {
    operation    = "all-gather"
    payload_bits = 8
  }
}
`

// sectionOf is the text of a section of a page.
func sectionOf(t *testing.T, page, id string) string {
	t.Helper()
	_, after, ok := strings.Cut(page, `<h2 id="`+id+`">`)
	require.True(t, ok, id)
	here, _, _ := strings.Cut(after, "</section>")
	return here
}

// Results of collective networks have their rows and sections, with routers and without; results of routers only if there are any.
func TestReportHasTheResultsOfCollectiveNetworks(t *testing.T) {
	routers := []string{"sim-router", "sim-alone", "sim-corner", "sim-storm", "synth-hx8k", "netlist-hx8k", "prove"}
	networks := []string{"sim-sum", "sim-all", "synth-sum-hx8k", "synth-all-hx8k", "netlist-sum-hx8k", "netlist-all-hx8k", "prove-sum", "prove-all"}
	lint := []string{"lint-verilator", "lint-yosys", "lint-icarus"}
	for _, with := range []bool{true, false} {
		r := newReported(t, fmt.Sprintf(networks4, with))
		want := append(lint, networks...)
		if with {
			want = append(want, routers...)
		}
		rows, names := checks(r.page()), []string{}
		for name, row := range rows {
			names = append(names, name)
			target := name
			if slices.Contains(networks, name) && strings.HasPrefix(name, "synth-") {
				target = strings.TrimSuffix(name, "-hx8k") // for all targets
			}
			assert.Equal(t, []string{"not run yet", "make " + target, ""}, row)
		}
		assert.ElementsMatch(t, want, names)

		r.leave("build/results/sim-sum.tsv", replayed)
		r.leave("build/results/netlist-all-hx8k.tsv", replayed+"result\tfailed\tfirst: node 1\n")
		r.leave("build/results/synth-sum-hx8k.tsv", strings.NewReplacer("of the router", "of the node", "400 LUT4", "77 LUT4").Replace(synthesized))
		r.leave("build/results/prove-all.tsv", strings.Replace(proved, "171", "12", 1))
		page := r.page()
		rows = checks(page)
		assert.Equal(t, []string{"passed", "40 cycles, 123 values compared", "Verilator 5.006"}, rows["sim-sum"])
		assert.Equal(t, []string{"failed", "first: node 1", "Verilator 5.006"}, rows["netlist-all-hx8k"])
		assert.Equal(t, []string{"passed", "77 LUT4", "Yosys 0.23, nextpnr-ice40 0.4"}, rows["synth-sum-hx8k"])
		assert.Equal(t, []string{"passed", "is proved", "Yosys 0.23, Z3 4.8"}, rows["prove-all"])

		synthesis, proof := sectionOf(t, page, "synthesis"), sectionOf(t, page, "proof")
		assert.Equal(t, with, strings.Contains(synthesis, "<h3>hx8k</h3>"))
		assert.Contains(t, synthesis, "<h3>sum, hx8k</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Clock of the node\">")
		assert.Contains(t, synthesis, "<h3>all, hx8k</h3>\n<p class=\"missing\">Not run yet, or it ended without a result: <code>make synth-all</code></p>")
		assert.Equal(t, with, strings.Contains(proof, "<code>make prove</code>"))
		assert.Contains(t, proof, "<h3>sum</h3>\n<p class=\"missing\">Not run yet, or it ended without a result: <code>make prove-sum</code></p>\n<h3>all</h3>\n")
		assert.Contains(t, proof, "<p>Verdict: PASS. &lt;12&gt; assertions</p>")

		r.leave("rtl/net4__sum_node.v", "// changed\n")
		page = r.page()
		assert.Equal(t, "passed, but outdated", checks(page)["synth-sum-hx8k"][0])
		assert.Contains(t, page, "These results are outdated: the Verilog has changed since. Run <code>make synth-sum</code> again.")
	}
}

// An endpoint and the system have their rows and sections beside those of the routers and of collective networks.
func TestReportHasTheResultsOfEndpoints(t *testing.T) {
	endpoints := strings.Replace(fmt.Sprintf(networks4, true), "  collective \"sum\"", "  endpoint {\n    bus          = \"wishbone\"\n    address_bits = 8\n  }\n  collective \"sum\"", 1)
	r := newReported(t, endpoints)
	rows := checks(r.page())
	assert.Equal(t, []string{"not run yet", "make synth-system", ""}, rows["synth-system-hx8k"])
	assert.Equal(t, []string{"not run yet", "make netlist-system-hx8k", ""}, rows["netlist-system-hx8k"])
	assert.Contains(t, rows, "synth-hx8k")
	assert.Contains(t, rows, "synth-sum-hx8k")
	assert.NotContains(t, rows, "prove-system")

	r.leave("build/results/synth-system-hx8k.tsv", strings.NewReplacer("of the router", "of the endpoint", "400 LUT4", "77 LUT4").Replace(synthesized))
	page := r.page()
	assert.Equal(t, []string{"passed", "77 LUT4", "Yosys 0.23, nextpnr-ice40 0.4"}, checks(page)["synth-system-hx8k"])
	assert.Contains(t, sectionOf(t, page, "synthesis"), "<h3>system, hx8k</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Clock of the endpoint\">")

	// A system of several chips has no trace, so nothing replays one on its netlist.
	chips := newReported(t, "machine \"boxes\" {\n  dimension \"x\" {\n    m   = 2\n    rho = 1\n    link {\n      kind = \"chips\"\n    }\n  }\n  endpoint {}\n}\n")
	rows = checks(chips.page())
	assert.Contains(t, rows, "synth-system-hx8k")
	assert.NotContains(t, rows, "netlist-system-hx8k")
}

// The report is of all Verilog files, the operator of the user included.
func TestReportNeedsTheOperatorOfTheUser(t *testing.T) {
	needs.Tools(t, "make")
	r := newReported(t, strings.Replace(fmt.Sprintf(networks4, false), `operator     = "add"`, `operator_module = "saturating"`, 1))
	code, stderr := r.run()
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "report.sh: error: rtl/saturating.v of filelist.f is missing or empty in ")
	assert.Contains(t, stderr, "hint: generate the machine again; if it is your operator_module, put it there")
	code, text := r.made("report")
	assert.Equal(t, 2, code)
	assert.Contains(t, text, "rtl/saturating.v is missing: put your operator_module there; hcgen keeps it")
	r.leave("rtl/saturating.v", "// an operator\n")
	code, text = r.made("report")
	assert.Zero(t, code, text)
}

// make check reads the scripts of templates, but this one only exists in an output folder.
func TestGeneratedScriptIsCleanForShellCheck(t *testing.T) {
	needs.Tools(t, "shellcheck")
	r := newReported(t, ring5)
	const unused = "SC2034" // report.sh uses the variables
	command := exec.CommandContext(t.Context(), "shellcheck", "--shell=sh", "--exclude="+unused, filepath.Join(r.dir, "report", "machine.sh"))
	text, err := command.CombinedOutput()
	assert.NoError(t, err, "%s", text)
}

func TestReportThatCannotBeMade(t *testing.T) {
	r := newReported(t, ring5)
	code, stderr := r.run("PATH=" + t.TempDir())
	assert.Equal(t, 4, code)
	assert.Equal(t, "report.sh: error: awk is not installed\nhint: on Debian: apt-get install mawk coreutils\n", stderr)
	require.NoError(t, os.Remove(filepath.Join(r.dir, "report", "timeline.awk")))
	code, stderr = r.run()
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "report.sh: error: report/timeline.awk is missing or empty in ")
	assert.NoDirExists(t, filepath.Join(r.dir, "build"))
}

// Without matching traces there are no pictures, and the page says why.
func TestReportTellsOfTracesThatDoNotFit(t *testing.T) {
	r := newReported(t, ring5)
	require.NoError(t, os.Remove(filepath.Join(r.dir, "golden", "alone.trace")))
	r.leave("golden/few.trace", "# hcgen-trace v1 machine=ring5 config=0 traffic=few cycles=40\n")
	page := r.page()
	assert.Contains(t, page, "golden/alone.trace is missing or empty: generate the machine again.")
	assert.Contains(t, page, "golden/few.trace is not a trace of this description: generate the machine again.")
	assert.Equal(t, 1, strings.Count(page, "<svg class=\"timeline\""), "that of the router")
}

// lanes of a picture of a trace, by class.
var lanes = map[string]*regexp.Regexp{
	"inject": regexp.MustCompile(`^s_local$`), "deliver": regexp.MustCompile(`^m_local`), "send": regexp.MustCompile(`^m_link`),
}

// handshakes counts the handshakes of a trace, read by its format: lane, node and cycle.
func handshakes(trace string) map[string]map[[2]int]int {
	all := map[string]map[[2]int]int{"inject": {}, "deliver": {}, "send": {}}
	for _, line := range strings.Split(trace, "\n")[1:] {
		f := strings.Fields(line)
		if len(f) < 4 || f[3] != "1" {
			continue
		}
		cycle, _ := strconv.Atoi(f[0])
		node, _ := strconv.Atoi(f[1])
		for lane, is := range lanes {
			if is.MatchString(f[2]) {
				all[lane][[2]int{node, cycle}]++
			}
		}
	}
	return all
}

var (
	lanePath = regexp.MustCompile(`<path class="(inject|deliver|send) l([1-5])" d="([^"]*)" fill="none" stroke="#[0-9a-f]{6}" stroke-width="[0-9.]+"/>`)
	strokes  = regexp.MustCompile(`M(\d+) (\d+)h(\d+)`)
	sums     = regexp.MustCompile(`<tr><th scope="row">[^<]*</th><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td><td>(\d+)</td></tr>`)
)

// Each cell of the pictures and each sum agrees with the trace: for a short trace of a small
// machine, and where cycles and nodes are grouped.
func TestPicturesOfTracesHaveWhatTheTracesHave(t *testing.T) {
	for _, c := range []struct {
		name, description string
		per, group        int // cycles of a column, nodes of a row
	}{
		{"each cycle", ring5, 1, 1},
		{"some cycles and nodes", strings.NewReplacer("m = 5", "m = 40").Replace(`
machine "ring40" {
  dimension "x" {
    m = 5
    rho = 1
  }
}
traffic "few" {
  cycles = 500
  random {
    rate = 0.01
    stall = 0.3
    seed = 4
  }
}
`), 4, 2},
		{"several deliveries", `
machine "ports" {
  dimension "x" {
    m = 3
    rho = 1
  }
  dimension "y" {
    m = 11
    rho = 2
  }
  router {
    delivery = "per_port"
  }
}
traffic "few" {
  cycles = 170
  random {
    rate = 0.2
    stall = 0.1
    seed = 1
  }
}
`, 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newReported(t, c.description)
			page := r.page()
			_, section, ok := strings.Cut(page, `<h3 id="trace-few">`)
			require.True(t, ok)
			section, _, _ = strings.Cut(section, "</section>")
			trace, err := os.ReadFile(filepath.Join(r.dir, "golden", "few.trace"))
			require.NoError(t, err)
			counted := handshakes(string(trace))

			drawn := map[string]map[[2]int]int{"inject": {}, "deliver": {}, "send": {}}
			for _, m := range lanePath.FindAllStringSubmatch(section, -1) {
				lane := map[string]int{"inject": 0, "deliver": 1, "send": 2}[m[1]]
				for _, s := range strokes.FindAllStringSubmatch(m[3], -1) {
					x, _ := strconv.Atoi(s[1])
					y, _ := strconv.Atoi(s[2])
					long, _ := strconv.Atoi(s[3])
					require.Equal(t, 5+8*lane, y%26, "every lane has its place")
					for column := x; column < x+long; column++ {
						require.Zero(t, drawn[m[1]][[2]int{y / 26, column}], "drawn twice")
						drawn[m[1]][[2]int{y / 26, column}], _ = strconv.Atoi(m[2])
					}
				}
			}
			for lane, most := range map[string]int{"inject": 1, "deliver": r.p.Deliveries, "send": r.p.Degree} {
				cells := map[[2]int]int{}
				for at, n := range counted[lane] {
					cells[[2]int{at[0] / c.group, at[1] / c.per}] += n
				}
				want := map[[2]int]int{}
				for at, n := range cells {
					want[at] = int(math.Ceil(5 * float64(n) / float64(most*c.per*c.group)))
				}
				require.NotEmpty(t, want)
				assert.Equal(t, want, drawn[lane], lane)
			}

			summary, err := traces.WriteNetwork(io.Discard, r.p, r.p.Machine.Traffic[0], nil)
			require.NoError(t, err)
			injected, delivered, rows := 0, 0, sums.FindAllStringSubmatch(section, -1)
			assert.Len(t, rows, (r.p.Nodes+c.group-1)/c.group)
			for _, row := range rows {
				n, _ := strconv.Atoi(row[1])
				injected += n
				n, _ = strconv.Atoi(row[3])
				delivered += n
			}
			assert.Equal(t, summary.Injections, injected)
			assert.Equal(t, summary.Deliveries, delivered)
			assert.Contains(t, section, fmt.Sprintf("%s, %d deliveries, ", count(summary.Injections, "injection"), summary.Deliveries))
			says := fmt.Sprintf("Each column sums up %d cycles, each row sums up %d nodes.", c.per, c.group)
			if c.per == 1 {
				says = "Each column is one cycle, each row is one node."
			}
			assert.Contains(t, section, says)
		})
	}
}

// The largest machine that is drawn, with more traces than are drawn, and a machine that is too
// large for a picture.
// A reader that blocks style sheets, such as one with a strict Content-Security-Policy, shows the pictures by attributes alone.
func TestPicturesNeedNoStyleSheet(t *testing.T) {
	colour := regexp.MustCompile(`^(none|currentColor|#[0-9a-f]{6})$`)
	attribute := func(shape, name string) string {
		m := regexp.MustCompile(` ` + name + `="([^"]*)"`).FindStringSubmatch(shape)
		if m == nil {
			return ""
		}
		return m[1]
	}
	pictures := 0
	shapes := map[string]int{}
	for _, picture := range regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(newReported(t, ring5).page(), -1) {
		pictures++
		inherited := attribute(picture[:strings.Index(picture, ">")], "fill")
		for _, m := range regexp.MustCompile(`<(path|circle|rect|text)\b[^>]*>`).FindAllStringSubmatch(picture, -1) {
			shape, kind := m[0], m[1]
			shapes[kind]++
			fill, stroke := attribute(shape, "fill"), attribute(shape, "stroke")
			if kind == "text" {
				if fill == "" {
					fill = inherited
				}
				assert.Regexp(t, colour, fill, shape)
				assert.NotEqual(t, "none", fill, shape)
				continue
			}
			assert.Regexp(t, colour, fill, shape)
			assert.Regexp(t, colour, stroke, shape)
			assert.Equal(t, fill == "none" && stroke == "none", attribute(shape, "visibility") == "hidden", shape)
		}
		for _, m := range regexp.MustCompile(`<circle [^>]*fill="(#\w+)"[^>]*>\n<text [^>]*fill="(#\w+)"`).FindAllStringSubmatch(picture, -1) {
			shapes["address"]++
			assert.NotEqual(t, m[1], m[2], "a number in the colour of its node")
		}
	}
	assert.Greater(t, pictures, 5, "the network, the legend and the traces")
	assert.Equal(t, 5, shapes["circle"])
	assert.Equal(t, 5, shapes["address"])
	assert.Greater(t, shapes["path"], 50)
	assert.Greater(t, shapes["text"], 20)
}

func TestPagesAreSmall(t *testing.T) {
	var text strings.Builder
	text.WriteString("machine \"most\" {\ndimension \"x\" {\nm = 8\nrho = 1\n}\ndimension \"y\" {\nm = 8\nrho = 1\n}\ndimension \"z\" {\nm = 8\nrho = 2\n}\n}\n")
	for i := range 6 {
		cycles := 160 // each column is one cycle
		if i > 3 {
			cycles = 3
		}
		fmt.Fprintf(&text, "traffic \"t%d\" {\ncycles = %d\nrandom {\nrate = 0.02\nstall = 0.5\nseed = %d\n}\n}\n", i, cycles, i)
	}
	r := newReported(t, text.String())
	require.Equal(t, 512, r.p.Nodes)
	require.Equal(t, 2048, r.p.Machine.Graph.Links())
	page := r.page()
	t.Logf("%d bytes", len(page))
	assert.Less(t, len(page), 2_000_000)
	assert.Contains(t, page, `<svg class="network`)
	assert.Equal(t, 6, strings.Count(page, `<svg class="timeline"`))
	assert.Equal(t, 2, strings.Count(page, "Only the first traces are drawn, to keep this page small."))

	var b bytes.Buffer
	larger, _, diags := machine.LoadBytes("machine.hcl", []byte(strings.Replace(text.String(), "m = 8\nrho = 2", "m = 9\nrho = 2", 1)), nil)
	require.False(t, diags.HasErrors(), diags.Error())
	files, err := report.Files(plan.New(larger), nil)
	require.NoError(t, err)
	for _, f := range files {
		if f.Path == "report/page.html" {
			require.NoError(t, f.Content(&b))
		}
	}
	assert.NotContains(t, b.String(), "<svg class=\"network")
	assert.NotContains(t, b.String(), "<button")
	assert.Contains(t, b.String(), "most has 576 nodes, more than 512, too many for a picture")
	assert.Contains(t, b.String(), "<tr><th scope=\"row\">10</th><td>4</td><td>576</td></tr>", "steps, and nodes reached")
}

// Variables that a make of the user passes to its sub-makes do not appear in the results.
func TestHashOfTheDescriptionIsNotThatOfACaller(t *testing.T) {
	r := newReported(t, ring5)
	command := exec.CommandContext(t.Context(), "make", "-n", "-C", r.dir, "lint-icarus", "prove", "CONFIG=configs/other.hcl")
	text, err := command.CombinedOutput()
	require.NoError(t, err, string(text))
	assert.Contains(t, string(text), "CONFIG="+r.p.Machine.Hash+" ")
	assert.Contains(t, string(text), "printf 'of\\t%s\\t%s\\n' "+r.p.Machine.Hash)
	assert.NotContains(t, string(text), "other.hcl")
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
