// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/fpga"
)

// blockType is a type of block: what can be in it.
type blockType struct {
	name       string
	in         string   // the only block that has it; empty: every block that lists the name
	labelled   bool     // a block has a name
	single     bool     // there is at most one
	blocks     []string // types of blocks inside
	oneOf      []string // at least one block of one of these types is required inside
	either     []string // exactly one of these attributes is required
	attributes []attribute
}

// attribute is a row of the table of attributes.
type attribute struct {
	name      string
	kind      kind
	otherwise any        // default: a value, or words if that depends on others; nil if the attribute is required
	when      *condition // for the attribute to be allowed
	meaning   string     // Markdown of docs/configuration.md
	bind      binding    // the value in the Go struct of the block; nil for variables, which are evaluated before the machine
}

// kind is what an attribute can be.
type kind interface {
	text() string   // Markdown of docs/configuration.md
	schema() object // JSON Schema

	// read checks a value that is not null and converts it for the binding. After an error, which it records, ok is false,
	// and value is nil or what is known of the value.
	read(l *loader, name string, v cty.Value, e hcl.Expression) (value any, ok bool)
}

// words describe, in Markdown, a default that the zero value of the field stands for.
type words string

// dependent is a default that depends on the machine, or on the attributes above it in the block. A nil value leaves the field
// as it is.
type dependent struct {
	words
	value func(m *Machine, block any) any
}

// condition is the option that an attribute requires. Without it, the field has its zero value.
type condition struct {
	needs string // completes "NAME without .."
	met   func(block any) bool
}

// with makes a condition on the Go struct of a block.
func with[B any](needs string, met func(B) bool) *condition {
	return &condition{needs, func(block any) bool { return met(block.(B)) }}
}

var (
	always           *condition
	withRouters      = with("routers", func(m *Machine) bool { return !m.NoRouters })
	withProgrammable = with("a programmable router", func(p *Programmable) bool { return p != nil })
	withHotSpot      = with(`pattern "hotspot"`, func(r *Random) bool { return r.Pattern == ToHotSpot })
	withOthers       = with("another pattern", func(r *Random) bool { return r.Pattern != ToAll })
	withRoot         = with("an operation with a root", func(c rooted) bool { return c.rooted() })
	withOperator     = with("a reduction", func(c *Collective) bool { return c.Reduces() })
	withChunks       = with("an operator of hcgen", func(c *Collective) bool { return c.Reduces() && c.module() == "" })
	withModule       = with("operator_module", func(c *Collective) bool { return c.module() != "" })
	withLatency      = with("operator_latency", func(c *Collective) bool { return c.Latency > 0 })
	withVector       = with("an all-reduce", func(c *Collective) bool { return slices.Contains(c.All(), collective.AllReduce) })
	withWires        = with(`kind = "wires"`, func(l *Link) bool { return l.Kind == Wires })
	withChips        = with(`kind = "chips"`, func(l *Link) bool { return l.Kind == Chips })
	withSearch       = with("a word per node", func(c *Collective) bool { return !c.OneWord })
)

// holds reports whether the condition is met in a block.
func (c *condition) holds(block any) bool { return c == always || c.met(block) }

// rootBlock is the block type that stands for the whole file.
const rootBlock = "description"

