// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/plan"
)

// written is the golden trace of a machine, by line.
func written(t *testing.T, p *plan.Plan) []string {
	t.Helper()
	var b, again bytes.Buffer
	require.NoError(t, Write(&b, p, nil))
	reported := 0
	require.NoError(t, Write(&again, p, func(done, total int) {
		assert.LessOrEqual(t, done, total)
		reported++
	}))
	assert.Positive(t, reported)
	require.Equal(t, b.String(), again.String(), "the same input gives the same bytes")
	text, ends := strings.CutSuffix(b.String(), "\n")
	require.True(t, ends)
	return strings.Split(text, "\n")
}

// Every line has the form of the page, lines ascend, a node has one access at a time, interrupts change, and nothing happens after the
// last access.
func TestFormatOfTraces(t *testing.T) {
	for _, c := range []struct {
		lines                  string
		rings                  [][2]int
		address, word, perNode int
	}{
		{"address_bits = 11", [][2]int{{2, 1}, {2, 1}}, 5, 3, mostAccesses},
		{"bus = \"axi4lite\"\naddress_bits = 8", [][2]int{{3, 1}, {5, 2}}, 5, 2, mostAccesses},
		{"gets = false\naddress_bits = 12", [][2]int{{40, 3}}, 6, 3, 100},
	} {
		p := endpoints(t, c.lines, c.rings...)
		rows := written(t, p)
		require.Equal(t, "# hcgen-accesses v1 m", rows[0])
		access := regexp.MustCompile(fmt.Sprintf(`^access (\d+) (\d+) ([rw]) [0-9a-f]{%d} [0-9a-f] ([0-9a-f]{8}) (\d+) (ok|err) ([0-9a-f]{8})$`, c.address))
		interrupt := regexp.MustCompile(`^interrupt (\d+) (\d+) ([01])$`)
		memory := regexp.MustCompile(fmt.Sprintf(`^memory (\d+) ([0-9a-f]{%d}) ([0-9a-f]{8})$`, c.word))
		number := func(s string) int {
			n, err := strconv.Atoi(s)
			require.NoError(t, err)
			return n
		}
		last, end, changes := [3]int{-1}, 0, 0
		ends, accesses, state := make([]int, p.Nodes), make([]int, p.Nodes), make([]string, p.Nodes)
		memories, place := 0, ""
		for _, row := range rows[1:] {
			ascends := func(cycle, node, order int) {
				at := [3]int{cycle, node, order}
				require.True(t, last[0] < at[0] || last[0] == at[0] && (last[1] < at[1] || last[1] == at[1] && last[2] < at[2]), row)
				require.Less(t, node, p.Nodes, row)
				require.Zero(t, memories, row)
				last = at
			}
			if f := access.FindStringSubmatch(row); f != nil {
				cycle, node := number(f[1]), number(f[2])
				ascends(cycle, node, 0)
				require.GreaterOrEqual(t, cycle, ends[node], row)
				require.Greater(t, number(f[5]), cycle, row)
				ends[node] = number(f[5]) + 1
				end = max(end, number(f[5]))
				accesses[node]++
				if f[3] == "r" {
					require.Equal(t, "00000000", f[4], row)
				}
				if f[3] == "w" || f[6] == "err" {
					require.Equal(t, "00000000", f[7], row)
				}
			} else if f := interrupt.FindStringSubmatch(row); f != nil {
				ascends(number(f[1]), number(f[2]), 1)
				node := number(f[2])
				require.NotEqual(t, state[node], f[3], row)
				require.False(t, state[node] == "" && f[3] == "0", row)
				state[node] = f[3]
				changes++
			} else {
				f := memory.FindStringSubmatch(row)
				require.NotNil(t, f, row)
				require.NotEqual(t, "00000000", f[3], row)
				at := fmt.Sprintf("%8s %s", f[1], f[2])
				require.Less(t, place, at, row)
				place = at
				memories++
			}
		}
		for v, n := range accesses {
			assert.Greater(t, n, c.perNode, "node %d", v)
		}
		assert.Greater(t, changes, p.Nodes)
		assert.Greater(t, memories, 4*p.Nodes)
		assert.GreaterOrEqual(t, end, last[0])
	}
}

// full is a writer that fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAWriterThatFails(t *testing.T) {
	require.EqualError(t, Write(full{}, endpoints(t, "", [2]int{2, 1}), nil), "disk full")
}

// A trace of the largest network takes seconds, not minutes.
func TestTracesOfLargeMachinesAreShort(t *testing.T) {
	needs.Time(t) // it simulates 1024 nodes
	rows := written(t, endpoints(t, "", [2]int{32, 1}, [2]int{32, 1}))
	assert.Less(t, len(rows), 100_000)
}

