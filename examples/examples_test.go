// SPDX-License-Identifier: Apache-2.0

// Package examples holds designs that use generated networks. Its tests run all targets of
// the Makefile of each example.
package examples

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/fpga"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/program"
)

func TestMain(m *testing.M) { program.Main(m) }

// example is a copy of an example in a folder of its own.
type example struct {
	t   *testing.T
	dir string
}

func open(t *testing.T, name string) example {
	t.Helper()
	e := example{t: t, dir: filepath.Join(t.TempDir(), name)}
	require.NoError(t, os.CopyFS(e.dir, os.DirFS(name)))
	require.NoError(t, os.RemoveAll(filepath.Join(e.dir, "build")))
	if name == "manycore" { // it uses the serial port and the pins of the board
		require.NoError(t, os.CopyFS(filepath.Join(filepath.Dir(e.dir), "board"), os.DirFS("board")))
	}
	return e
}

// run runs targets of the Makefile and returns what they print, messages included.
func (e example) run(arguments ...string) (string, error) {
	arguments = append([]string{"-C", e.dir, "--no-print-directory", "JOBS=1", "HCGEN=" + filepath.Join(program.Folder(e.t), "hcgen")}, arguments...)
	text, err := exec.CommandContext(e.t.Context(), "make", arguments...).CombinedOutput()
	return string(text), err
}

func (e example) succeed(arguments ...string) string {
	e.t.Helper()
	text, err := e.run(arguments...)
	require.NoError(e.t, err, "make %s:\n%s", strings.Join(arguments, " "), text)
	return text
}

// change replaces the only occurrence of a text in a file.
func (e example) change(file, from, to string) {
	e.t.Helper()
	path := filepath.Join(e.dir, file)
	text, err := os.ReadFile(path)
	require.NoError(e.t, err)
	require.Equal(e.t, 1, strings.Count(string(text), from), "%s in %s", from, file)
	require.NoError(e.t, os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644))
}

// shown returns the block of the example's README that begins with the given text.
func shown(t *testing.T, name, start string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(name, "README.md"))
	require.NoError(t, err)
	for _, block := range regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		if strings.HasPrefix(block[1], start) {
			return block[1]
		}
	}
	t.Fatalf("%s/README.md has no block that begins with %q", name, start)
	return ""
}

// number returns the number that the only group of an expression matches.
func number(t *testing.T, expression, text string) float64 {
	t.Helper()
	found := regexp.MustCompile(expression).FindStringSubmatch(text)
	require.NotNil(t, found, "%s in\n%s", expression, text)
	n, err := strconv.ParseFloat(strings.ReplaceAll(found[1], ",", ""), 64)
	require.NoError(t, err)
	return n
}

func TestBoardAnswersExactlyAndFitsItsDevice(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "board")
	text := e.succeed("all")
	assert.Equal(t, 2, strings.Count(text, "PASS: board_top: "), text)
	assert.NotContains(t, text, "arning")

	bitstream, err := os.ReadFile(filepath.Join(e.dir, "build", "board.bin"))
	require.NoError(t, err)
	assert.Equal(t, "\xff\x00", string(bitstream[:2]), "a bitstream of icepack begins with a comment")
	readme, err := os.ReadFile("board/README.md")
	require.NoError(t, err)
	luts, clock := number(t, `board: (\d+) LUT4`, text), number(t, `board: ([0-9.]+) MHz \(PASS at 12.00 MHz\)`, text)
	assert.InEpsilon(t, luts, number(t, `about ([0-9,]+) LUT4`, string(readme)), 0.05, "LUTs in the README")
	assert.InEpsilon(t, clock, number(t, `about (\d+) MHz`, string(readme)), 0.15, "clock in the README")

	// the answers that the README shows
	program := filepath.Join(e.dir, "build", "sim", "115200", "Vboard_top")
	answers, err := exec.Command(program, "+clock=12000000", "+baud=115200", "+queue=16", "+messages=0", "+seed=1", "+say=5").Output()
	require.NoError(t, err)
	assert.Equal(t, shown(t, "board", "0<5"), sortedLines(string(answers)))
}

