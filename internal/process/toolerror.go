// SPDX-License-Identifier: Apache-2.0

package process

import (
	"cmp"
	"errors"
	"os/exec"
)

// ToolError is the error of a program that cannot be used.
type ToolError struct {
	Tool   string
	Debian string // its package, if it has another name than the program
	Err    error  // exec.ErrNotFound, or why it does not do what every version of it does
}

func (e *ToolError) Error() string {
	if e.missing() {
		return e.Tool + " is not installed"
	}
	return e.Err.Error()
}

func (e *ToolError) Unwrap() error { return e.Err }

func (e *ToolError) missing() bool { return errors.Is(e.Err, exec.ErrNotFound) }

// Advice says what makes the program usable.
func (e *ToolError) Advice() string {
	command := "on Debian: apt-get install "
	if !e.missing() {
		command += "--reinstall "
	}
	return command + cmp.Or(e.Debian, e.Tool)
}
