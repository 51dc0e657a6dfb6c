// SPDX-License-Identifier: Apache-2.0

package collective

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// operator is the operator of the network, which is nil if it reduces nothing. In place of the user's module the model
// adds, as does the module that the bench has in its place.
func operator(p *plan.Collective) func(a, b Word) Word {
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(p.PayloadBits))
	add := func(a, b Word) Word {
		sum := new(big.Int).Add(a, b)
		return sum.Mod(sum, modulus)
	}
	switch p.Operator {
	case "":
		return nil
	case "add":
		return add
	case "and":
		return func(a, b Word) Word { return new(big.Int).And(a, b) }
	case "or":
		return func(a, b Word) Word { return new(big.Int).Or(a, b) }
	case "xor":
		return func(a, b Word) Word { return new(big.Int).Xor(a, b) }
	case "min":
		return func(a, b Word) Word {
			if a.Cmp(b) < 0 {
				return a
			}
			return b
		}
	case "signed_min":
		return func(a, b Word) Word {
			if signed(a, p.PayloadBits).Cmp(signed(b, p.PayloadBits)) < 0 {
				return a
			}
			return b
		}
	case "signed_max":
		return func(a, b Word) Word {
			if signed(a, p.PayloadBits).Cmp(signed(b, p.PayloadBits)) > 0 {
				return a
			}
			return b
		}
	case "max":
		return func(a, b Word) Word {
			if a.Cmp(b) > 0 {
				return a
			}
			return b
		}
	}
	if slices.Contains(machine.Operators, p.Operator) {
		panic(fmt.Sprintf("the model has no operator %q", p.Operator))
	}
	return add // a module
}

// signed is the number that a word stands for in two's complement.
func signed(w Word, bits int) *big.Int {
	if w.Bit(bits-1) == 0 {
		return w
	}
	return new(big.Int).Sub(w, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
}
