// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"

	"github.com/hcgen/hcgen/plan"
)

// Clock is a clock of a network with several clocks, or of a chip.
type Clock struct {
	Port string // clk[2] or cable3_rx_clk
	Name string // in names of variables: 2 or cable3
}

// Crossing is an hc_clock_crossing, or an hc_chip_flag, of a network with several clocks or of a chip.
type Crossing struct {
	Path     string // in the module, with / between instances
	From, To Clock
	Flag     bool // an hc_chip_flag: one bit, and no limit of its delay
	Meaning  string
}

// Clocks lists the clocks of a network with several clocks, or of a chip.
func Clocks(p *plan.Plan) (list []Clock) {
	if p.Chips != nil {
		list = append(list, Clock{"clk", "clk"})
		for _, q := range p.Chips.Cables {
			list = append(list, Clock{q.Wire("rx_clk"), fmt.Sprintf("cable%d", q.Index)})
		}
		return list
	}
	for c := range p.Regions() {
		list = append(list, Clock{fmt.Sprintf("clk[%d]", c), fmt.Sprint(c)})
	}
	return list
}

// Crossings lists the crossings of a network with several clocks, or of a chip, in the order of their instances.
func Crossings(p *plan.Plan) (list []Crossing) {
	clocks := Clocks(p)
	switch {
	case p.Chips != nil:
		for i, q := range p.Chips.Cables {
			inbound, clk, rx := fmt.Sprintf("cable%d/inbound/", q.Index), clocks[0], clocks[1+i]
			list = append(list,
				Crossing{inbound + "queue/write_crossing", rx, clk, false, "frames written"},
				Crossing{inbound + "queue/read_crossing", clk, rx, false, "frames read"},
				Crossing{inbound + "bad_crossing", rx, clk, false, "bad frames"},
				Crossing{inbound + "pattern_flag", clk, rx, true, "pattern"},
				Crossing{inbound + "handshake/request_flag", clk, rx, true, "request of a reset"},
				Crossing{inbound + "handshake/acknowledge_flag", rx, clk, true, "acknowledgement of a reset"})
		}
		return list
	case !p.Machine.Clocks() || !p.Machine.Network:
		return nil
	}
	for _, node := range newNetworkView(p).NodeList {
		for _, link := range node.Links {
			if link.Registers == nil || !link.Registers.Crosses {
				continue
			}
			near, far := clocks[p.Region(node.Index)], clocks[p.Region(link.To)]
			list = append(list,
				Crossing{link.Name + "_link/write_crossing", near, far, false, "words written"},
				Crossing{link.Name + "_link/read_crossing", far, near, false, "words read"})
			for _, w := range link.Registers.Late {
				list = append(list, Crossing{link.Name + "_late_" + w.Name, near, far, false, w.Name})
			}
		}
	}
	return list
}
