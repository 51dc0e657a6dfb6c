// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/schedule/check"
)

// A program for MSCCL does what the operation says, in no more steps than the schedule and with as many messages, whatever the machine,
// operation, algorithm and root.
func TestMSCCLRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, 20)
		r := Request{Operation: rapid.SampledFrom(check.Operations()).Draw(t, "operation"), Root: rapid.IntRange(0, g.Nodes()-1).Draw(t, "root"),
			Ports: rapid.SampledFrom(anyPorts).Draw(t, "ports")}
		r.Algorithm = rapid.SampledFrom(Fitting(g, r.Operation, r.Ports)).Draw(t, "algorithm")
		s, err := Make(g, r)
		if err != nil {
			return // alternating may find none
		}
		var text strings.Builder
		require.NoError(t, s.WriteMSCCL(&text, "any"))
		p, err := check.ReadMSCCL(strings.NewReader(text.String()))
		require.NoError(t, err)
		if check.Rooted(r.Operation) {
			require.Equal(t, "custom", p.Coll)
		} else {
			require.Equal(t, r.Operation, p.Of())
		}
		steps, messages, err := check.CheckMSCCL(Machine(g), p, r.Operation, r.Root)
		require.NoError(t, err, "%v %v", Machine(g), r)
		require.LessOrEqual(t, steps, s.Steps, "%v %v", Machine(g), r)
		require.Equal(t, len(s.Plain().Transfers), messages)
	})
}

// program is the program of a schedule.
func program(t testing.TB, s *Schedule) string {
	var text strings.Builder
	require.NoError(t, s.WriteMSCCL(&text, "ring"))
	return text.String()
}

// Where a step waits for several others, all but the last wait in nop steps: here three nodes exchange their sums by ports that all
// differ, and each sum changes when all have been sent.
func TestMSCCLWaitsForSeveralSteps(t *testing.T) {
	s := makeChecked(t, graph(t, 21, 3), Request{Operation: check.AllReduce})
	require.Equal(t, 1, s.Steps%2)
	text := program(t, s)
	assert.Contains(t, text, `type="nop"`)
	p, err := check.ReadMSCCL(strings.NewReader(text))
	require.NoError(t, err)
	steps, _, err := check.CheckMSCCL(Machine(s.Graph), p, check.AllReduce, 0)
	require.NoError(t, err)
	assert.Equal(t, s.Steps, steps)
}

// Every fault of a program is found, with its place.
func TestMSCCLFaults(t *testing.T) {
	ring := graph(t, 4, 1)
	for _, c := range []struct {
		operation, from, to, says string
	}{
		{check.AllGather, `ngpus="4"`, `ngpus="5"`, "line 1, column 1: ngpus is 5, but 4 are listed"},
		{check.AllGather, `<algo name`, `<algo size="1" name`, `line 1, column 1: element algo has no attribute "size"`},
		{check.AllGather, `type="s"`, `type="send"`, `type is "send", want one of s, r, rcs, rrs, rrc, rrcs, re, cpy, nop`},
		{check.AllGather, `coll="allgather" `, ``, "line 1, column 1: element algo lacks the attribute coll"},
		{check.AllGather, `</tb>`, `</block>`, "it is not XML: "},
		{check.AllGather, `send="1" recv="1"`, `send="2" recv="1"`, "line 3, column 5: gpu 0, thread block 0: no link leads to gpu 2"},
		{check.AllGather, `type="r" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="3"`, `type="r" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="4"`, "chunk 4 is outside buffer o, which has 4"},
		{check.AllGather, `type="r" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="3"`, `type="r" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="2"`, "chunk 2 of buffer o is written, but thread block 1 may still use it: a dependence is missing"},
		{check.AllGather, `dstoff="0" cnt="1"`, `dstoff="1" cnt="1"`, "gpu 0: chunk 0 of its output has nothing"},
		{check.AllGather, `type="cpy"`, `type="nop"`, "gpu 0: chunk 0 of its output has nothing"},
		{check.AllGather, `type="s" srcbuf="i"`, `type="nop" srcbuf="i"`, "the step waits for ever"},
		{check.AllGather, `type="r" `, `type="nop" `, "is read, but has nothing"},
		{check.AllGather, `depid="0" deps`, `depid="-1" deps`, "is read, but thread block 0 may still write it: a dependence is missing"},
		{check.AllGather, `depid="0" deps`, `depid="7" deps`, "of thread block 7, which does not exist or has no hasdep"},
		{check.AllGather, `outofplace="1"`, `outofplace="0"`, "inplace and outofplace are 0: the program is for nothing"},
		{check.AllGather, `<step s="1"`, `<step s="2"`, "s is 2, want 1: steps are listed in order"},
		{check.AllGather, `cnt="1"`, `cnt="many"`, `cnt is "many", want a whole number from 0 to 2147483647`},
		{check.ReduceScatter, `type="rrc"`, `type="r"`, "chunk 0 of its output is the sum of chunk"},
		{check.ReduceScatter, `type="rrc" srcbuf="i" srcoff="0"`, `type="rrc" srcbuf="i" srcoff="1"`, "the sum mixes chunks"},
		{check.Scatter, `<gpu id="1"`, `<gpu id="2"`, "id is 2, want 1: gpus are listed in order"},
	} {
		s, err := Make(ring, Request{Operation: c.operation, Algorithm: "streaming"})
		require.NoError(t, err)
		text := program(t, s)
		require.Contains(t, text, c.from)
		p, err := check.ReadMSCCL(strings.NewReader(strings.Replace(text, c.from, c.to, 1)))
		if err == nil {
			_, _, err = check.CheckMSCCL(Machine(ring), p, c.operation, 0)
		}
		assert.ErrorContains(t, err, c.says, "%s: %s", c.from, c.to)
	}
}
