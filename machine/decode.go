// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// block is the evaluated content of one block.
type block struct {
	l *loader
	*hcl.BodyContent
	ok       bool           // no diagnostics so far: nothing in it is unknown or missing
	recorded *recordedBlock // nil but to describe the language
}

// required and optional make a schema.
func required(names ...string) []hcl.AttributeSchema { return attributes(true, names) }
func optional(names ...string) []hcl.AttributeSchema { return attributes(false, names) }

func attributes(required bool, names []string) []hcl.AttributeSchema {
	s := make([]hcl.AttributeSchema, len(names))
	for i, n := range names {
		s[i] = hcl.AttributeSchema{Name: n, Required: required}
	}
	return s
}

// content reads the body of hb by its schema. Unknown and missing items are
// reported with what is legal and what to write.
func (l *loader) content(hb *hcl.Block, attrs []hcl.AttributeSchema, blocks ...hcl.BlockHeaderSchema) *block {
	schema := &hcl.BodySchema{Attributes: slices.Clone(attrs), Blocks: blocks}
	for i := range schema.Attributes {
		schema.Attributes[i].Required = false // reported below, at a better place
	}
	c, diags := hb.Body.Content(schema)
	l.add(explained(diags, attrs, blocks))
	b := &block{l: l, BodyContent: c, ok: !diags.HasErrors(), recorded: l.recorder.block(hb.Type, attrs, blocks)}
	for _, a := range attrs {
		if !a.Required || c.Attributes[a.Name] != nil {
			continue
		}
		b.ok = false
		if !mentions(diags, fmt.Sprintf("Did you mean %q?", a.Name)) {
			l.errorAt(hb.DefRange, "Missing "+a.Name, "This %s block needs %s: add a line %s = VALUE.", hb.Type, a.Name, a.Name)
		}
	}
	return b
}

// explained adds to what HCL says about unknown names and missing labels what
// would be right.
func explained(diags hcl.Diagnostics, attrs []hcl.AttributeSchema, blocks []hcl.BlockHeaderSchema) hcl.Diagnostics {
	var legal []string
	for _, a := range attrs {
		legal = append(legal, a.Name)
	}
	for _, b := range blocks {
		legal = append(legal, b.Type)
	}
	for _, d := range diags {
		switch {
		case strings.Contains(d.Detail, "Did you mean"):
		case d.Summary == "Unsupported argument", d.Summary == "Unsupported block type", d.Summary == "Extraneous JSON object property":
			d.Detail += " Legal here: " + strings.Join(legal, ", ") + "."
		case strings.HasPrefix(d.Summary, "Missing name for "), strings.HasPrefix(d.Summary, "Extraneous label for "):
			blockType := d.Summary[strings.LastIndexByte(d.Summary, ' ')+1:]
			d.Detail = fmt.Sprintf("A %s block has no name: write %s {", blockType, blockType)
			for _, b := range blocks {
				if b.Type == blockType && len(b.LabelNames) == 1 {
					d.Detail = fmt.Sprintf("A %s block has one name: write %s \"NAME\" {", blockType, blockType)
				}
			}
		}
	}
	return diags
}

// value evaluates an attribute. ok is false if it is absent or wrong.
func (b *block) value(name string) (v cty.Value, e hcl.Expression, ok bool) {
	a := b.Attributes[name]
	if a == nil {
		return cty.NilVal, nil, false
	}
	v, ok = b.l.eval(a.Expr)
	if ok && v.IsNull() {
		b.l.errorAt(a.Expr.Range(), "Null value", "%s is null. Give a value, or remove the line if it has a default.", name)
		ok = false
	}
	return v, a.Expr, ok
}

// bounds is the legal range of a whole number, with the reasons for its ends.
type bounds struct {
	lo, hi int64
	why    string // completes "n is 1, but ..."; empty: the range speaks for itself
}

func (r bounds) String() string {
	return fmt.Sprintf("a whole number from %d to %d", r.lo, r.hi)
}

// integer reads a whole number. ok is false if it is absent or wrong.
func (b *block) integer(name string, r bounds) (int, bool) {
	b.record(name, accepted{integer: &r})
	v, e, ok := b.value(name)
	if !ok {
		return 0, false
	}
	n, ok := b.l.integer(v, e.Range(), name, r)
	return int(n), ok
}

