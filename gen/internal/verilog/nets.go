// SPDX-License-Identifier: Apache-2.0

package verilog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/plan"
)

// Net is a port of the router, and the wire of a proof that it is connected to.
type Net struct {
	plan.Wire
	Net string
}

// NetName names the wire of a proof for a port of the router.
var NetName = strings.NewReplacer("s_axis_link_t", "s_", "m_axis_link_t", "link_",
	"s_axis_local_tdata", "local_payload", "s_axis_local_t", "local_",
	"m_axis_local_tdata", "delivery_payload", "m_axis_local_t", "delivery_")

// Nets lists the ports of the router in the order of its proof: clk, rst, and the ports of options.
func Nets(p *plan.Plan) (list []Net) {
	for _, w := range p.RouterWires() {
		list = append(list, Net{w, NetName.Replace(w.Name)})
	}
	slices.SortStableFunc(list[2:], func(a, b Net) int { return cmp.Compare(a.Option.Order(), b.Option.Order()) })
	return list
}

// Constant reports whether the node has the same value in all cycles.
func (n Net) Constant() bool { return n.Network == plan.Constant }

// Declare prints the declaration of the wire. A field of delivered messages always has a range, and that of the
// address of the node shows its width.
func (n Net) Declare() string {
	switch {
	case n.Constant() && n.Field != "":
		return fmt.Sprintf("wire [%d-1:0] %s", n.Bits, n.Net)
	case n.Vector || n.Output && n.Field != "":
		return fmt.Sprintf("wire %s %s", Range(n.Width()), n.Net)
	}
	return "wire " + n.Net
}

// Optional lists the nets of options.
func Optional(list []Net) []Net {
	return slices.DeleteFunc(slices.Clone(list), func(n Net) bool { return n.Option == plan.Always })
}
