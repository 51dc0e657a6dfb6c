// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"encoding/xml"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/svg"
)

// All neighbours of a long ring are one step apart, all others as far or farther, and little of
// the picture is blank.
func TestLongRingsAreFolded(t *testing.T) {
	for nodes := mostOnCircle + 1; nodes <= MaxNodes; nodes++ {
		at := folded(nodes)
		require.Len(t, at, nodes)
		wide, high := 0.0, 0.0
		for v, p := range at {
			next := at[(v+1)%nodes]
			require.InDelta(t, 1, math.Hypot(p.X-next.X, p.Y-next.Y), 1e-9, "node %d of %d", v, nodes)
			for w, other := range at[:v] {
				if math.Hypot(p.X-other.X, p.Y-other.Y) < 1-1e-9 {
					require.Fail(t, "too close", "nodes %d and %d of %d", v, w, nodes)
				}
			}
			wide, high = max(wide, p.X+1), max(high, p.Y+1)
		}
		require.Less(t, wide*high, 1.35*float64(nodes), "%d nodes", nodes)
		require.Less(t, max(wide, high), 2*min(wide, high), "%d nodes", nodes)
	}
}

func TestPicturesOfLongRingsAreSmall(t *testing.T) {
	for text, most := range map[string]float64{"200,1": 1500, "100,2": 1200, "200,4": 1800, "64,8": 1300, "512,4": 3000} {
		for _, s := range []Subject{Network, Tree, Load} {
			data := picture(t, machineOf(t, text), s, 0)
			var size struct {
				Width  float64 `xml:"width,attr"`
				Height float64 `xml:"height,attr"`
			}
			require.NoError(t, xml.Unmarshal(data, &size))
			assert.Less(t, size.Width, most, "%s %s", text, s)
			assert.Less(t, size.Height, most, "%s %s", text, s)
		}
	}
}

// Rings of more than 48 nodes with longer links are on a comb if that makes the picture smaller, and on
// the circle else, as some with rho 7 and 8 are.
func TestLongRingsAreOnACombIfThatIsSmaller(t *testing.T) {
	const radius = 13 // of nodes of networks
	onCircle := map[int]int{}
	for nodes := mostOnCircle + 1; nodes <= 64; nodes++ {
		for rho := 2; rho <= 8; rho++ {
			g, err := hypercycle.New(hypercycle.Dimension{M: nodes, Rho: rho})
			require.NoError(t, err)
			circle := &layout{at: make([]svg.Point, nodes), links: linksOf(g), radius: radius}
			circle.nest(g)
			circle.fit()
			if l := newLayout(g, radius); slices.Equal(circle.at, l.at) {
				onCircle[rho]++
			} else {
				assert.Less(t, l.long(), circle.long(), "%d nodes, rho %d", nodes, rho)
				assert.Less(t, l.width*l.height, circle.width*circle.height, "%d nodes, rho %d", nodes, rho)
			}
		}
	}
	assert.ElementsMatch(t, []int{7, 8}, slices.Collect(maps.Keys(onCircle)))
}

// The line of a comb is closed, has the length of the ring, and its points have the requested distances.
func TestLinesOfCombsAreClosed(t *testing.T) {
	combs := 0
	for nodes := mostOnCircle + 1; nodes <= MaxNodes; nodes += 37 {
		for rho := 2; rho <= 8; rho++ {
			for teeth := 2; ; teeth++ {
				c, ok := newComb(hypercycle.Dimension{M: nodes, Rho: rho}, teeth, 2.2)
				if !ok {
					break
				}
				combs++
				strokes, length := c.strokes(), 0.0
				for _, s := range strokes {
					require.Positive(t, s.length)
					length += s.length
				}
				require.InDelta(t, nodes, length, 1e-9)
				begin, end := c.at(strokes, 0, 0), c.at(strokes, float64(nodes)-1e-12, 0)
				require.InDelta(t, 0, math.Hypot(end.X-begin.X, end.Y-begin.Y), 1e-6, "%+v", c)
				for at := 0.0; at < float64(nodes); at += 1.37 {
					p, q, in := c.at(strokes, at, 0), c.at(strokes, at+0.01, 0), c.at(strokes, at, 0.3)
					require.InDelta(t, 0.01, math.Hypot(p.X-q.X, p.Y-q.Y), 1e-5)
					require.InDelta(t, 0.3, math.Hypot(p.X-in.X, p.Y-in.Y), 1e-9)
					require.Positive(t, (q.X-p.X)*(in.Y-p.Y)-(q.Y-p.Y)*(in.X-p.X), "inwards is to the right")
				}
			}
		}
	}
	assert.Greater(t, combs, 100)
}

// Entries of a legend are of all steps, each of them in one.
func TestLegendOfManySteps(t *testing.T) {
	for steps := 1; steps <= mostSteps; steps++ {
		messages, total := make([]int, steps+1), 0
		for step := 1; step <= steps; step++ {
			messages[step] = step
			total += step
		}
		legend := stepLegend(messages, onPaper.of(steps))
		require.LessOrEqual(t, len(legend), mostEntries)
		next := 1
		for _, e := range legend {
			first, last, sum := 0, 0, 0
			if _, err := fmt.Sscanf(e.text, "steps %d to %d: %d messages", &first, &last, &sum); err != nil {
				_, err = fmt.Sscanf(e.text, "step %d: %d message", &first, &sum)
				require.NoError(t, err, e.text)
				last = first
			}
			require.Equal(t, next, first)
			for ; next <= last; next++ {
				sum -= messages[next]
			}
			require.Zero(t, sum, e.text)
		}
		require.Equal(t, steps+1, next)
	}
	assert.Equal(t, "step 1: 1 message", stepLegend([]int{0, 1}, []string{"#000000"})[0].text)
	assert.True(t, strings.HasSuffix(stepLegend([]int{0, 2}, []string{"#000000"})[0].text, " messages"))
}
