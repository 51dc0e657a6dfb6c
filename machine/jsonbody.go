// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// jsonBody is a body in JSON syntax whose templates pay for their loops. (In
// native syntax the parsed tree is changed instead, see meter.loops; the JSON
// package parses a template anew whenever its value is asked for.)
type jsonBody struct {
	hcl.Body
	meter *meter
}

func (b jsonBody) Content(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
	c, diags := b.Body.Content(schema)
	b.wrap(c)
	return c, diags
}

func (b jsonBody) PartialContent(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Body, hcl.Diagnostics) {
	c, remain, diags := b.Body.PartialContent(schema)
	b.wrap(c)
	return c, jsonBody{remain, b.meter}, diags
}

func (b jsonBody) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	attrs, diags := b.Body.JustAttributes()
	for _, a := range attrs {
		a.Expr = &jsonExpr{Expression: a.Expr, meter: b.meter}
	}
	return attrs, diags
}

func (b jsonBody) wrap(c *hcl.BodyContent) {
	for _, a := range c.Attributes {
		a.Expr = &jsonExpr{Expression: a.Expr, meter: b.meter}
	}
	for _, block := range c.Blocks {
		block.Body = jsonBody{block.Body, b.meter}
	}
}

// jsonExpr evaluates a JSON value as the JSON package does, but pays for the
// loops in its templates.
type jsonExpr struct {
	hcl.Expression
	meter    *meter
	template hclsyntax.Expression // parsed once
}

// UnwrapExpression shows the JSON expression to static analysis, such as
// hcl.ExprList and typeexpr.
func (e *jsonExpr) UnwrapExpression() hcl.Expression { return e.Expression }

// parse returns the template of a string; nil if the value is no string.
func (e *jsonExpr) parse() (hclsyntax.Expression, hcl.Diagnostics) {
	if e.template != nil {
		return e.template, nil
	}
	v, _ := e.Expression.Value(nil) // without a context: the text itself
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return nil, nil
	}
	r := e.Expression.Range()
	start := hcl.Pos{Line: r.Start.Line, Column: r.Start.Column + 1, Byte: r.Start.Byte + 1}
	text := []byte(v.AsString())
	tokens, _ := hclsyntax.LexTemplate(text, r.Filename, start) // its errors are found again by the parser
	if diags := checkTokens(tokens); diags.HasErrors() {
		return nil, e.within(diags)
	}
	t, diags := hclsyntax.ParseTemplate(text, r.Filename, start)
	if diags.HasErrors() {
		return nil, e.within(diags)
	}
	e.meter.loops(t)
	// the root of a template is not a child of anything that Walk could change,
	// and it is no loop itself
	e.template = t
	return t, nil
}

// within puts diagnostics that lie outside the string's source, because of
// escapes in it, onto the whole string.
func (e *jsonExpr) within(diags hcl.Diagnostics) hcl.Diagnostics {
	whole := e.Expression.Range()
	for _, d := range diags {
		if s := d.Subject; s == nil || s.Start.Byte < whole.Start.Byte || s.End.Byte > whole.End.Byte ||
			s.Start.Line != whole.Start.Line || s.End.Line != whole.End.Line {
			d.Subject = &whole
		}
		d.Context = nil
	}
	return diags
}

func (e *jsonExpr) elements() ([]hcl.Expression, bool) {
	list, ok := e.Expression.(interface{ ExprList() []hcl.Expression })
	if !ok {
		return nil, false
	}
	raw := list.ExprList()
	if raw == nil {
		return nil, false
	}
	wrapped := make([]hcl.Expression, len(raw))
	for i, x := range raw {
		wrapped[i] = &jsonExpr{Expression: x, meter: e.meter}
	}
	return wrapped, true
}

func (e *jsonExpr) pairs() ([]hcl.KeyValuePair, bool) {
	m, ok := e.Expression.(interface{ ExprMap() []hcl.KeyValuePair })
	if !ok {
		return nil, false
	}
	raw := m.ExprMap()
	if raw == nil {
		return nil, false
	}
	wrapped := make([]hcl.KeyValuePair, len(raw))
	for i, p := range raw {
		wrapped[i] = hcl.KeyValuePair{
			Key:   &jsonExpr{Expression: p.Key, meter: e.meter},
			Value: &jsonExpr{Expression: p.Value, meter: e.meter},
		}
	}
	return wrapped, true
}

// Variables lists what the templates inside refer to.
func (e *jsonExpr) Variables() []hcl.Traversal {
	var all []hcl.Traversal
	if list, ok := e.elements(); ok {
		for _, x := range list {
			all = append(all, x.Variables()...)
		}
		return all
	}
	if pairs, ok := e.pairs(); ok {
		for _, p := range pairs {
			all = append(all, p.Key.Variables()...)
			all = append(all, p.Value.Variables()...)
		}
		return all
	}
	if t, diags := e.parse(); t != nil && !diags.HasErrors() {
		return t.Variables()
	}
	return nil
}

// Value evaluates the expression.
func (e *jsonExpr) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	if ctx == nil {
		return e.Expression.Value(nil)
	}
	if list, ok := e.elements(); ok {
		var diags hcl.Diagnostics
		vals := make([]cty.Value, len(list))
		for i, x := range list {
			v, d := x.Value(ctx)
			vals[i], diags = v, append(diags, d...)
		}
		return cty.TupleVal(vals), diags
	}
	if pairs, ok := e.pairs(); ok {
		return objectValue(pairs, ctx)
	}
	t, diags := e.parse()
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if t == nil {
		return e.Expression.Value(ctx) // a number, a truth value or null
	}
	v, diags := t.Value(ctx)
	return v, e.within(diags)
}

func objectValue(pairs []hcl.KeyValuePair, ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	attrs := map[string]cty.Value{}
	for _, p := range pairs {
		k, d := p.Key.Value(ctx)
		diags = append(diags, d...)
		v, d := p.Value.Value(ctx)
		diags = append(diags, d...)
		k, err := convert.Convert(k, cty.String)
		if err != nil || k.IsNull() || !k.IsKnown() {
			if !diags.HasErrors() {
				r := p.Key.Range()
				diags = append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Invalid object key",
					Detail: "A key must be a string.", Subject: &r})
			}
			return cty.DynamicVal, diags
		}
		if _, defined := attrs[k.AsString()]; defined {
			r := p.Key.Range()
			diags = append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Duplicate object key",
				Detail: fmt.Sprintf("The key %s is already defined in this object.", quote(k.AsString())), Subject: &r})
			continue
		}
		attrs[k.AsString()] = v
	}
	return cty.ObjectVal(attrs), diags
}
