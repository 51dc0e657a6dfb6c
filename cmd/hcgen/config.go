// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/schedule"
)

// config holds the flags that name a machine.
type config struct {
	path once
	vars variables
}

// flags adds -c and --var.
func (f *config) flags(cmd *cobra.Command) {
	f.path.kind = "FILE"
	cmd.Flags().VarP(&f.path, "config", "c", "description in HCL, or in JSON if the name ends in .json or the text begins with {; - is standard input")
	cmd.Flags().Var(&f.vars, "var", "set a variable of the description; may be repeated")
	_ = cmd.MarkFlagFilename("config", "hcl", "json")
	_ = cmd.RegisterFlagCompletionFunc("var", cobra.NoFileCompletions)
}

// errNoDescription is the error for a command line without -c.
var errNoDescription = usage("add -c FILE, such as -c machine.hcl", "no description given")

// load reads the machine and prints all diagnostics.
func (f *config) load(c *console) (*machine.Machine, error) {
	if !f.path.set {
		return nil, errNoDescription
	}
	l, err := f.read(c)
	if err != nil {
		return nil, err
	}
	if err := machine.WriteDiagnostics(c.err, "hcgen: ", l.files, l.diags); err != nil {
		return nil, err
	}
	if l.diags.HasErrors() {
		return nil, failure{code: exitUsage}
	}
	if l.machine == nil {
		panic("no machine, and no mistake in its description either")
	}
	return l.machine, nil
}

// routers reads a machine that must have routers, for a command that is about them.
func (f *config) routers(c *console, command string) (*machine.Machine, error) {
	m, err := f.load(c)
	if err == nil && m.NoRouters {
		return nil, usage("hcgen info -c FILE prints its collective networks; remove routers = false for routers beside them",
			"this machine has no routers: hcgen %s needs them, but %s has routers = false", command, m.Name)
	}
	return m, err
}

// spares makes sure that a file to be written is not the description.
func (f *config) spares(name string) error {
	description, err := os.Stat(f.path.value)
	if err != nil {
		return nil // standard input, or a file that cannot be read, which is reported elsewhere
	}
	if target, err := os.Stat(name); err == nil && os.SameFile(description, target) {
		return usage("write to another file", "%s is the description itself", name)
	}
	return nil
}

// loaded is the result of reading a description.
type loaded struct {
	machine *machine.Machine
	files   map[string]*hcl.File
	diags   hcl.Diagnostics
}

// schedules are those of files and of traffic.
var schedules = machine.WithSchedules(schedule.LoadFile, schedule.Messages)

// read reads the file or standard input. The error reports an interruption.
func (f *config) read(c *console) (loaded, error) {
	return untilInterrupted(c.ctx, func() (l loaded) {
		if f.path.value != "-" {
			l.machine, l.files, l.diags = machine.Load(f.path.value, f.vars.values, schedules)
			return l
		}
		src, diags := readStdin(c)
		if diags.HasErrors() {
			return loaded{diags: diags}
		}
		l.machine, l.files, l.diags = machine.LoadBytes(stdinName, src, f.vars.values, schedules)
		return l
	})
}

// stdinName is the file name of standard input.
const stdinName = "<stdin>"

// readStdin reads a description from standard input.
func readStdin(c *console) ([]byte, hcl.Diagnostics) {
	src, err := io.ReadAll(io.LimitReader(c.in, machine.MaxFileBytes+1))
	if err != nil {
		return nil, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Cannot read standard input", Detail: err.Error()}}
	}
	return src, nil
}

// once is a string flag that rejects a second, different value: the user would have to
// guess which value counts. Repeating the value is legal, because cobra's completion
// reads the flags of a command line twice.
type once struct {
	value string
	set   bool
	kind  string // of value, in the help
}

// errFolderIsStream is the error for writing a folder to standard output.
var errFolderIsStream = errors.New("a folder cannot be standard input or output; a folder of this name is ./-")

// String returns the value.
func (o *once) String() string { return o.value }

// or returns the value, or another one if none is set.
func (o *once) or(unset string) string {
	if o.set {
		return o.value
	}
	return unset
}

// Type names the kind of value in the help.
func (o *once) Type() string { return o.kind }

// Set accepts the first value that is not empty.
func (o *once) Set(s string) error {
	switch {
	case o.set && s != o.value:
		return errors.New("given twice")
	case s == "":
		return errors.New("empty value")
	case o.kind == "FOLDER" && s == "-":
		return errFolderIsStream
	}
	o.value, o.set = s, true
	return nil
}

// variables collects name=value pairs.
type variables struct{ values map[string]string }

// String returns nothing: there is no default to show.
func (v *variables) String() string { return "" }

// Type names the kind of value in the help.
func (v *variables) Type() string { return "NAME=VALUE" }

// Set takes one pair.
func (v *variables) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return errors.New("write name=value")
	}
	if first, twice := v.values[name]; twice && first != value {
		return fmt.Errorf("%s is given twice", name)
	}
	if v.values == nil {
		v.values = map[string]string{}
	}
	v.values[name] = value
	return nil
}
