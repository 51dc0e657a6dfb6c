// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/schedule/check"
)

// CanonicalJSON returns the text whose sha256 is Hash: the description in JSON with every value, also those that are defaults, and
// with the steps and transfers of schedules in place of their files. Keys are in alphabetical order, and there is no white space.
func (m *Machine) CanonicalJSON() []byte {
	schedules := object{}
	unnamed := *m
	unnamed.Collectives = slices.Clone(m.Collectives)
	for i := range unnamed.Collectives {
		c := &unnamed.Collectives[i]
		if s := c.Given; s != nil {
			schedules[c.Name] = struct {
				Steps     int
				Period    []int
				Transfers []check.Transfer
			}{s.Steps, s.Period, s.Transfers}
		}
		c.File = ""
	}
	description := part{parts: unnamed.parts()}.object(unnamed.settings)
	description["schedules"] = schedules
	text, err := json.Marshal(description)
	if err != nil {
		// only infinite numbers could fail, and those are rejected
		panic(fmt.Sprintf("machine: %v", err))
	}
	return text
}

// hash returns the value of Hash.
func (m *Machine) hash() string {
	sum := sha256.Sum256(m.CanonicalJSON())
	return hex.EncodeToString(sum[:])
}
