// SPDX-License-Identifier: Apache-2.0

// Area synthesizes routers with Yosys for three families of FPGAs and counts their cells: LUTs by
// size, flip-flops, carry cells and multiplexers. Nothing is placed, so there is no clock. It prints
// all counts, and writes LUTs and flip-flops into docs/performance.md.
//
//	go run ./tools/area     (in the top folder of the project)
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/tools/internal/page"
)

// The files that it writes.
const (
	document = "docs/performance.md"
	place    = "area" // of the table in it
)

// subject is a router that is synthesized.
type subject struct {
	title   string
	config  string // described in configs/<config>.hcl; empty: the programmable router of hdl/programmable with its default limits
	payload int    // bits; other than the default of the description, through its variable
	vars    map[string]string
}

func subjects() []subject {
	return []subject{
		{"ring of 8", "ring8", 8, map[string]string{"payload_bits": "8"}},
		{"ring of 8", "ring8", 32, nil},
		{"4x4 torus", "torus4x4", 4, map[string]string{"payload_bits": "4"}},
		{"4x4 torus", "torus4x4", 32, nil},
		{"4-cube", "cube4", 32, nil},
		{"15x15x15x15, rho 1", "prototype15", 32, nil},
		{"15x15x15x15, rho 2", "degree16", 16, nil},
		{"programmable, degree 16", "", 8, nil},
	}
}

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := measureArea(ctx, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func measureArea(ctx context.Context, out io.Writer) error {
	if err := page.Check(document, place); err != nil { // before minutes of work
		return fmt.Errorf("%w (area runs in the top folder of the project)", err)
	}
	version, err := exec.CommandContext(ctx, "yosys", "-V").Output()
	if err != nil {
		return fmt.Errorf("yosys: %w: make setup installs it", err)
	}
	words := strings.Fields(string(version))
	if len(words) < 2 {
		return fmt.Errorf("yosys -V prints %q", version)
	}
	work, err := os.MkdirTemp("", "area")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	all := subjects()
	counted := make([][]cells, len(all))
	errs := make([]error, len(all))
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.NumCPU())
	for i, s := range all {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			counted[i], errs[i] = s.count(ctx, filepath.Join(work, fmt.Sprint(i)))
			if errs[i] != nil {
				errs[i] = fmt.Errorf("%s: %w", s.title, errs[i])
			}
			fmt.Fprintf(os.Stderr, "area: %s, %d bits\n", s.title, s.payload)
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	text := table(all, counted, words[1])
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	return page.Write(document, place, summary(all, counted, words[1]))
}

// count synthesizes a router for every family.
func (s *subject) count(ctx context.Context, work string) ([]cells, error) {
	top, sources, err := s.sources(work)
	if err != nil {
		return nil, err
	}
	var all []cells
	for _, f := range families() {
		command := exec.CommandContext(ctx, "yosys", "-q", "-p", fmt.Sprintf("read_verilog %s; %s -top %s; tee -o stat stat", strings.Join(sources, " "), f.synth, top))
		command.Dir = work
		text, err := command.CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("yosys %s: %w\n%s", f.synth, err, text)
		}
		stat, err := os.ReadFile(filepath.Join(work, "stat"))
		if err != nil {
			return nil, err
		}
		c, err := f.parse(string(stat))
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// sources writes the Verilog of a router into a folder.
func (s *subject) sources(work string) (top string, files []string, err error) {
	if err := os.MkdirAll(work, 0o777); err != nil {
		return "", nil, err
	}
	if s.config == "" {
		for _, folder := range []string{"hdl", "hdl/programmable"} {
			there, err := filepath.Glob(folder + "/*.v")
			if err != nil {
				return "", nil, err
			}
			files = append(files, there...)
		}
		for i, f := range files {
			if files[i], err = filepath.Abs(f); err != nil {
				return "", nil, err
			}
		}
		return "hc_router_programmable", files, nil
	}
	m, _, diags := machine.Load(filepath.Join("configs", s.config+".hcl"), s.vars)
	if diags.HasErrors() {
		return "", nil, diags
	}
	if m.PayloadBits != s.payload {
		return "", nil, fmt.Errorf("its payload has %d bits, not %d", m.PayloadBits, s.payload)
	}
	p := plan.New(m)
	made, err := assemble.Files(p, assemble.Options{})
	if err != nil {
		return "", nil, err
	}
	for _, f := range made {
		if !strings.HasPrefix(f.Path, "rtl/") || f.Path == "rtl/"+p.NetworkModule+".v" {
			continue
		}
		var text strings.Builder
		if err := f.Content(&text); err != nil {
			return "", nil, err
		}
		name := filepath.Base(f.Path)
		if err := os.WriteFile(filepath.Join(work, name), []byte(text.String()), 0o666); err != nil {
			return "", nil, err
		}
		files = append(files, name)
	}
	return p.RouterModule, files, nil
}

// table prints the cells by router and family, with a legend.
func table(all []subject, counted [][]cells, version string) string {
	var b strings.Builder
	b.WriteString("| router | payload | family | LUT1 | LUT2 | LUT3 | LUT4 | LUT5 | LUT6 | LUTs | FF | carry | MUXF7, PFUMX | MUXF8, L6MUX21 |\n")
	b.WriteString("|" + strings.Repeat(" --- |", 14) + "\n")
	for i, s := range all {
		for j, f := range families() {
			c := counted[i][j]
			fmt.Fprintf(&b, "| %s | %d | %s |", s.title, s.payload, f.name)
			for _, n := range append(append([]int{}, c.LUT[1:]...), c.sum(), c.FF, c.Carry, c.Mux7, c.Mux8) {
				fmt.Fprintf(&b, " %s |", shown(n))
			}
			b.WriteString("\n")
		}
	}
	fmt.Fprintf(&b, "\nYosys %s.\n", version)
	return b.String()
}

// summary is the part of the table that the page shows: LUTs and flip-flops, one row for each router.
func summary(all []subject, counted [][]cells, version string) string {
	var b strings.Builder
	b.WriteString("| router | payload |")
	for _, f := range families() {
		fmt.Fprintf(&b, " %s LUT / FF |", f.name)
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", 2+len(families())) + "\n")
	for i, s := range all {
		fmt.Fprintf(&b, "| %s | %d |", s.title, s.payload)
		for j := range families() {
			fmt.Fprintf(&b, " %d / %d |", counted[i][j].sum(), counted[i][j].FF)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nYosys %s.\n", version)
	return b.String()
}

// shown is a number, and a hyphen for 0.
func shown(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
