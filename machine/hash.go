// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// CanonicalJSON returns the text whose sha256 is Hash: the description as JSON writes it, but without white space, and with the
// steps and transfers of schedules in place of the names of their files. Defaults are left out, so that a new attribute
// changes the hash of no machine without it. A stall that lasts to the end of the trace has the default, however it is written.
func (m *Machine) CanonicalJSON() []byte {
	plain := *m
	plain.Collectives = slices.Clone(m.Collectives)
	schedules := object{}
	for i := range plain.Collectives {
		c := &plain.Collectives[i]
		c.File = ""
		if s := c.Given; s != nil {
			schedules[c.Name] = object{"steps": s.Steps, "period": s.Period, "transfers": s.Transfers}
		}
	}
	plain.Traffic = slices.Clone(m.Traffic)
	for i := range plain.Traffic {
		t := &plain.Traffic[i]
		t.Stalls = slices.Clone(t.Stalls)
		for j := range t.Stalls {
			if s := &t.Stalls[j]; s.At+s.Cycles == t.Cycles {
				s.Cycles = 0
			}
		}
	}
	description := part{parts: plain.parts()}.object(&plain)
	if len(schedules) > 0 {
		description["schedules"] = schedules
	}
	return []byte(encoded(description))
}

// hash returns the value of Hash.
func (m *Machine) hash() string {
	sum := sha256.Sum256(m.CanonicalJSON())
	return hex.EncodeToString(sum[:])
}
