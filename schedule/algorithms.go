// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// MaxTransfers is the longest list of transfers that is made.
const MaxTransfers = 20_000_000

// Request says which schedule to make.
type Request struct {
	Operation string // one of collective.Operations
	Algorithm string // one of Names; empty: the general one of the operation
	Ports     Ports
	Root      int      // of broadcast, scatter and gather
	Progress  Progress // may be nil
	Effort    int      // of streaming: how long the search may take, 1 or more; 0 is 1
	Seed      uint64   // of streaming: another one leads the search another way
	OneLane   bool     // of streaming: a node gives at most one word in a step, and gets at most one
}

// algorithm is one algorithm.
type algorithm struct {
	name       string
	operations []string
	ports      []Ports
	fits       func(g *hypercycle.Graph) bool
	machines   string                                         // that it is for
	make       func(g *hypercycle.Graph, r Request) *Schedule // nil if it does not work out
}

// What algorithms are for.
var (
	spreads  = []string{collective.AllGather, collective.Scatter, collective.Gather, collective.ReduceScatter, collective.AllReduce}
	anyPorts = []Ports{AllPorts, OnePort}
)

func anyMachine(*hypercycle.Graph) bool { return true }

// algorithms lists all; of those that fit an operation the first is the general one.
var algorithms = []algorithm{
	{"matching", spreads, anyPorts, anyMachine, "every machine", func(g *hypercycle.Graph, r Request) *Schedule {
		if r.Operation == collective.AllReduce && r.Ports == AllPorts {
			if s := meeting(g); s != nil {
				return s.schedule(r.Operation, r.Root)
			}
		}
		return matching(g, r.Ports).schedule(r.Operation, r.Root)
	}},
	{"alternating", []string{collective.TotalExchange}, []Ports{AllPorts}, unevenAntipode, "machines with one ring of even m, where the translated total exchange misses the bound", func(g *hypercycle.Graph, r Request) *Schedule {
		return alternating(g, r.Progress)
	}},
	{"colouring", []string{collective.TotalExchange}, anyPorts, anyMachine, "every machine", func(g *hypercycle.Graph, r Request) *Schedule {
		return exchange(g, r.Ports, r.Progress)
	}},
	{"doubling", []string{collective.Broadcast}, []Ports{OnePort}, anyMachine, "every machine", func(g *hypercycle.Graph, r Request) *Schedule {
		t, _ := doubling(g)
		return t.broadcast(g, "doubling", OnePort, r.Root)
	}},
	{"algorithm-2", []string{collective.Broadcast}, anyPorts, anyMachine, "every machine", func(g *hypercycle.Graph, r Request) *Schedule {
		return treeOf(g, hypercycle.Clockwise).broadcast(g, "algorithm-2", r.Ports, r.Root)
	}},
	{"gray-ring", spreads, []Ports{OnePort}, isCube, "machines whose m are equal", func(g *hypercycle.Graph, r Request) *Schedule {
		return grayRing(g, r.Operation, r.Root)
	}},
	{"lee-tree", []string{collective.Broadcast}, anyPorts, isKary, "k-ary n-cubes: equal m above 2, rho 1", func(g *hypercycle.Graph, r Request) *Schedule {
		return leeTree(g).broadcast(g, "lee-tree", r.Ports, r.Root)
	}},
	{"rotation-trees", spreads, []Ports{AllPorts}, isBinary, "binary cubes: all m 2", func(g *hypercycle.Graph, r Request) *Schedule {
		return rotationTrees(g).schedule(r.Operation, r.Root)
	}},
	{"bst", append([]string{collective.Broadcast, collective.TotalExchange}, spreads...), []Ports{AllPorts}, complete, "generalized hypercubes of equal m", func(g *hypercycle.Graph, r Request) *Schedule {
		h := newGeneralized(g)
		switch r.Operation {
		case collective.Broadcast:
			return h.bst().broadcast(g, "bst", r.Ports, r.Root)
		case collective.TotalExchange:
			return h.exchange("bst", 1, false)
		}
		return h.spread("bst", 1, false).schedule(r.Operation, r.Root)
	}},
	{"bsg", append([]string{collective.TotalExchange}, spreads...), []Ports{AllPorts}, complete, "generalized hypercubes of equal m", func(g *hypercycle.Graph, r Request) *Schedule {
		h := newGeneralized(g)
		packets := unitPackets(h.n, h.k)
		switch r.Operation {
		case collective.Scatter:
			return h.scatter(packets, r.Root)
		case collective.TotalExchange:
			return h.exchange("bsg", packets, true)
		}
		return h.spread("bsg", packets, true).schedule(r.Operation, r.Root)
	}},
	{"streaming", collective.Operations(), []Ports{AllPorts}, isSmall, "machines of up to 1024 nodes", flowing},
}