// language is the table of attributes, by block: decoding, encoding, the hash, the JSON Schema and the tables of
// docs/configuration.md come from it. A range may be narrower in a machine: rho is
// at most half the ring, and a cycle is one of the trace.
var language = []blockType{
	{name: rootBlock, blocks: []string{"machine", "traffic", "synthesis", "variable", "locals"}, oneOf: []string{"machine"}},

	{name: "machine", labelled: true, single: true, blocks: []string{"dimension", "message", "router", "endpoint", "collective"}, oneOf: []string{"dimension"}, attributes: []attribute{
		{"network", truth{}, true, withRouters, "generate the network of routers beside the single router",
			field(func(m *Machine) *bool { return &m.Network })},
		{"routers", truth{}, true, always, "generate the router and its network; `false` generates only collective networks",
			access[Machine, bool]{func(m *Machine) bool { return !m.NoRouters }, func(m *Machine, on bool) { m.NoRouters = !on }}},
		{"node_errors", truth{}, false, withRouters, "the network has [error outputs for each node](using-the-network.md#errors), beside those for all nodes",
			field(func(m *Machine) *bool { return &m.NodeErrors })},
	}},
	{name: "dimension", labelled: true, blocks: []string{"link"}, attributes: []attribute{
		{"m", bounds{lo: 2, hi: MaxRing, why: fmt.Sprintf("a ring has 2 to %d nodes", MaxRing)}, nil, always, "nodes of the ring",
			whole(func(d *Dimension) *int { return &d.M })},
		{"rho", bounds{lo: 1, hi: MaxRing / 2, why: "a link reaches at least 1 node", shown: "1 to floor(m/2)"}, nil, always, "reach of the links: each node has a link to the rho next nodes on both sides",
			whole(func(d *Dimension) *int { return &d.Rho })},
	}},
	{name: "link", single: true, attributes: []attribute{
		{"kind", choice{names: linkKinds}, nil, always, "[what the links are made of](links.md); `\"wires\"`: nodes on one clock, `\"clocks\"`: nodes that differ in this dimension have clocks of their own, `\"chips\"`: they are on [chips](chips.md) of their own",
			named(linkKinds, func(l *Link) *LinkKind { return &l.Kind })},
		{"registers", bounds{lo: 0, hi: MaxLinkRegisters, why: fmt.Sprintf("links are tested with 0 to %d registers", MaxLinkRegisters)}, 0, withWires, "[registers on the way](links.md): cycles that a message and the pace of the neighbour take more",
			whole(func(l *Link) *int { return &l.Registers })},
		{"word_bits", among{numbers: []int64{8, 16, 32, 64}, why: "transceivers take words of these widths"}, 32, withChips, "width of the words of a [cable between chips](chips.md)",
			whole(func(l *Link) *int { return &l.WordBits })},
		{"flight", bounds{lo: 0, hi: MaxFlight, why: fmt.Sprintf("memories are sized for at most %d cycles, and a longer cable is right but slower", MaxFlight)}, 16, withChips, "cycles of a word from one chip to the other, transceivers included",
			whole(func(l *Link) *int { return &l.Flight })},
		{"silence", bounds{lo: MinSilence, hi: MaxSilence, shown: "256 to 2^24", why: "a frame can take more than 128 cycles, and an end counts these cycles in 24 bits"}, 4096, withChips, "cycles without a good frame until a cable is silent",
			whole(func(l *Link) *int { return &l.Silence })},
	}},
	{name: "message", single: true, attributes: []attribute{
		{"payload_bits", bounds{lo: 1, hi: MaxPayloadBits}, 32, always, "width of the payload in bits; a [TDATA of AXI4-Stream](using-the-network.md#send-and-receive) needs a multiple of 8",
			whole(func(m *Machine) *int { return &m.PayloadBits })},
		{"source_id", truth{}, false, always, "messages carry the number of their source node, delivered as `tid`",
			field(func(m *Machine) *bool { return &m.SourceID })},
		{"destination", truth{}, false, always, "messages have a [destination](addressed-messages.md): one node, a row, or any set of nodes with some digits fixed; `false` sends every message to all nodes",
			field(func(m *Machine) *bool { return &m.Destination })},
		{"deliver_destination", truth{}, false, always, "deliveries state in which dimensions the message was for [all digits](addressed-messages.md#streams)",
			field(func(m *Machine) *bool { return &m.Scope })},
		{"last", truth{}, false, always, "messages carry `tlast`, which marks the last message of a packet",
			field(func(m *Machine) *bool { return &m.Last })},
	}},
	{name: "router", single: true, attributes: []attribute{
		{"kind", choice{names: []string{kindSpecialized, kindProgrammable}}, kindSpecialized, always, "whether a router is made for this machine, or configured for a machine over a bus at run time",
			access[Machine, string]{(*Machine).Kind, (*Machine).setKind}},
		{"preference", choice{names: hypercycle.PreferenceNames()}, hypercycle.Clockwise.String(), always, "direction in which a broadcast covers more of a ring, see below",
			named(hypercycle.PreferenceNames(), func(m *Machine) *hypercycle.Preference { return &m.Preference })},
		{"fifo_depth", bounds{lo: MinFIFODepth, hi: MaxFIFODepth, why: fmt.Sprintf("a hop needs %d slots to take a message in every cycle, and at most %d are tested", MinFIFODepth, MaxFIFODepth)},
			MinFIFODepth, always, "messages that a hop can hold: one in the output register, the others in the next link input; one more with `stages = 2`",
			whole(func(m *Machine) *int { return &m.FIFODepth })},
		{"stages", bounds{lo: MinStages, hi: MaxStages, why: "a router has a register behind its crossbar, and may have one before it"}, MinStages, always, "clock cycles per hop",
			whole(func(m *Machine) *int { return &m.Stages })},
		{"delivery", choice{names: deliveryNames}, Merged.String(), always, "one delivery stream per node, or one per port",
			named(deliveryNames, func(m *Machine) *Delivery { return &m.Delivery })},
		{"barrier", truth{}, false, always, "routers have a [barrier](barrier.md) for all nodes",
			field(func(m *Machine) *bool { return &m.Barrier })},
		{"config_bus", choice{names: []string{Wishbone, AXI4Lite}}, Wishbone, withProgrammable, "configuration bus: Wishbone B4 classic or AXI4-Lite",
			field(func(p *Programmable) *string { return &p.Bus })},
		{"max_dimensions", bounds{lo: 1, hi: MostDimensions, why: prototypeLimits}, MostDimensions, withProgrammable, "limit on the dimensions of a configured machine",
			whole(func(p *Programmable) *int { return &p.MaxDimensions })},
		{"max_nodes", bounds{lo: LeastRing, hi: MostRing, why: prototypeLimits}, MostRing, withProgrammable, "limit on the nodes of each dimension",
			whole(func(p *Programmable) *int { return &p.MaxNodes })},
		{"max_degree", bounds{lo: 1, hi: MostDegree, why: prototypeLimits, shown: fmt.Sprintf("max_dimensions to %d", MostDegree)}, MostDegree, withProgrammable, "ports of a programmable router",
			whole(func(p *Programmable) *int { return &p.MaxDegree })},
	}},

	{name: "endpoint", single: true, attributes: []attribute{
		{"bus", choice{names: []string{Wishbone, AXI4Lite}}, Wishbone, always, "[bus of each node](endpoints.md): Wishbone B4 classic or AXI4-Lite, with 32 bits",
			field(func(e *Endpoint) *string { return &e.Bus })},
		{"address_bits", bounds{lo: MinMemoryBits, hi: MaxMemoryBits, why: fmt.Sprintf("a node has a memory of 2^%d to 2^%d bytes", MinMemoryBits, MaxMemoryBits)}, 12, always, "each node has a memory of 2^`address_bits` bytes",
			whole(func(e *Endpoint) *int { return &e.AddressBits })},
		{"gets", truth{}, true, always, "a node can read the memories of others",
			field(func(e *Endpoint) *bool { return &e.Gets })},
		{"adds", truth{}, true, always, "a node can add to words in the memories of others",
			field(func(e *Endpoint) *bool { return &e.Adds })},
		{"timeout", bounds{lo: leastTimeout * MinSilence, hi: MaxTimeout, shown: "512 to 2^28", why: "an access must outlast the time in which cables come up, and an endpoint counts these cycles in 28 bits"},
			words("16 times the longest `silence`"), always, "cycles after which an access to other nodes ends with a bus error, on [several chips](endpoints.md#several-chips)",
			whole(func(e *Endpoint) *int { return &e.Timeout })},
	}},

	{name: "collective", in: "machine", labelled: true, either: []string{"operation", "operations"}, attributes: []attribute{
		{"operation", choice{names: collective.Operations()}, words("required without `operations`"), always, "operation that the network carries out",
			field(func(c *Collective) *string { return &c.Operation })},
		{"operations", operationList, words("none"), always, "[several operations](collective-networks.md#several-operations), among which a start chooses, in place of `operation`",
			field(func(c *Collective) *[]string { return &c.Operations })},
		{"words", choice{names: []string{perNode, oneWord}}, perNode, withVector, "what an `all-reduce` combines: a vector with one word per node, or a single word",
			access[Collective, string]{(*Collective).words, (*Collective).setWords}},
		{"payload_bits", bounds{lo: 1, hi: MaxPayloadBits}, 32, always, "width of a word in bits",
			whole(func(c *Collective) *int { return &c.PayloadBits })},
		{"root", address, words("node 0"), withRoot, "root of a broadcast, scatter or gather",
			field(func(c *Collective) *int { return &c.Root })},
		{"schedule", scheduleFile, words("none"), withSearch, "[schedule in a file](collective-networks.md#schedule), relative to the folder of the description",
			field(func(c *Collective) *string { return &c.File })},
		{"operator", choice{names: Operators}, "add", withOperator, "[operator](collective-networks.md#operators) of a reduction",
			access[Collective, string]{(*Collective).operator, (*Collective).setOperator}},
		{"operator_module", moduleName, words("none"), withOperator, "your own [module](collective-networks.md#operators), in place of `operator`",
			access[Collective, string]{(*Collective).module, (*Collective).setOperator}},
		{"operator_latency", bounds{lo: 0, hi: MaxOperatorLatency}, 0, withModule, "latency of the module in cycles; 0 if it is combinational",
			whole(func(c *Collective) *int { return &c.Latency })},
		{"pipelined", truth{}, false, withLatency, "operations [take turns](collective-networks.md#operations-that-take-turns) in the operators",
			field(func(c *Collective) *bool { return &c.Pipelined })},
		{"chunk_bits", bounds{lo: 1, hi: MaxPayloadBits, shown: "1 to payload_bits"}, words("chosen by hcgen"), withChunks, "bits of a word that are [combined in one cycle](collective-networks.md#carries-in-steps)",
			whole(func(c *Collective) *int { return &c.ChunkBits })},
		{"vector", bounds{lo: 1, hi: MaxVector}, words("no memories"), always, "the most words of a [vector](vectors.md); hcgen adds memories for vectors to the network",
			whole(func(c *Collective) *int { return &c.Vector })},
	}},

	{name: "traffic", labelled: true, blocks: []string{"broadcast", "send", "collective", "random", "stall"}, oneOf: []string{"broadcast", "send", "collective", "random"}, attributes: []attribute{
		{"cycles", bounds{lo: 1, hi: MaxCycles}, nil, always, "length of the trace in clock cycles",
			whole(func(t *Traffic) *int { return &t.Cycles })},
	}},
	{name: "broadcast", attributes: []attribute{
		{"sources", addresses, nil, always, "broadcasting nodes",
			field(func(s *sending) *sources { return &s.from })},
		{"at", cycles, 0, always, "cycle in which the message is offered first, one for all sources or a list with one for each; cycle 0 is the first after reset",
			field(func(s *sending) *any { return &s.at })},
		{"last", truth{}, false, always, "`tlast` of the messages; `true` needs `last = true` in the `message` block",
			field(func(s *sending) *bool { return &s.last })},
	}},
	{name: "send", attributes: []attribute{
		{"from", from, nil, always, "source, or several sources; each sends a message to the destination",
			field(func(s *sending) *sources { return &s.from })},
		{"to", destination, nil, always, "destination, such as `[2, \"*\"]` for the row y = 2",
			field(func(s *sending) *hypercycle.Destination { return &s.to })},
		{"at", cycles, 0, always, "as in `broadcast`",
			field(func(s *sending) *any { return &s.at })},
		{"last", truth{}, false, always, "as in `broadcast`",
			field(func(s *sending) *bool { return &s.last })},
	}},
	{name: "collective", in: "traffic", attributes: []attribute{
		{"operation", choice{names: collective.Carried()}, nil, always, "operation; all but `\"broadcast\"` and `\"all-gather\"` need `destination = true`",
			field(func(c *carried) *string { return &c.operation })},
		{"root", address, words("node 0"), withRoot, "root of a broadcast, scatter or gather",
			field(func(c *carried) *int { return &c.root })},
		{"at", cycle, 0, always, "cycle of the first offer",
			whole(func(c *carried) *int { return &c.at })},
	}},
	{name: "random", single: true, attributes: []attribute{
		{"rate", interval{lo: 0, hi: 1}, nil, always, "probability per cycle that a source offers a new message if none is pending; with 1 a source always offers a message",
			field(func(r *Random) *float64 { return &r.Rate })},
		{"sources", different, words("all nodes"), always, "nodes that send",
			field(func(r *Random) *[]int { return &r.Sources })},
		{"stall", interval{lo: 0, hi: 1, openHi: true}, 0.0, always, "probability per cycle that a receiver is not ready",
			field(func(r *Random) *float64 { return &r.Stall })},
		{"seed", bounds{lo: 0, hi: math.MaxInt64, shown: "0 to 2^63 - 1"}, 1, always, "random seed; the name of the block changes the numbers, too",
			whole(func(r *Random) *int64 { return &r.Seed })},
		{"pattern", choice{names: patternNames}, dependent{"`\"uniform\"` with destinations, else `\"broadcast\"`", defaultPattern}, always, "where messages go, see below",
			named(patternNames, func(r *Random) *Pattern { return &r.Pattern })},
		{"broadcasts", interval{lo: 0, hi: 1}, 0.0, withOthers, "share of messages that are broadcasts, in all patterns but `\"broadcast\"`",
			field(func(r *Random) *float64 { return &r.Broadcasts })},
		{"hot", address, words("node 0"), withHotSpot, "node to which the pattern `\"hotspot\"` sends",
			field(func(r *Random) *int { return &r.Hot })},
		{"share", interval{lo: 0, hi: 1}, 0.1, withHotSpot, "share of messages that the pattern `\"hotspot\"` sends to `hot`",
			field(func(r *Random) *float64 { return &r.Share })},
	}},
	{name: "stall", attributes: []attribute{
		{"receivers", different, nil, always, "nodes that stall",
			field(func(s *Stall) *[]int { return &s.Receivers })},
		{"at", cycle, 0, always, "first cycle",
			whole(func(s *Stall) *int { return &s.At })},
		{"cycles", bounds{lo: 1, hi: MaxCycles, shown: "1 to cycles - at"}, words("to the end"), always, "length in clock cycles",
			whole(func(s *Stall) *int { return &s.Cycles })},
	}},

	{name: "synthesis", labelled: true, attributes: []attribute{
		{"family", choice{names: fpga.Names()}, fpga.Families[0].Name, always, "FPGA family",
			field(func(s *Synthesis) *string { return &s.Family })},
		{"device", choice{allDevices(), "a device of the family"}, ofFamily(func(f *fpga.Family) any { return f.Device }), always, "device, as the placer names it, see below",
			field(func(s *Synthesis) *string { return &s.Device })},
		{"package", choice{allPackages(), "a package of the device"}, ofFamily(func(f *fpga.Family) any { return f.Package }), always, "package, as the placer names it; required if the device does not have the default package",
			field(func(s *Synthesis) *string { return &s.Package })},
		{"clock_mhz", interval{lo: 0, hi: MaxClockMHz, openLo: true}, 100.0, always, "target clock in MHz",
			field(func(s *Synthesis) *float64 { return &s.ClockMHz })},
		{"seeds", seeds, []int{1, 2, 3}, always, "placement seeds; each gives one run of place and route",
			field(func(s *Synthesis) *[]int { return &s.Seeds })},
	}},

	{name: "variable", labelled: true, attributes: []attribute{
		{"type", custom{shown: "a type such as `number`, `string`, `bool`, `list(number)`", form: object{"type": "string"}}, words("the type of `default`"), always, "type of the value; a value that cannot be converted is an error", nil},
		{"default", custom{shown: "any value but null", form: object{"not": object{"type": "null"}}}, words("none"), always, "value if `--var` does not set one; a variable without a default needs `--var`", nil},
		{"description", custom{shown: "text", form: object{"type": "string"}}, words("`\"\"`"), always, "comment for readers", nil},
	}},
	{name: "locals"}, // every attribute defines a value
}

