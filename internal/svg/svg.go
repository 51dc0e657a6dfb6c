// SPDX-License-Identifier: Apache-2.0

// Package svg writes pictures as SVG: numbers are short and the same on every
// machine, texts are escaped, and every picture has a title, a description and a
// white background of its own, so that it looks the same in light and dark viewers.
package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Font sizes in pixels.
const (
	Heading = 16.0
	Body    = 12.0
	Small   = 10.0
)

// TextWidth estimates the width of a text in pixels. The estimate is on the wide side: it assumes DejaVu
// Sans, which is wider than most fonts that viewers use for sans-serif.
func TextWidth(text string, size float64) float64 {
	width := 0.0
	for _, r := range text {
		switch {
		case strings.ContainsRune("mwMW@%", r) || r > unicode.MaxLatin1:
			width += 1
		case unicode.IsUpper(r) || strings.ContainsRune("+=<>~^#&", r):
			width += 0.84
		default:
			width += 0.64
		}
	}
	return size * width
}

// Point is a place in a picture, in pixels from its upper left corner.
type Point struct{ X, Y float64 }

// Anchor is the end of a text that is at its point.
type Anchor string

// Anchors of texts.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// Picture is a picture under construction.
type Picture struct {
	body bytes.Buffer
	head string
}

// New begins a picture of the given size. Screen readers announce the title and read the
// description.
func New(width, height float64, title, description string) *Picture {
	w, h := N(math.Ceil(width)), N(math.Ceil(height))
	return &Picture{head: fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" font-family="sans-serif" font-size="%s" role="img" aria-labelledby="title desc">
<title id="title">%s</title>
<desc id="desc">%s</desc>
<rect width="%s" height="%s" fill="#ffffff"/>
`, w, h, w, h, N(Body), Escape(title), Escape(description), w, h)}
}

// Fragment begins a picture within a page, by its own <svg> element.
func Fragment(format string, values ...any) *Picture {
	return &Picture{head: fmt.Sprintf(format, values...) + "\n"}
}

// Bytes returns the whole picture.
func (p *Picture) Bytes() []byte {
	return []byte(p.head + p.body.String() + "</svg>\n")
}

// Add adds a line of markup. Texts in it must be escaped.
func (p *Picture) Add(format string, values ...any) {
	fmt.Fprintf(&p.body, format, values...)
	p.body.WriteByte('\n')
}

// Text adds a text; attributes, such as font-size="10", may be empty.
func (p *Picture) Text(at Point, anchor Anchor, attributes, text string) {
	if attributes != "" {
		attributes = " " + attributes
	}
	p.Add(`<text x="%s" y="%s" text-anchor="%s"%s>%s</text>`, N(at.X), N(at.Y), anchor, attributes, Escape(text))
}

// N writes a number of pixels with up to two decimals.
func N(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

// XY writes a point for a path.
func XY(at Point) string { return N(at.X) + " " + N(at.Y) }

// Escape writes a text as character data of XML. Characters that XML cannot hold become U+FFFD.
func Escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder never fails
	return b.String()
}
