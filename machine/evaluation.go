// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// varPrefix begins the pseudo file name of a value given on the command line.
const varPrefix = "--var "

// VariableOf tells whether a diagnostic's file name stands for a value given on the command
// line, and of which variable. Lines and columns then count in NAME=VALUE.
func VariableOf(filename string) (name string, ok bool) {
	return strings.CutPrefix(filename, varPrefix)
}

var (
	variableSchema = hcl.BlockHeaderSchema{Type: "variable", LabelNames: []string{"name"}}
	localsSchema   = hcl.BlockHeaderSchema{Type: "locals"}
	dynamicSchema  = hcl.BlockHeaderSchema{Type: "dynamic", LabelNames: []string{"type"}}
)

// evalContext evaluates variables and locals and sets l.ctx, in which all
// other expressions are evaluated.
func (l *loader) evalContext(body hcl.Body, vars map[string]string) {
	l.variables, l.locals = map[string]hcl.Range{}, map[string]hcl.Range{}
	l.ctx = &hcl.EvalContext{Functions: l.meter.functions(), Variables: map[string]cty.Value{}}

	content, _, _ := body.PartialContent(&hcl.BodySchema{ // machine() sees the same diagnostics again
		Blocks: []hcl.BlockHeaderSchema{variableSchema, localsSchema, dynamicSchema},
	})
	for _, b := range content.Blocks.OfType("dynamic") {
		if t := b.Labels[0]; t == "variable" || t == "locals" {
			l.errorAt(b.LabelRanges[0], "Not a dynamic block",
				"Blocks of type %q cannot be made by a dynamic block: write them out.", t)
		}
	}
	l.ctx.Variables["var"] = l.evalVariables(content.Blocks.OfType("variable"), vars)
	l.evalLocals(content.Blocks.OfType("locals"))
}

// evalVariables returns the object var.
func (l *loader) evalVariables(blocks hcl.Blocks, given map[string]string) cty.Value {
	values := map[string]cty.Value{}
	for _, b := range blocks {
		name := b.Labels[0]
		if !l.identifier("variable", name, b.LabelRanges[0]) {
			values[name] = cty.DynamicVal
			l.variables[name] = b.LabelRanges[0]
			continue
		}
		if first, ok := l.variables[name]; ok {
			l.errorAt(b.LabelRanges[0], "Duplicate variable",
				"The variable %q is already declared on line %d, column %d: give this one another name.", name, first.Start.Line, first.Start.Column)
			continue
		}
		l.variables[name] = b.LabelRanges[0]
		text, set := given[name]
		v, ok := l.evalVariable(b, name, text, set)
		if !ok {
			v = cty.DynamicVal // an error has been reported; what uses it need not be
		}
		values[name] = v
	}
	var undeclared []string
	for name := range given {
		if _, ok := l.variables[name]; !ok {
			undeclared = append(undeclared, name)
		}
	}
	sort.Strings(undeclared)
	for _, name := range undeclared {
		declared := "The description declares no variables."
		if names := sortedKeys(l.variables); len(names) > 0 {
			declared = "The description declares " + strings.Join(names, ", ") + "."
		}
		l.errorAt(l.commandLine(name, given[name]), "Undeclared variable",
			"There is no variable block %s in %s. %s%s", quote(name), quotePath(l.filename), declared, didYouMean(name, sortedKeys(l.variables)))
	}
	return cty.ObjectVal(values)
}

// commandLine makes the text of a --var flag known as a source, so that
// diagnostics can point into it, and returns its range.
func (l *loader) commandLine(name, text string) hcl.Range {
	file := varPrefix + name
	src := []byte(name + "=" + text)
	l.files[file] = &hcl.File{Bytes: masked(src)}
	r := rangeOfByte(src, file, 0)
	end := rangeOfByte(src, file, len(src))
	r.End = end.End
	return r
}

