// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
)

// Exit codes. Targets of the generated Makefile use 3 and 4 too.
const (
	exitFine        = 0
	exitFault       = 1   // internal fault, or a failure of the system such as a full disk
	exitUsage       = 2   // bad configuration or flags
	exitCheck       = 3   // a check failed
	exitTool        = 4   // a tool is missing or too old
	exitInterrupted = 130 // stopped by the user, as shells report it
)

// failure is an error that knows its exit code.
type failure struct {
	code   int
	err    error  // nil if everything has been reported
	advice string // may be empty
}

// Error returns the message.
func (f failure) Error() string {
	if f.err == nil {
		return "failed"
	}
	return f.err.Error()
}

// Unwrap returns the cause.
func (f failure) Unwrap() error { return f.err }

// usage is a mistake in the command line.
func usage(advice, format string, args ...any) error {
	return failure{code: exitUsage, err: fmt.Errorf(format, args...), advice: advice}
}

// classify gives an error of a command its exit code.
func classify(err error) error {
	var known failure
	var acts interface { // an error that the user can fix, with advice
		error
		Hint() string
	}
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, context.Canceled):
		return failure{code: exitInterrupted, err: errors.New("interrupted; nothing was changed")}
	case errors.Is(err, syscall.ENAMETOOLONG):
		return failure{code: exitUsage, err: err, advice: "use a shorter name"}
	case errors.As(err, &acts):
		return failure{code: exitUsage, err: err, advice: acts.Hint()}
	}
	return failure{code: exitFault, err: err}
}

// report prints err with its hint and returns the exit code.
func report(c *console, err error) int {
	if err == nil {
		return exitFine
	}
	var f failure
	if !errors.As(err, &f) {
		// errors of cobra itself are mistakes in the command line
		f = failure{code: exitUsage, err: err, advice: "hcgen --help lists commands and flags"}
	}
	if f.err != nil {
		fmt.Fprintf(c.err, "hcgen: error: %v\n", f.err)
	}
	if f.advice != "" {
		fmt.Fprintf(c.err, "hint: %s\n", f.advice)
	}
	return f.code
}
