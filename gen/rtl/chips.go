// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"
	"strings"

	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// cableModules lists the hand-written modules of a chip with cables, used modules before their users. A router with rings has the
// first two, too.
var cableModules = []string{
	"hc_arbiter", "hc_select", crossingModule, "hc_link_clocks", "hc_chip_flag", "hc_chip_reset", "hc_chip_crc", "hc_chip_pattern", "hc_chip_receive",
	"hc_chip_inbound", "hc_chip_transmit", "hc_chip_hello", "hc_chip_paces", "hc_chip_places", "hc_chip_window", "hc_chip_end", "hc_chip_counts",
	"hc_chip_cable", "hc_chip_digit", "hc_chip_session", "hc_chip_pins_send", "hc_chip_pins_receive",
}

// chipNumber is the wire of a chip with the number of its node at place 0.
const chipNumber = "first_node"

// cableWire names the wire with the links of a cable, from the routers or to them: cable2_out_tdata.
func cableWire(port int, way, signal string) string {
	return fmt.Sprintf("cable%d_%s_%s", port, way, signal)
}

// chipView is everything the template of a chip prints.
type chipView struct {
	*networkView
	DigitList []chipDigitView
	CableList []cableView
	Hash      string
	First     string // the number of the node at place 0, with source ids
}

// chipDigitView is a digit of the input chip.
type chipDigitView struct {
	plan.ChipDigit
	Part verilog.Part // in the input
}

// cableView is a cable of a chip.
type cableView struct {
	plan.Cable
	Digit        chipDigitView // in which the neighbour differs
	Neighbor     string        // digits of the neighbour
	Place        int           // among the cables
	Paces        []string      // of the nodes, lowest first
	BarrierPaces []string
	Own          []verilog.Connection // to ports of the chip that belong to the cable
}

func newChipView(p *plan.Plan) *chipView {
	v := &chipView{networkView: newNodesView(p), Hash: fmt.Sprintf("32'h%08x", p.Chips.Hash)}
	v.chip, v.Size = true, p.Chips.Places
	for place := range p.Chips.Places {
		v.addNode(place, p.Node(0, place))
	}
	v.First = firstNode(p, p.SourceBits)
	for _, d := range p.Chips.Digits {
		v.DigitList = append(v.DigitList, chipDigitView{d, verilog.Bits(d.Low, d.Bits)})
	}
	for i, q := range p.Chips.Cables {
		c := cableView{Cable: q, Digit: v.DigitList[q.Digit], Place: i}
		var digits []string
		for j, d := range p.Chips.Digits {
			if j == q.Digit {
				digits = append(digits, q.Wire("digit"))
			} else {
				digits = append(digits, "chip"+verilog.Slice(d.Low, d.Bits))
			}
		}
		c.Neighbor = verilog.Concat(digits)
		for n := range v.Size {
			c.Paces = append(c.Paces, wireOf(n, "pace"))
			c.BarrierPaces = append(c.BarrierPaces, wireOf(n, "barrier_pace"))
		}
		for _, w := range q.Wires(p.Chips) {
			port := strings.TrimPrefix(w.Name, q.Wire(""))
			if port == "far" {
				port = "far_end"
			}
			c.Own = append(c.Own, verilog.To(port, w.Name))
		}
		v.CableList = append(v.CableList, c)
	}
	return v
}

// firstNode is the number of the node at place 0 of a chip, in bits: a sum of the digits of the chip.
func firstNode(p *plan.Plan, bits int) string {
	var sum []string
	stride := 1
	for _, d := range p.Dims {
		for _, digit := range p.Chips.Digits {
			if digit.Dimension != d.Index {
				continue
			}
			term := "chip" + verilog.Slice(digit.Low, digit.Bits)
			if pad := bits - digit.Bits; pad > 0 {
				term = fmt.Sprintf("{%s, %s}", verilog.Sized(pad, 0), term)
			}
			if stride > 1 {
				term += " * " + verilog.Sized(bits, stride)
			}
			sum = append(sum, term)
		}
		stride *= d.M
	}
	return strings.Join(sum, " + ")
}

// chipsView is everything the template of all chips of a machine prints, with or without endpoints at their nodes.
type chipsView struct {
	*plan.Plan
	Header     string
	Module     string
	Wires      []plan.Wire // ports
	ChipModule string      // of each chip
	Board      bool        // the nodes have endpoints in place of streams
	BusName    string
	ChipList   []chipInstance
	chip       []plan.Wire // ports of a chip
}

