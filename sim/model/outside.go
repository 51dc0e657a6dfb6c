// SPDX-License-Identifier: Apache-2.0

package model

import "github.com/hcgen/hcgen/sim"

// Links are links that another model has, as those between chips.
type Links interface {
	Link(v, p int) Link                               // that leaves port p of node v; nil: that of the plan
	Step(paces func(v int) (pace, barrierPace uint8)) // the clock edge, after that of each link; paces are those of the cycle
}

// Link is one direction of a link. What it answers depends only on its registers.
type Link interface {
	Ready() bool                           // at the near end
	Offered() *sim.Message                 // the word at the far end, or nil
	Held() int                             // words that have entered and not left
	Step(enters *sim.Message, leaves bool) // a word crosses the near end, or nil; the word offered crosses the far end
	Paces() (pace, barrierPace uint8)      // of the node at the near end, as the node at the far end knows them
}

// outside is a link of another model.
type outside struct{ Link }

func (o outside) ready() bool                           { return o.Ready() }
func (o outside) offered() *sim.Message                 { return o.Offered() }
func (o outside) held() int                             { return o.Held() }
func (o outside) step(enters *sim.Message, leaves bool) { o.Step(enters, leaves) }
