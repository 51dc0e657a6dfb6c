// SPDX-License-Identifier: Apache-2.0

package explore

// Measured is what synthesis and placement say of a design: a router, or a node of a collective network. It is zero if the
// design is not measured.
type Measured struct {
	LUT4  int
	FF    int
	Clock Clock // zero if the design does not fit the device
}

// Clock is the clock of a design in MHz, over the seeds of the placement.
type Clock struct{ Min, Median, Max float64 }

// Cycles are the cycles of operations by messages, from the first injection to the last delivery, as the latency of a message
// is counted; 0 if they are unknown.
type Cycles struct{ AllGather, TotalExchange int }

// span is a time in nanoseconds over the seeds of a placement.
type span struct{ least, median, most float64 }

// time is that of some cycles; zero if they or the clock are unknown.
func (c Clock) time(cycles int) span {
	if cycles == 0 || c == (Clock{}) {
		return span{}
	}
	ns := 1000 * float64(cycles)
	return span{ns / c.Max, ns / c.Median, ns / c.Min}
}

// broadcast is the time of a broadcast in an idle network: one cycle for each hop, and one for the last delivery.
func (m *Machine) broadcast() span { return m.Router.Clock.time(m.Diameter + 1) }

// allGather is the time of an all-gather by messages.
func (m *Machine) allGather() span { return m.Router.Clock.time(m.Cycles.AllGather) }

// totalExchange is the time of a total exchange by messages.
func (m *Machine) totalExchange() span { return m.Router.Clock.time(m.Cycles.TotalExchange) }

// collective is the time of the operation on the collective network.
func (m *Machine) collective() span { return m.Node.Clock.time(m.Collective.Cycles) }
