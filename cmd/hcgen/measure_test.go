// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/internal/explore"
)

// Machines that no other machine beats are measured first, wherever they are in the list.
func TestBestMachinesAreMeasuredFirst(t *testing.T) {
	var list []explore.Machine
	for n, best := range []bool{false, true, false, true, false} {
		list = append(list, explore.Machine{Nodes: n, Best: best})
	}
	for most, want := range [][]int{nil, {1}, {1, 3}, {1, 3, 0}, {1, 3, 0, 2}, {1, 3, 0, 2, 4}, {1, 3, 0, 2, 4}} {
		var got []int
		for _, m := range bestFirst(list, most) {
			m.Router.LUT4 = 1 // of the list itself
			got = append(got, m.Nodes)
		}
		assert.Equal(t, want, got)
	}
	for _, m := range list {
		assert.Equal(t, 1, m.Router.LUT4)
	}
}