// chipInstance is a chip of a network.
type chipInstance struct {
	Index       int
	Digits      string
	Connections []verilog.Connection
	Unused      int // bits of outputs without a use
	States      int // bits of the states of cables
	Cables      []plan.Cable
}

func newChipsView(p *plan.Plan) *chipsView {
	v := &chipsView{Plan: p, Header: p.Notice("//"), Module: p.NetworkModule, Wires: p.NetworkWires(), ChipModule: p.Chips.Module, chip: p.ChipWires()}
	return v.withInstances()
}

// newBoardsView is all chips with endpoints at their nodes.
func newBoardsView(p *plan.Plan) *chipsView {
	e := p.Endpoint
	v := &chipsView{Plan: p, Header: p.Notice("//"), Module: e.SystemModule, Wires: p.BoardsWires(), ChipModule: e.BoardModule, Board: true, BusName: BusNames[e.Bus], chip: p.BoardWires()}
	return v.withInstances()
}

func (v *chipsView) withInstances() *chipsView {
	for c := range v.Chips.Count {
		v.ChipList = append(v.ChipList, v.instance(c))
	}
	return v
}

func (v *chipsView) instance(c int) chipInstance {
	i := chipInstance{Index: c, Cables: v.Chips.Cables}
	var digits []string
	for _, d := range v.Chips.Digits {
		digits = append(digits, fmt.Sprint(v.Machine.Graph.Digit(v.Node(c, 0), d.Dimension)))
	}
	i.Digits = strings.Join(digits, ",")
	to := func(port, value string) { i.Connections = append(i.Connections, verilog.To(port, value)) }
	unused := func(w plan.Wire) {
		to(w.Name, fmt.Sprintf("unused_chip%d", c)+verilog.Slice(i.Unused, w.Width()))
		i.Unused += w.Width()
	}
	cables := map[string]func(w plan.Wire){}
	for _, q := range v.Chips.Cables {
		there := v.Region(v.Machine.Graph.Neighbor(v.Node(c, 0), q.Index))
		leaves := func(chip, port int, signal string) string {
			return fmt.Sprintf("chip%d_cable%d_%s", chip, port, signal)
		}
		for name, value := range map[string]string{
			"tx_word": leaves(c, q.Index, "word"), "tx_first": leaves(c, q.Index, "first"), "tx_ready": verilog.Flag(true),
			"rx_clk": "clk" + verilog.Lane(there, 1), "rx_valid": v.arrives(c, there),
			"rx_first": leaves(there, q.Opposite, "first"), "rx_word": leaves(there, q.Opposite, "word"), "pattern": verilog.Flag(false),
		} {
			cables[q.Wire(name)] = func(w plan.Wire) { to(w.Name, value) }
		}
		cables[q.Wire("state")] = func(w plan.Wire) {
			to(w.Name, fmt.Sprintf("chip%d_states", c)+verilog.Slice(i.States, w.Width()))
			i.States += w.Width()
		}
	}
	for _, w := range v.chip {
		switch {
		case cables[w.Name] != nil:
			cables[w.Name](w)
		case w.Name == "chip":
			to(w.Name, verilog.Sized(w.Bits, v.ChipInput(c)))
		case w.Network == plan.PerNode:
			lanes := each.Of(v.nodes(c), func(n int) string { return w.Name + verilog.Lane(n, w.Width()/v.Chips.Places) })
			to(w.Name, verilog.Concat(lanes))
		case w.Network == plan.Derived && w.Name != "restart" && w.Name != "reset":
			unused(w)
		default:
			to(w.Name, w.Name+verilog.Lane(c, 1))
		}
	}
	return i
}

// arrives is whether words of a cable between two chips arrive.
func (v *chipsView) arrives(here, there int) string {
	if !v.Board {
		return verilog.Flag(true)
	}
	return fmt.Sprintf("!(%s%s | %s%s)", plan.CutWire, verilog.Lane(here, 1), plan.CutWire, verilog.Lane(there, 1))
}

// nodes are the nodes of a chip, by place.
func (v *chipsView) nodes(chip int) (list []int) {
	for place := range v.Chips.Places {
		list = append(list, v.Node(chip, place))
	}
	return list
}
