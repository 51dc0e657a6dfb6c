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
	Launch   string // pattern of the paths of crossings with the same count, whose first registers synthesis may merge
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
				crossing(inbound+"queue/write_crossing", rx, clk, false, "frames written"),
				crossing(inbound+"queue/read_crossing", clk, rx, false, "frames read"),
				crossing(inbound+"bad_crossing", rx, clk, false, "bad frames"),
				crossing(inbound+"pattern_flag", clk, rx, true, "pattern"),
				crossing(inbound+"handshake/request_flag", clk, rx, true, "request of a reset"),
				crossing(inbound+"handshake/acknowledge_flag", rx, clk, true, "acknowledgement of a reset"))
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
				crossing(link.Name+"_link/write_crossing", near, far, false, "words written"),
				crossing(link.Name+"_link/read_crossing", far, near, false, "words read"))
			for _, w := range link.Registers.Late {
				list = append(list, Crossing{link.Name + "_late_" + w.Name, fmt.Sprintf("n%d_p*_late_%s", node.Index, w.Name), near, far, false, w.Name})
			}
		}
	}
	return list
}

// crossing is one whose first registers hold what no others hold.
func crossing(path string, from, to Clock, flag bool, meaning string) Crossing {
	return Crossing{path, path, from, to, flag, meaning}
}
