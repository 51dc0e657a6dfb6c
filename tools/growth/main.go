// SPDX-License-Identifier: Apache-2.0

//go:build unix

// Growth measures how the cost of a machine grows with its nodes, its degree and its
// payload: the time of generation, of a cycle of a router in the reference model, and of a
// cycle in the Verilated RTL. It prints a table and draws docs/growth.svg.
//
//	go run ./tools/growth     (in the top folder of the project)
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// sweep is a row of machines that differ in one number.
type sweep struct {
	name   string // of the number
	points []point
}

// point is a machine and its costs.
type point struct {
	x       int    // the number that the sweep varies
	rings   string // m,rho of every dimension
	payload int    // bits
	rtl     bool   // simulate the RTL too; larger ones take the compiler minutes

	nodes, degree int
	text          float64 // ms to generate everything but traces
	trace         float64 // ms to write the router trace
	model         float64 // ns for a router cycle, under load
	verilated     float64 // the same in the RTL; 0 if not measured
}

func sweeps() []sweep {
	nodes := sweep{name: "nodes"}
	for _, m := range []int{2, 4, 6, 8, 16, 32} {
		nodes.points = append(nodes.points, point{x: m * m, rings: fmt.Sprintf("%d,1 %d,1", m, m), payload: 32, rtl: m <= 6})
	}
	degree := sweep{name: "degree"}
	for _, rho := range []int{1, 2, 4, 8} {
		degree.points = append(degree.points, point{x: min(2*rho, 15), rings: fmt.Sprintf("16,%d", rho), payload: 32, rtl: rho <= 4})
	}
	payload := sweep{name: "payload"}
	for _, bits := range []int{8, 32, 128, 512, 1024} {
		payload.points = append(payload.points, point{x: bits, rings: "4,1 4,1", payload: bits, rtl: bits <= 512})
	}
	return []sweep{nodes, degree, payload}
}

func main() {
	if err := measureGrowth(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// picture is the file that it writes.
const picture = "docs/growth.svg"

func measureGrowth() error {
	if _, err := os.Stat(picture); err != nil { // before the minutes that it takes
		return fmt.Errorf("%w (growth runs in the top folder of the project)", err)
	}
	work, err := os.MkdirTemp("", "growth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	all := sweeps()
	for i := range all {
		for j := range all[i].points {
			pt := &all[i].points[j]
			if err := pt.measure(filepath.Join(work, fmt.Sprintf("%d_%d", i, j))); err != nil {
				return fmt.Errorf("%s %d: %w", all[i].name, pt.x, err)
			}
			fmt.Fprintf(os.Stderr, "%s\n", pt.row(all[i].name))
		}
	}
	if _, err := io.WriteString(os.Stdout, table(all)); err != nil {
		return err
	}
	return os.WriteFile(picture, draw(all), 0o644)
}

// measure fills in the costs of the machine. Each figure is the smallest of several
// runs, because other processes share the processor.
func (pt *point) measure(folder string) error {
	m, _, diags := machine.LoadBytes("growth.hcl", []byte(pt.description()), nil)
	if diags.HasErrors() {
		return diags
	}
	p := plan.New(m)
	pt.nodes, pt.degree = p.Nodes, p.Degree

	files, err := assemble.Files(p, assemble.Options{})
	if err != nil {
		return err
	}
	pt.text, err = best(func() error {
		for _, f := range files {
			if !strings.HasPrefix(f.Path, "golden/") {
				if err := f.Content(io.Discard); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	pt.trace, err = best(func() error {
		return sim.WriteRouterTrace(io.Discard, p, 0, 1, nil)
	})
	if err != nil {
		return err
	}

	n := sim.NewNetwork(p, machine.Traffic{Name: "growth", Random: &machine.Random{Rate: 1, Stall: 0.1, Seed: 1}})
	cycles := max(20, 400_000/p.Nodes)
	milliseconds, err := best(func() error {
		for range cycles {
			n.Step()
		}
		return nil
	})
	if err != nil {
		return err
	}
	pt.model = milliseconds * 1e6 / float64(cycles*p.Nodes)

	if !pt.rtl {
		return nil
	}
	meta := output.Meta{Version: "growth", Machine: m.Name, ConfigHash: m.Hash}
	if err := output.Write(context.Background(), folder, files, meta, output.Options{}); err != nil {
		return err
	}
	pt.verilated, err = verilated(folder, max(500, 200_000/p.Nodes))
	return err
}

func (pt *point) description() string {
	var b strings.Builder
	fmt.Fprintf(&b, "machine \"growth\" {\n  message {\n    payload_bits = %d\n  }\n", pt.payload)
	address := ""
	for i, ring := range strings.Fields(pt.rings) {
		m, rho, _ := strings.Cut(ring, ",")
		fmt.Fprintf(&b, "  dimension \"d%d\" {\n    m = %s\n    rho = %s\n  }\n", i+1, m, rho)
		address += ", 0"
	}
	fmt.Fprintf(&b, "}\ntraffic \"one\" {\n  cycles = 1\n  broadcast {\n    sources = [[%s]]\n  }\n}\n", address[2:])
	return b.String()
}

// best returns the processor time of the shortest of several runs in milliseconds, because
// other processes use the processor too.
func best(run func() error) (float64, error) {
	shortest := math.Inf(1)
	for range 5 {
		start, err := processorTime()
		if err != nil {
			return 0, err
		}
		if err := run(); err != nil {
			return 0, err
		}
		end, err := processorTime()
		if err != nil {
			return 0, err
		}
		shortest = min(shortest, float64(end-start)/1e6)
	}
	return shortest, nil
}

// processorTime is the processor time of this process so far, in nanoseconds.
func processorTime() (int64, error) {
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano(), err
}

var freeRun = regexp.MustCompile(`([0-9.]+) million router cycles per second`)

// verilated returns the nanoseconds of a router cycle in the RTL.
func verilated(folder string, cycles int) (float64, error) {
	fastest := 0.0
	for range 3 {
		out, err := exec.Command("make", "-C", folder, "--no-print-directory", "speed", fmt.Sprintf("CYCLES=%d", cycles)).CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("make speed: %w\n%s", err, out)
		}
		found := freeRun.FindSubmatch(out)
		if found == nil {
			return 0, fmt.Errorf("make speed prints no speed: %s", out)
		}
		speed, err := strconv.ParseFloat(string(found[1]), 64)
		if err != nil {
			return 0, err
		}
		fastest = max(fastest, speed)
	}
	return 1e3 / fastest, nil
}

func (pt *point) row(name string) string {
	rtl := "-"
	if pt.verilated > 0 {
		rtl = fmt.Sprintf("%.0f", pt.verilated)
	}
	return fmt.Sprintf("| %s | %s | %d | %d | %d | %.1f | %.1f | %.0f | %s |",
		name, strings.ReplaceAll("("+strings.ReplaceAll(pt.rings, " ", ")(")+")", ",", ", "),
		pt.nodes, pt.degree, pt.payload, pt.text, pt.trace, pt.model, rtl)
}

func table(all []sweep) string {
	var b strings.Builder
	b.WriteString("| varied | (m, rho) | nodes | degree | payload | text, ms | router trace, ms | model, ns | RTL, ns |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, s := range all {
		for i := range s.points {
			b.WriteString(s.points[i].row(s.name) + "\n")
		}
	}
	return b.String()
}