// Every situation in which a rule of the contract matters occurs in the golden trace of each of these machines, or of one of them if
// it is rare.
func TestGoldenTracesHaveEverySituation(t *testing.T) {
	rare := map[string]int{}
	in := func(seen map[string]int) func(name string, is bool) {
		return func(name string, is bool) {
			seen[name] += 0
			if is {
				seen[name]++
			}
		}
	}
	for _, c := range []struct {
		lines string
		rings [][2]int
	}{
		{"address_bits = 11", [][2]int{{2, 1}, {2, 1}}},
		{"", [][2]int{{4, 1}, {4, 1}}},
		{"bus = \"axi4lite\"", [][2]int{{3, 1}, {5, 2}}},
		{"gets = false", [][2]int{{4, 1}, {4, 1}}},
		{"adds = false", [][2]int{{4, 1}, {4, 1}}},
	} {
		seen := map[string]int{}
		watch(endpoints(t, c.lines, c.rings...), in(seen), in(rare))
		for name, n := range seen {
			assert.Positive(t, n, "%s %v: %s", c.lines, c.rings, name)
		}
		assert.Greater(t, len(seen), 20)
	}
	for name, n := range rare {
		assert.Positive(t, n, name)
	}
	assert.Greater(t, len(rare), 5)
}

// watch counts situations in the golden trace of a machine.
func watch(p *plan.Plan, count, rarely func(name string, is bool)) {
	s := goldenScript(p)
	sys := New(p, s)
	o := p.Machine.Endpoint
	stalls := make([]int, p.Nodes)
	for !s.Over() || !sys.Idle() {
		sys.Evaluate()
		for v, e := range sys.endpoints {
			m := &e.memory
			queued := len(e.queue) > 0
			access := e.access != nil && e.access.needsTurn()
			message := e.delivered != nil && e.needsTurn(e.delivered)
			if o.Gets {
				count("a get waits for the reply register", queued && !e.reply.free())
				count("an access and a reply want to be sent", e.access != nil && e.access.needsNetwork() && e.reply.full)
				count("the reply is sent before an access", e.offered == offerOfReply && e.access != nil && e.access.kind == toOthers)
				count("the access is sent before a reply", e.offered == offerOfAccess && e.reply.full)
				rarely("a reply waits for the network", e.offered == offerOfReply && !e.taken && !sys.network.Router(v).Injects())
				free := m.held == 0 && queued && e.reply.free() && e.cycle >= e.queue[0].accepted+2
				for turn := range turns {
					rarely(fmt.Sprintf("all three request, and %d is next", turn), free && message && access && m.turn == turn)
				}
				rarely("a get is before an access", free && access && m.turn == turnOfGet)
				rarely("an access is before a get", free && access && m.turn == turnOfAccess)
				rarely("a message is before a get", free && message && m.turn == turnOfMessage)
				rarely("a get is before a message", free && message && m.turn == turnOfGet)
				rarely("many gets are in the queue", len(e.queue) > 3)
				rarely("WAITING has gets", e.access != nil && e.access.kind == ofRegister && e.access.word == regWaiting && queued)
				rarely("WAITING has a reply", e.access != nil && e.access.kind == ofRegister && e.access.word == regWaiting && e.reply.full)
			}
			if o.Adds {
				count("a message waits for an add", m.held > 0 && message)
				count("an access waits for an add", m.held > 0 && access)
				count("an add of a message", m.held > 0 && e.delivered != nil)
				count("an own add", m.held == 0 && m.turn == turnOfAccess && e.access.kind == ownAdd)
				if o.Gets {
					count("a get waits for an add", m.held > 0 && queued)
				}
			}
			if message && m.turn != turnOfMessage {
				stalls[v]++
			} else {
				stalls[v] = 0
			}
			count("a message waits for an access", message && m.turn == turnOfAccess)
			rarely("an access waits for a message", access && m.turn == turnOfMessage)
			rarely(fmt.Sprintf("the receiver stalls for %d cycles, as long as it can", p.Endpoint.Stall), stalls[v] == p.Endpoint.Stall)
			count("a doorbell of another node rings", e.registers.rung != 0 && e.delivered != nil)
			count("a doorbell of the own node rings", e.access != nil && e.access.kind == ownDoorbell && e.registers.rung != 0)
			count("a doorbell without its strobe", e.access != nil && e.access.message.kind == plan.KindPut && e.access.kind == toOthers && e.access.word == e.doorbell() && e.access.Strobes&1 == 0)
			count("a message without strobes", e.delivered != nil && e.delivered.kind == plan.KindPut && e.delivered.strobes == 0)
			count("a message with some strobes", e.delivered != nil && e.delivered.kind == plan.KindPut && e.delivered.strobes == 6)
			if a := e.access; a != nil {
				count("outside", a.kind == refused && a.bit == errorOutside)
				count("unsupported", a.kind == refused && a.bit == errorUnsupported)
				register := a.kind == ofRegister
				count("EVENTS is cleared", register && a.Write && a.word == regEvents && a.Data&e.registers.events != 0)
				rarely("EVENTS is cleared as a doorbell rings", register && a.Write && a.word == regEvents && a.Data&e.registers.rung != 0)
				count("ERRORS is cleared", register && a.Write && a.word == regErrors && a.Data&e.registers.errors != 0)
				count("BARRIER is written while the node waits", register && a.Write && a.word == regBarrier && e.registers.waits)
				for word := range regWaiting + 1 {
					count(fmt.Sprintf("register %d is read", word), register && !a.Write && a.word == uint32(word))
				}
				for i := range p.Dims {
					count(fmt.Sprintf("DIMENSION %d is read", i), register && a.word == uint32(regDimension+i))
				}
			}
		}
		sys.Step()
	}
}
