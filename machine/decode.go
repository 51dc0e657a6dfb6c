// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"cmp"
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
	l    *loader
	kind blockType
	*hcl.BodyContent
	ok    bool            // no diagnostics so far: nothing in it is unknown or missing
	wrong map[string]bool // attributes that have been read with an error, or lack a value
}

// header describes a block inside another.
func (t blockType) header() hcl.BlockHeaderSchema {
	h := hcl.BlockHeaderSchema{Type: t.name}
	if t.labelled {
		h.LabelNames = []string{"name"}
	}
	return h
}

// content reads the body of hb. It reports unknown, missing and duplicate items,
// with the legal items and what to write.
func (l *loader) content(hb *hcl.Block) *block { return l.contentOf(typeOf(hb.Type), hb) }

// inner reads the body of a block in b.
func (b *block) inner(hb *hcl.Block) *block { return b.l.contentOf(b.kind.inner(hb.Type), hb) }

func (l *loader) contentOf(t blockType, hb *hcl.Block) *block {
	schema := &hcl.BodySchema{}
	for _, a := range t.attributes {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: a.name}) // required ones are reported below, at a better place
	}
	for _, name := range t.blocks {
		schema.Blocks = append(schema.Blocks, t.inner(name).header())
	}
	c, diags := hb.Body.Content(schema)
	l.add(explained(diags, t))
	b := &block{l: l, kind: t, BodyContent: c, ok: !diags.HasErrors(), wrong: map[string]bool{}}
	for _, a := range t.attributes {
		if a.otherwise != nil || b.given(a.name) {
			continue
		}
		b.ok = false
		if !mentions(diags, fmt.Sprintf("Did you mean %q?", a.name)) {
			l.errorAt(hb.DefRange, "Missing "+a.name, "This %s block needs %s: %s.", hb.Type, a.name, a.advice())
		}
	}
	b.checkEither(hb, diags)
	for _, name := range t.blocks {
		if all := c.Blocks.OfType(name); t.inner(name).single && len(all) > 1 {
			for _, other := range all[1:] {
				l.errorAt(other.DefRange, "Duplicate "+name+" block",
					"Only one %s block is allowed here; the first is on line %d, column %d. Remove one of them.",
					name, all[0].DefRange.Start.Line, all[0].DefRange.Start.Column)
			}
		}
	}
	return b
}

// attribute is a row of the table of the block.
func (t blockType) attribute(name string) attribute {
	return t.attributes[slices.IndexFunc(t.attributes, func(a attribute) bool { return a.name == name })]
}

// advice says what to write in a block without the attribute.
func (a attribute) advice() string {
	text := fmt.Sprintf("add a line %s = VALUE", a.name)
	if c, ok := a.kind.(choice); ok {
		text += ", where VALUE is " + listed(c.names)
	}
	return text
}

// checkEither reports if the block has none of the attributes of which it needs exactly one, or several of them.
func (b *block) checkEither(hb *hcl.Block, diags hcl.Diagnostics) {
	var given []string
	for _, name := range b.kind.either {
		if mentions(diags, fmt.Sprintf("Did you mean %q?", name)) {
			return
		}
		if b.given(name) {
			given = append(given, name)
		}
	}
	switch needed := strings.Join(b.kind.either, " or "); {
	case len(given) > 1:
		b.l.errorAt(b.Attributes[given[1]].NameRange, given[1]+" beside "+given[0],
			"%s is on line %d, and this block needs %s: remove one of the lines.", given[0], b.at(given[0]).Start.Line, needed)
	case len(given) == 0 && b.kind.either != nil:
		b.ok = false
		b.l.errorAt(hb.DefRange, "Missing "+needed, "This %s block needs %s: %s, or a line %s.", hb.Type, needed,
			b.kind.attribute(b.kind.either[0]).advice(), b.kind.either[1]+" = [VALUE, ..]")
	}
}

// first returns the first block of a type, nil if there is none.
func (b *block) first(blockType string) *hcl.Block {
	if all := b.Blocks.OfType(blockType); len(all) > 0 {
		return all[0]
	}
	return nil
}

