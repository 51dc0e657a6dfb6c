// SPDX-License-Identifier: Apache-2.0

// Package measure counts the cells of routers by synthesizing them with Yosys, several
// at once, and keeps what it has counted, so that an interrupted run continues.
package measure

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// What is synthesized: the routers that explore.Cost estimates. The clock is the delay
// that abc9 aims at.
const (
	device, pack, clock = "hx8k", "ct256", "100"
)

// Cells is what a router takes on iCE40.
type Cells struct {
	LUT4 int `json:"lut4"`
	FF   int `json:"ff"`
}

// Errors of a Yosys that cannot be used: there is none, or it does not even tell its version.
var (
	ErrNoYosys    = errors.New("yosys is not installed")
	ErrYosysFails = errors.New("yosys -V failed")
)

// Meter counts cells.
type Meter struct {
	Cache string // folder for what has been counted; made if it is not there
	Jobs  int    // routers synthesized at once, 1 or more
	// Destination is true if the routers have messages with destinations.
	Destination bool
	// Done, if not nil, is called when one more router is counted, by one goroutine at a
	// time.
	Done func(done, total int)
}

// Routers returns the cells of the router of each machine, given as rings with
// dimension 1 first. The error is ErrNoYosys or ErrYosysFails, that of the context, or tells
// why a router could not be synthesized; what was counted until then is kept.
func (m *Meter) Routers(ctx context.Context, machines [][]hypercycle.Dimension) ([]Cells, error) {
	version, err := yosysVersion(ctx)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(m.Cache, 0o777); err != nil {
		return nil, err
	}
	all := make([]Cells, len(machines))
	var lock sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(m.Jobs)
	for i, rings := range machines {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			c, err := m.router(ctx, rings, version)
			if err != nil {
				return err
			}
			lock.Lock()
			defer lock.Unlock()
			all[i] = c
			if done++; m.Done != nil {
				m.Done(done, len(machines))
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return all, nil
}

// yosysVersion is what Yosys says of itself.
func yosysVersion(ctx context.Context) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "yosys", "-V")
	version, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case stoppedByKeyboard(cmd.ProcessState):
		return nil, context.Canceled // which may be known here before ctx tells it
	case errors.Is(err, exec.ErrNotFound):
		return nil, ErrNoYosys
	case errors.As(err, &exit):
		return nil, fmt.Errorf("%w: %w\n%s", ErrYosysFails, err, bytes.TrimSpace(exit.Stderr))
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrYosysFails, err)
	}
	return version, nil
}

// result is a file of the cache.
type result struct {
	Machine string `json:"machine"`
	Cells
}