func sortedLines(text string) string {
	var digits [8]string
	for _, line := range strings.SplitAfter(text, "\n") {
		if line != "" {
			digits[line[0]-'0'] += line
		}
	}
	return strings.Join(digits[:], "")
}

// The bench detects a reporter that accepts messages while it sends, and so loses them.
func TestBenchOfTheBoardSeesALoss(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "board")
	e.change("rtl/board_reporter.v", "listen ? 8'd1 << turn_q : 8'd0", "8'd1 << turn_q")
	text, err := e.run("sim-fast")
	require.Error(t, err, text)
	assert.Regexp(t, `FAIL: board_top: node \d has not received from node \d what was sent`, text)
	assert.Contains(t, text, "Error 3")
}

func TestMaximumIsTheSameAtAllNodes(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "stream")
	text := e.succeed("all")
	assert.Contains(t, text, "PASS: maximum_top: ")
	assert.NotContains(t, text, "arning")
	cycles := number(t, `nodes, ([0-9.]+) cycles for a round`, text)
	readme, err := os.ReadFile("stream/README.md")
	require.NoError(t, err)
	assert.Equal(t, cycles, number(t, `takes (\d+) cycles`, string(readme)), "cycles of a round in the README")
}

func TestMatrixProductsAreExact(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "summa")
	text := e.succeed("all")
	printed := shown(t, "summa", "PASS: summa_top: ")
	assert.Contains(t, text, printed)
	page, err := os.ReadFile("../docs/addressed-messages.md")
	require.NoError(t, err)
	assert.Equal(t, number(t, `, ([0-9.]+) cycles for a product`, printed), number(t, `product\s+takes (\d+) cycles`, string(page)), "cycles on the page")
	assert.NotContains(t, text, "arning")
}

// The bench detects blocks that go to wrong nodes or to too many, nodes that do not wait for the
// others, and a wrong sign.
func TestBenchOfMatrixProductsSeesFaults(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "summa")
	const wrong = `number \d+ of node \d+ is -?\d+, not -?\d+`
	for _, f := range []struct{ file, from, to, seen string }{
		{"rtl/summa_node.v", "sent_q[1] ? column : row", "sent_q[1] ? row : column", "when no stream pauses: not all results have arrived"},
		{"rtl/summa_node.v", "{1'b1, 2'd0, 1'b0, X[1:0]}", "{1'b1, 2'd0, 1'b1, X[1:0]}", wrong},
		{"rtl/summa_top.v", ".barrier_release(barrier_release[n])", ".barrier_release(barrier_release[n] | barrier_arrive[n])", wrong},
		{"rtl/summa_node.v", "{19{terms_a[i/2*16+15]}}", "{19{terms_a[i/2*16+15] & terms_b[15]}}", wrong},
	} {
		e.change(f.file, f.from, f.to)
		text, err := e.run("sim")
		require.Error(t, err, "%s: %s\n%s", f.file, f.to, text)
		assert.Regexp(t, "FAIL: summa_top: "+f.seen, text, "%s: %s", f.file, f.to)
		assert.Contains(t, text, "Error 3")
		e.change(f.file, f.to, f.from)
	}
}

func TestProductsWithVectorsAreExactAndFitTheirDevice(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "matvec")
	text := e.succeed("all")
	assert.Contains(t, text, shown(t, "matvec", "PASS: matvec_top, "))
	assert.NotContains(t, text, "arning")
	readme, err := os.ReadFile("matvec/README.md")
	require.NoError(t, err)
	for _, design := range []string{"counter", "barrier"} {
		bitstream, err := os.ReadFile(filepath.Join(e.dir, "build", design+".bin"))
		require.NoError(t, err)
		assert.Equal(t, "\xff\x00", string(bitstream[:2]), "a bitstream of icepack begins with a comment")
		luts, clock := number(t, design+`: (\d+) LUT4`, text), number(t, design+`: ([0-9.]+) MHz \(PASS at 50.00 MHz\)`, text)
		row := "`" + design + "`" + ` \| `
		assert.InEpsilon(t, luts, number(t, row+`([0-9,]+) \|`, string(readme)), 0.05, "LUTs that the README tells")
		assert.InEpsilon(t, clock, number(t, row+`[0-9,]+ \| [0-9,]+ \| (\d+) \|`, string(readme)), 0.15, "clock that the README tells")
	}
}

