// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// everyDestination is a workload in which each node sends one message to every destination that contains another node. The
// messages of a node are offered one by one, from cycle 0 on. If apart is positive, each message is offered that number of
// cycles after that of the previous node, so that every message is alone in the network.
type everyDestination struct {
	graph      *hypercycle.Graph
	apart      int
	text       strings.Builder
	messages   int
	deliveries int
}

// blocks returns the send blocks, one for each destination.
func (e *everyDestination) blocks() string {
	e.choose(make(hypercycle.Destination, e.graph.Rank()), 1)
	return e.text.String()
}

func (e *everyDestination) choose(to hypercycle.Destination, dimension int) {
	if dimension > e.graph.Rank() {
		e.send(to)
		return
	}
	for digit := hypercycle.All; digit < e.graph.Dimension(dimension).M; digit++ {
		to[dimension-1] = digit
		e.choose(to, dimension+1)
	}
}

func (e *everyDestination) send(to hypercycle.Destination) {
	var from, at []string
	for source := range e.graph.Nodes() {
		if e.graph.Nobody(to, source) {
			continue
		}
		from, at = append(from, written(e.graph.To(source))), append(at, fmt.Sprint(e.apart*e.messages))
		e.messages++
		for node := range e.graph.Nodes() {
			if e.graph.Contains(to, source, node) {
				e.deliveries++
			}
		}
	}
	fmt.Fprintf(&e.text, "  send {\n    from = [%s]\n    to   = %s\n    at   = [%s]\n  }\n", strings.Join(from, ", "), written(to), strings.Join(at, ", "))
}

