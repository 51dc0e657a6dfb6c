// SPDX-License-Identifier: Apache-2.0

package prefix

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/artifact"
)

func TestPrefixIsPutBeforeWholeWords(t *testing.T) {
	for text, want := range map[string]string{
		"hc_pace #(":                          "m_hc_pace #(",
		"rtl/hc_pace.v rtl/hc_ring_port.v":    "rtl/m_hc_pace.v rtl/m_hc_ring_port.v",
		"hc_prove_pace.v":                     "m_hc_prove_pace.v",
		"hc_pace_DEGREE_must_be_1_or_more x":  "m_hc_pace_DEGREE_must_be_1_or_more x",
		"m_hc_pace other_hc_pace":             "m_hc_pace other_hc_pace",
		"hc_pace_late hc_registers hc_router": "hc_pace_late hc_registers hc_router",
		"namespace hc":                        "namespace hc",
	} {
		assert.Equal(t, want, string(Text("m", []byte(text))), text)
	}
}

// A template writes a word in pieces, and the last line may be incomplete.
func TestPrefixOfATextThatIsWrittenInPieces(t *testing.T) {
	const text = "hc_pace\nhc_link_input hc_group\n\nhc_delivery"
	files := Files("m", []artifact.File{{Path: "rtl/hc_pace.v", Content: func(w io.Writer) error {
		for _, c := range []byte(text) {
			if _, err := w.Write([]byte{c}); err != nil {
				return err
			}
		}
		return nil
	}}})
	assert.Equal(t, "rtl/m_hc_pace.v", files[0].Path)
	var b strings.Builder
	require.NoError(t, files[0].Content(&b))
	assert.Equal(t, "m_hc_pace\nm_hc_link_input m_hc_group\n\nm_hc_delivery", b.String())
}
