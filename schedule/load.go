// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// MaxFileBytes is the size of the largest file that LoadFile reads.
const MaxFileBytes = 1 << 26

// LoadFile is Load for a file of at most MaxFileBytes. The error is a *collective.Unreadable if the file cannot be read,
// else that of Load.
func LoadFile(g *hypercycle.Graph, path string) (*collective.Schedule, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return Load(g, bytes.NewReader(text))
}

// readFile reads regular files only, because others may block.
func readFile(path string) ([]byte, error) {
	unreadable := func(err error) ([]byte, error) {
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			err = at.Err
		}
		return nil, &collective.Unreadable{Path: path, Why: ": " + err.Error()}
	}
	info, err := os.Stat(path)
	if err != nil {
		return unreadable(err)
	}
	if !info.Mode().IsRegular() {
		return nil, &collective.Unreadable{Path: path, Why: " is not a regular file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return unreadable(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxFileBytes+1))
	if err != nil {
		return unreadable(err)
	}
	if len(text) > MaxFileBytes {
		return nil, &collective.Unreadable{Path: path, Why: fmt.Sprintf(" is larger than %d bytes", MaxFileBytes)}
	}
	return text, nil
}

// Load reads a schedule of a machine for hardware, as WriteJSON writes it, and checks it. The error is a
// *jsonfile.Error if the file is no schedule, a *check.Fault or another one if it is not a sound one of this machine, and
// an *Unstreamable if it is not one for hardware.
func Load(g *hypercycle.Graph, in io.Reader) (*collective.Schedule, error) {
	file, err := collective.Read(in)
	if err != nil {
		return nil, err
	}
	claim, err := check.Claim(file, Machine(g))
	if err != nil {
		return nil, err
	}
	if err := check.Check(Machine(g), claim); err != nil {
		return nil, err
	}
	if collective.Reduces(claim.Operation) && !claim.Phases {
		return nil, fmt.Errorf("its transfers have no phase: %s needs \"add\" or \"copy\" at each", claim.Operation)
	}
	s := given(g, claim)
	s.sort()
	streaming, err := s.Streaming()
	if err != nil {
		return nil, err
	}
	if err := check.CheckStreaming(Machine(g), streaming); err != nil {
		panic(fmt.Sprintf("schedule: %v", err)) // the schedule is sound
	}
	return s.Claim(), nil
}

// given is a sound schedule from a file.
func given(g *hypercycle.Graph, claim *collective.Schedule) *Schedule {
	s := &Schedule{Graph: g, Operation: claim.Operation, Algorithm: "file", Packets: claim.Packets, Root: claim.Root, Steps: claim.Steps,
		Bound: Bound(g, claim.Operation, AllPorts, claim.Packets), Period: claim.Period, Transfers: claim.Transfers}
	if claim.OnePort {
		s.Ports = OnePort
	}
	return s
}
