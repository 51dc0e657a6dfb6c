// SPDX-License-Identifier: Apache-2.0

package chips

// resetCycles are those in which the nodes and ends of a chip are in reset when a session begins.
const resetCycles = 16

// Chip is the session of a chip and its ends, by port.
type Chip[W any] struct {
	Session uint8
	Ends    []*End[W]

	reset int // cycles that the reset goes on
	newer uint8
	begin bool   // a session begins at the end of the cycle
	good  []bool // by end: a good frame was received in this cycle
}

// NewChip is a chip after rst, with its ends.
func NewChip[W any](ends ...*End[W]) *Chip[W] {
	return &Chip[W]{Ends: ends, good: make([]bool, len(ends))}
}

// Rst is rst of the chip.
func (c *Chip[W]) Rst() {
	c.Session, c.reset, c.begin = 0, 0, false
	for _, e := range c.Ends {
		e.Rst()
	}
}

// Reset reports whether the nodes of the chip are in reset.
func (c *Chip[W]) Reset() bool { return c.reset > 0 }

// Restart is the input restart.
func (c *Chip[W]) Restart() { c.begin, c.newer = true, c.Session%255+1 }

// Receive is a good frame at a port.
func (c *Chip[W]) Receive(port int, f *Frame[W]) {
	c.good[port] = true
	if !c.Reset() && c.Ends[port].Receive(f) {
		c.begin, c.newer = true, f.Session
	}
}

// Step is the clock edge.
func (c *Chip[W]) Step() {
	for p, e := range c.Ends {
		e.Step(c.good[p])
		c.good[p] = false
	}
	c.reset = max(0, c.reset-1)
	if c.begin {
		c.Session, c.reset, c.begin = c.newer, resetCycles, false
		for _, e := range c.Ends {
			e.Reset(c.Session)
		}
	}
}

// isNewer reports whether session u is newer than s.
func isNewer(u, s uint8) bool {
	return u != 0 && (s == 0 || u != s && u-s < 128)
}