// The bench sees starts that are too early, by the counter and without the barrier, an entry of another row, and a wrong
// sign.
func TestBenchOfProductsWithVectorsSeesFaults(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "matvec")
	const wrong = `row \d+, node \d+: -?\d+, not -?\d+`
	for _, f := range []struct{ target, file, from, to, seen string }{
		{"sim-counter", "rtl/matvec_top.v", "LEFT = ROW_CYCLES - 1;", "LEFT = ROW_CYCLES - 8;", "a node has no partial result"},
		{"sim-late", "rtl/matvec_top.v", "late = |late_nodes;", "late = &late_nodes;", "late does not report"},
		{"sim-barrier", "rtl/matvec_top.v", ".barrier_arrive(waiting),", ".barrier_arrive(waiting | 16'hffff),", "a node has no partial result"},
		{"sim-counter", "rtl/matvec_node.v", "<= reading_q & !last;", "<= reading_q;", wrong},
		{"sim-counter", "rtl/matvec_node.v", "reg signed [3:0]  element_q;", "reg        [3:0]  element_q;", wrong},
	} {
		e.change(f.file, f.from, f.to)
		text, err := e.run(f.target)
		require.Error(t, err, "%s: %s\n%s", f.file, f.to, text)
		assert.Regexp(t, "FAIL: matvec_top: "+f.seen, text, "%s: %s", f.file, f.to)
		assert.Contains(t, text, "Error 3")
		e.change(f.file, f.to, f.from)
	}
}

func TestPacketsComeWhole(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "packets")
	text := e.succeed("all")
	assert.Contains(t, text, shown(t, "packets", "PASS: packets_top: "))
	assert.NotContains(t, text, "arning")
}

// The bench detects packets longer than the queue, packets of two sources in one queue, words that are lost when a
// queue is full, and words in the order of the network, which mixes packets.
func TestBenchOfPacketsSeesFaults(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "packets")
	e.succeed("build/ring8/filelist.f")
	const top, library, where = "rtl/packets_top.v", "build/ring8/rtl/ring8_hc_packets.v", `node \d: packet of node \d `
	for _, f := range []struct {
		file  string
		edits [][2]string
		seen  string
	}{
		{top, [][2]string{{"DEPTH_BITS = 2,", "DEPTH_BITS = 1,"}}, "a packet was split"},
		{top, [][2]string{{".s_axis_tid(out_tid[n*3+:3])", ".s_axis_tid(out_tid[n*3+:3] & 3'd6)"}}, where + "(has a wrong word|is one too many)"},
		{top, [][2]string{{".m_axis_tready(out_tready)", ".m_axis_tready(out_tready | {8{!rst}})"}}, where + "(has a wrong word|goes on after)"},
		{library, [][2]string{{"= take & ends;", "= take;"}, {"= begun_q & !word_q[WIDTH];", "= begun_q & !word_q[WIDTH] & rst;"}}, where + `comes inside one of node \d`},
	} {
		for _, edit := range f.edits {
			e.change(f.file, edit[0], edit[1])
		}
		text, err := e.run("sim")
		require.Error(t, err, "%v\n%s", f.edits, text)
		assert.Regexp(t, "FAIL: packets_top: "+f.seen, text, "%v", f.edits)
		assert.Contains(t, text, "Error 3")
		for _, edit := range f.edits {
			e.change(f.file, edit[1], edit[0])
		}
	}
}

// Cycle counts are the same in every run.
func TestBoardsGoThroughTheirRoundsOverBadCables(t *testing.T) {
	t.Parallel()
	e := open(t, "chips")
	text := e.succeed("all")
	assert.Contains(t, text, shown(t, "chips", "boards 0, 1 and 2 say "))
	assert.NotContains(t, text, "arning")
}

