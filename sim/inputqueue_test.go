// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Link input 1 of router 0 of an 8-ring by hand, with a queue of its own and a delivery queue
// of its own. Messages are known by their numbers; 50 and more are malformed, and the others
// are only delivered.
func TestLinkInputByHand(t *testing.T) {
	p := newPlan(t, rings{{8, 1}}, stages(2), perPort())
	r := NewRouter(p, 0)
	var out Outputs
	for i, step := range []struct {
		link      uint32 // number of the message on the link; 0: none
		ready     bool   // the receiver of local output 1
		linkReady bool
		local     uint32    // number of the message delivered; 0: none
		bad       bool      // header_error
		after     [4]uint32 // at the head, behind it, and in the delivery queue
		why       string
	}{
		{1, false, true, 0, false, [4]uint32{1, 0, 0, 0}, "comes to the head of an empty queue"},
		{2, false, true, 0, false, [4]uint32{2, 0, 1, 0}, "is delivered; the next takes its place"},
		{3, false, true, 1, false, [4]uint32{3, 0, 1, 2}, "and waits for nothing yet"},
		{4, false, true, 1, false, [4]uint32{3, 4, 1, 2}, "no room to deliver: the next one queues"},
		{5, false, false, 1, false, [4]uint32{3, 4, 1, 2}, "both slots are taken"},
		{5, true, false, 1, false, [4]uint32{3, 4, 2, 0}, "a slot that gets free in this cycle does not count"},
		{5, false, false, 2, false, [4]uint32{4, 0, 2, 3}, "the head goes and the second one moves up, but the link had to wait"},
		{50, false, true, 2, false, [4]uint32{4, 50, 2, 3}, "malformed behind one that waits"},
		{0, true, false, 2, false, [4]uint32{4, 50, 3, 0}, "nothing happens to it there"},
		{0, true, false, 3, false, [4]uint32{50, 0, 4, 0}, "it comes to the head"},
		{51, true, true, 4, false, [4]uint32{51, 0, 0, 0}, "and leaves in its first cycle there, past no delivery"},
		{6, false, true, 0, true, [4]uint32{6, 0, 0, 0}, "which shows in the next; another follows"},
		{0, false, true, 0, true, [4]uint32{0, 0, 6, 0}, "two pulses for two"},
		{0, true, true, 6, false, [4]uint32{}, "empty"},
		{0, true, true, 0, false, [4]uint32{}, "ready without a message, too"},
	} {
		in := Inputs{LinkReady: 3, LocalReady: 1 | all(step.ready)&2}
		if step.link > 0 {
			in.LinkValid, in.Link[1] = 1<<1, Message{Seq: step.link, WC: 1, WD: 1}
			if step.link >= 50 {
				in.Link[1].WC = 0
			}
		}
		r.Evaluate(&in, &out)
		require.Equal(t, step.linkReady, out.LinkReady>>1&1 != 0, "step %d: %s", i, step.why)
		require.NotZero(t, out.LinkReady&1, "step %d: the other link is free", i)
		require.Equal(t, all(step.bad)&2, out.HeaderError, "step %d: %s", i, step.why)
		require.Equal(t, all(step.local > 0)&2, out.LocalValid, "step %d: %s", i, step.why)
		if step.local > 0 {
			require.Equal(t, step.local, out.Local[1].Seq, "step %d: %s", i, step.why)
		}
		r.Step()
		var after [4]uint32
		if r.inputs.heads.valid&2 != 0 {
			after[0] = r.inputs.from[2].Seq
		}
		if r.inputs.heads.full&2 != 0 {
			after[1] = r.inputs.behind[1].Seq
		}
		for k := range r.count[delivery+1] {
			after[2+k] = r.localSlot(1, wrap(r.head[delivery+1]+k, r.shape.deliverySlots)).Seq
		}
		require.Equal(t, step.after, after, "step %d: %s", i, step.why)
	}
}
