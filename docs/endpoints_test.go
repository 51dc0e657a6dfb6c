// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
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

// The table lists all functions and macros of the header.
func TestFunctionsShownAreThoseOfTheHeader(t *testing.T) {
	p := read(t, endpoints)
	s := newSession(t, p)
	s.succeed("hcgen -c box.hcl -o out")
	header := s.read("out/registers/box.h")
	var want, shown []string
	for _, f := range regexp.MustCompile(`(?m)^static inline \w+ (\w+)\(`).FindAllStringSubmatch(header, -1) {
		want = append(want, f[1])
	}
	for _, row := range p.tableOf(t, "function").rows {
		for _, code := range codes(row[0]) {
			name, _, _ := strings.Cut(code, "(")
			shown = append(shown, name)
		}
	}
	assert.ElementsMatch(t, want, shown)
	for _, macro := range regexp.MustCompile(`BOX_[A-Z_]*[A-Z]\b`).FindAllString(p.text, -1) {
		assert.Regexp(t, `(?m)^#define `+macro+` `, header)
	}
}
