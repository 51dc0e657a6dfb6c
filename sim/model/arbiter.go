// SPDX-License-Identifier: Apache-2.0

package model

// Arbiter is the arbiter of docs/architecture.md: its pointer is the number of a requester.
type Arbiter struct{ pointer int }

// Selects returns the first requester from the pointer upwards, else the first from 0, or -1.
func (a *Arbiter) Selects(requests []bool) int {
	for who := a.pointer; who < len(requests); who++ {
		if requests[who] {
			return who
		}
	}
	for who := range requests {
		if requests[who] {
			return who
		}
	}
	return none
}

// Update is the end of a cycle in which a requester, or none, was selected. After the last requester the pointer is 0.
func (a *Arbiter) Update(selected int, completed bool) {
	switch {
	case selected == none:
	case completed:
		a.pointer = selected + 1
	default:
		a.pointer = selected
	}
}