// evalVariable returns the value of one variable: the one given on the command
// line, else its default.
func (l *loader) evalVariable(b *hcl.Block, name, text string, set bool) (cty.Value, bool) {
	attributes := optional("type", "default", "description")
	l.recorder.block(b.Type, attributes, nil)
	content, diags := b.Body.Content(&hcl.BodySchema{Attributes: attributes})
	l.add(explained(diags, attributes, nil))
	ok := !diags.HasErrors()

	functions := &hcl.EvalContext{Functions: l.ctx.Functions}
	if a := content.Attributes["description"]; a != nil {
		v, d, paid := l.meter.value(a.Expr, nil, functions)
		l.add(d)
		if paid && !d.HasErrors() && (v.IsNull() || v.Type() != cty.String) {
			l.errorAt(a.Expr.Range(), "Wrong type for description", "The description must be a string.")
		}
	}
	want := cty.DynamicPseudoType
	typeAttr := content.Attributes["type"]
	if typeAttr != nil {
		t, d := typeexpr.TypeConstraint(typeAttr.Expr)
		l.add(d)
		if d.HasErrors() {
			return cty.DynamicVal, false
		}
		want = t
	}
	var def cty.Value
	a := content.Attributes["default"]
	if a != nil {
		v, d, paid := l.meter.value(a.Expr, nil, functions)
		l.add(d)
		if d.HasErrors() || !paid {
			return cty.DynamicVal, false
		}
		converted, err := convert.Convert(v, want)
		switch {
		case err != nil:
			l.errorAt(a.Expr.Range(), "Wrong type for default",
				"The default of variable %q is not a %s, its declared type: %s.", name, typeexpr.TypeString(want), err)
			return cty.DynamicVal, false
		case converted.IsNull():
			l.errorAt(a.Expr.Range(), "Null default",
				"The default of variable %q is null. Remove the line to make the variable required, or give a value.", name)
			return cty.DynamicVal, false
		}
		def = converted
		if typeAttr == nil && v.Type().IsPrimitiveType() {
			want = v.Type() // so that --var of a string needs no quotes
		}
	}
	switch {
	case set:
		v, given := l.evalGiven(name, text, want)
		return v, ok && given
	case a == nil:
		l.errorAt(b.LabelRanges[0], "Variable without a value",
			"The variable %q has no default: set it with --var %s=VALUE or give it a default.", name, name)
		return cty.DynamicVal, false
	}
	return def, ok
}

// evalGiven returns the value of --var name=text: the text itself for a
// string, else an HCL expression without references.
func (l *loader) evalGiven(name, text string, want cty.Type) (cty.Value, bool) {
	whole := l.commandLine(name, text)
	if want == cty.String {
		if firstInvalidUTF8([]byte(text)) >= 0 {
			l.errorAt(whole, "Not UTF-8 text", "The value of --var %s is not valid UTF-8.", name)
			return cty.DynamicVal, false
		}
		return cty.StringVal(text), true
	}
	at := whole.Start
	at.Byte, at.Column = len(name)+1, len(name)+2
	fail := func(diags hcl.Diagnostics) (cty.Value, bool) {
		l.errorAt(whole, "Invalid value for a variable",
			"The value of variable %q must be a %s, written as in HCL: %s.", name, typeName(want), strings.TrimSuffix(diags[0].Detail, "."))
		return cty.DynamicVal, false
	}
	tokens, _ := hclsyntax.LexExpression([]byte(text), whole.Filename, at) // its errors are found again by the parser
	if diags := checkTokens(tokens); diags.HasErrors() || len(text) > MaxFileBytes {
		return fail(append(diags, &hcl.Diagnostic{Detail: "it is too long"}))
	}
	expr, diags := hclsyntax.ParseExpression([]byte(text), whole.Filename, at)
	if diags.HasErrors() {
		return fail(diags)
	}
	l.meter.loops(expr)
	v, diags, paid := l.meter.value(expr, nil, nil)
	switch {
	case diags.HasErrors():
		return fail(diags)
	case !paid:
		return cty.DynamicVal, false
	}
	converted, err := convert.Convert(v, want)
	if err != nil {
		return fail(hcl.Diagnostics{{Detail: fmt.Sprintf("%s cannot be used: %s", quote(text), err)}})
	}
	if converted.IsNull() {
		return fail(hcl.Diagnostics{{Detail: "null cannot be used"}})
	}
	return converted, true
}

// typeName is the name of a type in a sentence.
func typeName(t cty.Type) string {
	if t == cty.DynamicPseudoType {
		return "value"
	}
	return typeexpr.TypeString(t)
}

// local is one definition in a locals block.
type local struct {
	attr  *hcl.Attribute
	state int // of the depth-first walk: 0 new, 1 being evaluated, 2 done
}

