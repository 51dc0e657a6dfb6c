// SPDX-License-Identifier: Apache-2.0

// Package fit reads tables of measured designs, to which tests fit the constants of estimates.
package fit

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
)

// Table reads the lines of a file of CSV by their columns.
func Table(t testing.TB, file string) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	lines, err := r.ReadAll()
	require.NoError(t, err)
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	require.NotEmpty(t, rows)
	return rows
}

// Number reads a number.
func Number(t testing.TB, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return v
}

// Rings reads lists such as "4 3" and "1 1", highest dimension first.
func Rings(t testing.TB, m, rho string) []hypercycle.Dimension {
	t.Helper()
	ms, rhos := strings.Fields(m), strings.Fields(rho)
	require.Len(t, rhos, len(ms))
	var rings []hypercycle.Dimension
	for i := len(ms) - 1; i >= 0; i-- {
		rings = append(rings, hypercycle.Dimension{M: int(Number(t, ms[i])), Rho: int(Number(t, rhos[i]))})
	}
	return rings
}

// LeastSquares returns c such that the sum of ((x c)/y - 1)^2 is least, by Gauss
// elimination of the normal equations.
func LeastSquares(x [][]float64, y []float64) []float64 {
	n := len(x[0])
	a := make([][]float64, n) // with the right side as last column
	for i := range a {
		a[i] = make([]float64, n+1)
		for k := range x {
			for j := range n {
				a[i][j] += x[k][i] * x[k][j] / (y[k] * y[k])
			}
			a[i][n] += x[k][i] / y[k]
		}
	}
	for i := range a {
		for j := range a {
			if j == i {
				continue
			}
			factor := a[j][i] / a[i][i] // positive definite: no pivot is 0
			for k := range a[j] {
				a[j][k] -= factor * a[i][k]
			}
		}
	}
	c := make([]float64, n)
	for i := range c {
		c[i] = a[i][n] / a[i][i]
	}
	return c
}
