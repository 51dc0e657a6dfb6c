// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan/registers"
)

// The table lists the accesses that the bench on the page makes, with the registers of the map.
func TestAccessesShownAreThoseOfTheRegisterMap(t *testing.T) {
	p := read(t, programmable)
	var bench string
	for _, f := range p.fences {
		bench += f.text
	}
	rows := p.tableOf(t, "step").rows
	require.Greater(t, len(rows), 5)
	dimension := 0
	for _, row := range rows {
		at := slices.IndexFunc(registers.Programmable().Registers, func(r registers.Register) bool { return r.Name == codes(row[2])[0] })
		require.GreaterOrEqual(t, at, 0, row[2])
		r := registers.Programmable().Registers[at]
		offset := r.Offset
		if r.PerDimension {
			offset += registers.Word * dimension
			dimension++
		}
		assert.Equal(t, fmt.Sprintf("0x%02x", offset), codes(row[3])[0], r.Name)
		assert.Contains(t, bench, fmt.Sprintf("\n%-5s %s %s ack\n", row[1], codes(row[3])[0], codes(row[4])[0]), "step %s", row[0])
	}
}