// options reads the only block of a type, or the defaults if there is none. A missing block is as ok as b,
// because a mistake in b may have hidden it.
func (b *block) options(blockType string) *block {
	if hb := b.first(blockType); hb != nil {
		return b.l.content(hb)
	}
	c := b.l.content(empty(blockType))
	c.ok = b.ok
	return c
}

// empty is a block without content.
func empty(blockType string) *hcl.Block {
	return &hcl.Block{Type: blockType, Body: hcl.EmptyBody()}
}

// explained adds the legal names and labels to HCL's messages about unknown
// names and missing labels.
func explained(diags hcl.Diagnostics, t blockType) hcl.Diagnostics {
	var arguments []string
	for _, a := range t.attributes {
		arguments = append(arguments, a.name)
	}
	for _, d := range diags {
		switch {
		case strings.Contains(d.Detail, "Did you mean to define"): // a block as an argument, or the reverse
		case d.Summary == "Unsupported argument":
			d.Detail = corrected(d.Detail, arguments, legalHere(arguments, t.blocks))
		case d.Summary == "Unsupported block type":
			legal := legalHere(nil, t.blocks)
			if len(t.blocks) == 0 {
				legal = " No block is legal here, only the arguments " + strings.Join(arguments, ", ") + "."
			}
			d.Detail = corrected(d.Detail, t.blocks, legal)
		case d.Summary == "Extraneous JSON object property":
			d.Detail = corrected(d.Detail, slices.Concat(arguments, t.blocks), legalHere(arguments, t.blocks))
		case strings.HasPrefix(d.Summary, "Missing name for "), strings.HasPrefix(d.Summary, "Extraneous label for "):
			blockType := d.Summary[strings.LastIndexByte(d.Summary, ' ')+1:]
			a := "A"
			if strings.ContainsRune("aeiou", rune(blockType[0])) {
				a = "An"
			}
			d.Detail = fmt.Sprintf("%s %s block has no name: write %s {", a, blockType, blockType)
			if slices.Contains(t.blocks, blockType) && t.inner(blockType).labelled {
				d.Detail = fmt.Sprintf("%s %s block has one name: write %s \"NAME\" {", a, blockType, blockType)
			}
		}
	}
	return diags
}

// corrected replaces HCL's suggestion for the name that a sentence quotes by one of the
// candidates, or by what is legal if none of them is close.
func corrected(detail string, candidates []string, legal string) string {
	detail, _, _ = strings.Cut(detail, " Did you mean ")
	_, rest, _ := strings.Cut(detail, `"`)
	given, _, _ := strings.Cut(rest, `"`)
	return detail + cmp.Or(didYouMean(given, candidates), legal)
}

// legalHere lists what a block may contain.
func legalHere(arguments, blocks []string) string {
	inside := "the blocks " + strings.Join(blocks, ", ")
	if len(blocks) == 1 {
		inside = "the block " + blocks[0]
	}
	switch {
	case len(blocks) == 0:
		return " Legal here: " + strings.Join(arguments, ", ") + "."
	case len(arguments) == 0:
		return " Legal here: " + inside + "."
	}
	return " Legal here: " + strings.Join(arguments, ", ") + ", and " + inside + "."
}

// narrower gives, by attribute, kinds that are narrower in this machine than in the table. Each is called when the rows above
// have been read; nil stands for the kind of the table.
type narrower map[string]func() kind

// decode reads the attributes that are bound to a struct, in the order of the table, and sets its fields.
func (b *block) decode(target any, narrow narrower) {
	for _, row := range b.kind.attributes {
		if !row.bind.of(target) {
			continue
		}
		if kindOf := narrow[row.name]; kindOf != nil {
			if k := kindOf(); k != nil {
				row.kind = k
			}
		}
		value, ok := b.read(row, target)
		if value != nil {
			row.bind.set(target, value)
		}
		b.wrong[row.name] = !ok
	}
	for _, row := range b.kind.attributes {
		if row.bind.of(target) && !row.when.holds(target) {
			row.bind.clear(target)
		}
	}
}

