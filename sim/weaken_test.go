// SPDX-License-Identifier: Apache-2.0

package sim

// flaw makes the rules of a router wrong.
type flaw func(x *rules)

// off switches a line off at every place.
func off(line string) flaw {
	return func(x *rules) { x.weak = func(l string, _ int) bool { return l == line } }
}

// offAt switches a line off at one place.
func offAt(line string, place int) flaw {
	return func(x *rules) { x.weak = func(l string, at int) bool { return l == line && at == place } }
}

// right is no flaw.
func right(*rules) {}

// paceFlaws are flaws of the pace, with and without destinations.
var paceFlaws = map[string]flaw{
	"an injection costs nothing":    off("a message costs credit"),
	"the last link is not read":     func(x *rules) { offAt("a tick waits for the neighbour", x.plan.Degree-1)(x) },
	"nobody is behind":              off("a tick waits for the neighbour"),
	"always done":                   off("a tick waits until the router is done"),
	"credit without a tick":         off("only a tick adds credit"),
	"always open":                   func(x *rules) { x.free = true },
	"those who offer nothing wait":  off("a router without an offer is done"),
	"there is no refill":            func(x *rules) { x.refill = 0 },
	"the cap is a half more":        func(x *rules) { x.cap += x.refill },
	"the cap and the rest are more": func(x *rules) { x.cap, x.doneRest = x.cap+x.refill, x.doneRest+x.refill },
	"the refill is twice as large":  func(x *rules) { x.refill *= 2 },
}

// destinationPaceFlaws are flaws of the pace with destinations.
var destinationPaceFlaws = map[string]flaw{
	"the cap is 15":                                func(x *rules) { x.cap-- },
	"the cap is 17":                                func(x *rules) { x.cap++ },
	"the refill is 7":                              func(x *rules) { x.refill-- },
	"the refill is 9":                              func(x *rules) { x.refill++ },
	"the refill is 4":                              func(x *rules) { x.refill /= 2 },
	"done with a rest of 16":                       func(x *rules) { x.doneRest++ },
	"done with a rest of 14 only":                  func(x *rules) { x.doneRest-- },
	"done with a rest of 8 only":                   func(x *rules) { x.doneRest = x.cap - x.refill },
	"done without an offer only":                   func(x *rules) { x.doneRest = -1 },
	"a message to one node costs a turn":           func(x *rules) { x.unicastCost = x.cost },
	"every message costs 1":                        func(x *rules) { x.cost = x.unicastCost },
	"a message to one node costs 2":                func(x *rules) { x.unicastCost = 2 },
	"illegal destinations are offered to the pace": off("an illegal destination is no offer"),
}
