// SPDX-License-Identifier: Apache-2.0

package main

import "slices"

// sources tells which nodes send, so which figures say something and what is the most
// that can be delivered.
type sources int

const (
	every    sources = iota // all nodes
	some                    // some, more than one
	one                     // one, or one and light traffic of the others
	changing                // other nodes from time to time, or next to none
)

// load is one of the Overload benchmark.
type load struct {
	key     string // its name there
	text    string // in the table
	sources sources
	rate    float64 // the most that the receivers take, 1 or less; 0 if that is not known
	label   string  // in the picture; empty if it is not there
}

// loads are the rows of the table, in order.
var loads = []load{
	{"rate=1", "all nodes, rate 1", every, 1, "all nodes"},
	{"rate=0.8", "all nodes, rate 0.8", every, 1, "all, rate 0.8"},
	{"rate=0.5", "all nodes, rate 0.5", every, 1, ""},
	{"rate=0.2", "all nodes, rate 0.2", every, 1, ""},
	{"light=0.9", "all nodes, nine tenths of the bound", changing, 0, ""},
	{"busy=n-1", "all nodes but one, rate 1", some, 1, "all but one"},
	{"busy=3/4,random", "three quarters of the nodes, at random places, rate 1", some, 1, "3 of 4"},
	{"busy=half", "every other node, rate 1", some, 1, "half"},
	{"busy=half,random", "half of the nodes, at random places, rate 1", some, 1, "random half"},
	{"busy=3", "3 nodes, rate 1", some, 1, "3 nodes"},
	{"busy=3,random", "3 nodes, at random places, rate 1", some, 1, ""},
	{"busy=2", "2 nodes, rate 1", some, 1, "2 nodes"},
	{"busy=1", "1 node, rate 1", one, 1, "1 node"},
	{"busy=changing", "other nodes every 10,000 cycles, rate 1", changing, 0, ""},
	{"heavy=1,light=0.2", "1 node, rate 1; the others a fifth of the bound", one, 0, ""},
	{"slow=0.1", "all nodes, one receiver ready 90 % of the time", every, 0.9, "slow 90 %"},
	{"slow=0.2", "all nodes, one receiver ready 80 % of the time", every, 0.8, ""},
	{"slow=0.3", "all nodes, one receiver ready 70 % of the time", every, 0.7, "slow 70 %"},
	{"slow=0.5", "all nodes, one receiver ready half of the time", every, 0.5, "slow 50 %"},
	{"slow=1", "all nodes, one receiver ready 10 % of the time", every, 0.1, "slow 10 %"},
	{"slow=3%", "all nodes, one receiver ready 3 % of the time", every, 0.03, ""},
	{"slow=1%", "all nodes, one receiver ready 1 % of the time", every, 0.01, "slow 1 %"},
	{"slow=0.5%", "all nodes, one receiver ready 0.5 % of the time", every, 0.005, ""},
	{"periodic=4of600", "all nodes, one receiver ready in 4 of every 600 cycles", every, 4. / 600, ""},
	{"stall=0.5", "all nodes, receivers ready half of the time", every, 0.5, "all stall"},
	{"busy=half,stall=0.5", "half of the nodes, receivers ready half of the time", some, 0.5, ""},
	{"busy=1,stall-once=64", "1 node, one receiver stalls once for 64 cycles", one, 0, ""},
	{"heavy=1,rare,stall-once=100", "1 node, rate 1; another every 1,000 cycles; one receiver stalls once for 100 cycles", one, 0, ""},
	{"heavy=1,light=0.2,stall-once=100", "1 node, rate 1; the others a fifth of the bound; one receiver stalls once for 100 cycles", one, 0, ""},
}

// unshown are loads of the benchmark that are not in the table.
var unshown = []string{"rate=0.3", "rate=0.1", "light=0.25", "busy=1,stall=0.5", "busy=1,slow=0.5", "slow=0.7", "slow=2%"}

// known tells whether the table has a load of this name.
func known(key string) bool {
	return slices.ContainsFunc(loads, func(l load) bool { return l.key == key })
}

// sharing tells whether some nodes share the network evenly if all is fair, under a load
// of the table.
func sharing(key string) bool {
	return slices.ContainsFunc(loads, func(l load) bool {
		return l.key == key && (l.sources == every || l.sources == some)
	})
}