// read returns the value of an attribute of the struct, or its default. A nil value leaves the field as it is.
func (b *block) read(row attribute, target any) (value any, ok bool) {
	if b.given(row.name) {
		v, e, ok := b.value(row.name)
		if !ok {
			return nil, false
		}
		return row.kind.read(b.l, row.name, v, e)
	}
	switch otherwise := row.otherwise.(type) {
	case nil:
		return nil, false
	case words:
		return nil, true
	case dependent:
		return otherwise.value(b.l.m, target), true
	case int:
		return int64(otherwise), true
	case []int:
		return slices.Clone(otherwise), true
	default:
		return otherwise, true
	}
}

// right reports whether an attribute that decode has read has a value without an error.
func (b *block) right(name string) bool { return !b.wrong[name] }

// at is the place of the value of an attribute, if the block has it.
func (b *block) at(name string) hcl.Range {
	if a := b.Attributes[name]; a != nil {
		return a.Expr.Range()
	}
	return hcl.Range{}
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

// given reports whether the block has an attribute, right or wrong.
func (b *block) given(name string) bool { return b.Attributes[name] != nil }

// without reports the attributes whose condition is not met. detail explains it.
func (b *block) without(c *condition, detail func(name string) string) {
	for _, row := range b.kind.attributes {
		if a := b.Attributes[row.name]; a != nil && row.when == c {
			b.l.errorAt(a.NameRange, row.name+" without "+c.needs, "%s", detail(row.name))
		}
	}
}

func (r bounds) read(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	n, ok := l.integer(v, e.Range(), name, r)
	if !ok {
		return nil, false
	}
	return n, true
}

func (a among) read(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	f, ok := l.number(v, e.Range(), name, a.String())
	if !ok {
		return nil, false
	}
	n, exact := f.Int64()
	if exact != big.Exact || !slices.Contains(a.numbers, n) {
		l.errorAt(e.Range(), name+" is out of range", "%s is %s, but %s: give %s.", name, showNumber(f), a.why, a)
		return nil, false
	}
	return n, true
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

// inWords is the type of a value in words, with its article.
func inWords(t cty.Type) string {
	switch {
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		return "a list"
	case t.IsObjectType() || t.IsMapType():
		return "an object"
	}
	return "a " + t.FriendlyName()
}

// counted is a number of things in words.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// number checks that a value is a number. wanted describes the legal numbers in an error.
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
		l.errorAt(at, "Wrong type for "+what, "%s must be %s, but this is %s.%s", what, wanted, inWords(v.Type()), hint)
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

func (r interval) read(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	f, ok := l.number(v, e.Range(), name, r.String())
	if !ok {
		return nil, false
	}
	if !r.contains(f) {
		l.errorAt(e.Range(), name+" is out of range", "%s is %s: give %s.", name, showNumber(f), r)
		return nil, false
	}
	x, _ := f.Float64()
	return x, true
}

func (truth) read(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	if v.Type() != cty.Bool {
		hint := ""
		if v.Type() == cty.String {
			hint = " Write it without quotes."
		}
		l.errorAt(e.Range(), "Wrong type for "+name, "%s must be true or false, but this is %s.%s", name, inWords(v.Type()), hint)
		return nil, false
	}
	return v.True(), true
}

func (c choice) read(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	legal := c.names
	if v.Type() != cty.String {
		l.errorAt(e.Range(), "Wrong type for "+name, "%s must be %s, but this is %s.", name, listed(legal), inWords(v.Type()))
		return nil, false
	}
	s := v.AsString()
	if !slices.Contains(legal, s) {
		l.errorAt(e.Range(), "Unknown "+name, "%s is %s: give %s.%s", name, quote(s), listed(legal), didYouMean(s, legal))
		return nil, false
	}
	return s, true
}

// element is a member of a list, with its range in the source as exactly as possible.
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
		l.errorAt(at, "Wrong type for "+what, "%s must be %s, but this is %s.", what, wanted, inWords(t))
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

// names checks the labels of blocks of one type: each an identifier, none twice. With
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