// The bench detects nodes that expect another message, frames that nobody checks, a physical layer that does not slip,
// a button that does nothing, and cables with too many errors.
func TestBenchOfBoardsSeesFaults(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "chips")
	e.succeed("build/rows/filelist.f")
	for _, f := range []struct{ file, from, to, seen string }{
		{"rtl/board_node.v", "<= expected + 8'd1;", "<= expected + 8'd2;", `a node of board \d has received a wrong message`},
		{"build/rows/rtl/rows_hc_chip_receive.v", "right_q  <= right;", "right_q  <= right | locked_q;", `a node of board \d has received a wrong message`},
		{"rtl/board_top.v", ".rx_slip (up_slip)", ".rx_slip (up_slip & 1'b0)", `not in \d+ cycles: boards 0, 1 and 2 say that plugs are swapped`},
		{"rtl/board_top.v", "restart_q[1] & !restart_q[2]", "restart_q[1] & !restart_q[1] & !restart_q[2]", `not in \d+ cycles: restart resets all boards`},
	} {
		e.change(f.file, f.from, f.to)
		text, err := e.run("sim")
		require.Error(t, err, "%s: %s\n%s", f.file, f.to, text)
		assert.Regexp(t, "FAIL: board_top: "+f.seen, text, "%s: %s", f.file, f.to)
		assert.Contains(t, text, "Error 3")
		e.change(f.file, f.to, f.from)
	}
	text, err := e.run("sim", "ONE_IN=20")
	require.Error(t, err, text)
	assert.Contains(t, text, "FAIL: board_top: not in 12000 cycles: boards 0, 1 and 2 say that plugs are swapped")
	assert.Contains(t, text, "board 3: up in state 0, down in state 0, 0 rounds")
}

// In WebAssembly this takes some minutes on an idle machine.
func TestBoardsHaveABitstream(t *testing.T) {
	needs.Time(t)
	if _, err := fpga.Named("ecp5").Placer(); err != nil {
		needs.Tools(t, "nextpnr-ecp5", "ecppack")
	}
	t.Parallel()
	e := open(t, "chips")
	text := e.succeed("bitstream")
	bitstream, err := os.ReadFile(filepath.Join(e.dir, "build", "board-85k.bit"))
	require.NoError(t, err)
	assert.Equal(t, "\xff\x00", string(bitstream[:2]), "a bitstream of ecppack begins with a comment")
	assert.Contains(t, string(bitstream[:200]), "LFE5U-85F", "the device of the bitstream")
	readme, err := os.ReadFile("chips/README.md")
	require.NoError(t, err)
	luts, clock := number(t, `board: (\d+) LUT4`, text), number(t, `board: clk_25mhz: ([0-9.]+) MHz \(PASS at 25.00 MHz\)`, text)
	assert.InEpsilon(t, luts, number(t, `about ([0-9,]+) LUT4`, string(readme)), 0.05, "LUTs in the README")
	assert.InEpsilon(t, clock, number(t, `reaches about (\d+) MHz`, string(readme)), 0.15, "clock in the README")
	for _, cable := range []string{"up_rx_clk", "down_rx_clk"} {
		assert.Regexp(t, `board: `+cable+`: [0-9.]+ MHz \(PASS at 25.00 MHz\)`, text)
	}

	text, err = e.run("bitstream", "ULX3S=50k")
	require.Error(t, err)
	assert.Contains(t, text, `ULX3S is "50k": it is the device of the board, 12k, 25k, 45k or 85k`)
}

func TestRoutersAreConfiguredUnderTraffic(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "configure")
	text := e.succeed("all")
	assert.NotContains(t, text, "arning")
	assert.Contains(t, text, "PASS: configure_boot_axi4lite: configured ")
	for _, bus := range []string{"wishbone", "axi4lite"} {
		assert.Contains(t, text, "--lint-only -Wall --top-module configure_top_"+bus+" ")
		assert.Contains(t, text, "PASS: configure_top_"+bus+": configured 30 times in ")

		// the addresses and bits are those of the registers that hcgen writes
		header, err := os.ReadFile(filepath.Join(e.dir, "build", bus, "registers", "hc_registers.vh"))
		require.NoError(t, err)
		boot, err := os.ReadFile("configure/rtl/configure_boot_" + bus + ".v")
		require.NoError(t, err)
		addresses := regexp.MustCompile(`(?m)^    localparam \[7:0\] ([A-Z]+) = (8'h[0-9a-f]+);`).FindAllStringSubmatch(string(boot), -1)
		assert.Len(t, addresses, 5)
		for _, a := range addresses {
			assert.Contains(t, string(header), fmt.Sprintf("localparam [7:0] HC_%s = %s;", a[1], a[2]))
		}
		bits := regexp.MustCompile(`(?m)^    localparam integer ([A-Z]+) = (\d);`).FindAllStringSubmatch(string(boot), -1)
		assert.Len(t, bits, 2)
		for _, b := range bits {
			assert.Contains(t, string(header), fmt.Sprintf("localparam integer HC_STATUS_%s_LSB = %s;", b[1], b[2]))
		}
	}
}