// evalLocals evaluates the locals in the order in which they depend on each
// other and sets the object local.
func (l *loader) evalLocals(blocks hcl.Blocks) {
	locals := map[string]*local{}
	for _, b := range blocks {
		attrs, diags := b.Body.JustAttributes()
		l.add(diags)
		for _, name := range sortedKeys(attrs) {
			a := attrs[name]
			if first, ok := l.locals[name]; ok {
				l.errorAt(a.NameRange, "Duplicate local value",
					"local.%s is already defined on line %d, column %d: give this one another name.", printable(name), first.Start.Line, first.Start.Column)
				continue
			}
			l.locals[name] = a.NameRange
			locals[name] = &local{attr: a}
		}
	}
	values := map[string]cty.Value{}
	var path []string // of locals being evaluated
	var visit func(name string)
	visit = func(name string) {
		this := locals[name]
		this.state = 1
		path = append(path, name)
		defer func() {
			this.state = 2
			path = path[:len(path)-1]
		}()
		circular, needed := false, map[string]cty.Value{}
		for _, t := range this.attr.Expr.Variables() {
			other := secondStep(t)
			next, ok := locals[other]
			if t.RootName() != "local" || !ok {
				continue
			}
			if next.state == 0 {
				visit(other)
			}
			if next.state == 1 {
				circular = true
				from := 0
				for path[from] != other {
					from++
				}
				cycle := append(append([]string(nil), path[from:]...), other)
				l.errorAt(t.SourceRange(), "Circular local values",
					"A local value may not depend on itself: local.%s.", printable(strings.Join(cycle, " -> local.")))
			}
			needed[other] = values[other]
		}
		v := cty.DynamicVal
		if !circular {
			l.ctx.Variables["local"] = cty.ObjectVal(needed)
			if got, ok := l.eval(this.attr.Expr); ok {
				v = got
			}
		}
		values[name] = v
	}
	for _, name := range sortedKeys(locals) {
		if locals[name].state == 0 {
			visit(name)
		}
	}
	l.ctx.Variables["local"] = cty.ObjectVal(values)
}

// secondStep is the name after the root of a reference, such as x in var.x.
func secondStep(t hcl.Traversal) string {
	if len(t) < 2 {
		return ""
	}
	switch s := t[1].(type) {
	case hcl.TraverseAttr:
		return s.Name
	case hcl.TraverseIndex:
		if s.Key.Type() == cty.String && s.Key.IsKnown() && !s.Key.IsNull() {
			return s.Key.AsString()
		}
	}
	return ""
}

// eval returns the value of an expression. It reports false if there is none,
// after recording why.
func (l *loader) eval(e hcl.Expression) (cty.Value, bool) {
	if !l.referencesExist(e) {
		return cty.DynamicVal, false
	}
	v, diags, paid := l.meter.value(e, e.Variables(), l.ctx)
	l.add(diags)
	if diags.HasErrors() || !paid {
		return cty.DynamicVal, false
	}
	if !v.IsWhollyKnown() {
		if !l.diags.HasErrors() {
			l.errorAt(e.Range(), "Unknown value", "The value of this expression is not known. Write it without try() and can().")
		}
		return cty.DynamicVal, false
	}
	return v, true
}

// referencesExist checks that every var.x and local.x in e is defined.
func (l *loader) referencesExist(e hcl.Expression) bool {
	ok := true
	for _, t := range e.Variables() {
		root := t.RootName()
		defined := l.variables
		switch root {
		case "var":
		case "local":
			defined = l.locals
		default:
			continue
		}
		name := secondStep(t)
		if _, found := defined[name]; found {
			continue
		}
		ok = false
		r := t.SourceRange()
		switch {
		case name == "":
			l.errorAt(r, "Incomplete reference", "Name one value after %q, such as %s.x.", root, root)
		case root == "var":
			l.errorAt(r, "Unknown variable", "There is no variable block %s: declare it, or mend the name.%s", quote(name), didYouMean(name, sortedKeys(defined)))
		default:
			l.errorAt(r, "Unknown local value", "No locals block defines %s.%s", quote(name), didYouMean(name, sortedKeys(defined)))
		}
	}
	return ok
}

// sortedKeys lists the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