const prototypeLimits = "a programmable router has the limits of the paper's prototype"

// Kinds that are read with code of their own.
var (
	address       = custom{"an address", templated(addressForm), readAddress, writeAddress}
	addresses     = custom{"one or more addresses", templated(listOf(templated(addressForm))), readAddresses, writeSources}
	different     = custom{"one or more different addresses", templated(unique(listOf(templated(addressForm)))), readDifferent, writeAddresses}
	from          = custom{"an address, or one or more addresses", object{"anyOf": []object{addressForm, addresses.form}}, readFrom, writeSources}
	destination   = custom{"an address with `\"*\"` for all digits", templated(listOf(object{"anyOf": []object{digit.form(), {"const": "*"}, templateForm}})), readDestination, writeDestination}
	cycle         = bounds{lo: 0, hi: MaxCycles - 1, shown: "0 to cycles - 1"}
	cycles        = cyclesIn(cycle)
	seed          = bounds{lo: 0, hi: MaxPlacementSeed}
	seeds         = custom{fmt.Sprintf("1 to %d different numbers from 0 to 2^31 - 1", MaxSeeds), templated(atMost(MaxSeeds, unique(listOf(seed.schema())))), readSeeds, nil}
	scheduleFile  = custom{"the name of a file", templated(object{"type": "string"}), readScheduleFile, nil}
	operationList = custom{"a list of different operations", templated(unique(listOf(templated(object{"enum": collective.Operations()})))), readOperations, nil}
	moduleName    = custom{"the name of a module", templated(object{"type": "string"}), readModuleName, nil}

	digit       = bounds{lo: 0, hi: MaxRing - 1}
	addressForm = listOf(digit.schema())
)