// The benches detect a ring larger than the limits, partial writes, which the routers answer with an
// error, messages that no node sent, and mistakes of an AXI4-Lite master.
func TestBenchesOfConfigurationSeeFaults(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	e := open(t, "configure")
	const (
		wishbone, axi4lite = "rtl/configure_boot_wishbone.v", "rtl/configure_boot_axi4lite.v"

		valid, another = ".s_axis_tvalid(s_axis_tvalid),", ".s_axis_tvalid({s_axis_tvalid[3:1], s_axis_tvalid[1]}),"
		unreasoned     = "failed without a reason, or not with one"
	)
	for _, f := range []struct{ target, file, from, to, seen string }{
		{"sim-wishbone", wishbone, "{DIMENSION, 16'd1, 16'd4}", "{DIMENSION, 16'd1, 16'd5}", "a legal machine is refused"},
		{"sim-axi4lite", axi4lite, "{DIMENSION, 16'd1, 16'd4}", "{DIMENSION, 16'd1, 16'd5}", "a legal machine is refused"},
		{"sim-wishbone", wishbone, "wb_sel_o = 4'b1111", "wb_sel_o = 4'b0111", "a legal machine is refused"},
		{"sim-axi4lite", axi4lite, "m_axi_wstrb   = 4'b1111", "m_axi_wstrb   = 4'b0111", "a legal machine is refused"},
		{"sim-wishbone", "rtl/configure_top_wishbone.v", valid, another, "a message is lost, doubled, or out of order"},
		{"sim-axi4lite", "rtl/configure_top_axi4lite.v", valid, another, "a message is lost, doubled, or out of order"},
		{"sim-boot", axi4lite, "if (answer != OKAY)", "if (reading && answer != OKAY)", unreasoned},
		{"sim-boot", axi4lite, "if (answer != OKAY)", "if (!reading && answer != OKAY)", unreasoned},
		{"sim-boot", axi4lite, "if (m_axi_wready) data_q", "if (m_axi_wready & m_axi_awready) data_q", "write data too many"},
		{"sim-boot", axi4lite, "if (m_axi_wready) data_q", "if (1'b1) data_q", "an offer is withdrawn"},
	} {
		e.change(f.file, f.from, f.to)
		text, err := e.run(f.target)
		require.Error(t, err, "%s: %s\n%s", f.file, f.to, text)
		assert.Regexp(t, "FAIL: configure_[a-z0-9_]+: "+f.seen, text, "%s: %s", f.file, f.to)
		assert.Contains(t, text, "Error 3")
		e.change(f.file, f.to, f.from)
	}
}

// The sums of the ULX3S are right in simulation, and a wrong one is found.
func TestULX3SAnswersWithTheSums(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "iverilog", "vvp")
	t.Parallel()
	e := open(t, "board")
	assert.Contains(t, e.succeed("sim-ulx3s"), "PASS: ulx3s_top: 2 sums of 16 bytes at 2500000 baud")
	e.change("ulx3s/ulx3s_top.v", ".s_own_data(words)", ".s_own_data(words ^ 256'd1)")
	text, err := e.run("sim-ulx3s")
	require.Error(t, err)
	assert.Contains(t, text, "FAIL: ulx3s_top: line 0 is ")
}

