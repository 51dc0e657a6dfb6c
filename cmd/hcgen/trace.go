// SPDX-License-Identifier: Apache-2.0

package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/sim"
)

// parseTraffic finds a traffic block by its name.
func parseTraffic(m *machine.Machine, name string) (machine.Traffic, error) {
	var names []string
	for _, t := range m.Traffic {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	advice := "the description has no traffic block"
	if len(names) > 0 {
		advice = "the description has " + strings.Join(names, ", ")
	}
	return machine.Traffic{}, usage(advice, "no traffic block is named %q", name)
}

// writeTrace writes the golden trace of the network and sums it up in a message.
func writeTrace(ctx context.Context, c *console, p *plan.Plan, t machine.Traffic, name string) error {
	progress := newProgress(c)
	var s sim.Summary
	err := writeFile(c, name, func(w io.Writer) (err error) {
		s, err = sim.WriteNetworkTrace(interruptible{ctx, w}, p, t, func(done, total int) { progress.show(t.Name, done, total) })
		return err
	})
	progress.clear()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.err, "hcgen: traffic %s of machine %s: %s, %s, %d deliveries", t.Name, p.Name,
		count(s.Cycles, "cycle"), count(s.Injections, "broadcast"), s.Deliveries)
	if s.InFlight > 0 {
		fmt.Fprintf(c.err, "; %s under way at the end", count(s.InFlight, "message"))
	}
	fmt.Fprintln(c.err)
	return nil
}

// writeFile writes a file as a whole or not at all. Standard output, pipes and
// devices are written as they are, without looking back.
func writeFile(c *console, name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(c.out)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return failure{code: exitUsage, err: err}
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".hcgen-*")
	if err != nil {
		return failure{code: exitUsage, err: err}
	}
	defer os.Remove(f.Name()) // fails if all went well
	err = errors.Join(compressed(name, f, write), f.Chmod(0o644), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// compressed lets write through gzip if the name says so. Two runs give the same
// bytes: the header holds neither name nor time.
func compressed(name string, w io.Writer, write func(io.Writer) error) error {
	if !strings.HasSuffix(name, ".gz") {
		return write(w)
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	return errors.Join(write(z), z.Close())
}

// interruptible is a writer that fails once its context is done.
type interruptible struct {
	ctx context.Context
	w   io.Writer
}

func (i interruptible) Write(b []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.w.Write(b)
}
