// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/traffic"
)

// size is a writer that counts bytes.
type size int

func (s *size) Write(b []byte) (int, error) {
	*s += size(len(b))
	return len(b), nil
}

func TestRouterTracesAreShort(t *testing.T) {
	for _, r := range append([]rings{{{15, 2}, {15, 2}, {15, 2}, {15, 2}}, {{31, 8}}, {{300, 8}}}, corner...) {
		for _, v := range variants {
			for payload, most := range map[int]int{32: 12 << 20, 1024: 12 << 20} {
				p := newPlan(t, r, v.With(payloadBits(payload), sourceID(), fifoDepth(16))...)
				var written size
				require.NoError(t, WriteRouter(&written, p, 0, 1, nil))
				require.Less(t, int(written), most, "%v %s, %d bits", r, v.Name, payload)
			}
		}
	}
}

// The trace names the node whose address is the source of the injected messages.
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
		require.Zero(t, traffic.RouterNode(newPlan(t, c.r)), "%v has no source id", c.r)
		p := newPlan(t, c.r, sourceID())
		require.Equal(t, c.node, traffic.RouterNode(p), "%v", c.r)
		require.Less(t, c.node, p.Nodes)
		var b bytes.Buffer
		require.NoError(t, WriteRouter(&b, p, 3000, 1, nil))
		offered, sent := map[string]bool{}, 0
		lines := parse(t, p, b.String(), plan.RouterTraffic, 3000, c.node)
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