// maxStreamed is the largest machine whose schedules are made for hardware.
const maxStreamed = 1024

func isSmall(g *hypercycle.Graph) bool { return g.Nodes() <= maxStreamed }

func isCube(g *hypercycle.Graph) bool {
	_, _, ok := cube(g)
	return ok
}

func isKary(g *hypercycle.Graph) bool {
	k, _, ok := cube(g)
	for i := 1; i <= g.Rank(); i++ {
		ok = ok && g.Dimension(i).Rho == 1
	}
	return ok && k > 2
}

func isBinary(g *hypercycle.Graph) bool {
	k, _, ok := cube(g)
	return ok && k == 2
}

// unevenAntipode reports whether a translated total exchange cannot load both directions of some ring evenly
// enough, because one item to the antipode is left over.
func unevenAntipode(g *hypercycle.Graph) bool {
	i := oddDimension(g)
	if i < 0 {
		return false
	}
	d := g.Dimension(i + 1)
	return ringBound(d, g.Nodes()/d.M, nil) > Bound(g, collective.TotalExchange, AllPorts, 1)
}

// Names lists the algorithms.
func Names() []string {
	var names []string
	for _, a := range algorithms {
		names = append(names, a.name)
	}
	return names
}

// Fitting lists the algorithms that make an operation on a machine, the general one first.
func Fitting(g *hypercycle.Graph, operation string, ports Ports) []string {
	var names []string
	for _, a := range algorithms {
		if slices.Contains(a.operations, operation) && slices.Contains(a.ports, ports) && a.fits(g) {
			names = append(names, a.name)
		}
	}
	return names
}

// Make makes a schedule. The error is an *Unfit or a *TooLong. It panics if the operation is
// not one of collective.Operations, or the root not a node.
func Make(g *hypercycle.Graph, r Request) (*Schedule, error) {
	if !slices.Contains(collective.Operations(), r.Operation) || r.Root < 0 || r.Root >= g.Nodes() {
		panic(fmt.Sprintf("schedule: no such request: %+v", r))
	}
	if r.Algorithm != "" {
		return makeNamed(g, r)
	}
	for _, r.Algorithm = range Fitting(g, r.Operation, r.Ports) {
		s, err := makeNamed(g, r)
		if unfit := (*Unfit)(nil); !errors.As(err, &unfit) {
			return s, err
		}
	}
	panic("schedule: no general algorithm of " + r.Operation)
}

// makeNamed makes a schedule by the algorithm of the request.
func makeNamed(g *hypercycle.Graph, r Request) (*Schedule, error) {
	unfit := func(format string, values ...any) (*Schedule, error) {
		return nil, &Unfit{r.Algorithm, r.Operation, r.Ports, fmt.Sprintf(format, values...)}
	}
	k := slices.IndexFunc(algorithms, func(a algorithm) bool { return a.name == r.Algorithm })
	if k < 0 {
		return unfit("there is no such algorithm")
	}
	switch a := algorithms[k]; {
	case r.OneLane && a.name != "streaming":
		return unfit("only streaming makes schedules of one lane")
	case !slices.Contains(a.operations, r.Operation):
		return unfit("it is for %s", strings.Join(a.operations, ", "))
	case !slices.Contains(a.ports, r.Ports):
		return unfit("it is for --ports %s", a.ports[0])
	case !a.fits(g):
		return unfit("it is for %s", a.machines)
	}
	if n := transfers(g, r); n > MaxTransfers {
		return nil, &TooLong{r.Algorithm, r.Operation, n}
	}
	s := algorithms[k].make(g, r)
	if s == nil {
		return unfit("it finds none with fewer steps than the translated one on this machine")
	}
	return s, nil
}

// transfers estimates the transfers that a schedule lists.
func transfers(g *hypercycle.Graph, r Request) int {
	n := g.Nodes()
	rooted := collective.Rooted(r.Operation)
	switch {
	case r.Operation == collective.Broadcast:
		return n
	case r.Algorithm == "gray-ring" && rooted:
		return n * (n - 1) / 2
	case r.Algorithm == "gray-ring":
		return n * (n - 1)
	case rooted || r.Operation == collective.TotalExchange:
		return g.DistanceSum() // a little more where ports are balanced
	}
	return 2 * n
}
