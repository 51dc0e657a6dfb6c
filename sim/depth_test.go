// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
)

func fifoDepth(n int) option { return func(m *machine.Machine) { m.FIFODepth = n } }

// Machines whose dimension 1 has entry ports alone, fed by the links of dimension 2.
// Of the last one the slots of a router are more than 255 with the deepest queues.
var entryMachines = []rings{
	{{3, 1}, {3, 1}},
	{{5, 2}, {4, 1}},
	{{16, 8}, {2, 1}},
}

// depthRun drives one router from one link input of dimension 2 with messages that go
// no further there: each is delivered and enters dimension 1.
type depthRun struct {
	t        *testing.T
	r        *Router
	from     int    // the input
	ports    uint32 // of dimension 1
	in       Inputs
	out      Outputs
	sent     uint32     // messages taken
	received [17]uint32 // by port, the local output last: messages that have left
}

func newDepthRun(t *testing.T, m rings, depth int) *depthRun {
	p := newPlan(t, m, fifoDepth(depth))
	d := &depthRun{t: t, r: NewRouter(p, 0), from: p.Degree - 1}
	for _, q := range p.Dims[0].Entered {
		require.False(t, p.Ports[q].Ring)
		d.ports |= 1 << q
	}
	return d
}

// cycle offers the next message or none, with so many of the ports and the local output
// ready, and reports whether it was taken. Whatever leaves is the next of its stream.
func (d *depthRun) cycle(offer bool, ready uint32, local bool) (taken bool) {
	d.in = Inputs{LinkReady: ready, LocalReady: all(local) & 1}
	if offer {
		d.in.LinkValid = 1 << d.from
		d.in.Link[d.from] = Message{Source: 1, Seq: d.sent, WC: 1, WD: 2}
	}
	d.r.Evaluate(&d.in, &d.out)
	for p := range d.r.shape.degree {
		if d.out.LinkValid&ready>>p&1 != 0 {
			require.Equal(d.t, d.received[p], d.out.Link[p].Seq, "port %d", p)
			require.Equal(d.t, uint8(1), d.out.Link[p].WD)
			d.received[p]++
		}
	}
	if d.out.LocalValid != 0 && local {
		require.Equal(d.t, d.received[d.r.shape.degree], d.out.Local[0].Seq, "delivery")
		d.received[d.r.shape.degree]++
	}
	d.r.Step()
	taken = d.out.LinkReady>>d.from&1 != 0
	if taken {
		d.sent++
	}
	return taken
}

func TestQueueTakesAsManyMessagesAsItHasSlots(t *testing.T) {
	for _, m := range entryMachines {
		for depth := machine.MinFIFODepth; depth <= machine.MaxFIFODepth; depth++ {
			for _, c := range []struct {
				name  string
				ports bool // else delivery
			}{{"ports", true}, {"delivery", false}} {
				t.Run(fmt.Sprint(m, depth, c.name), func(t *testing.T) {
					d := newDepthRun(t, m, depth)
					ready := d.ports
					if c.ports {
						ready = 0
					}
					cycle := func(offer, drain bool) bool {
						if drain {
							return d.cycle(offer, d.ports, true)
						}
						return d.cycle(offer, ready, c.ports)
					}
					for n := range depth {
						require.True(t, cycle(true, false), "message %d of %d", n, depth)
					}
					for range 3 {
						require.False(t, cycle(true, false), "message %d of %d", depth, depth)
					}
					// The slot of a message that leaves is free in the next cycle, not in
					// this one.
					require.False(t, cycle(true, true), "full while it is read")
					require.True(t, cycle(true, false))
					require.False(t, cycle(true, false), "full again")
					// Read in every cycle and written in every cycle but the first.
					require.False(t, cycle(true, true))
					for range 3 * depth {
						require.True(t, cycle(true, true))
					}
					for range depth {
						cycle(false, true)
					}
					for p := range d.r.shape.degree {
						if d.ports>>p&1 != 0 {
							require.Equal(t, d.sent, d.received[p], "port %d", p)
						}
					}
					require.Equal(t, d.sent, d.received[d.r.shape.degree])
					cycle(false, true)
					require.Zero(t, d.out.LinkValid)
					require.Zero(t, d.out.LocalValid)
				})
			}
		}
	}
}

