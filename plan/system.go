// SPDX-License-Identifier: Apache-2.0

package plan

// HasSystem reports whether the machine has a module with everything that it consists of: the network of routers and
// collective networks. With endpoints they stand at the nodes of the network of routers. A machine with the router alone has none.
func (p *Plan) HasSystem() bool {
	return p.Endpoint != nil || len(p.Machine.Collectives) > 0 && (p.Machine.NoRouters || p.Machine.Network)
}

// SystemWires lists the ports of the system: those of the network of routers or of the endpoints at its nodes, and those of each
// collective network, whose names begin with its name and an underscore.
func (p *Plan) SystemWires(networks []*Collective) (list []Wire) {
	switch {
	case p.Endpoint != nil:
		for _, w := range p.EndpointWires() {
			list = append(list, p.outside(w, p.Nodes)...)
		}
	case !p.Machine.NoRouters:
		list = p.NetworkWires()
	}
	for i, c := range networks {
		for _, w := range c.Wires() {
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

// SystemName is the name of the port of the system for a port of the collective network.
func (p *Collective) SystemName(w Wire) string {
	if w.IsClock() {
		return w.Name
	}
	return p.Name + "_" + w.Name
}
