// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// size is a writer that counts bytes.
type size int

func (s *size) Write(b []byte) (int, error) {
	*s += size(len(b))
	return len(b), nil
}

// A wide payload shortens the random scenes, but the drills of the gate stay.
func TestRouterTraceOfWidePayloadsIsSmallAndKeepsTheGate(t *testing.T) {
	for _, r := range []rings{{{4, 1}, {4, 1}}, {{15, 2}, {15, 2}}, {{15, 2}, {15, 2}, {15, 2}, {15, 2}}} {
		without := newPlan(t, r, payloadBits(1024))
		var written size
		require.NoError(t, WriteRouterTrace(&written, without, 0, 1, nil))
		require.Less(t, int(written), 20<<20, "%v", r)
		p := newPlan(t, r, payloadBits(1024), sourceID())
		written = 0
		require.NoError(t, WriteRouterTrace(&written, p, 0, 1, nil))
		require.Less(t, int(written), 20<<20, "%v", r)
		for _, v := range variants[1:] {
			written = 0
			require.NoError(t, WriteRouterTrace(&written, newPlan(t, r, v.with(payloadBits(1024), sourceID())...), 0, 1, nil))
			require.Less(t, int(written), 20<<20, "%v %s", r, v.name)
		}
		checked := []*plan.Plan{p}
		if p.Nodes == 16 { // on large machines such traces miss an event or two
			checked = append(checked, newPlan(t, r, variants[3].with(payloadBits(1024), sourceID())...))
		}
		for _, p := range checked {
			gate := gateEvents(p)
			for _, e := range coverageOf(p).events {
				if gate[e.name] {
					require.Positive(t, e.count, "%v, %d stages: %s", r, p.Stages, e.name)
				}
			}
		}
	}
}

// gateEvents names the events of the gate.
func gateEvents(p *plan.Plan) map[string]bool {
	c := &coverage{index: map[eventKey]int{}}
	c.addGate(p)
	names := map[string]bool{}
	for _, e := range c.events {
		names[e.name] = true
	}
	return names
}

func TestRouterTraceMeetsEveryEvent(t *testing.T) {
	t.Parallel()
	machines := append([]rings{
		{{5, 1}, {5, 1}, {5, 1}},
		{{15, 1}, {15, 1}, {15, 1}, {15, 1}},
		{{15, 2}, {15, 2}, {15, 2}, {15, 2}},
		{{31, 8}},
		{{17, 7}, {3, 1}},
	}, corner...)
	for _, r := range machines {
		for _, pref := range preferences {
			p := newPlan(t, r, preference(pref))
			c := coverageOf(p)
			if m := c.missing(); len(m) > 0 {
				t.Errorf("%v %s: %d of %d events never happened in %d cycles: %q", r, pref, len(m), len(c.events), traceLength(p), m)
			}
		}
	}
}

// The same with queues at the inputs and several local outputs.
func TestRouterTraceOfVariantsMeetsEveryEvent(t *testing.T) {
	t.Parallel()
	for i, r := range corner {
		for j, v := range variants[1:] {
			pref := preferences[(i+j)%len(preferences)]
			p := newPlan(t, r, v.with(preference(pref), fifoDepth(2+(i+j)%2*3))...)
			c := coverageOf(p)
			if m := c.missing(); len(m) > 0 {
				t.Errorf("%v %s, %s: %d of %d events never happened in %d cycles: %q", r, pref, v.name, len(m), len(c.events), traceLength(p), m)
			}
		}
	}
}

// The trace names the node whose address is the source of what is injected.
func TestRouterTraceIsThatOfANodeWithAlternatingAddressBits(t *testing.T) {
	for _, c := range []struct {
		r    rings
		node int
	}{
		{rings{{2, 1}}, 1},
		{rings{{3, 1}}, 2},
		{rings{{5, 1}}, 2},
		{rings{{6, 2}}, 5},
		{rings{{4, 1}, {4, 1}}, 10},
		{rings{{3, 1}, {5, 1}}, 10},
		{rings{{6, 2}, {5, 1}}, 21},
		{rings{{15, 1}, {15, 1}, {15, 1}, {15, 1}}, 0xaaaa},
	} {
		require.Zero(t, RouterNode(newPlan(t, c.r)), "%v has no source id", c.r)
		p := newPlan(t, c.r, sourceID())
		require.Equal(t, c.node, RouterNode(p), "%v", c.r)
		require.Less(t, c.node, p.Nodes)
		var b bytes.Buffer
		require.NoError(t, WriteRouterTrace(&b, p, 3000, 1, nil))
		offered, sent := map[string]bool{}, 0
		lines := parse(t, p, b.String(), RouterTraffic, 3000, c.node)
		for _, l := range lines {
			if l.stream == "s_local" {
				offered[l.payload] = true
			}
		}
		for _, l := range lines {
			if !strings.HasPrefix(l.stream, "m_link") || !offered[l.payload] {
				continue
			}
			header, err := strconv.ParseUint(l.header, 16, 64)
			require.NoError(t, err)
			require.EqualValues(t, c.node, header&(1<<p.SourceBits-1), "%v: %v", c.r, l)
			sent++
		}
		require.NotZero(t, sent, "%v", c.r)
	}
}
