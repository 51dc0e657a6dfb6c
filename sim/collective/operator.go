// SPDX-License-Identifier: Apache-2.0

package collective

import (
	"math/big"

	"github.com/hcgen/hcgen/plan"
)

// operator is the operator of the network. In place of the user's module the model adds, as does the module
// that the bench has in its place.
func operator(p *plan.Collective) func(a, b Word) Word {
	switch p.Operator {
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
	case "max":
		return func(a, b Word) Word {
			if a.Cmp(b) > 0 {
				return a
			}
			return b
		}
	}
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(p.PayloadBits))
	return func(a, b Word) Word {
		sum := new(big.Int).Add(a, b)
		return sum.Mod(sum, modulus)
	}
}
