// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
)

// Each point is the machine that its row says, and the picture shows each figure.
func TestPointsAreTheMachinesOfTheirRows(t *testing.T) {
	all := sweeps()
	figures := 0
	for i := range all {
		for j := range all[i].points {
			pt := &all[i].points[j]
			m, _, diags := machine.LoadBytes("growth.hcl", []byte(pt.description()), nil)
			require.False(t, diags.HasErrors(), diags.Error())
			require.Equal(t, pt.payload, m.PayloadBits)
			varied := map[string]int{"nodes": m.Graph.Nodes(), "degree": m.Graph.Degree(), "payload": m.PayloadBits}
			require.Equal(t, pt.x, varied[all[i].name])
			pt.text, pt.trace, pt.model = 0.5, 20, 200
			figures += 2
			if pt.rtl {
				pt.verilated = 300
				figures++
			}
		}
	}
	assert.Contains(t, table(all), "| nodes | (2, 1)(2, 1) | 0 | 0 | 32 | 0.5 | 20.0 | 200 | 300 |\n")
	assert.Contains(t, table(all), " 200 | - |\n", "not measured")
	picture := string(draw(all))
	assert.Equal(t, figures, strings.Count(picture, "<circle"))
	assert.NotContains(t, picture, "NaN")
	decoder := xml.NewDecoder(strings.NewReader(picture))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
	}
}
