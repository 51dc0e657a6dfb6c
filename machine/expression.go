// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Evaluate returns the value of an expression of the configuration language. The
// keys of values are its names, and its functions are those of descriptions. name
// is the file name in diagnostics; files holds the source that they point into,
// for WriteDiagnostics. The value is completely known, or cty.NilVal after an
// error.
func Evaluate(name, src string, values map[string]cty.Value) (cty.Value, map[string]*hcl.File, hcl.Diagnostics) {
	l := newLoader(name, []byte(src))
	v := l.expression([]byte(src), values)
	if l.diags.HasErrors() {
		v = cty.NilVal
	}
	return v, l.files, tidy(l.diags)
}

// expression parses and evaluates the text.
func (l *loader) expression(src []byte, values map[string]cty.Value) cty.Value {
	switch bad := firstInvalidUTF8(src); {
	case len(bytes.TrimSpace(src)) == 0:
		l.errorAt(rangeOfByte(src, l.filename, 0), "Empty expression", "Write a name, such as one of %s.", nameList(values))
		return cty.NilVal
	case bad >= 0:
		l.errorAt(rangeOfByte(src, l.filename, bad), "Not UTF-8 text", "Byte 0x%02x at offset %d is not valid UTF-8.", src[bad], bad)
		return cty.NilVal
	}
	e, diags := hclsyntax.ParseExpression(src, l.filename, hcl.InitialPos)
	l.add(diags)
	if diags.HasErrors() {
		return cty.NilVal
	}
	v, diags := e.Value(&hcl.EvalContext{Functions: functions, Variables: values})
	for _, d := range diags {
		addKnownNames(e, d, values)
	}
	l.add(diags)
	if diags.HasErrors() {
		return cty.NilVal
	}
	if !v.IsWhollyKnown() {
		if !l.diags.HasErrors() {
			l.errorAt(e.Range(), "Unknown value", "The value of this expression is not known. Write it without try() and can().")
		}
		return cty.NilVal
	}
	return v
}

// addKnownNames adds the known names to the message about an unknown name.
func addKnownNames(root hclsyntax.Node, d *hcl.Diagnostic, values map[string]cty.Value) {
	switch d.Summary {
	case "Unknown variable":
		at, ok := d.Expression.(*hclsyntax.ScopeTraversalExpr)
		if !ok {
			return
		}
		asked := at.Traversal.RootName()
		d.Summary = "Unknown name"
		d.Detail = fmt.Sprintf("There is no %s.%s There are %s.", quote(asked), didYouMean(asked, sortedKeys(values)), nameList(values))
	case "Unsupported attribute":
		var from cty.Value
		var steps hcl.Traversal
		switch at := d.Expression.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			from, _ = at.Traversal[:1].TraverseAbs(d.EvalContext)
			steps = at.Traversal[1:]
		case *hclsyntax.RelativeTraversalExpr:
			from, steps = sourceOf(root, at, d.EvalContext), at.Traversal
		default:
			return
		}
		explain(d, from, steps)
	}
}

// sourceOf is the value at which the steps of an expression begin; for a splat, its first element.
func sourceOf(root hclsyntax.Node, at *hclsyntax.RelativeTraversalExpr, ctx *hcl.EvalContext) cty.Value {
	if _, each := at.Source.(*hclsyntax.AnonSymbolExpr); !each {
		v, _ := at.Source.Value(ctx)
		return v
	}
	v := cty.DynamicVal
	_ = hclsyntax.VisitAll(root, func(n hclsyntax.Node) hcl.Diagnostics {
		splat, ok := n.(*hclsyntax.SplatExpr)
		if !ok {
			return nil
		}
		if splat.Each != hclsyntax.Expression(at) {
			return nil
		}
		list, _ := splat.Source.Value(ctx)
		if list.IsKnown() && !list.IsNull() && list.CanIterateElements() {
			for it := list.ElementIterator(); it.Next(); {
				_, v = it.Element()
				break
			}
		}
		return nil
	})
	return v
}

// explain follows the steps up to the one that fails.
func explain(d *hcl.Diagnostic, v cty.Value, steps hcl.Traversal) {
	for _, step := range steps {
		next, diags := hcl.Traversal{step}.TraverseRel(v)
		if !diags.HasErrors() {
			v = next
			continue
		}
		attr, ok := step.(hcl.TraverseAttr)
		if !ok || !v.IsKnown() || v.IsNull() {
			return
		}
		d.Subject = &attr.SrcRange
		switch t := v.Type(); {
		case t.IsObjectType():
			names := v.AsValueMap()
			d.Detail = fmt.Sprintf("There is no %s here.%s There are %s.", quote(attr.Name), didYouMean(attr.Name, sortedKeys(names)), nameList(names))
		case t.IsTupleType() || t.IsListType():
			d.Detail = fmt.Sprintf("This is a list of %d: write [0].%s for the first element, [*].%s for all.", v.LengthInt(), attr.Name, attr.Name)
		default:
			d.Detail = fmt.Sprintf("This is a %s, which has nothing inside.", t.FriendlyName())
		}
		return
	}
}

// nameList lists names for a message.
func nameList(values map[string]cty.Value) string { return strings.Join(sortedKeys(values), ", ") }