// integerOr reads a whole number that has a default.
func (b *block) integerOr(name string, r bounds, otherwise int) (int, bool) {
	if b.Attributes[name] == nil {
		b.record(name, accepted{integer: &r, otherwise: otherwise})
		return otherwise, true
	}
	return b.integer(name, r)
}

// integer checks that a value is a whole number within bounds. what names it.
func (l *loader) integer(v cty.Value, at hcl.Range, what string, r bounds) (int64, bool) {
	f, ok := l.number(v, at, what, r.String())
	if !ok {
		return 0, false
	}
	if !f.IsInt() {
		l.errorAt(at, what+" is not a whole number", "%s is %s: give %s.", what, showNumber(f), r)
		return 0, false
	}
	if f.Cmp(new(big.Float).SetInt64(r.lo)) < 0 || f.Cmp(new(big.Float).SetInt64(r.hi)) > 0 {
		why := ""
		if r.why != "" {
			why = ", but " + r.why
		}
		l.errorAt(at, what+" is out of range", "%s is %s%s: give %s.", what, showNumber(f), why, r)
		return 0, false
	}
	n, _ := f.Int64()
	return n, true
}

// number checks that a value is a number. wanted says which, in an error.
func (l *loader) number(v cty.Value, at hcl.Range, what, wanted string) (*big.Float, bool) {
	if v.IsNull() {
		l.errorAt(at, "Null value", "%s is null: give %s.", what, wanted)
		return nil, false
	}
	if v.Type() != cty.Number {
		hint := ""
		if v.Type() == cty.String {
			hint = " Write a number without quotes."
		}
		l.errorAt(at, "Wrong type for "+what, "%s must be %s, but this is a %s.%s", what, wanted, v.Type().FriendlyName(), hint)
		return nil, false
	}
	f := v.AsBigFloat()
	if x, _ := f.Float64(); math.IsInf(x, 0) {
		l.errorAt(at, what+" is infinite", "%s must be %s.", what, wanted)
		return nil, false
	}
	return f, true
}

// showNumber writes a number as short as possible.
func showNumber(f *big.Float) string {
	if f.IsInt() && f.MantExp(nil) <= 64 {
		return f.Text('f', 0)
	}
	x, _ := f.Float64()
	return strconv.FormatFloat(x, 'g', 10, 64)
}

// interval is the legal range of a number, without its ends if they are open.
type interval struct {
	lo, hi         float64
	openLo, openHi bool
}

func (r interval) String() string {
	lo, hi := "from", "to"
	if r.openLo {
		lo = "above"
	}
	if r.openHi {
		hi = "to below"
	}
	return fmt.Sprintf("a number %s %g %s %g", lo, r.lo, hi, r.hi)
}

// contains reports whether the interval holds f, exactly and when rounded: a
// value a hair below an open end must not become that end.
func (r interval) contains(f *big.Float) bool {
	x, _ := f.Float64()
	switch {
	case x < r.lo || x > r.hi || r.openLo && x == r.lo || r.openHi && x == r.hi:
		return false
	}
	return f.Cmp(big.NewFloat(r.lo)) >= 0 && f.Cmp(big.NewFloat(r.hi)) <= 0
}

// real reads a number that has a default.
func (b *block) real(name string, r interval, otherwise float64) float64 {
	b.record(name, accepted{real: &r, otherwise: otherwise})
	if b.Attributes[name] == nil {
		return otherwise
	}
	v, e, ok := b.value(name)
	if !ok {
		return otherwise
	}
	f, ok := b.l.number(v, e.Range(), name, r.String())
	if !ok {
		return otherwise
	}
	if !r.contains(f) {
		b.l.errorAt(e.Range(), name+" is out of range", "%s is %s: give %s.", name, showNumber(f), r)
		return otherwise
	}
	x, _ := f.Float64()
	return x
}

// boolean reads a truth value.
func (b *block) boolean(name string, otherwise bool) (value, ok bool) {
	b.record(name, accepted{boolean: true, otherwise: otherwise})
	if b.Attributes[name] == nil {
		return otherwise, true
	}
	v, e, ok := b.value(name)
	if !ok {
		return false, false
	}
	if v.Type() != cty.Bool {
		hint := ""
		if v.Type() == cty.String {
			hint = " Write it without quotes."
		}
		b.l.errorAt(e.Range(), "Wrong type for "+name, "%s must be true or false, but this is a %s.%s", name, v.Type().FriendlyName(), hint)
		return false, false
	}
	return v.True(), true
}

