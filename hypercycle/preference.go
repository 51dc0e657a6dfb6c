// SPDX-License-Identifier: Apache-2.0

package hypercycle

import (
	"fmt"
	"slices"
)

// Preference selects the direction of a ring that covers more nodes. With every
// preference a broadcast reaches every node exactly once and ends in step D, the
// diameter; the preference determines the steps in which nodes receive.
type Preference int

const (
	// Clockwise is the paper's Algorithm 1: clockwise covers the nodes 1..D rho.
	// The node at offset x receives in step ceil(x/rho) if x <= D rho, else
	// ceil((m-x)/rho). The offsets above m/2 that it covers would be nearer the
	// other way round, so nodes may receive later than their distance, though never after step D;
	// such late nodes exist exactly when m <= (2D-1) rho. In C_6<1,2>, node 4 is a neighbour of
	// node 0 but receives in step 2, from node 2.
	Clockwise Preference = iota
	// Counterclockwise is its mirror image: offset x receives as m - x does with Clockwise.
	Counterclockwise
	// Balanced covers ceil((m-1)/2) nodes clockwise and the rest
	// counterclockwise, so that every node receives at its graph distance. It is
	// not in the paper.
	Balanced
)

var preferenceNames = [...]string{"clockwise", "counterclockwise", "balanced"}

// String returns the name used in configurations.
func (p Preference) String() string {
	if p < 0 || int(p) >= len(preferenceNames) {
		return fmt.Sprintf("Preference(%d)", int(p))
	}
	return preferenceNames[p]
}

// ParsePreference is the inverse of String for the three preferences; it
// reports false for any other name.
func ParsePreference(name string) (Preference, bool) {
	i := slices.Index(preferenceNames[:], name)
	return Preference(max(i, 0)), i >= 0
}

// PreferenceNames lists the names ParsePreference accepts, in the order of the
// constants. The list is the caller's.
func PreferenceNames() []string { return slices.Clone(preferenceNames[:]) }
