// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// Field is a part of the word that a link carries.
type Field struct {
	Name string
	Bits int
}

// Names of the fields of a link.
const (
	FieldWd      = "wd"
	FieldWc      = "wc"
	FieldSpread  = "spread"
	FieldRoute   = "route"
	FieldScope   = "scope"
	FieldLast    = "last"
	FieldSource  = "source"
	FieldPayload = "payload"
)

// Fields are the parts of a word, highest first.
type Fields []Field

// Bits is the width of the word.
func (f Fields) Bits() (bits int) {
	for _, field := range f {
		bits += field.Bits
	}
	return bits
}

// Low is the lowest bit of the named field, which must be one of the word.
func (f Fields) Low(name string) int {
	return f[slices.IndexFunc(f, func(g Field) bool { return g.Name == name })+1:].Bits()
}

// LinkFields lists what a link carries: the header, which is wd, wc and the destination, and the
// body.
func (p *Plan) LinkFields() Fields {
	fields := Fields{{FieldWd, p.WdBits}, {FieldWc, p.WcBits}}
	if p.Destination != nil {
		fields = append(fields, Field{FieldSpread, 1})
		if p.Destination.RouteBits > 0 {
			fields = append(fields, Field{FieldRoute, p.Destination.RouteBits})
		}
	}
	return append(fields, p.BodyFields()...)
}

// BodyFields lists what lies below the header. Routers pass it on as it is.
func (p *Plan) BodyFields() (fields Fields) {
	if p.ScopeBits > 0 {
		fields = append(fields, Field{FieldScope, p.ScopeBits})
	}
	if p.LastBits > 0 {
		fields = append(fields, Field{FieldLast, p.LastBits})
	}
	if p.SourceBits > 0 {
		fields = append(fields, Field{FieldSource, p.SourceBits})
	}
	return append(fields, Field{FieldPayload, p.PayloadBits})
}

// HeaderBits is the width of the header.
func (p *Plan) HeaderBits() int { return p.LinkFields().Bits() - p.BodyBits() }

// RouteBelow is the width of the fields of the destination in dimensions below i, 1..r.
func (p *Plan) RouteBelow(i int) int {
	if p.Destination == nil {
		return 0
	}
	return p.Destination.Fields[i-1].RouteLow
}

// CarriedBits is the width of what messages of dimension i, 1..r, carry below wc: of the destination
// spread and the fields of lower dimensions, and the body.
func (p *Plan) CarriedBits(i int) int {
	if p.Destination == nil {
		return p.BodyBits()
	}
	return 1 + p.RouteBelow(i) + p.BodyBits()
}

// WordBits is the width of a word without its wd.
func (p *Plan) WordBits() int { return p.WcBits + p.BodyBits() }

// BodyBits is the width of the body.
func (p *Plan) BodyBits() int { return p.BodyFields().Bits() }
