// SPDX-License-Identifier: Apache-2.0

// Package verify checks deadlock certificates. From the rest of hcgen it uses only
// the reader of JSON. From the parameters of the machine in the certificate and the
// rules of docs/architecture.md it computes the resources and wait edges of the
// routers. It accepts the certificate only if it lists exactly these, with an order
// in which no edge goes upwards, and with the rings and their rule.
// docs/verification.md proves what follows from an accepted certificate.
package verify

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/hcgen/hcgen/internal/strictjson"
)

// Format and Version of supported certificates.
const (
	Format  = "hcgen-deadlock-certificate"
	Version = 5
)

// maxFaults is the largest number of faults that are reported.
const maxFaults = 20

// Result describes the machine of an accepted certificate.
type Result struct {
	Machine    string
	Preference string
	Dimensions []string // "m,rho", dimension 1 first
	Nodes      int
	FIFODepth  int
	Stages     int
	Delivery   string

	Destination bool // messages have destinations

	Resources int // of a router
	Edges     int // from the resources of a router
	Rings     int // of the whole network
}

// Rejected is the error for a certificate that does not prove freedom from deadlock.
type Rejected struct{ Faults []Fault }

// Fault is a reason for rejection, with its line.
type Fault struct {
	Line int // from 1
	Text string
}

// Error returns the first reason.
func (r *Rejected) Error() string { return r.Faults[0].Text }

// Certificate checks a certificate. The error is a *Malformed if the data is no certificate,
// and a *Rejected if the certificate does not hold.
func Certificate(data []byte) (result Result, err error) {
	c := check{}
	if err := parse(data, c.read); err != nil {
		return Result{}, err
	}
	c.resources()
	c.edges()
	c.rings()
	if len(c.faults) > maxFaults {
		more := len(c.faults) - maxFaults
		c.faults = append(c.faults[:maxFaults], Fault{c.faults[maxFaults].Line, fmt.Sprintf("and %d more", more)})
	}
	if len(c.faults) > 0 {
		return Result{}, &Rejected{c.faults}
	}
	return c.result, nil
}

// check is the check of one certificate.
type check struct {
	machine parameters
	want    *expected
	faults  []Fault
	result  Result

	lines struct{ resources, edges, rings int } // of the lists
	given struct {
		resources []givenResource
		edges     []givenEdge
		rings     []givenRings
	}
	order map[string]int // by name, of the machine's resources
}

type givenResource struct {
	line  int
	name  string
	order int
	resource
}

type givenEdge struct {
	line int
	edge
}

type givenRings struct {
	line          int
	port, input   string
	slots         int
	continueFirst bool
	lines         int
	rings         []givenRing
}

type givenRing struct{ line, first, step, length int }

