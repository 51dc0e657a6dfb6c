// SPDX-License-Identifier: Apache-2.0

package schedule

import "fmt"

// Unfit is the error of an algorithm that does not make the requested schedule.
type Unfit struct {
	Algorithm, Operation string
	Ports                Ports
	Why                  string // such as: it is for binary cubes
}

// Error says why the algorithm does not fit.
func (u *Unfit) Error() string {
	return fmt.Sprintf("algorithm %s does not make %s with %s: %s", u.Algorithm, u.Operation, portsText(u.Ports), u.Why)
}

// Hint says how to find one that does.
func (u *Unfit) Hint() string {
	return "leave --algorithm out to see which algorithms fit"
}

func portsText(p Ports) string {
	if p == OnePort {
		return "one port"
	}
	return "all ports"
}

// TooLong is the error of a schedule with more than MaxTransfers transfers.
type TooLong struct {
	Algorithm, Operation string
	Transfers            int
}

// Error names what is too long, and the limit.
func (e *TooLong) Error() string {
	return fmt.Sprintf("%s by %s lists %d transfers, more than the %d that are made", e.Operation, e.Algorithm, e.Transfers, MaxTransfers)
}

// Hint names what is shorter.
func (e *TooLong) Hint() string {
	if e.Algorithm == "alternating" {
		return "--algorithm colouring makes a translated schedule, which is shorter"
	}
	return "take a smaller machine, or an algorithm whose schedules are translated"
}
