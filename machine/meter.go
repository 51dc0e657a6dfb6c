// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// errTooMuchWork is what a function returns once the budget is spent.
var errTooMuchWork = errors.New("the description asks for too much computation")

// meter is the budget of one Load. Loops and functions pay from it: one unit
// for every element of a value, so that nested loops and doubling chains of
// values end with an error instead of using up time and memory.
type meter struct {
	left  int
	where *hcl.Range // the expression that spent the last unit, if known
}

func newMeter() *meter { return &meter{left: evaluationUnits} }

// spent reports whether the budget is used up.
func (m *meter) spent() bool { return m.left < 0 }

// charge takes n units and reports whether there were as many.
func (m *meter) charge(n int) bool {
	if m.left >= 0 {
		m.left -= n
	}
	return !m.spent()
}

// weigh charges the size of a value: one unit per element, key and 16 bytes.
// It stops as soon as the budget is spent, because a value in which parts are
// shared can be exponentially larger than its memory. No function of the
// language marks values, so none of them is marked.
func (m *meter) weigh(v cty.Value) bool {
	if !m.charge(1) {
		return false
	}
	if v.IsNull() || !v.IsKnown() {
		return true
	}
	t := v.Type()
	switch {
	case t == cty.String:
		return m.charge(len(v.AsString()) / 16)
	case t == cty.Number:
		f := v.AsBigFloat()
		if f.IsInf() {
			return true
		}
		return m.charge(max(f.MantExp(nil), -f.MantExp(nil)) / 64)
	case t.IsObjectType() || t.IsTupleType() || t.IsCollectionType():
		if !m.charge(v.LengthInt()) {
			return false
		}
		for it := v.ElementIterator(); it.Next(); {
			if _, e := it.Element(); !m.weigh(e) {
				return false
			}
		}
	}
	return true
}

// metered is the body of a loop: it pays for every iteration. The embedded
// parentheses keep the expression visible to hclsyntax.Walk.
type metered struct {
	*hclsyntax.ParenthesesExpr
	meter  *meter
	errors int
}

// maxLoopErrors is the number of failing iterations of one loop that are
// reported; the rest would say the same.
const maxLoopErrors = 20

// Value evaluates one iteration.
func (e *metered) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	r := e.Expression.Range()
	if e.errors > maxLoopErrors || !e.meter.charge(64+r.End.Byte-r.Start.Byte) {
		e.meter.blame(r)
		return cty.DynamicVal, nil
	}
	v, diags := e.Expression.Value(ctx)
	if diags.HasErrors() {
		e.errors++
	}
	if !e.meter.weigh(v) {
		e.meter.blame(r)
		return cty.DynamicVal, diags
	}
	return v, diags
}

// blame remembers the first place at which the budget was spent.
func (m *meter) blame(r hcl.Range) {
	if m.spent() && m.where == nil {
		m.where = &r
	}
}

// loops makes every loop inside the node pay. It must be called once per
// parsed tree.
func (m *meter) loops(node hclsyntax.Node) {
	_ = hclsyntax.Walk(node, loopWalker{m}) // the walker returns no diagnostics
}

type loopWalker struct{ meter *meter }

func (w loopWalker) Enter(hclsyntax.Node) hcl.Diagnostics { return nil }

func (w loopWalker) Exit(node hclsyntax.Node) hcl.Diagnostics {
	wrap := func(e hclsyntax.Expression) hclsyntax.Expression {
		if e == nil {
			return nil
		}
		return &metered{
			ParenthesesExpr: &hclsyntax.ParenthesesExpr{Expression: e, SrcRange: e.Range()},
			meter:           w.meter,
		}
	}
	switch e := node.(type) {
	case *hclsyntax.ForExpr:
		e.KeyExpr, e.ValExpr, e.CondExpr = wrap(e.KeyExpr), wrap(e.ValExpr), wrap(e.CondExpr)
	case *hclsyntax.SplatExpr:
		e.Each = wrap(e.Each)
	}
	return nil
}

// function returns f with its arguments and result paid for. check, if not
// nil, rejects arguments whose result would be too large.
func (m *meter) function(f function.Function, check func(args []cty.Value) error) function.Function {
	return function.New(&function.Spec{
		Description: f.Description(),
		Params:      f.Params(),
		VarParam:    f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if !m.charge(16) {
				return cty.DynamicPseudoType, errTooMuchWork
			}
			for i, a := range args {
				if !m.weigh(a) {
					return cty.DynamicPseudoType, errTooMuchWork
				}
				if tooLong(a) {
					return cty.DynamicPseudoType, function.NewArgErrorf(i, "the string is longer than %d bytes", maxStringBytes)
				}
			}
			if check != nil {
				if err := check(args); err != nil {
					return cty.DynamicPseudoType, err
				}
			}
			t, err := f.ReturnTypeForValues(args)
			return t, tidyError(err)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			if err != nil {
				return cty.DynamicVal, tidyError(err)
			}
			if !m.weigh(v) {
				return cty.DynamicVal, errTooMuchWork
			}
			if tooLong(v) {
				return cty.DynamicVal, fmt.Errorf("the result is longer than %d bytes", maxStringBytes)
			}
			return v, nil
		},
	})
}

// tooLong reports whether v is a string above maxStringBytes.
func tooLong(v cty.Value) bool {
	return v.Type() == cty.String && v.IsKnown() && !v.IsNull() && len(v.AsString()) > maxStringBytes
}

// tidyError hides the stack trace that cty puts into its message when a
// function's arguments make its arithmetic fail, such as log(-1, 2).
func tidyError(err error) error {
	if err != nil && strings.Contains(err.Error(), "panic in function implementation") {
		return errors.New("the function is not defined for these arguments")
	}
	return err
}
