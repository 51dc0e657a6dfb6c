// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"fmt"

	"github.com/hcgen/hcgen/plan"
)

// Crossing is an hc_clock_crossing of a network with several clocks.
type Crossing struct {
	Path     string // in the network, with / between instances
	Launch   string // pattern of the paths of crossings with the same count, whose first registers synthesis may merge
	From, To int    // regions
	Meaning  string
}

// Crossings lists the crossings of a network, in the order of their instances.
func Crossings(p *plan.Plan) (list []Crossing) {
	if !p.Machine.Clocks() || !p.Machine.Network {
		return nil
	}
	for _, node := range newNetworkView(p).NodeList {
		for _, link := range node.Links {
			if link.Registers == nil || !link.Registers.Crosses {
				continue
			}
			near, far := p.Region(node.Index), p.Region(link.To)
			list = append(list,
				Crossing{link.Name + "_link/write_crossing", link.Name + "_link/write_crossing", near, far, "words written"},
				Crossing{link.Name + "_link/read_crossing", link.Name + "_link/read_crossing", far, near, "words read"})
			for _, w := range link.Registers.Late {
				list = append(list, Crossing{link.Name + "_late_" + w.Name, fmt.Sprintf("n%d_p*_late_%s", node.Index, w.Name), near, far, w.Name})
			}
		}
	}
	return list
}
