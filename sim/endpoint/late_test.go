// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
)

// withTimeout is a plan whose accesses to other nodes end in this number of cycles.
func withTimeout(t *testing.T, cycles int) *plan.Plan {
	p := endpoints(t, "", [2]int{2, 1}, [2]int{2, 1})
	p.Endpoint.Timeout = cycles
	return p
}

// behindNetwork is an endpoint, whose network a test plays.
type behindNetwork struct {
	*endpoint
	sent []message // that the network has accepted
}

// do makes an access. In cycle k, from that in which the access begins, the network delivers a message, or nil, and accepts one if
// taken.
func (b *behindNetwork) do(a Access, network func(k int) (delivered *message, taken bool)) (answer Answer, cycles int) {
	for k := 0; k < 1000; k++ {
		b.bus.drive(&a)
		delivered, taken := network(k)
		b.evaluate(delivered, false)
		if b.taken = taken && b.offered != none; b.taken {
			m, _ := b.offer()
			b.sent = append(b.sent, m)
		}
		answer, ends := b.bus.ends()
		b.step()
		if ends {
			return answer, k
		}
	}
	panic("an access does not end")
}

// late finds the first fault of accesses that end late.
func late(p *plan.Plan) (fault string) {
	b := &behindNetwork{endpoint: newEndpoint(p, 0)}
	limit := p.Endpoint.Timeout
	dead := func(int) (*message, bool) { return nil, false }
	accepts := func(int) (*message, bool) { return nil, true }
	from := func(cycle int) func(int) (*message, bool) {
		return func(k int) (*message, bool) { return nil, k >= cycle }
	}
	replies := func(cycle int, data uint32) func(int) (*message, bool) {
		return func(k int) (*message, bool) {
			if k == cycle {
				return &message{kind: plan.KindReply, data: data}, true
			}
			return nil, true
		}
	}
	other := func(word uint32) uint32 {
		return Address(p, plan.RegionMessages, hypercycle.Destination{1, 0}, word*wordBytes)
	}
	register := func(number uint32) uint32 { return Address(p, plan.RegionRegisters, nil, number*wordBytes) }
	put := func(word uint32) Access {
		return Access{Write: true, Address: other(word), Strobes: allStrobes, Data: 100 + word}
	}
	get := func(word uint32) Access { return Access{Address: other(word)} }
	check := func(what string, a Access, network func(int) (*message, bool), want Answer, cycles int) {
		answer, n := b.do(a, network)
		if (answer != want || n != cycles+1) && fault == "" {
			fault = fmt.Sprintf("%s: %+v after %d cycles, not %+v after %d", what, answer, n-1, want, cycles)
		}
	}
	reads := func(what string, number uint32, want uint32) {
		check(what, Access{Address: register(number)}, dead, Answer{Data: want}, 0)
	}
	sends := func(what string, words ...uint32) {
		var got []uint32
		for _, m := range b.sent {
			got = append(got, m.address)
		}
		if fmt.Sprint(got) != fmt.Sprint(words) && fault == "" {
			fault = fmt.Sprintf("%s: the words of the messages sent are %v, not %v", what, got, words)
		}
		b.sent = nil
	}
	failed := Answer{Err: true}

	b.linked = false
	check("put before the cables are up", put(1), accepts, failed, limit)
	sends("put before the cables are up")
	reads("WAITING before the cables are up", regWaiting, 1<<unlinkedLow)
	reads("ERRORS", regErrors, errorLate)
	check("clear", Access{Write: true, Address: register(regErrors), Strobes: allStrobes, Data: ^uint32(0)}, dead, Answer{}, 0)
	reads("ERRORS after the clear", regErrors, 0)
	b.linked = true
	check("put in the last cycle", put(2), from(limit), Answer{}, limit)
	sends("put in the last cycle", 2)
	check("put", put(3), dead, failed, limit)
	reads("WAITING after a late put", regWaiting, 1<<messageLeftLow)
	check("own write while the network is dead", Access{Write: true, Address: 8, Strobes: allStrobes}, dead, Answer{}, 0)
	check("put behind a late one that stays", put(4), dead, failed, limit)
	check("put behind a late one", put(5), accepts, Answer{}, 1)
	sends("puts behind a late one", 3, 5)
	reads("WAITING after all puts", regWaiting, 0)

	check("get", get(6), accepts, failed, limit)
	reads("WAITING after a late get", regWaiting, 1<<replyOwedLow)
	check("put behind a late get", put(7), accepts, Answer{}, 1)
	check("get behind a late get", get(8), accepts, failed, limit)
	sends("get behind a late get", 6, 7)
	check("get with a late reply before it", get(9), replies(3, 600), failed, limit)
	sends("get with a late reply before it", 9)
	check("get that meets the reply to the one before", get(10), func(k int) (*message, bool) {
		switch k {
		case 2:
			return &message{kind: plan.KindReply, data: 900}, true
		case 7:
			return &message{kind: plan.KindReply, data: 1000}, true
		}
		return nil, true
	}, Answer{Data: 1000}, 7)
	check("get in the last cycle", get(11), replies(limit, 1100), Answer{Data: 1100}, limit)
	check("get that is accepted in the last cycle", get(12), from(limit), failed, limit)
	reads("WAITING after a get that was accepted in the last cycle", regWaiting, 1<<replyOwedLow)
	sends("get that is accepted in the last cycle", 10, 11, 12)
	check("get in whose last cycle the reply comes that it waits for", get(13), replies(limit, 1200), failed, limit)
	reads("WAITING after it", regWaiting, 0)
	check("get with its reply before", get(14), replies(1, 1300), failed, limit)
	b.sent = nil
	check("get that is not accepted", get(15), func(k int) (*message, bool) {
		if k == 1 {
			return &message{kind: plan.KindReply}, false
		}
		return nil, false
	}, failed, limit)
	reads("WAITING after it", regWaiting, 1<<messageLeftLow)
	check("get behind it", get(16), func(k int) (*message, bool) {
		switch k {
		case 6:
			return &message{kind: plan.KindReply, data: 1500}, true
		case 10:
			return &message{kind: plan.KindReply, data: 1600}, true
		}
		return nil, k >= 3
	}, Answer{Data: 1600}, 10)
	sends("gets behind each other", 15, 16)
	reads("WAITING at the end", regWaiting, 0)
	return fault
}

func TestAccessesEndLate(t *testing.T) {
	assert.Empty(t, late(withTimeout(t, 20)))
}