// oneOf reads a string that must be one of the given ones.
func (b *block) oneOf(name string, legal []string, otherwise string) (string, bool) {
	b.record(name, accepted{oneOf: legal, otherwise: otherwise})
	if b.Attributes[name] == nil {
		return otherwise, true
	}
	v, e, ok := b.value(name)
	if !ok {
		return "", false
	}
	if v.Type() != cty.String {
		b.l.errorAt(e.Range(), "Wrong type for "+name, "%s must be %s, but this is a %s.", name, listed(legal), v.Type().FriendlyName())
		return "", false
	}
	s := v.AsString()
	if !slices.Contains(legal, s) {
		b.l.errorAt(e.Range(), "Unknown "+name, "%s is %s: give %s.%s", name, quote(s), listed(legal), didYouMean(s, legal))
		return "", false
	}
	return s, true
}

// element is one member of a list, with the tightest range that is known.
type element struct {
	value cty.Value
	at    hcl.Range
	expr  hcl.Expression // nil if the list is computed
}

// elements splits a list value. e, which may be nil, is the expression it came
// from: if that is written as a list, each element gets its own range. ok is
// false, after an error, if the value is no list.
func (l *loader) elements(v cty.Value, e hcl.Expression, at hcl.Range, what, wanted string) ([]element, bool) {
	if v.IsNull() {
		l.errorAt(at, "Null value", "%s is null: give %s.", what, wanted)
		return nil, false
	}
	if t := v.Type(); !t.IsTupleType() && !t.IsListType() {
		l.errorAt(at, "Wrong type for "+what, "%s must be %s, but this is a %s.", what, wanted, t.FriendlyName())
		return nil, false
	}
	var exprs []hcl.Expression
	if e != nil {
		exprs, _ = hcl.ExprList(e) // an error means that it is computed
	}
	list := make([]element, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		_, x := it.Element()
		item := element{value: x, at: at}
		if i := len(list); len(exprs) == v.LengthInt() {
			item.expr, item.at = exprs[i], exprs[i].Range()
		}
		list = append(list, item)
	}
	return list, true
}

// single returns the only block of a type; others are reported. It returns nil
// if there is none.
func (b *block) single(blockType string) *hcl.Block {
	if b.recorded != nil {
		b.recorded.single[blockType] = true
	}
	all := b.Blocks.OfType(blockType)
	if len(all) == 0 {
		return nil
	}
	for _, other := range all[1:] {
		b.l.errorAt(other.DefRange, "Duplicate "+blockType+" block",
			"Only one %s block is allowed here; the first is on line %d, column %d. Remove one of them.",
			blockType, all[0].DefRange.Start.Line, all[0].DefRange.Start.Column)
	}
	return all[0]
}

// names checks the labels of like blocks: each an identifier, none twice. With
// files set, labels become file names and must differ in more than case.
type names struct {
	l     *loader
	what  string
	files bool
	first map[string]firstUse
}

type firstUse struct {
	name string
	at   hcl.Range
}

func (l *loader) names(what string, files bool) *names {
	return &names{l: l, what: what, files: files, first: map[string]firstUse{}}
}

// take returns the label of a block and whether it can be used.
func (n *names) take(b *hcl.Block) (string, bool) {
	name, at := b.Labels[0], b.LabelRanges[0]
	if !n.l.identifier(n.what, name, at) {
		return name, false
	}
	key := name
	if n.files {
		key = strings.ToLower(name)
	}
	first, taken := n.first[key]
	if !taken {
		n.first[key] = firstUse{name, at}
		return name, true
	}
	if first.name == name {
		n.l.errorAt(at, "Duplicate "+n.what, "The %s %q is already defined on line %d, column %d: give this one another name.",
			n.what, name, first.at.Start.Line, first.at.Start.Column)
	} else {
		n.l.errorAt(at, "Duplicate "+n.what, "The names of %s blocks become file names, and %q differs only in case from %q on line %d, column %d: give this one another name.",
			n.what, name, first.name, first.at.Start.Line, first.at.Start.Column)
	}
	return name, false
}
