// SPDX-License-Identifier: Apache-2.0

// Package each applies a function to the items of a list.
package each

// Of applies a function to every item.
func Of[T, U any](list []T, of func(T) U) []U {
	made := make([]U, len(list))
	for i, item := range list {
		made[i] = of(item)
	}
	return made
}
