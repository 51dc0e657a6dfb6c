// SPDX-License-Identifier: Apache-2.0

package machine

import "slices"

// binding is the place of an attribute in the Go struct of its block. A block has more than one struct if some of its
// attributes are in a struct of their own: those of a programmable router.
type binding interface {
	of(block any) bool // reports whether the attribute is in this struct, given by a pointer
	get(block any) any
	set(block, value any)
	clear(block any)
}

// access is a binding of a value of type V in a struct B by functions.
type access[B, V any] struct {
	read  func(*B) V
	write func(*B, V)
}

func (access[B, V]) of(block any) bool {
	b, ok := block.(*B)
	return ok && b != nil
}

func (a access[B, V]) get(block any) any    { return a.read(block.(*B)) }
func (a access[B, V]) set(block, value any) { a.write(block.(*B), value.(V)) }

func (a access[B, V]) clear(block any) {
	var zero V
	a.write(block.(*B), zero)
}

// field binds a field that has the type of the values of the attribute.
func field[B, V any](at func(*B) *V) binding {
	return access[B, V]{func(b *B) V { return *at(b) }, func(b *B, v V) { *at(b) = v }}
}

// whole binds a field for whole numbers.
func whole[B any, N int | int64](at func(*B) *N) binding {
	return access[B, int64]{func(b *B) int64 { return int64(*at(b)) }, func(b *B, v int64) { *at(b) = N(v) }}
}

// named binds a field whose values have names.
func named[B any, N ~int](names []string, at func(*B) *N) binding {
	return access[B, string]{
		func(b *B) string { return names[*at(b)] },
		func(b *B, name string) { *at(b) = N(max(0, slices.Index(names, name))) },
	}
}