func (c *check) fault(line int, format string, args ...any) {
	c.faults = append(c.faults, Fault{line, fmt.Sprintf(format, args...)})
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// assumptions that the proof needs, in this wording.
var assumptions = []string{
	"routers behave as docs/architecture.md says and start from reset",
	"links lose, change and add nothing",
	"every receiver is ready again and again",
}

// read reads the fields of the certificate.
func (c *check) read(v value) {
	v.must("the certificate", strictjson.Object)
	format := v.field("format")
	if s := format.string("format"); s != Format {
		fail(format.Place, "format is %q, want %q", shown(s), Format)
	}
	version := v.field("version")
	if n := version.int("version"); n != Version {
		fail(version.Place, "version is %d, want %d: another version of hcgen has made it", n, Version)
	}
	c.readMachine(v.field("machine"))

	said := v.field("assumptions")
	var words []string
	for _, a := range said.list("assumptions") {
		words = append(words, a.string("an assumption"))
	}
	if !slices.Equal(words, assumptions) {
		c.fault(said.Line, "the assumptions are not those of the proof, want %q", assumptions)
	}

	resources := v.field("resources")
	c.lines.resources = resources.Line
	for _, r := range resources.list("resources") {
		r.must("a resource", strictjson.Object)
		g := givenResource{line: r.Line, name: r.stringField("name"), order: r.intField("order"), resource: resource{
			kind: r.stringField("kind"), dimension: r.optionalInt("dimension"), direction: r.optionalString("direction"),
			distance: r.optionalInt("distance"), depth: r.optionalInt("depth"),
		}}
		r.done()
		c.given.resources = append(c.given.resources, g)
	}

	edges := v.field("edges")
	c.lines.edges = edges.Line
	for _, e := range edges.list("edges") {
		e.must("an edge", strictjson.Object)
		g := givenEdge{line: e.Line, edge: edge{
			from: e.stringField("from"), to: e.stringField("to"), at: e.stringField("at"), rule: e.stringField("rule"),
		}}
		e.done()
		c.given.edges = append(c.given.edges, g)
	}

	rings := v.field("rings")
	c.lines.rings = rings.Line
	for _, r := range rings.list("rings") {
		r.must("the rings of a port", strictjson.Object)
		g := givenRings{
			line: r.Line, port: r.stringField("port"), input: r.stringField("input"), slots: r.intField("slots"),
			continueFirst: r.boolField("continue_first"), lines: r.intField("lines"),
		}
		for _, s := range r.listField("rings") {
			s.must("a ring", strictjson.Object)
			g.rings = append(g.rings, givenRing{s.Line, s.intField("first"), s.intField("step"), s.intField("length")})
			s.done()
		}
		r.done()
		c.given.rings = append(c.given.rings, g)
	}
	v.done()
	c.want = c.machine.expect()
}

// readMachine reads the parameters, which must be legal in a description: everything else, including the
// work of the check, depends on them.
func (c *check) readMachine(v *value) {
	v.must("machine", strictjson.Object)
	p := &c.machine
	name := v.field("name")
	if p.name = name.string("name"); !identifier.MatchString(p.name) {
		fail(name.Place, "%q is not the name of a machine", shown(p.name))
	}
	preference := v.field("preference")
	p.preference = preference.string("preference")
	if !slices.Contains([]string{"clockwise", "counterclockwise", "balanced"}, p.preference) {
		fail(preference.Place, "preference is %q, want clockwise, counterclockwise or balanced", shown(p.preference))
	}
	dimensions := v.field("dimensions")
	nodes, degree := 1, 0
	for i, d := range dimensions.list("dimensions") {
		d.must("a dimension", strictjson.Object)
		r := ring{d.intField("m"), d.intField("rho")}
		d.done()
		if r.m < 2 || r.m > maxRing {
			fail(d.Place, "dimension %d: m is %d, want 2..%d", i+1, r.m, maxRing)
		}
		if r.rho < 1 || r.rho > r.m/2 {
			fail(d.Place, "dimension %d: rho is %d, want 1..%d, half of m", i+1, r.rho, r.m/2)
		}
		if nodes > maxNodes/r.m {
			fail(d.Place, "dimension %d: the machine has more than %d nodes", i+1, maxNodes)
		}
		nodes *= r.m
		if degree += 2 * r.rho; 2*r.rho == r.m {
			degree--
		}
		if degree > maxDegree {
			fail(d.Place, "dimension %d: the degree is above %d", i+1, maxDegree)
		}
		p.dims = append(p.dims, r)
		c.result.Dimensions = append(c.result.Dimensions, fmt.Sprintf("%d,%d", r.m, r.rho))
	}
	if len(p.dims) == 0 {
		fail(dimensions.Place, "the machine has no dimension")
	}
	said := v.field("nodes")
	if p.nodes = nodes; said.int("nodes") != nodes {
		c.fault(said.Line, "the machine has %d nodes, want %d, the product of all m", said.int("nodes"), nodes)
	}
	depth := v.field("fifo_depth")
	if p.hopSlots = depth.int("fifo_depth"); p.hopSlots < minHopSlots || p.hopSlots > maxHopSlots {
		fail(depth.Place, "fifo_depth is %d, want %d..%d", p.hopSlots, minHopSlots, maxHopSlots)
	}
	stages := v.field("stages")
	if p.stages = stages.int("stages"); p.stages != 1 && p.stages != 2 {
		fail(stages.Place, "stages is %d, want 1 or 2", p.stages)
	}
	delivery := v.field("delivery")
	if p.delivery = delivery.string("delivery"); p.delivery != "merged" && p.delivery != "per_port" {
		fail(delivery.Place, "delivery is %q, want merged or per_port", shown(p.delivery))
	}
	if d := v.optional("destination"); d != nil {
		if p.destination = d.bool("destination"); !p.destination {
			fail(d.Place, "destination is false, want it left out")
		}
	}
	v.done()
	c.result.Machine, c.result.Preference, c.result.Nodes = p.name, p.preference, nodes
	c.result.FIFODepth, c.result.Stages, c.result.Delivery = p.hopSlots, p.stages, p.delivery
	c.result.Destination = p.destination
}

// resources checks that exactly the resources of the machine are listed.
func (c *check) resources() {
	c.order = map[string]int{}
	for _, g := range c.given.resources {
		want, ok := c.want.resources[g.name]
		if !ok {
			c.fault(g.line, "resource %q: the machine has none of this name", shown(g.name))
			continue
		}
		if _, twice := c.order[g.name]; twice {
			c.fault(g.line, "resource %q is listed twice", g.name)
			continue
		}
		c.order[g.name] = g.order
		if g.resource != want {
			c.fault(g.line, "resource %q is %s, want %s", g.name, g.resource, want)
		}
	}
	for _, name := range c.want.names {
		if _, ok := c.order[name]; !ok {
			c.fault(c.lines.resources, "resource %q is missing: %s", name, c.want.resources[name])
		}
	}
	c.result.Resources = len(c.want.names)
}

// String describes a resource for a message.
func (r resource) String() string {
	s := fmt.Sprintf("kind %q", shown(r.kind))
	if r.dimension != 0 {
		s += fmt.Sprintf(", dimension %d", r.dimension)
	}
	if r.direction != "" {
		s += fmt.Sprintf(", direction %q", shown(r.direction))
	}
	if r.distance != 0 {
		s += fmt.Sprintf(", distance %d", r.distance)
	}
	return s + fmt.Sprintf(", depth %d", r.depth)
}

// edges checks that exactly the edges of the machine are listed, and that nothing waits
// upwards.
func (c *check) edges() {
	seen := map[edge]bool{}
	for _, g := range c.given.edges {
		if !c.want.edges[g.edge] {
			c.fault(g.line, "edge %s: nothing waits like this in the machine", g.edge)
			continue
		}
		if seen[g.edge] {
			c.fault(g.line, "edge %s is listed twice", g.edge)
			continue
		}
		seen[g.edge] = true
		from, knownFrom := c.order[g.from]
		to, knownTo := c.order[g.to]
		switch {
		case !knownFrom || !knownTo: // already reported with the resources
		case g.rule == "continue" || g.rule == "pass": // within a ring, outside the order; checked with the rings
		case from <= to:
			c.fault(g.line, "edge %s waits upwards: from order %d to order %d", g.edge, from, to)
		}
	}
	for _, e := range c.want.list {
		if !seen[e] {
			c.fault(c.lines.edges, "edge %s is missing", e)
		}
	}
	c.result.Edges = len(c.want.list)
}

// String describes an edge for a message.
func (e edge) String() string {
	return fmt.Sprintf("from %q to %q of the %q by rule %q", shown(e.from), shown(e.to), shown(e.at), shown(e.rule))
}

// rings checks that each ring port has the rule of the rings, and that its rings are all
// nodes of a line, each once.
func (c *check) rings() {
	seen := map[string]bool{}
	for _, g := range c.given.rings {
		want, ok := c.want.resources[g.port]
		if !ok || want.kind != "ring" {
			c.fault(g.line, "%q is not a ring port of the machine", shown(g.port))
			continue
		}
		if seen[g.port] {
			c.fault(g.line, "the rings of %q are listed twice", g.port)
			continue
		}
		seen[g.port] = true
		input := c.ringInput(g.port)
		if g.input != input {
			c.fault(g.line, "%s: it leads to %q, want %q", g.port, shown(g.input), input)
		}
		if slots := want.depth + c.want.resources[input].depth; g.slots != slots {
			c.fault(g.line, "%s: %d slots for each node of a ring, want %d: the output register and the slots of the link input", g.port, g.slots, slots)
		}
		if !g.continueFirst {
			c.fault(g.line, "%s: messages that continue must go first, or the ring fills up", g.port)
		}
		m := c.machine.dims[want.dimension-1].m
		if lines := c.machine.nodes / m; g.lines != lines {
			c.fault(g.line, "%s: %d lines of nodes, want %d", g.port, g.lines, lines)
		}
		step := want.distance
		if want.direction == "counterclockwise" {
			step = -step
		}
		c.walk(g, m, step)
		c.result.Rings += len(g.rings) * (c.machine.nodes / m)
	}
	for _, name := range c.want.names {
		if c.want.resources[name].kind == "ring" && !seen[name] {
			c.fault(c.lines.rings, "the rings of %q are missing", name)
		}
	}
}

// ringInput is the link input to which a ring port passes.
func (c *check) ringInput(port string) string {
	for _, e := range c.want.list {
		if e.from == port && e.rule == "pass" {
			return e.to
		}
	}
	panic("verify: a ring port that leads nowhere")
}

// walk follows every ring of a port in one line of nodes. Rings that close and share no
// node are exactly the cycles of the continue edges.
func (c *check) walk(g givenRings, m, step int) {
	member := make([]bool, m)
	nodes := 0
	for _, r := range g.rings {
		switch {
		case r.first < 0 || r.first >= m:
			c.fault(r.line, "%s: a ring begins at %d, want a digit 0..%d", g.port, r.first, m-1)
			continue
		case r.step != step:
			c.fault(r.line, "%s: the ring from %d has step %d, want %d, as the port leads", g.port, r.first, r.step, step)
			continue
		case r.length < 1 || r.length > m:
			c.fault(r.line, "%s: the ring from %d has length %d, want 1..%d", g.port, r.first, r.length, m)
			continue
		}
		at := r.first
		for range r.length {
			if member[at] {
				c.fault(r.line, "%s: the ring from %d comes to %d, which is in a ring already", g.port, r.first, at)
				return
			}
			if at < r.first { // so that a ring has a single spelling
				c.fault(r.line, "%s: the ring from %d comes to %d, want its smallest digit first", g.port, r.first, at)
				return
			}
			member[at] = true
			nodes++
			at = ((at+step)%m + m) % m
		}
		if at != r.first {
			c.fault(r.line, "%s: the ring from %d does not close after %d nodes, it comes to %d", g.port, r.first, r.length, at)
		}
	}
	if nodes != m {
		c.fault(g.line, "%s: the rings have %d nodes, want %d, all of a line", g.port, nodes, m)
	}
}