// bounds is the legal range of a whole number, with the reasons for its ends.
type bounds struct {
	lo, hi int64
	why    string // completes "n is 1, but ..."; empty: the range speaks for itself
	shown  string // text; empty: the numbers
}

// String completes "give ..".
func (r bounds) String() string {
	return fmt.Sprintf("a whole number from %d to %d", r.lo, r.hi)
}

func (r bounds) text() string {
	if r.shown != "" {
		return r.shown
	}
	return fmt.Sprintf("%d to %d", r.lo, r.hi)
}

// form is the schema without templates.
func (r bounds) form() object {
	return object{"type": "integer", "minimum": r.lo, "maximum": r.hi}
}

func (r bounds) schema() object { return templated(r.form()) }

// among is one of several whole numbers.
type among struct {
	numbers []int64
	why     string // completes "n is 1, but .."
}

func (a among) text() string { return strings.Join(a.texts(), ", ") }

// String completes "give ..".
func (a among) String() string { return either(a.texts()) }

func (a among) texts() (texts []string) {
	for _, n := range a.numbers {
		texts = append(texts, strconv.FormatInt(n, 10))
	}
	return texts
}

func (a among) schema() object { return templated(object{"enum": a.numbers}) }

// interval is the legal range of a number, without its ends if they are open.
type interval struct {
	lo, hi         float64
	openLo, openHi bool
}