// In WebAssembly this takes a minute or two on an idle machine.
func TestULX3SHasABitstream(t *testing.T) {
	needs.Time(t)
	if _, err := fpga.Named("ecp5").Placer(); err != nil {
		needs.Tools(t, "nextpnr-ecp5", "ecppack")
	}
	t.Parallel()
	e := open(t, "board")
	text := e.succeed("bitstream-ulx3s")
	bitstream, err := os.ReadFile(filepath.Join(e.dir, "build", "ulx3s-85k.bit"))
	require.NoError(t, err)
	assert.Equal(t, "\xff\x00", string(bitstream[:2]), "a bitstream of ecppack begins with a comment")
	assert.Contains(t, string(bitstream[:200]), "LFE5U-85F", "the device of the bitstream")
	readme, err := os.ReadFile("board/README.md")
	require.NoError(t, err)
	luts, clock := number(t, `ulx3s: (\d+) LUT4`, text), number(t, `ulx3s: ([0-9.]+) MHz \(PASS at 25.00 MHz\)`, text)
	assert.InEpsilon(t, luts, number(t, `about ([0-9,]+) LUT4 and, on the 85k`, string(readme)), 0.05, "LUTs in the README")
	assert.InEpsilon(t, clock, number(t, `on the 85k, reaches about (\d+) MHz`, string(readme)), 0.15, "clock in the README")

	text, err = e.run("bitstream-ulx3s", "ULX3S=50k")
	require.Error(t, err)
	assert.Contains(t, text, `ULX3S is "50k": it is the device of the board, 12k, 25k, 45k or 85k`)
}

// Cycle counts are the same in every run.
func TestProcessorsComputeAndFitTheBoard(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "riscv64-unknown-elf-gcc")
	t.Parallel()
	e := open(t, "manycore")
	text := e.succeed("all")
	assert.NotContains(t, text, "arning")
	readme, err := os.ReadFile("manycore/README.md")
	require.NoError(t, err)
	for _, run := range []string{"sim-serv", "sim-picorv32", "sim-board"} {
		printed := regexp.MustCompile("(?s)`make " + run + "`.*?```text\n(.*?)```").FindStringSubmatch(string(readme))
		require.NotNil(t, printed, run)
		assert.Contains(t, text, printed[1], run)
	}

	own := e.succeed("run", "PROGRAM=programs/sum.c")
	assert.Regexp(t, `(?m)^sum by add: 220 cycles\nsum by the network: 113 cycles\n([0-9a-f]{8}) ([0-9a-f]{8})$`, own)
	said, err := e.run("run")
	require.Error(t, err)
	assert.Contains(t, said, "error: which program? make run PROGRAM=FILE.c")

	bitstream, err := os.ReadFile(filepath.Join(e.dir, "build", "manycore.bin"))
	require.NoError(t, err)
	assert.Equal(t, "\xff\x00", string(bitstream[:2]), "a bitstream of icepack begins with a comment")
	luts, clock := number(t, `manycore: (\d+) LUT4`, text), number(t, `manycore: ([0-9.]+) MHz \(PASS at 12.00 MHz\)`, text)
	assert.InEpsilon(t, luts, number(t, `LUT4 \| about ([0-9,]+) of 7,680`, string(readme)), 0.05, "LUTs in the README")
	assert.InEpsilon(t, clock, number(t, `clock \| about (\d+) MHz`, string(readme)), 0.15, "clock in the README")
	assert.Equal(t, number(t, `(\d+) block RAM`, text), number(t, `block RAM \| (\d+) of 32`, string(readme)), "block RAM in the README")
}

// Programs run on the top of the ULX3S, over its serial line. The bench sees a line that leaves from another pin.
func TestProcessorsOfTheULX3SCompute(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "riscv64-unknown-elf-gcc")
	t.Parallel()
	e := open(t, "manycore")
	text := e.succeed("sim-ulx3s")
	assert.Contains(t, text, "PASS: manycore_ulx3s: 16 nodes")
	assert.NotContains(t, text, "arning")

	e.change("board/manycore_ulx3s.v", ".uart_tx(ftdi_rxd)", ".uart_tx(led[7])")
	e.change("board/manycore_ulx3s.v", ".leds(led)", ".leds({ftdi_rxd, led[6:0]})")
	text, err := e.run("sim-ulx3s")
	require.Error(t, err, text)
	assert.Contains(t, text, "FAIL: manycore_ulx3s: a light reports a fault")
}

