// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan/registers"
)

// The tables list the registers of the map with their accesses and bits, and the errors with their names.
func TestRegistersShownAreThoseOfTheEndpoint(t *testing.T) {
	p, m := read(t, endpoints), registers.Endpoint()
	words := map[registers.Access]string{
		registers.ReadOnly: "read", registers.ReadWrite: "read, write", registers.Set: "read, write", registers.Clear: "read, clear",
	}
	bits := regexp.MustCompile(`(?:^|; |: |bit )(\d+)(?::(\d+))?\b`)
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		return n
	}
	rows := p.tableOf(t, "offset").rows
	require.Len(t, rows, len(m.Registers))
	for i, r := range m.Registers {
		row := rows[i]
		offset := fmt.Sprintf("0x%02x", r.Offset)
		if r.PerDimension {
			offset += " + 4 (i - 1)"
		}
		assert.Equal(t, []string{offset, "`" + r.Name + "`", words[r.Access]}, row[:3])
		var shown, described uint64
		for _, b := range bits.FindAllStringSubmatch(row[3], -1) {
			low := number(b[1])
			high := low
			if b[2] != "" {
				high, low = low, number(b[2])
			}
			shown |= 1<<(high+1) - 1<<low
		}
		for _, f := range r.Fields {
			described |= (1<<f.Bits - 1) << f.LSB
		}
		if shown == 0 { // the whole register
			shown = 1<<32 - 1
		}
		assert.Equal(t, described, shown, "bits of %s: %s", r.Name, row[3])
	}
	for _, row := range p.tableOf(t, "bit").rows {
		e := regexp.MustCompile("^(\\d), `([a-z]+)`$").FindStringSubmatch(row[0])
		require.NotNil(t, e, row[0])
		assert.Equal(t, e[2], m.Register("ERRORS").Fields[number(e[1])].Name)
	}
}
