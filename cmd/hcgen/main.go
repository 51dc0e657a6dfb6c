// SPDX-License-Identifier: Apache-2.0

// Command hcgen generates on-chip networks in Verilog, for broadcasts, addressed messages and collective operations, from
// HCL descriptions of hypercycle machines. See its help.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"

	"golang.org/x/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), interrupts()...)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once; the next run cleans up
	c := &console{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: term.IsTerminal(int(os.Stderr.Fd()))}
	if coloured(c.terminal, runtime.GOOS, os.Getenv) {
		c.err = painter{os.Stderr}
	}
	code := run(ctx, c, os.Args[1:])
	stop()
	os.Exit(code)
}

// interrupts are the signals that end the program after it has cleaned up. Signals that the program was
// started to ignore, as with nohup or in the background, stay ignored.
func interrupts() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
	return slices.DeleteFunc(all, signal.Ignored)
}

// console holds the streams of the program.
type console struct {
	in       io.Reader
	out      io.Writer // data
	err      io.Writer // messages
	terminal bool      // err is a terminal

	refused error // why help was refused

	ctx context.Context // of the run; nil if there is none
}

// stopped reports whether the user has interrupted the run.
func (c *console) stopped() bool { return c.ctx != nil && c.ctx.Err() != nil }

// interruptibleReader gives up waiting for input once its context is done.
type interruptibleReader struct {
	ctx context.Context
	r   io.Reader
}

// Read reads from the wrapped reader. Data read after an interruption are lost.
func (i interruptibleReader) Read(b []byte) (int, error) {
	type result struct {
		data []byte
		err  error
	}
	got, stopped := untilInterrupted(i.ctx, func() result {
		data := make([]byte, len(b))
		n, err := i.r.Read(data)
		return result{data[:n], err}
	})
	if stopped != nil {
		return 0, stopped
	}
	return copy(b, got.data), got.err
}

// untilInterrupted returns the result of f, or gives up waiting for it once the context is done:
// reading input and evaluating a text of the user can take any time.
func untilInterrupted[T any](ctx context.Context, f func() T) (result T, err error) {
	done := make(chan T, 1)
	faults := make(chan any, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				faults <- fmt.Sprintf("%v\n%s", fault, debug.Stack())
			}
		}()
		done <- f()
	}()
	select {
	case <-ctx.Done():
		return result, ctx.Err()
	case fault := <-faults:
		panic(fault)
	case got := <-done:
		if err := ctx.Err(); err != nil {
			return result, err // which may be why f has returned
		}
		return got, nil
	}
}

// run executes one command line and returns the exit code.
func run(ctx context.Context, c *console, args []string) int {
	return guard(c, func() int {
		out := bufio.NewWriter(c.out)
		inner := &console{in: interruptibleReader{ctx, c.in}, out: out, err: c.err, terminal: c.terminal, ctx: ctx}
		root := newRoot(inner)
		root.SetArgs(args)
		err := cmp.Or(root.ExecuteContext(ctx), inner.refused)
		// The data come before the message. Losing data is the first error: a script
		// must not take a partial answer for a complete one.
		if flushErr := out.Flush(); flushErr != nil {
			err = errors.Join(failure{code: exitFault, err: fmt.Errorf("cannot write to standard output: %w", flushErr)}, err)
		}
		return report(c, err)
	})
}

// guard turns a panic, which is always a fault of hcgen itself, into a message
// and the exit code for it.
func guard(c *console, f func() int) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(c.err, "hcgen: error: internal error: %v\n", fault)
			fmt.Fprintf(c.err, "hint: this is a bug in hcgen %s; please report it with the input and these lines:\n%s", version(), debug.Stack())
			code = exitFault
		}
	}()
	return f()
}