// The bench of the board detects an edge of another side, a term that is left out, sums without the own word, bus errors, and a loader that
// puts the program into one node only.
func TestBenchOfProcessorsSeesFaults(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "riscv64-unknown-elf-gcc")
	t.Parallel()
	e := open(t, "manycore")
	for _, f := range []struct{ file, from, to, seen string }{
		{"programs/matrix.c", "c[i][j] += a[i][k] * b[k][j]", "c[i][j] += a[i][k] * b[j][k]", `matrix: line \d is "[0-9a-f ]+", not "[0-9a-f ]+"`},
		{"programs/heat.c", "there = side ^ 1", "there = side ^ 2", `heat: line \d is "[0-9a-f ]+", not "[0-9a-f ]+"`},
		{"programs/sum.c", "box_add(box_me(), box_offset(&total), own);", "/* left out */", `sum: line 3 is "[0-9a-f]{8} [0-9a-f]{8}", not "`},
		{"programs/sum.c", "box_enable(BOX_EVENT_RELEASED);", "/* left out */", `sum has printed 0 of 6 lines in \d+ cycles`},
		{"programs/sum.c", "box_enable(0);", "box_enable(0);\n  (void)box_load(BOX_REGION_ADD);", `sum: line 7 is "nodes with errors: 4", not "nothing"`},
		{"rtl/manycore_loader.v", "{PUT, {DIMENSIONS{1'b1}}}", "{PUT, {DIMENSIONS{1'b0}}}", `matrix has printed 0 of 5 lines in \d+ cycles`},
	} {
		e.change(f.file, f.from, f.to)
		text, err := e.run("sim-board")
		require.Error(t, err, "%s: %s\n%s", f.file, f.to, text)
		assert.Regexp(t, "FAIL: manycore_board: "+f.seen, text, "%s: %s", f.file, f.to)
		assert.Contains(t, text, "Error 3")
		e.change(f.file, f.to, f.from)
	}
}

// Every missing tool gives a message and exit code 4.
func TestMissingToolsAreReported(t *testing.T) {
	needs.Time(t)
	type need struct {
		tool, target string
		made         string // stands for what comes before
	}
	for name, needs := range map[string][]need{
		"board": {
			{"HCGEN", "lint", ""}, {"VERILATOR", "lint", ""}, {"VERILATOR", "sim-fast", ""}, {"YOSYS", "bitstream", ""},
			{"NEXTPNR", "bitstream", "board.json"}, {"ICEPACK", "bitstream", "board.asc"}, {"ICEPROG", "prog", "board.bin"},
			{"IVERILOG", "sim-ulx3s", ""}, {"VVP", "sim-ulx3s", ""}, {"YOSYS", "bitstream-ulx3s", ""},
			{"NEXTPNR_ECP5", "bitstream-ulx3s", "ulx3s.json"}, {"ECPPACK", "bitstream-ulx3s", "ulx3s-85k.config"}, {"LOADER", "prog-ulx3s", "ulx3s-85k.bit"},
		},
		"matvec": {
			{"HCGEN", "lint", ""}, {"VERILATOR", "lint", ""}, {"VERILATOR", "sim", ""}, {"YOSYS", "bitstream", ""},
			{"NEXTPNR", "bitstream", "counter.json"}, {"ICEPACK", "bitstream", "counter.asc"},
		},
		"stream":  {{"HCGEN", "lint", ""}, {"VERILATOR", "lint", ""}, {"VERILATOR", "sim", ""}},
		"summa":   {{"HCGEN", "lint", ""}, {"VERILATOR", "lint", ""}, {"VERILATOR", "sim", ""}},
		"packets": {{"HCGEN", "lint", ""}, {"VERILATOR", "lint", ""}, {"VERILATOR", "sim", ""}},
		"chips": {
			{"HCGEN", "lint", ""}, {"VERILATOR", "lint", ""}, {"VERILATOR", "sim", ""}, {"YOSYS", "bitstream", ""},
			{"NEXTPNR_ECP5", "bitstream", "board.json"}, {"ECPPACK", "bitstream", "board-85k.config"}, {"LOADER", "prog", "board-85k.bit"},
		},
		"configure": {{"HCGEN", "lint", ""}, {"VERILATOR", "lint", ""}, {"IVERILOG", "sim", ""}, {"VVP", "sim", ""},
			{"IVERILOG", "sim-boot", ""}, {"VVP", "sim-boot", ""}},
		"manycore": {
			{"HCGEN", "lint", ""}, {"PYTHON", "lint", ""}, {"VERILATOR", "lint", ""}, {"RISCV_CC", "sim-board", ""}, {"VERILATOR", "sim-board", ""},
			{"YOSYS", "bitstream", ""}, {"NEXTPNR", "bitstream", "manycore.json"}, {"ICEPACK", "bitstream", "manycore.asc"}, {"ICEPROG", "prog", "manycore.bin"},
			{"VERILATOR", "sim-ulx3s", ""}, {"YOSYS", "bitstream-ulx3s", ""}, {"NEXTPNR_ECP5", "bitstream-ulx3s", "ulx3s.json"},
			{"ECPPACK", "bitstream-ulx3s", "ulx3s.config"}, {"LOADER", "prog-ulx3s", "ulx3s.bit"},
		},
	} {
		e := open(t, name)
		for _, n := range needs {
			if n.made != "" {
				require.NoError(t, os.WriteFile(filepath.Join(e.dir, "build", n.made), nil, 0o644))
			}
			text, err := e.run(n.target, n.tool+"=no-such-tool")
			require.Error(t, err, "%s: %v", name, n)
			assert.Contains(t, text, "error: no-such-tool is not installed\nhint: ", "%s: %v", name, n)
			assert.Contains(t, text, "Error 4", "%s: %v", name, n)
		}
	}
}

