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

// meter is the budget of one Load. Nested loops, and values in which parts are shared,
// grow exponentially with the text although each of their lists is short, so no limit
// of a size bounds their evaluation. An expression pays for the size of what it reads
// each time it is evaluated, a function for the size of its result.
type meter struct {
	left  int
	where *hcl.Range // the expression that spent the last unit
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

// weigh charges the size of a value: one unit per element, and per 16 bytes of a text
// or a number. It stops as soon as the budget is spent, because a value in which parts
// are shared can be exponentially larger than its memory. No function of the language
// marks values, so none of them is marked.
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
		for it := v.ElementIterator(); it.Next(); {
			if _, e := it.Element(); !m.weigh(e) {
				return false
			}
		}
	}
	return true
}

// read pays for one evaluation of an expression: for its text, and for each value that it
// reads as often as the text names it.
func (m *meter) read(r hcl.Range, reads []hcl.Traversal, ctx *hcl.EvalContext) {
	m.charge(16 + (r.End.Byte-r.Start.Byte)/4)
	for _, t := range reads {
		if v, missing := t.TraverseAbs(ctx); !missing.HasErrors() { // the evaluation reports what is missing
			m.weigh(v)
		}
	}
}

// value evaluates an expression that reads the given values. It reports false if the
// budget does not suffice.
func (m *meter) value(e hcl.Expression, reads []hcl.Traversal, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics, bool) {
	m.read(e.Range(), reads, ctx)
	v, diags := cty.DynamicVal, hcl.Diagnostics(nil)
	if !m.spent() {
		v, diags = e.Value(ctx)
	}
	if m.blame(e.Range()) {
		return cty.DynamicVal, nil, false
	}
	return v, diags, true
}

// blame reports whether the budget is used up, and remembers where that was first seen.
func (m *meter) blame(r hcl.Range) bool {
	if m.spent() && m.where == nil {
		m.where = &r
	}
	return m.spent()
}

// metered is the body of a loop: it pays for every iteration. The embedded
// parentheses keep the expression visible to hclsyntax.Walk.
type metered struct {
	*hclsyntax.ParenthesesExpr
	meter  *meter
	reads  []hcl.Traversal
	errors int
}

// maxLoopErrors is the number of failing iterations of one loop that are
// reported; the rest would say the same.
const maxLoopErrors = 20

// Value evaluates one iteration.
func (e *metered) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if e.errors > maxLoopErrors {
		return cty.DynamicVal, nil
	}
	v, diags, _ := e.meter.value(e.Expression, e.reads, ctx)
	if diags.HasErrors() {
		e.errors++
	}
	return v, diags
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
			reads:           e.Variables(),
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

// function returns f with its result paid for, and strings of limited length. check, if
// not nil, pays for work or memory that the result does not show.
func (m *meter) function(f function.Function, check func(args []cty.Value) error) function.Function {
	return function.New(&function.Spec{
		Description: f.Description(),
		Params:      f.Params(),
		VarParam:    f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			for i, a := range args {
				if tooLong(a) {
					return cty.DynamicPseudoType, function.NewArgErrorf(i, "the string is longer than %d bytes", maxStringBytes)
				}
			}
			if check != nil {
				if err := check(args); err != nil {
					return cty.DynamicPseudoType, err
				}
			}
			if m.spent() {
				return cty.DynamicPseudoType, nil
			}
			t, err := f.ReturnTypeForValues(args)
			return t, tidyError(err)
		},
		Impl: func(args []cty.Value, want cty.Type) (cty.Value, error) {
			if m.spent() {
				return cty.UnknownVal(want), nil
			}
			v, err := f.Call(args)
			if err != nil {
				return cty.DynamicVal, tidyError(err)
			}
			if tooLong(v) {
				return cty.DynamicVal, fmt.Errorf("the result is longer than %d bytes", maxStringBytes)
			}
			m.weigh(v)
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
