// SPDX-License-Identifier: Apache-2.0

package plan

import "fmt"

// Widths of ports of a chip.
const (
	CableStateBits = 3
	counterBits    = 32
)

// ChipWires lists the ports of a chip in the order of their declaration: those of its nodes, which have the place number of
// nodes, and those of its cables.
func (p *Plan) ChipWires() (list []Wire) {
	c := p.Chips
	for _, w := range p.RouterWires() {
		list = append(list, p.outside(w, c.Places)...)
		if w.Name == "rst" {
			list[0].Meaning = "of the nodes, and of the words that leave"
			list[1].Meaning += ", for at least four cycles"
			list = append(list,
				ofChip("chip", in, c.Bits, "digits of the chip"),
				ofChip("restart", in, flag, "1 in a cycle: start a new session, so that all chips are reset"),
				ofChip("reset", out, flag, "the nodes of the chip are in reset"))
		}
	}
	for _, q := range c.Cables {
		list = append(list, q.Wires(c)...)
	}
	return list
}

func ofChip(name string, output bool, bits int, meaning string) Wire {
	return Wire{Name: name, Output: output, Lanes: 1, Bits: max(bits, 1), Vector: bits != flag, Network: Derived, Columns: Columns{Hidden: true, Meaning: meaning}}
}

// Wires lists the ports of a chip that belong to the cable.
func (q Cable) Wires(c *Chips) (list []Wire) {
	for _, row := range []struct {
		name    string
		output  bool
		bits    int // or flag
		meaning string
	}{
		{"tx_word", out, q.WordBits, "a word for the other chip"},
		{"tx_first", out, flag, "it is the first of a frame"},
		{"tx_ready", in, flag, "the word is taken"},
		{"rx_clk", in, flag, "clock of the words that arrive"},
		{"rx_valid", in, flag, "a word has arrived"},
		{"rx_first", in, flag, "it is the first of a frame; 0 if the physical layer has no such mark"},
		{"rx_word", in, q.WordBits, ""},
		{"rx_slip", out, flag, "move the boundary of words by one bit"},
		{"pattern", in, flag, "send and check a pattern instead of frames"},
		{"state", out, CableStateBits, "0 silent, 1 coming up, 2 up, 3 lost, 4 stranger, 5 miswired, 6 loop, 7 pattern"},
		{"far", out, CablePortBits + c.Bits, "{port, chip} of the other end, as its last hello says"},
		{"good", out, counterBits, "good frames"},
		{"bad", out, counterBits, "bad frames"},
		{"repetitions", out, counterBits, "returns to an earlier frame"},
		{"silences", out, counterBits, "times that the cable became silent"},
		{"sent", out, counterBits, "messages that left"},
		{"received", out, counterBits, "messages that arrived"},
	} {
		list = append(list, ofChip(q.Wire(row.name), row.output, row.bits, row.meaning))
	}
	return list
}

// Wire is the name of a port of a chip that belongs to the cable.
func (q Cable) Wire(name string) string { return fmt.Sprintf("cable%d_%s", q.Index, name) }