// String completes "give ..".
func (r interval) String() string {
	if r.openLo {
		return "a number " + r.text()
	}
	return "a number from " + r.text()
}

func (r interval) text() string {
	lo, hi := "", "to"
	if r.openLo {
		lo = "above "
	}
	if r.openHi {
		hi = "to below"
	}
	return fmt.Sprintf("%s%g %s %g", lo, r.lo, hi, r.hi)
}

func (r interval) schema() object {
	lo, hi := "minimum", "maximum"
	if r.openLo {
		lo = "exclusiveMinimum"
	}
	if r.openHi {
		hi = "exclusiveMaximum"
	}
	return templated(object{"type": "number", lo: r.lo, hi: r.hi})
}

// truth is true or false.
type truth struct{}

func (truth) text() string   { return "`true` or `false`" }
func (truth) schema() object { return templated(object{"type": "boolean"}) }

// choice is one of several names.
type choice struct {
	names []string
	shown string // text; empty: the names
}

func (c choice) text() string {
	if c.shown != "" {
		return c.shown
	}
	quoted := make([]string, len(c.names))
	for i, n := range c.names {
		quoted[i] = "`" + strconv.Quote(n) + "`"
	}
	return strings.Join(quoted, ", ")
}

func (c choice) schema() object { return templated(object{"enum": c.names}) }

