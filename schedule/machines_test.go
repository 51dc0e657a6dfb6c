// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// graph builds a machine from pairs of m and rho, dimension 1 first.
func graph(t testing.TB, mrho ...int) *hypercycle.Graph {
	t.Helper()
	var dims []hypercycle.Dimension
	for i := 0; i < len(mrho); i += 2 {
		dims = append(dims, hypercycle.Dimension{M: mrho[i], Rho: mrho[i+1]})
	}
	g, err := hypercycle.New(dims...)
	require.NoError(t, err)
	return g
}

// kary builds n rings of k nodes with the given rho.
func kary(t testing.TB, k, n, rho int) *hypercycle.Graph {
	var mrho []int
	for range n {
		mrho = append(mrho, k, rho)
	}
	return graph(t, mrho...)
}

// makeChecked makes a schedule, checks it, and checks its plain list if that is short.
func makeChecked(t testing.TB, g *hypercycle.Graph, r Request) *Schedule {
	t.Helper()
	s, err := Make(g, r)
	require.NoError(t, err)
	name := fmt.Sprint(Machine(g), r.Operation, " ", s.Algorithm, " ", r.Ports)
	require.NoError(t, check.Check(Machine(g), s.Claim()), name)
	require.GreaterOrEqual(t, s.Steps, s.Bound, name)
	if plain := len(s.Transfers) * g.Nodes(); plain < 3_000 {
		require.NoError(t, check.Check(Machine(g), s.Plain().Claim()), name)
	}
	return s
}

// fixture reads a table of testdata, by column.
func fixture(t testing.TB, name string) []map[string]string {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	var list []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, title := range rows[0] {
			m[title] = row[i]
		}
		list = append(list, m)
	}
	require.NotEmpty(t, list)
	return list
}

func number(t testing.TB, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	require.NoError(t, err)
	return n
}

// word reads an address of digits 0..k-1, highest first.
func word(t testing.TB, s string, k int) int32 {
	t.Helper()
	n, err := strconv.ParseInt(s, k, 32)
	require.NoError(t, err)
	return int32(n)
}
