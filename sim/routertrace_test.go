// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"io"
	"testing"
)

func TestRouterTraceMeetsEveryEvent(t *testing.T) {
	machines := append([]rings{
		{{5, 1}, {5, 1}, {5, 1}},
		{{15, 1}, {15, 1}, {15, 1}, {15, 1}},
		{{15, 2}, {15, 2}, {15, 2}, {15, 2}},
	}, corner...)
	for _, r := range machines {
		for _, pref := range preferences {
			p := newPlan(t, r, preference(pref))
			c, err := WriteRouterTrace(io.Discard, p, 0, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if m := c.Missing(); len(m) > 0 {
				t.Errorf("%v %s: %d of %d events never happened in %d cycles: %q", r, pref, len(m), len(c.Events), RouterCycles(p), m)
			}
		}
	}
}
