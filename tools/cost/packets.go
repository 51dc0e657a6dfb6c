// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/hdl"
)

// packetsTable has a line for each hc_packets: SOURCES, DEPTH_BITS, WIDTH and PACKETS, and its LUT4, FF and block RAM.
const packetsTable = "internal/explore/testdata/packets.csv"

// packets measures every hc_packets of a table.
func packets(ctx context.Context, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	lines, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	work, err := os.MkdirTemp("", "hcgen-cost")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	module, err := hdl.Source("hc_packets")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(work, "hc_packets.v"), []byte(module), 0o666); err != nil {
		return err
	}
	for i, line := range lines[1:] {
		sources, err := strconv.Atoi(line[0])
		if err != nil || sources < 1 {
			return fmt.Errorf("%s:%d: %q is no number of sources", file, i+2, line[0])
		}
		script := fmt.Sprintf("read_verilog hc_packets.v; chparam -set SOURCES %d -set SOURCE_BITS %d -set DEPTH_BITS %s -set WIDTH %s -set PACKETS %s hc_packets; "+
			"synth_ice40 -top hc_packets; tee -q -o stat stat", sources, max(1, bits.Len(uint(sources-1))), line[1], line[2], line[3])
		cmd := exec.CommandContext(ctx, "yosys", "-q", "-p", script)
		cmd.Dir = work
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s:%d: yosys: %w\n%s", file, i+2, err, out)
		}
		stat, err := os.ReadFile(filepath.Join(work, "stat"))
		if err != nil {
			return err
		}
		for column, cell := range map[int]string{4: "SB_LUT4", 5: "SB_DFF", 6: "SB_RAM40"} {
			line[column] = strconv.Itoa(cells(string(stat), cell))
		}
		fmt.Fprintf(os.Stderr, "cost: %d of %d hc_packets\n", i+1, len(lines)-1)
	}
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(b.String()), 0o666)
}

// cells counts the cells of a kind in what stat prints of one module.
func cells(stat, kind string) (sum int) {
	for _, m := range regexp.MustCompile(`(?m)^\s*`+kind+`\w*\s+(\d+)$|^\s*(\d+)\s.*\b`+kind+`\w*$`).FindAllStringSubmatch(stat, -1) {
		n, _ := strconv.Atoi(m[1] + m[2]) // digits
		sum += n
	}
	return sum
}
