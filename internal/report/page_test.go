// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// The loader refuses names that could break out of the page; the page does not rely on it.
func TestNamesAreTextInThePage(t *testing.T) {
	const evil = `</script></title><script>evil()</script>"'><img src=x onerror=evil()>{{.}}<!--`
	m, _, diags := machine.LoadBytes("ring.hcl", []byte("machine \"ring\" {\n  dimension \"x\" {\n    m   = 5\n    rho = 1\n  }\n}\n"), nil)
	require.False(t, diags.HasErrors(), diags.Error())
	p := plan.New(m)
	p.Name, p.RouterModule, p.NetworkModule = evil, evil, evil
	for i := range p.Dims {
		p.Dims[i].Name = evil
	}
	v, err := newPageView(p, nil)
	require.NoError(t, err)
	v.Header = ""
	var b bytes.Buffer
	require.NoError(t, pageTemplate.Execute(&b, v))
	page := b.String()
	assert.NotContains(t, page, "<img")
	assert.NotContains(t, page, "<script>evil")
	assert.Equal(t, 2, strings.Count(page, "<script"))
	assert.Equal(t, 2, strings.Count(page, "</script>"))
	assert.GreaterOrEqual(t, strings.Count(page, "&lt;img"), 3)
	assert.Contains(t, page, `\u003cimg`, "in the data of the script")
}

func TestPageTellsTheOptionsOfMessages(t *testing.T) {
	page := func(message string) string {
		m, _, diags := machine.LoadBytes("ring.hcl", []byte("machine \"ring\" {\n  dimension \"x\" {\n    m   = 5\n    rho = 1\n  }\n  message {\n"+message+"\n  }\n}\n"), nil)
		require.False(t, diags.HasErrors(), diags.Error())
		v, err := newPageView(plan.New(m), nil)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, pageTemplate.Execute(&b, v))
		return b.String()
	}
	with := page("destination = true\nlast = true")
	assert.Contains(t, with, "every broadcast takes 2 steps. A message to one node takes its distance, on average 1.5.")
	for _, text := range []string{"tdest of 4 bits", "tlast", "spread 1, last 1, payload 32"} {
		assert.Contains(t, with, text)
	}
	without := page("")
	for _, text := range []string{"A message to one node", "tdest", "tlast", "spread"} {
		assert.NotContains(t, without, text)
	}
}

// Only a machine with registers on links has columns about them.
func TestPageHasTheLinksOfDimensions(t *testing.T) {
	page := func(link string) string {
		m, _, diags := machine.LoadBytes("torus.hcl", []byte("machine \"torus\" {\n  dimension \"x\" {\n    m   = 5\n    rho = 1\n  }\n  dimension \"y\" {\n    m   = 3\n    rho = 1\n"+link+"  }\n}\n"), nil)
		require.False(t, diags.HasErrors(), diags.Error())
		v, err := newPageView(plan.New(m), nil)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, pageTemplate.Execute(&b, v))
		return b.String()
	}
	with := page("link {\n  kind = \"wires\"\n  registers = 1\n}\n")
	for _, text := range []string{
		`<th scope="col">degree</th><th scope="col">registers</th><th scope="col" class="name">queue</th><th scope="col">places</th></tr>`,
		`<td>2</td><td>0</td><td class="name">wire</td><td>0</td></tr>`,
		`<td>2</td><td>1</td><td class="name">slices</td><td>2</td></tr>`,
		"2 (pace of 3 bits)",
	} {
		assert.Contains(t, with, text)
	}
	assert.Contains(t, page("link {\n  kind = \"clocks\"\n}\n"), `<td>2</td><td>-</td><td class="name">clocks</td><td>16</td></tr>`)
	without := page("")
	for _, text := range []string{">registers<", "wire</td>", "(pace of"} {
		assert.NotContains(t, without, text)
	}
}