// router counts one router, or finds it in the cache: under a name made of all that its
// cells follow from.
func (m *Meter) router(ctx context.Context, rings []hypercycle.Dimension, version []byte) (Cells, error) {
	files, err := sources(rings, m.Destination)
	if err != nil {
		return Cells{}, err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s %s %s\n", version, device, pack, clock)
	for _, f := range files {
		fmt.Fprintf(sum, "%s %d\n%s", f.path, len(f.text), f.text)
	}
	name := (&explore.Machine{Rings: rings}).String()
	file := filepath.Join(m.Cache, hex.EncodeToString(sum.Sum(nil))[:24]+".json")
	data, err := os.ReadFile(file)
	if err == nil {
		var r result
		if json.Unmarshal(data, &r) == nil && r.Machine == name && r.LUT4 > 0 {
			return r.Cells, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return Cells{}, err
	}

	work, err := os.MkdirTemp(m.Cache, "work-")
	if err != nil {
		return Cells{}, err
	}
	defer os.RemoveAll(work)
	c, err := synthesize(ctx, work, files, "build/netlist/cells/router.stat")
	if ctx.Err() != nil {
		return Cells{}, ctx.Err() // the process was killed, which is no fault of its own
	} else if err != nil {
		return Cells{}, fmt.Errorf("%s: %w", name, err)
	}
	if data, err = json.Marshal(result{name, c}); err != nil {
		return Cells{}, err
	}
	whole := filepath.Join(work, "result.json") // whole or not there
	if err := os.WriteFile(whole, append(data, '\n'), 0o666); err != nil {
		return Cells{}, err
	}
	return c, os.Rename(whole, file)
}

// stoppedByKeyboard reports whether a process ended because of an interrupt, as all in the foreground of a
// terminal get it.
func stoppedByKeyboard(state *os.ProcessState) bool {
	if state == nil {
		return false
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGINT || state.ExitCode() == 128+int(syscall.SIGINT)
}

// source is a generated file.
type source struct {
	path string // slash-separated
	text []byte
}

// sources generates what synthesis reads of a router.
func sources(rings []hypercycle.Dimension, destination bool) ([]source, error) {
	m, err := machine.Bare(rings...)
	if err != nil {
		return nil, err
	}
	m.PayloadBits, m.Destination = explore.PayloadBits, destination
	return sourcesOf(m)
}

// Node returns the cells of a node of a collective network, as explore.NewCollective describes it.
func Node(ctx context.Context, rings []hypercycle.Dimension, operation string) (Cells, error) {
	m, err := machine.Bare(rings...)
	if err != nil {
		return Cells{}, err
	}
	c := explore.CollectiveBlock(operation)
	m.Collectives, m.NoRouters = []machine.Collective{c}, true
	files, err := sourcesOf(m)
	if err != nil {
		return Cells{}, err
	}
	work, err := os.MkdirTemp("", "hcgen-cost")
	if err != nil {
		return Cells{}, err
	}
	defer os.RemoveAll(work)
	return synthesize(ctx, work, files, "build/netlist-"+c.Name+"/cells/node.stat", "COLLECTIVE="+c.Name, "NODE=m_"+c.Name+"_node")
}

// sourcesOf generates what synthesis reads of a machine.
func sourcesOf(m *machine.Machine) ([]source, error) {
	// files for other tools name a device; the one here is told on the command line
	m.Synthesis = []machine.Synthesis{{Name: "hx8k", Family: "ice40", Device: "hx8k", Package: "ct256", ClockMHz: 100, Seeds: []int{1}}}
	files, err := assemble.Files(plan.New(m), assemble.Options{})
	if err != nil {
		return nil, err
	}
	var all []source
	for _, f := range files {
		if !strings.HasPrefix(f.Path, "rtl/") && f.Path != "filelist.f" && f.Path != "synth/synth.sh" {
			continue
		}
		var b bytes.Buffer
		if err := f.Content(&b); err != nil {
			return nil, err
		}
		all = append(all, source{f.Path, b.Bytes()})
	}
	return all, nil
}

// synthesize runs the script of the generated output in a folder of its own, with further variables. stat is the file
// with the cells.
func synthesize(ctx context.Context, work string, files []source, stat string, variables ...string) (Cells, error) {
	for _, f := range files {
		name := filepath.Join(work, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return Cells{}, err
		}
		if err := os.WriteFile(name, f.text, 0o666); err != nil {
			return Cells{}, err
		}
	}
	cmd := exec.CommandContext(ctx, "sh", "synth/synth.sh", "cells", device, pack, clock)
	cmd.Dir = work
	// only the first of two of the same name would count otherwise
	for _, v := range os.Environ() {
		switch name, _, _ := strings.Cut(v, "="); name {
		case "MACHINE", "NETWORK", "NETLIST", "BUILD", "YOSYS", "OPTIMIZE", "ABC9_SCRIPT", "ABC9_DELAY", "ABC9_WIRE", "YOSYS_OPTIONS", "COLLECTIVE", "NODE", "PLACE":
		default:
			cmd.Env = append(cmd.Env, v)
		}
	}
	// for the area: what the clock costs in LUTs depends on the one that is asked for
	cmd.Env = append(cmd.Env, "MACHINE=m", "NETLIST=1", "OPTIMIZE=area")
	cmd.Env = append(cmd.Env, variables...)
	if out, err := cmd.CombinedOutput(); stoppedByKeyboard(cmd.ProcessState) {
		return Cells{}, context.Canceled // which may be known here before ctx tells it
	} else if err != nil {
		return Cells{}, fmt.Errorf("synthesis failed: %w\n%s", err, bytes.TrimSpace(out))
	}
	text, err := os.ReadFile(filepath.Join(work, filepath.FromSlash(stat)))
	if err != nil {
		return Cells{}, err
	}
	return count(string(text))
}

// count reads the cells of the last module in what Yosys tells, which is the whole
// design.
func count(stat string) (Cells, error) {
	var c Cells
	if last := strings.LastIndex(stat, "\n=== "); last >= 0 {
		stat = stat[last:]
	}
	for _, m := range regexp.MustCompile(`(?m)^\s*(?:SB_(LUT4|DFF)\w*\s+(\d+)|(\d+)\s.*\bSB_(LUT4|DFF)\w*)\s*$`).FindAllStringSubmatch(stat, -1) {
		n, err := strconv.Atoi(m[2] + m[3])
		if err != nil {
			return c, err
		}
		if m[1]+m[4] == "LUT4" {
			c.LUT4 += n
		} else {
			c.FF += n
		}
	}
	if c.LUT4 == 0 || c.FF == 0 {
		return c, errors.New("the statistics of Yosys have no LUT4 or no flip-flops")
	}
	return c, nil
}
