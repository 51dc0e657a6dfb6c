// SPDX-License-Identifier: Apache-2.0

package sim

// wrong is the name of a flaw of a router.
type wrong string

// evaluate is a copy of router.evaluate with the flaw.
func (w wrong) evaluate(r *router, offers uint32) {
	s := r.shape
	r.comes, r.leaves = r.linkValid&^r.full, r.valid&r.linkReady
	r.enters, r.continues, r.transfers, r.delivers, r.done = 0, 0, 0, 0, 0
	present := r.queued | r.linkValid&s.wayPast
	if present|offers == 0 {
		return
	}
	a := asks{
		asking: present<<1 | offers,
		bad:    (r.malformed &^ r.queued & present) << 1,
		going:  present & r.toContinue() &^ r.continued,
	}
	free, onward := ^r.valid|r.linkReady, s.across(a.going&s.ring)
	a.enterable = free &^ onward
	r.continues = onward & free &^ s.across(a.bad>>1&s.ring)
	switch w {
	case "no bubble rule":
		a.enterable, r.continues = free, 0
	case "enters although a malformed message asks to continue":
		a.enterable |= free & s.across(a.bad>>1&s.ring)
	case "continues only into an empty output":
		r.continues &^= r.valid
	case "enters only an empty output":
		a.enterable &^= r.valid
	}
	a.passes = s.across(r.continues)
	for j := range s.groups {
		g := &s.groups[j]
		if a.asking&g.requesters&^r.group[j].made|(a.going&g.transfers)<<1 != 0 {
			r.enterDimension(&a, j, g)
		}
	}
	if w == "no bubble rule" {
		r.continues = onward & free &^ s.across(a.bad>>1&s.ring) &^ (r.enters | r.transfers)
		a.passes |= s.across(r.continues)
	}
	undelivered := present &^ r.delivered
	r.deliver(&a, undelivered)
	r.done = a.asking &^ (a.waiting | a.bad | (a.going&^a.passes|undelivered&^r.delivers)<<1)
	r.copied(&a)
}