// Whatever is ready when, each queue hands on what it got, in order, and never holds
// more than it has slots.
func TestQueuesKeepTheirOrder(t *testing.T) {
	for _, m := range entryMachines {
		for _, depth := range []int{2, 3, 4, 7, 8, 16} {
			t.Run(fmt.Sprint(m, depth), func(t *testing.T) {
				random := rand.New(rand.NewPCG(uint64(depth), 1))
				d := newDepthRun(t, m, depth)
				most := make([]int, d.r.shape.degree+1)
				for c := range 4000 {
					ready := random.Uint32() & d.ports
					local := random.IntN(2) == 0
					if c/200%2 == 0 { // fill up
						ready &= random.Uint32() & random.Uint32()
						local = local && random.IntN(4) == 0
					}
					d.cycle(random.IntN(4) > 0, ready, local)
					for p := range most {
						q := p
						if p == d.r.shape.degree {
							q = delivery
						}
						most[p] = max(most[p], int(d.r.count[q]))
					}
				}
				require.Greater(t, d.sent, uint32(500))
				for p := range most {
					if p == d.r.shape.degree || d.ports>>p&1 != 0 {
						assert.Equal(t, depth, most[p], "queue %d", p)
					}
				}
			})
		}
	}
}

// A router trace says something about the depth of a queue only if the queue is full in
// it, waited for and then read, again and again.
func TestRouterTracesFillEveryQueue(t *testing.T) {
	for _, m := range append([]rings{{{17, 8}}, {{5, 1}, {6, 3}}, {{3, 1}, {300, 5}}}, corner...) {
		for _, depth := range []int{3, 4, 16} {
			t.Run(fmt.Sprint(m, depth), func(t *testing.T) {
				p := newPlan(t, m, fifoDepth(depth))
				run := newRouterRun(p, 1)
				full := make([]int, p.Degree+1)
				for range RouterCycles(p) {
					run.evaluate()
					for q := range full {
						switch {
						case q == p.Degree:
							if int(run.router.count[delivery]) == depth && run.router.popLocal != 0 {
								full[q]++
							}
						case p.Ports[q].Depth > 0 && !p.Ports[q].Ring:
							if int(run.router.count[q]) == depth && run.router.pop>>q&1 != 0 {
								full[q]++
							}
						default:
							full[q] = -1
						}
					}
					run.step()
				}
				for q, n := range full {
					if n >= 0 {
						assert.GreaterOrEqual(t, n, 10, "queue %d is full and read: %v", q, full)
					}
				}
			})
		}
	}
}

// What deeper queues bring: deliveries per node and cycle of the 4x4 torus, and of a
// machine with entry ports, where receivers pause half of the time at random and where
// they do not.
func BenchmarkDepth(b *testing.B) {
	for _, m := range []rings{{{4, 1}, {4, 1}}, {{5, 2}, {6, 2}}} {
		for _, depth := range []int{2, 4, 8, 16} {
			p := newPlan(b, m, fifoDepth(depth))
			for _, load := range []Load{{Rate: 1, Stall: 0.5, Seed: 1}, {Rate: 0.8, Seed: 1}} {
				b.Run(fmt.Sprintf("%s/depth=%d/rate=%g/stall=%g", m, depth, load.Rate, load.Stall), func(b *testing.B) {
					for b.Loop() {
						b.ReportMetric(Saturate(p, load, 100000).DeliveriesPerNode, "deliveries/node/cycle")
					}
				})
			}
		}
	}
}