// The READMEs list the existing targets.
func TestReadmesNameTheTargets(t *testing.T) {
	needs.Time(t)
	for _, name := range []string{"board", "chips", "matvec", "stream", "summa", "configure", "manycore"} {
		text := open(t, name).succeed("help")
		readme, err := os.ReadFile(filepath.Join(name, "README.md"))
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^    make (\S+)`).FindAllStringSubmatch(string(readme), -1) {
			assert.Contains(t, text, "  "+m[1]+" ", "%s/README.md: make %s", name, m[1])
		}
	}
}

// A path that a shell or make would not take literally is rejected, and nothing is run. The Makefile
// of the project does the same.
func TestMakefilesRefuseOddPaths(t *testing.T) {
	for _, odd := range []string{"a b", "a:b", "R&D", "it's", "x$$(touch HIT)", "`touch HIT`", "x;touch HIT", "p%q"} {
		examples, err := filepath.Glob("*/Makefile")
		require.NoError(t, err)
		require.NotEmpty(t, examples)
		for _, makefile := range examples {
			e := open(t, filepath.Dir(makefile))
			text, err := e.run("BUILD="+odd, "-n", "lint")
			require.Error(t, err, text)
			assert.Contains(t, text, "may have only letters, digits,", "%s BUILD=%s", makefile, odd)
			assert.NoFileExists(t, filepath.Join(e.dir, "HIT"))

			moved := filepath.Join(filepath.Dir(e.dir), strings.ReplaceAll(odd, "$$", "$"))
			require.NoError(t, os.Rename(e.dir, moved))
			e.dir = moved
			text, err = e.run("-n", "lint")
			require.Error(t, err, text)
			assert.Contains(t, text, "may have only letters, digits,", "%s in %s", makefile, moved)
			assert.NoFileExists(t, filepath.Join(e.dir, "HIT"))
		}
		for _, variable := range []string{"BUILD", "CONFIG", "OUT"} {
			text, err := exec.CommandContext(t.Context(), "make", "-C", "..", variable+"="+odd, "help").CombinedOutput()
			require.Error(t, err, string(text))
			assert.Contains(t, string(text), "*** "+variable+` is "`)
			assert.NoFileExists(t, filepath.Join("..", "HIT"))
		}
	}
}
