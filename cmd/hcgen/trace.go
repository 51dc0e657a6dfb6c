// SPDX-License-Identifier: Apache-2.0

package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
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
		advice = "the traffic blocks are " + strings.Join(names, ", ")
	}
	return machine.Traffic{}, usage(advice, "unknown traffic block %q", name)
}

// writeTrace writes the golden trace of the network and prints a summary.
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
	injected := "broadcast"
	if p.Destination != nil {
		injected = "message"
	}
	fmt.Fprintf(c.err, "hcgen: traffic %s of machine %s: %s, %s, %d deliveries", t.Name, p.Name,
		count(s.Cycles, "cycle"), count(s.Injections, injected), s.Deliveries)
	if s.InFlight > 0 {
		fmt.Fprintf(c.err, "; %s under way at the end", count(s.InFlight, "message"))
	}
	fmt.Fprintln(c.err)
	return nil
}

// writeFile writes a file completely or not at all; of a link, the file that it leads
// to. Standard output, pipes and devices are written directly, so that partial data
// stay.
func writeFile(c *console, name string, write func(io.Writer) error) error {
	if name == "-" {
		return cutShort(write(c.out))
	}
	target, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		target, err = name, nil
	}
	if err != nil {
		return unwritable(name, err)
	}
	old, err := os.Stat(target)
	if err == nil && !old.Mode().IsRegular() {
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return unwritable(name, err)
		}
		return cutShort(errors.Join(write(f), f.Close()))
	}
	return replace(name, target, func(w io.Writer) error { return compressed(name, w, write) })
}

// replace writes the file target, which the user calls name, completely or not at
// all. An existing file keeps its mode.
func replace(name, target string, write func(io.Writer) error) error {
	beside := filepath.Join(filepath.Dir(target), fmt.Sprintf(".hcgen-%d", os.Getpid()))
	f, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return unwritable(name, err)
	}
	defer os.Remove(beside) // fails if all went well
	if old, err := os.Stat(target); err == nil {
		_ = f.Chmod(old.Mode().Perm()) // where the system permits it
	}
	err = write(f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(beside, target)
	}
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		return fmt.Errorf("%s cannot be written: %w", name, pathErr.Err) // without the name of the temporary file, which the user does not know
	}
	return err
}

// cutShort is the error of an interruption after which written data stay.
func cutShort(err error) error {
	if errors.Is(err, context.Canceled) {
		return failure{code: exitInterrupted, err: errors.New("interrupted; the trace is incomplete")}
	}
	return err
}

// unwritable is the error for a file that cannot be opened.
func unwritable(name string, err error) error {
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return failure{code: exitUsage, err: fmt.Errorf("%s cannot be written: %w", name, err)}
}

// compressed writes through gzip if the name ends in .gz. Two runs give the same
// bytes, because the header holds neither name nor time.
func compressed(name string, w io.Writer, write func(io.Writer) error) error {
	if !gzipped(name) {
		return write(w)
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}

// gzipped reports whether a file of this name is compressed.
func gzipped(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".gz") }

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