// custom is a kind that is read with code of its own.
type custom struct {
	shown string
	form  object
	reads func(l *loader, name string, v cty.Value, e hcl.Expression) (value any, ok bool)
	write func(m *Machine, value any) any // the value as descriptions have it; nil: as the field
}

func (c custom) text() string   { return c.shown }
func (c custom) schema() object { return c.form }

func (c custom) read(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	return c.reads(l, name, v, e)
}

// typeOf returns a type of block that is in any block.
func typeOf(name string) blockType { return blockType{}.inner(name) }

// inner returns the type of the blocks of this name inside those of type t.
func (t blockType) inner(name string) blockType {
	for _, other := range language {
		if other.name == name && (other.in == "" || other.in == t.name) {
			return other
		}
	}
	panic(fmt.Sprintf("machine: no block in a %s block has the type %s", t.name, name))
}

// title is a name of the type that no other type has.
func (t blockType) title() string {
	if t.in == "" {
		return t.name
	}
	return t.name + " in " + t.in
}

// Attribute is a row of the table of attributes, in Markdown.
type Attribute struct {
	Block, Name             string
	Range, Default, Meaning string
}

// Attributes returns the table of attributes of the configuration language, in the order of the reference.
func Attributes() []Attribute {
	var rows []Attribute
	for _, t := range language {
		for _, a := range t.attributes {
			rows = append(rows, Attribute{t.title(), a.name, a.kind.text(), a.defaultText(), a.meaning})
		}
	}
	return rows
}

// defaultText is the default in Markdown.
func (a attribute) defaultText() string {
	switch d := a.otherwise.(type) {
	case nil:
		return "required"
	case words:
		return string(d)
	case dependent:
		return string(d.words)
	}
	text, err := json.Marshal(a.otherwise)
	if err != nil {
		panic(fmt.Sprintf("machine: the default of %s: %v", a.name, err))
	}
	return "`" + strings.ReplaceAll(string(text), ",", ", ") + "`"
}
