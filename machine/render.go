// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// WriteDiagnostics writes each diagnostic with file, line and column, the
// source line with the place marked, and what to do:
//
//	error: rho is out of range
//	  on ring.hcl:4:11, in machine "ring"
//	  4 |     rho = 5
//	    |           ^
//	  rho is 5, but ...
//
// prefix comes before "error:" and "warning:"; it may be empty. The result
// contains no control characters and no more than 160 characters of a source
// line. It returns the first error of w.
func WriteDiagnostics(w io.Writer, prefix string, files map[string]*hcl.File, diags hcl.Diagnostics) error {
	var b bytes.Buffer
	for _, d := range diags {
		severity := "error"
		if d.Severity == hcl.DiagWarning {
			severity = "warning"
		}
		fmt.Fprintf(&b, "%s%s: %s\n", prefix, severity, uncapitalized(printable(d.Summary)))
		if d.Subject != nil {
			writeSource(&b, files[d.Subject.Filename], *d.Subject)
		}
		for _, line := range strings.Split(printable(d.Detail), "\n") {
			if line != "" {
				fmt.Fprintf(&b, "  %s\n", line)
			}
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// uncapitalized makes the first letter small, unless it begins an
// abbreviation.
func uncapitalized(s string) string {
	r := []rune(s)
	if len(r) > 1 && unicode.IsUpper(r[0]) && unicode.IsLower(r[1]) {
		r[0] = unicode.ToLower(r[0])
	}
	return string(r)
}

// writeSource writes the position and, if the text is at hand, the line.
func writeSource(b *bytes.Buffer, file *hcl.File, r hcl.Range) {
	fmt.Fprintf(b, "  on %s:%d:%d", printable(r.Filename), r.Start.Line, r.Start.Column)
	if file == nil || r.Start.Byte > len(file.Bytes) || r.Start.Byte < 0 {
		b.WriteByte('\n')
		return
	}
	if nav, ok := file.Nav.(interface{ ContextString(int) string }); ok {
		if where := nav.ContextString(r.Start.Byte); where != "" {
			fmt.Fprintf(b, ", in %s", printable(where))
		}
	}
	b.WriteByte('\n')

	src := masked(file.Bytes)
	first := bytes.LastIndexByte(src[:r.Start.Byte], '\n') + 1
	last := len(src)
	if i := bytes.IndexByte(src[r.Start.Byte:], '\n'); i >= 0 {
		last = r.Start.Byte + i
	}
	if len(bytes.TrimSpace(src[first:last])) == 0 {
		return // an empty line shows nothing
	}
	end := min(max(r.End.Byte, r.Start.Byte), last)
	before := []rune(string(src[first:r.Start.Byte]))
	marked := []rune(string(src[r.Start.Byte:end]))
	after := []rune(strings.TrimRight(string(src[end:last]), " "))

	const longest = 160
	cutLeft, cutRight := "", ""
	if n := len(before) + len(marked) + len(after); n > longest {
		if len(marked) > longest/2 {
			after = append(marked[longest/2:len(marked):len(marked)], after...)
			marked = marked[:longest/2]
		}
		if room := longest/2 - len(marked)/2; len(before) > room {
			before, cutLeft = before[len(before)-room:], "..."
		}
		if room := longest - len(before) - len(marked); len(after) > room {
			after, cutRight = after[:room], "..."
		}
	}
	number := fmt.Sprint(r.Start.Line)
	fmt.Fprintf(b, "  %s | %s%s%s%s%s\n", number, cutLeft, string(before), string(marked), string(after), cutRight)
	fmt.Fprintf(b, "  %s | %s%s%s\n", strings.Repeat(" ", len(number)), strings.Repeat(" ", utf8.RuneCountInString(cutLeft)),
		blank(before), strings.Repeat("^", max(1, len(marked))))
}

// blank is white space as wide as text: tabs stay tabs.
func blank(text []rune) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return '\t'
		}
		return ' '
	}, string(text))
}
