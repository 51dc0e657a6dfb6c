// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// shapes are the dimensions of the machines that are measured in the models, by their titles; the first is dimension 1.
var shapes = map[string][]hypercycle.Dimension{
	"4-ring":       {{M: 4, Rho: 1}},
	"8-ring":       {{M: 8, Rho: 1}},
	"15-ring":      {{M: 15, Rho: 1}},
	"31-ring":      {{M: 31, Rho: 1}},
	"4x4":          {{M: 4, Rho: 1}, {M: 4, Rho: 1}},
	"8x8":          {{M: 8, Rho: 1}, {M: 8, Rho: 1}},
	"5x5x5":        {{M: 5, Rho: 1}, {M: 5, Rho: 1}, {M: 5, Rho: 1}},
	"4-cube":       {{M: 2, Rho: 1}, {M: 2, Rho: 1}, {M: 2, Rho: 1}, {M: 2, Rho: 1}},
	"(15,1)x(2,1)": {{M: 2, Rho: 1}, {M: 15, Rho: 1}},
	"(6,2)x(5,1)":  {{M: 5, Rho: 1}, {M: 6, Rho: 2}},
}

// shaped returns the machine of a title, with default options.
func shaped(title string) *machine.Machine {
	m, err := machine.Bare(shapes[title]...)
	if err != nil {
		panic(fmt.Sprintf("measure: %s: %v", title, err))
	}
	return m
}
