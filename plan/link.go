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

// LinkFields lists what a link carries: the header and the body.
func (p *Plan) LinkFields() Fields {
	return append(Fields{{FieldWd, p.WdBits}, {FieldWc, p.WcBits}}, p.BodyFields()...)
}

// BodyFields lists what lies below wc. Routers pass it on as it is.
func (p *Plan) BodyFields() Fields {
	if p.SourceBits == 0 {
		return Fields{{FieldPayload, p.PayloadBits}}
	}
	return Fields{{FieldSource, p.SourceBits}, {FieldPayload, p.PayloadBits}}
}

// HeaderBits is the width of wd and wc.
func (p *Plan) HeaderBits() int { return p.WdBits + p.WcBits }

// WordBits is the width of a word without its wd.
func (p *Plan) WordBits() int { return p.WcBits + p.BodyBits() }

// BodyBits is the width of the body.
func (p *Plan) BodyBits() int { return p.BodyFields().Bits() }
