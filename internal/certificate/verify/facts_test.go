// SPDX-License-Identifier: Apache-2.0

package verify_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// facts lists the contents of a certificate as sorted lines of JSON, without the numbers of
// the order.
func facts(t *testing.T, text string) []string {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	var all []string
	add := func(x any) {
		line, err := json.Marshal(x)
		require.NoError(t, err)
		all = append(all, string(line))
	}
	for name, x := range v {
		items, isList := x.([]any)
		if !isList {
			add([]any{name, x})
			continue
		}
		for _, item := range items {
			if m, ok := item.(map[string]any); ok {
				delete(m, "order")
				if rings, ok := m["rings"].([]any); ok { // in any order, too
					slices.SortFunc(rings, func(a, b any) int {
						return int(a.(map[string]any)["first"].(float64) - b.(map[string]any)["first"].(float64))
					})
				}
			}
			add([]any{name, item})
		}
	}
	slices.Sort(all)
	return all
}
