// SPDX-License-Identifier: Apache-2.0

package svg

import (
	"encoding/xml"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNumbersAreShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", -0.001: "0", 1: "1", 100: "100", 1.5: "1.5", 2.345: "2.35", -3.10: "-3.1"} {
		assert.Equal(t, want, N(v))
	}
}

func TestHostileTextsStayTexts(t *testing.T) {
	const hostile = "a<b>&\"'\x01\xff</svg>"
	p := New(10, 20, hostile, hostile)
	p.Text(Point{1, 2}, Middle, `font-size="10"`, hostile)
	p.Text(Point{1, 2}, End, "", hostile)
	var doc struct {
		Title string   `xml:"title"`
		Desc  string   `xml:"desc"`
		Text  []string `xml:"text"`
	}
	require.NoError(t, xml.Unmarshal(p.Bytes(), &doc))
	const plain = "a<b>&\"'\ufffd\ufffd</svg>"
	assert.Equal(t, plain, doc.Title)
	assert.Equal(t, plain, doc.Desc)
	assert.Equal(t, []string{plain, plain}, doc.Text)
}
