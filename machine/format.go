// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// FormatFile is Format for the file at path. src is its current text.
func FormatFile(path string) (src, formatted []byte, files map[string]*hcl.File, diags hcl.Diagnostics) {
	src, diags = readDescription(path)
	if diags.HasErrors() {
		return nil, nil, map[string]*hcl.File{}, diags
	}
	formatted, files, diags = Format(path, src)
	return src, formatted, files, diags
}

// Format returns a description in the canonical layout of HCL: indented by two
// blanks, equal signs aligned. Only white space changes, and a byte order mark is
// removed. filename appears in diagnostics, which are those of LoadBytes for the
// syntax of the text; the meaning of the text is not checked. The text is nil if
// they contain an error. Callers must not call Format for a name that ends in
// ".json", because JSON has another syntax.
func Format(filename string, src []byte) (formatted []byte, files map[string]*hcl.File, diags hcl.Diagnostics) {
	if IsJSON(filename) {
		panic("machine: Format is for HCL, not for " + filename)
	}
	src = bytes.TrimPrefix(src, byteOrderMark)
	l := newLoader(filename, src)
	if isJSON(filename, src) {
		l.errorAt(rangeOfByte(src, filename, 0), "Not in HCL", "The text is JSON, which has a layout of its own. Use a formatter for JSON, such as jq.")
		return nil, l.files, l.diags
	}
	if l.parse(src) == nil {
		return nil, l.files, tidy(l.diags)
	}
	return hclwrite.Format(src), l.files, tidy(l.diags)
}
