// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/internal/process"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/sim/traces"
)

// loadMachine reads a description with values of its variables.
func loadMachine(file string, vars map[string]string) (*machine.Machine, error) {
	m, _, diags := machine.Load(file, vars, machine.WithSchedules(schedule.LoadFile, schedule.Messages))
	if diags.HasErrors() {
		return nil, diags
	}
	return m, nil
}

// parseMachine reads the description of a unit.
func parseMachine(text string) (*machine.Machine, error) {
	m, _, diags := machine.LoadBytes("machine.hcl", []byte(text), nil)
	if diags.HasErrors() {
		return nil, diags
	}
	return m, nil
}

// generated is an output folder for a while.
type generated struct {
	plan   *plan.Plan
	folder string
}

// generate writes the output folder of a machine. remove removes it.
func generate(ctx context.Context, m *machine.Machine) (g generated, remove func(), err error) {
	work, err := os.MkdirTemp("", "hcgen-measure-")
	if err != nil {
		return g, nil, err
	}
	remove = func() { os.RemoveAll(work) }
	g = generated{plan.New(m), filepath.Join(work, "out")}
	files, err := assemble.Files(g.plan, assemble.Options{})
	if err == nil {
		err = output.Write(ctx, g.folder, files, output.Meta{Version: "measure", Machine: m.Name, ConfigHash: m.Hash}, output.Options{})
	}
	if err != nil {
		remove()
	}
	return g, remove, err
}

// make makes a target of the folder, with further arguments, and returns the output.
func (g generated) make(ctx context.Context, arguments ...string) (string, error) {
	return text(g.command(ctx, arguments...))
}

func (g generated) command(ctx context.Context, arguments ...string) *exec.Cmd {
	return process.Make(ctx, g.folder, arguments...)
}

// array replays a load on an array of routers, which the bench compares with the trace of the model in every cycle. It
// copies the output of the bench to out.
func (g generated) array(ctx context.Context, load machine.Traffic, out io.Writer, variables ...string) error {
	bench := g.command(ctx, append([]string{"sim-array"}, variables...)...)
	bench.Stdout, bench.Stderr = out, out
	trace, err := bench.StdinPipe()
	if err != nil {
		return err
	}
	if err := bench.Start(); err != nil {
		return err
	}
	_, traced := traces.WriteNetwork(trace, g.plan, load, nil)
	traced = errors.Join(traced, trace.Close())
	if err := bench.Wait(); err != nil { // then the trace is not read to its end
		return fmt.Errorf("%s: %w", strings.Join(bench.Args, " "), err)
	}
	return traced
}

// text runs a command and returns its output, which is also part of an error.
func text(c *exec.Cmd) (string, error) {
	out, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, out)
	}
	return string(out), nil
}

var latencyLine = regexp.MustCompile(`(?m)^latency: (\d+) cycles`)

// latency finds the cycles of a broadcast in the output of a bench.
func latency(output string) (int, error) {
	found := latencyLine.FindStringSubmatch(output)
	if found == nil {
		return 0, fmt.Errorf("the bench prints no latency:\n%s", output)
	}
	return strconv.Atoi(found[1])
}

var freeRunLine = regexp.MustCompile(`(?m)^free run: .* ([0-9.]+) million router cycles per second`)

// freeRun finds the speed in the output of a bench, in millions of router cycles per second.
func freeRun(output string) (float64, error) {
	found := freeRunLine.FindStringSubmatch(output)
	if found == nil {
		return 0, fmt.Errorf("the bench prints no speed:\n%s", output)
	}
	return strconv.ParseFloat(found[1], 64)
}

// fastest is the speed of the RTL under load, the best of three runs, because other processes share the processor.
func (g generated) fastest(ctx context.Context, arguments ...string) (float64, error) {
	best := 0.0
	for range 3 {
		output, err := g.make(ctx, append([]string{"speed"}, arguments...)...)
		if err != nil {
			return 0, err
		}
		speed, err := freeRun(output)
		if err != nil {
			return 0, err
		}
		best = max(best, speed)
	}
	return best, nil
}

// broadcastTask is one broadcast alone in the RTL of a machine, from node 0: in the network top if there is one, else in an
// array of routers. Its result are the cycles from the injection to the last delivery.
type broadcastTask struct {
	Description string
	Program     string // generates the hardware and the trace
}

func (b *broadcastTask) do(ctx context.Context) (int, error) {
	m, err := parseMachine(b.Description)
	if err != nil {
		return 0, err
	}
	g, remove, err := generate(ctx, m)
	if err != nil {
		return 0, err
	}
	defer remove()
	if m.Network {
		text, err := g.make(ctx, "sim-alone", "JOBS=1")
		if err != nil {
			return 0, err
		}
		return latency(text)
	}
	var out bytes.Buffer
	if err := g.array(ctx, g.plan.Alone(0), &out, "JOBS=1"); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, out.String())
	}
	return latency(out.String())
}
