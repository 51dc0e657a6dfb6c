// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
)

// listed returns the machines of a query about nodes and degree.
func listed(t *testing.T, q *explore.Query, nodes, degree explore.Range) (list []*explore.Machine) {
	t.Helper()
	q.Nodes, q.Degree, q.Dims, q.Links = nodes, degree, explore.AllDims, explore.AllLinks
	all, err := explore.List(*q)
	require.NoError(t, err)
	for i := range all {
		list = append(list, &all[i])
	}
	require.NotEmpty(t, list)
	return list
}

// A unit has its name for itself, also beside those of other queries in the same folder and with a long name, and the same input
// each time.
func TestUnitsAreOfOneDesignEach(t *testing.T) {
	there := map[string]bool{}
	for _, q := range []*explore.Query{{}, {Destination: true}, {Collective: collective.AllGather}, {Collective: collective.TotalExchange}} {
		list := listed(t, q, explore.Range{Low: 6, High: 8}, explore.AllDegrees)
		units, err := Units(t.Context(), *q, list, nil)
		require.NoError(t, err)
		again, err := Units(t.Context(), *q, list, nil)
		require.NoError(t, err)
		assert.Equal(t, units, again)
		routers := 0
		for _, u := range units {
			d := u.Input.(task)
			assert.Len(t, d.Files, 64)
			m, _, diags := machine.LoadBytes("machine.hcl", []byte(d.Description), nil)
			require.Empty(t, diags)
			assert.Equal(t, m.Synthesis, []machine.Synthesis{d.Options.Target}, "the defaults of make synth")
			assert.Equal(t, q.Destination, strings.Contains(d.Description, "destination = true"), u.Name)
			if d.Collective == "" {
				routers++
			}
			assert.False(t, there[u.Name], u.Name)
			there[u.Name] = true
		}
		assert.Equal(t, len(list), routers)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	q := &explore.Query{}
	_, err := Units(cancelled, *q, listed(t, q, explore.Range{Low: 6, High: 6}, explore.AllDegrees), nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestNamesOfUnitsAreNotTooLong(t *testing.T) {
	q := &explore.Query{Destination: true}
	names := map[string]bool{}
	list := listed(t, q, explore.Range{Low: 3 << 18, High: 3 << 18}, explore.Range{Low: 20, High: 20})
	for _, m := range list {
		name := routerUnit(*q, m)
		assert.LessOrEqual(t, len(name), campaign.MaxName)
		assert.False(t, names[name], name)
		names[name] = true
	}
}

// installed returns the versions of the tools.
func installed(t *testing.T) map[string]string {
	t.Helper()
	versions, err := synthesis.Versions(t.Context(), Tools...)
	require.NoError(t, err)
	return versions
}

// worked does the unit, and returns its result as the campaign reads it.
func worked(t *testing.T, u campaign.Unit) campaign.Result {
	t.Helper()
	input, err := json.Marshal(u.Input)
	require.NoError(t, err)
	result, err := Work(t.Context(), input)
	require.NoError(t, err)
	text, err := json.Marshal(result)
	require.NoError(t, err)
	return campaign.Result{Unit: u.Name, Result: text}
}

// The smallest machine with a router and a node that select from anything, with the real tools.
func TestRouterAndNodeAreMeasured(t *testing.T) {
	needs.Tools(t, Tools...)
	q := &explore.Query{Collective: collective.AllGather, Destination: true}
	list := listed(t, q, explore.Range{Low: 3, High: 3}, explore.Range{Low: 2, High: 2})
	units, err := Units(t.Context(), *q, list, installed(t))
	require.NoError(t, err)
	require.Len(t, units, 2)
	require.NoError(t, Apply(*q, list, []campaign.Result{worked(t, units[0]), worked(t, units[1])}))
	require.NoError(t, Complete(t.Context(), *q, list))
	m := list[0]
	assert.InDelta(t, 158, m.Router.LUT4, 40) // internal/explore/testdata/measured.csv has the least area
	assert.InDelta(t, 184, m.Router.FF, 10)
	for _, c := range []explore.Clock{m.Router.Clock, m.Node.Clock} {
		assert.Greater(t, c.Min, 50.)
		assert.LessOrEqual(t, c.Min, c.Median)
		assert.LessOrEqual(t, c.Median, c.Max)
	}
	assert.Positive(t, m.Node.LUT4)
	assert.Positive(t, m.Node.FF)
	assert.Equal(t, 3, m.Cycles.AllGather)
	assert.GreaterOrEqual(t, m.Cycles.TotalExchange, 3)
}

// Times are of machines that have a clock and are not too large, and of a total exchange only if messages have destinations.
func TestOperationsAreRunInTheModel(t *testing.T) {
	q := &explore.Query{Destination: true}
	list := listed(t, q, explore.Range{Low: 16, High: 16}, explore.Range{Low: 4, High: 4})
	for _, m := range list {
		m.Router.Clock.Median = 100
	}
	require.NoError(t, Complete(t.Context(), *q, list))
	for _, m := range list {
		if m.String() == "(4,1)x(4,1)" { // as docs/collectives.md has them, without the first cycle
			assert.Equal(t, explore.Cycles{AllGather: 16, TotalExchange: 23}, m.Cycles)
		}
		assert.GreaterOrEqual(t, m.Cycles.AllGather, 16)
		assert.Greater(t, m.Cycles.TotalExchange, 16)
	}
	q.Destination = false
	list = listed(t, q, explore.Range{Low: 256, High: 257}, explore.Range{Low: 2, High: 2})
	for _, m := range list {
		m.Router.Clock.Median = 100
	}
	require.NoError(t, Complete(t.Context(), *q, list))
	for _, m := range list {
		assert.Equal(t, m.Nodes <= MaxNodes, m.Cycles.AllGather > 0)
		assert.Zero(t, m.Cycles.TotalExchange)
	}
	list = listed(t, q, explore.Range{Low: 4, High: 4}, explore.AllDegrees)
	require.NoError(t, Complete(t.Context(), *q, list))
	for _, m := range list {
		assert.Zero(t, m.Cycles, "it has no clock")
	}
}
