// SPDX-License-Identifier: Apache-2.0

package endpoint

// bus is the bus of a node at the level of its pins.
type bus interface {
	// drive sets the pins as a master does that has one access at a time, from the cycle in which it offers the access to that in
	// which the access ends. It is nil in all other cycles.
	drive(a *Access)
	// ends reports whether the bus answers in this cycle.
	ends() (Answer, bool)
	// begins returns the access that begins in this cycle, or nil. underWay: one has begun, and was not done.
	begins(underWay bool) *Access
	// step is the clock edge. a is the access that is under way in this cycle, or nil. If it is done, answer is its answer.
	step(a *Access, done bool, answer Answer)
}

// wishbone is a bus of Wishbone B4, classic.
type wishbone struct {
	pins struct { // that the master drives
		cyc, stb bool
		access   Access // we, adr, dat and sel
	}

	// Registers.
	ack, err bool
	dat      uint32
}

func (w *wishbone) drive(a *Access) {
	w.pins.cyc, w.pins.stb = a != nil, a != nil
	if a != nil {
		w.pins.access = *a
	}
}

func (w *wishbone) ends() (Answer, bool) { return Answer{w.err, w.dat}, w.ack || w.err }

func (w *wishbone) begins(underWay bool) *Access {
	if underWay || !w.pins.cyc || !w.pins.stb || w.ack || w.err {
		return nil
	}
	return &w.pins.access
}

func (w *wishbone) step(_ *Access, done bool, answer Answer) {
	w.ack, w.err, w.dat = done && !answer.Err, done && answer.Err, answer.Data
}

// axi4lite is a bus of AXI4-Lite.
type axi4lite struct {
	pins struct { // that the master drives
		awvalid, wvalid, arvalid, bready, rready bool
		write, read                              Access // awaddr, wdata and wstrb; araddr
	}

	// Registers.
	next           *Access // begins in this cycle
	wrote          bool    // the access before was a write
	bvalid, rvalid bool
	b, r           Answer
}

func (x *axi4lite) drive(a *Access) {
	asks := a != nil && !x.bvalid && !x.rvalid // after the response nothing is valid
	p := &x.pins
	p.awvalid, p.wvalid, p.arvalid = asks && a.Write, asks && a.Write, asks && !a.Write
	p.bready, p.rready = true, true
	if asks {
		p.write, p.read = *a, *a
	}
}

func (x *axi4lite) ends() (Answer, bool) {
	if x.bvalid {
		return x.b, true
	}
	return x.r, x.rvalid
}

func (x *axi4lite) begins(bool) *Access { return x.next }

func (x *axi4lite) step(a *Access, done bool, answer Answer) {
	waitsB, waitsR := x.bvalid && !x.pins.bready, x.rvalid && !x.pins.rready
	write, read := x.pins.awvalid && x.pins.wvalid && !waitsB, x.pins.arvalid && !waitsR
	x.next = nil
	switch {
	case a != nil:
		x.wrote = a.Write
	case write && !(read && x.wrote):
		x.next = &Access{true, x.pins.write.Address, x.pins.write.Strobes, x.pins.write.Data}
	case read:
		x.next = &Access{Address: x.pins.read.Address}
	}
	x.bvalid, x.rvalid = waitsB, waitsR
	if done && a.Write {
		x.bvalid, x.b = true, answer
	}
	if done && !a.Write {
		x.rvalid, x.r = true, answer
	}
}
