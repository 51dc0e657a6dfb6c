// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// CanonicalJSON returns the text whose sha256 is Hash: the description as JSON writes it, but without white space, and with the
// steps and transfers of schedules in place of the names of their files. Defaults are left out, so that a new attribute
// changes the hash of no machine without it.
func (m *Machine) CanonicalJSON() []byte {
	nameless := *m
	nameless.Collectives = slices.Clone(m.Collectives)
	schedules := object{}
	for i := range nameless.Collectives {
		c := &nameless.Collectives[i]
		c.File = ""
		if s := c.Given; s != nil {
			schedules[c.Name] = object{"steps": s.Steps, "period": s.Period, "transfers": s.Transfers}
		}
	}
	description := part{parts: nameless.parts()}.object(&nameless)
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
