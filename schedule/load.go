// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"fmt"
	"io"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// Load reads a schedule of a machine for hardware, as WriteJSON writes it, and checks it. The error is a
// *jsonfile.Error if the file is no schedule, a *check.Fault or another one if it is not a sound one of this machine, and
// an *Unstreamable if it is not one for hardware.
func Load(g *hypercycle.Graph, in io.Reader) (*Schedule, error) {
	file, err := check.Read(in)
	if err != nil {
		return nil, err
	}
	claim, err := file.Schedule(Machine(g))
	if err != nil {
		return nil, err
	}
	if err := check.Check(Machine(g), claim); err != nil {
		return nil, err
	}
	s := &Schedule{Graph: g, Operation: claim.Operation, Algorithm: "file", Packets: claim.Packets, Root: claim.Root, Steps: claim.Steps,
		Bound: Bound(g, claim.Operation, AllPorts, claim.Packets), Period: claim.Period, Transfers: claim.Transfers}
	if claim.OnePort {
		s.Ports = OnePort
	}
	if reduces(s.Operation) && !claim.Phases {
		return nil, fmt.Errorf("its transfers have no phase: %s needs \"add\" or \"copy\" at each", s.Operation)
	}
	s.sort()
	streaming, err := s.Streaming()
	if err != nil {
		return nil, err
	}
	if err := check.CheckStreaming(Machine(g), streaming); err != nil {
		panic(fmt.Sprintf("schedule: %v", err)) // the schedule is sound
	}
	return s, nil
}