// written is an address or a destination as it is written in a description.
func written[D ~[]int](digits D) string {
	var list []string
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] == hypercycle.All {
			list = append(list, `"*"`)
		} else {
			list = append(list, fmt.Sprint(digits[i]))
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// addressedShape is a machine of the test of every destination: its rings, m and rho, dimension 1 first.
type addressedShape [][2]int

// addressedShapes lists every multiset of rings of up to most nodes, each once, with the largest rings first.
func addressedShapes(most int) (shapes []addressedShape) {
	var grow func(shape addressedShape, nodes int)
	grow = func(shape addressedShape, nodes int) {
		if len(shape) > 0 {
			shapes = append(shapes, append(addressedShape(nil), shape...))
		}
		for m := 2; nodes*m <= most; m++ {
			for rho := 1; rho <= m/2; rho++ {
				if len(shape) > 0 {
					if before := shape[len(shape)-1]; m > before[0] || m == before[0] && rho > before[1] {
						continue
					}
				}
				grow(append(shape, [2]int{m, rho}), nodes*m)
			}
		}
	}
	grow(nil, 1)
	return shapes
}

// describe writes the description of a machine; the number decides its options.
func (s addressedShape) describe(t *testing.T, number int) (description string, alone, together *everyDestination) {
	t.Helper()
	var rings []hypercycle.Dimension
	var b strings.Builder
	b.WriteString("machine \"addressed\" {\n")
	for i, d := range s {
		rings = append(rings, hypercycle.Dimension{M: d[0], Rho: d[1]})
		fmt.Fprintf(&b, "  dimension \"d%d\" {\n    m   = %d\n    rho = %d\n  }\n", i, d[0], d[1])
	}
	g, err := hypercycle.New(rings...)
	require.NoError(t, err)
	stages := 1 + number%2
	fmt.Fprintf(&b, "  message {\n    payload_bits = 12\n    source_id    = %t\n    last         = %t\n    destination  = true\n  }\n", number%3 == 0, number%5 == 0)
	fmt.Fprintf(&b, "  router {\n    stages     = %d\n    delivery   = %q\n    fifo_depth = %d\n    preference = %q\n  }\n}\n", stages,
		[]string{"merged", "per_port"}[number/2%2], 2+number%3, []string{"clockwise", "balanced", "counterclockwise"}[number%3])
	alone, together = &everyDestination{graph: g, apart: stages*g.Diameter() + 3}, &everyDestination{graph: g}
	sends := alone.blocks()
	fmt.Fprintf(&b, "traffic \"each\" {\n  cycles = %d\n%s}\n", alone.apart*alone.messages+1, sends)
	// Every receiver takes most of all deliveries in sequence, and stalls in a third of the cycles.
	sends = together.blocks()
	fmt.Fprintf(&b, "traffic \"together\" {\n  cycles = %d\n%s  random {\n    rate  = 0\n    stall = 0.3\n  }\n}\n", 200+4*together.deliveries/g.Nodes()+20*together.messages/g.Nodes(), sends)
	return b.String(), alone, together
}

// In RTL, every source reaches every destination: each node of the set once and no other, by the count of the bench, which
// computes the sets only from tdest. Messages are sent one by one, and overlapping under stalls. The machines are all of up to
// 9 nodes, up to the order of their dimensions, and with HCGEN_DESTINATIONS=all of up to 16; a short run has one.
func TestEveryDestinationFromEverySourceInRTL(t *testing.T) {
	shapes := addressedShapes(9)
	require.Len(t, shapes, 26)
	if os.Getenv("HCGEN_DESTINATIONS") == "all" { // make campaign WHAT=destinations
		shapes = addressedShapes(16)
		require.Len(t, shapes, 93)
	}
	for number, shape := range shapes {
		if number/4%2 == 1 {
			slices.Reverse(shape)
		}
		if testing.Short() && fmt.Sprint(shape) != "[[6 2]]" {
			continue
		}
		t.Run(strings.NewReplacer("[", "", "]", "", " ", ",").Replace(fmt.Sprint(shape)), func(t *testing.T) {
			t.Parallel()
			everyDestinationInRTL(t, shape, number)
		})
	}
}

func everyDestinationInRTL(t *testing.T, shape addressedShape, number int) {
	text, alone, together := shape.describe(t, number)
	_, out := harness.Generate(t, harness.Text(t, text), nil)
	for name, e := range map[string]*everyDestination{"each": alone, "together": together} {
		printed := harness.Make(t.Context(), t, out, "sim-"+name, "JOBS=1")
		assert.Contains(t, printed, "PASS: addressed_network."+name+": ")
		assert.Contains(t, printed, fmt.Sprintf("exactly once: %d messages, %d deliveries, ", e.messages, e.deliveries), shape)
	}
}

// Deliveries have the dimensions in which their destination is all, as the model says, and the bench finds a wrong one.
func TestDeliveriesSayForWhomTheyAre(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	const text = `machine "scoped" {
  dimension "x" {
    m   = 3
    rho = 1
  }
  dimension "y" {
    m   = 2
    rho = 1
  }
  message {
    payload_bits        = 8
    source_id           = true
    destination         = true
    deliver_destination = true
    last                = true
  }
  router {
    delivery = "per_port"
  }
}
`
	_, out := harness.Generate(t, harness.Text(t, text), nil)
	printed := harness.Make(t.Context(), t, out, "lint", "sim-router", "sim-storm", "JOBS=1")
	assert.Contains(t, printed, "PASS: scoped_router.router: ")
	assert.Contains(t, printed, "PASS: scoped_network.storm: ")

	router := filepath.Join(out, "rtl", "scoped_router.v")
	good, err := os.ReadFile(router)
	require.NoError(t, err)
	const right, wrong = "s_axis_local_tdest[4], s_axis_local_tdest[2]", "s_axis_local_tdest[2], s_axis_local_tdest[4]"
	require.Equal(t, 1, strings.Count(string(good), right))
	require.NoError(t, os.WriteFile(router, []byte(strings.Replace(string(good), right, wrong, 1)), 0o644))
	failed, err := exec.CommandContext(t.Context(), "make", "-C", out, "sim-router", "JOBS=1").CombinedOutput()
	require.Error(t, err, string(failed))
	assert.Regexp(t, `stream m_link\d\d .*header: expected .*scope`, string(failed))
}
