// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// HasSystem reports whether the machine has a module with everything that it consists of: the network of routers and
// collective networks. With endpoints they stand at the nodes of the network of routers. A machine with the router alone has none.
func (p *Plan) HasSystem() bool {
	return p.Endpoint != nil || len(p.Machine.Collectives) > 0 && (p.Machine.NoRouters || p.Machine.Network)
}

// SystemWires lists the ports of the system: those of the network of routers or of the endpoints at its nodes, and those of each
// collective network, whose names begin with its name and an underscore.
func (p *Plan) SystemWires(networks []*Collective) (list []Wire) {
	switch {
	case p.Chips != nil && p.Endpoint != nil:
		list = p.BoardsWires()
	case p.Endpoint != nil:
		for _, w := range p.EndpointWires() {
			list = append(list, p.outside(w, p.Nodes)...)
		}
	case !p.Machine.NoRouters:
		list = p.NetworkWires()
	}
	for i, c := range networks {
		for _, w := range c.OuterWires() {
			switch {
			case !w.IsClock():
				w = w.WithWords(c.PayloadBits)
				w.Name = c.SystemName(w)
				if w.Network == Derived {
					w.Network = PerNode
				}
				list = append(list, w)
			case i == 0 && p.Machine.NoRouters:
				list = append(list, w)
			}
		}
	}
	return list
}

// BoardWires lists the ports of a chip with endpoints at its nodes: those of the chip, but in place of the ports of its nodes those
// of the endpoints, by place number.
func (p *Plan) BoardWires() (list []Wire) {
	chip := p.ChipWires()
	cables := slices.IndexFunc(chip, func(w Wire) bool { return w.Name == p.Chips.Cables[0].Wires(p.Chips)[0].Name })
	for _, w := range chip[:cables] {
		if w.Network == Shared || w.Network == Derived {
			list = append(list, w)
		}
	}
	for _, w := range p.EndpointWires() {
		if w.Network == PerNode {
			list = append(list, p.outside(w, p.Chips.Places)...)
		}
	}
	return append(list, chip[cables:]...)
}

// BoardsWires lists the ports of all chips with their endpoints, which cables join.
func (p *Plan) BoardsWires() (list []Wire) {
	for _, w := range p.NetworkWires() {
		if w.Network == Shared || w.Network == Derived {
			list = append(list, w)
		}
	}
	list = append(list, ofChips(CutWire, in, p.Chips.Count, "[c]: the cables of chip c are cut: no words arrive"))
	for _, w := range p.EndpointWires() {
		if w.Network == PerNode {
			list = append(list, p.outside(w, p.Nodes)...)
		}
	}
	return list
}

// CutWire is the input of a system of chips that cuts cables.
const CutWire = "cut"

// SystemName is the name of the port of the system for a port of the collective network.
func (p *Collective) SystemName(w Wire) string {
	if w.IsClock() {
		return w.Name
	}
	return p.Name + "_" + w.Name
}
