// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// errorAt records an error about the source at r.
func (l *loader) errorAt(r hcl.Range, summary, format string, args ...any) {
	l.diags = append(l.diags, &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  summary,
		Detail:   fmt.Sprintf(format, args...),
		Subject:  &r,
	})
}

// add records diagnostics of the HCL library, except those that follow from an
// earlier error.
func (l *loader) add(diags hcl.Diagnostics) {
	for _, d := range diags {
		if _, ok := d.Extra.(followUp); ok && l.diags.HasErrors() {
			continue
		}
		// cty turns a panic in a function, such as that of log(-1, 2), into a stack trace
		if call, _, panicked := strings.Cut(d.Detail, "panic in function implementation"); panicked {
			d.Detail = call + "the function is not defined for these arguments."
		}
		l.diags = append(l.diags, explainedName(d))
	}
}

// explainedName replaces HCL's message about a name without a value.
func explainedName(d *hcl.Diagnostic) *hcl.Diagnostic {
	at, ok := d.Expression.(*hclsyntax.ScopeTraversalExpr)
	if !ok {
		return d
	}
	name := at.Traversal.RootName()
	switch d.Summary {
	case "Unknown variable":
		d.Summary = "Unknown name"
		d.Detail = fmt.Sprintf("There is no %s: references begin with var. or local., and strings are in quotes.%s", quote(name), didYouMean(name, []string{"local", "var"}))
	case "Variables not allowed":
		d.Detail = fmt.Sprintf("%s is a reference, and none is allowed here; strings are in quotes.", quote(name))
	}
	return d
}

// tidy sorts diagnostics by position, drops repetitions (the same mistake seen
// in every block that a dynamic block makes), removes unprintable characters
// and limits their number.
func tidy(diags hcl.Diagnostics) hcl.Diagnostics {
	type key struct {
		start           hcl.Pos
		summary, detail string
	}
	seen := map[key]bool{}
	mistyped := map[hcl.Pos]bool{} // JSON values of a wrong type: a missing label only follows from that
	for _, d := range diags {
		if d.Summary == "Incorrect JSON value type" && d.Subject != nil {
			mistyped[d.Subject.Start] = true
		}
	}
	var out hcl.Diagnostics
	for _, d := range diags {
		if d.Summary == "Missing block label" && d.Subject != nil && mistyped[d.Subject.Start] {
			continue
		}
		d.Summary, d.Detail = printable(d.Summary), printable(d.Detail)
		k := key{summary: d.Summary, detail: d.Detail}
		if d.Subject != nil {
			k.start = d.Subject.Start
		}
		if !seen[k] {
			seen[k] = true
			out = append(out, d)
		}
	}
	// Those about --var come first: they have their own file name, which
	// starts with "--", and those without a position before all others.
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i].Subject, out[j].Subject
		switch {
		case a == nil || b == nil:
			return a == nil && b != nil
		case a.Filename != b.Filename:
			_, av := VariableOf(a.Filename)
			_, bv := VariableOf(b.Filename)
			if av != bv {
				return av
			}
			return a.Filename < b.Filename
		case a.Start.Byte != b.Start.Byte:
			return a.Start.Byte < b.Start.Byte
		}
		return out[i].Summary+out[i].Detail < out[j].Summary+out[j].Detail
	})
	if more := len(out) - MaxDiagnostics; more > 0 {
		severity := hcl.DiagWarning
		for _, d := range out[MaxDiagnostics:] {
			if d.Severity == hcl.DiagError {
				severity = hcl.DiagError
			}
		}
		out = append(out[:MaxDiagnostics:MaxDiagnostics], &hcl.Diagnostic{
			Severity: severity,
			Summary:  "Too many messages",
			Detail:   fmt.Sprintf("%d more are not shown. Fix the errors above first.", more),
		})
	}
	return out
}

// rangeOfByte is the range of the character at offset i of src, or an empty
// one at the end.
func rangeOfByte(src []byte, filename string, i int) hcl.Range {
	before := src[:i]
	line := bytes.Count(before, []byte{'\n'}) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	start := hcl.Pos{Line: line, Column: column, Byte: i}
	end := start
	if i < len(src) {
		_, n := utf8.DecodeRune(src[i:])
		end.Byte, end.Column = i+n, column+1
	}
	return hcl.Range{Filename: filename, Start: start, End: end}
}

// masked returns src with every byte of a character that must not reach a
// terminal, such as an escape or a change of writing direction, replaced by a
// question mark. Offsets stay the same.
func masked(src []byte) []byte {
	out := bytes.Clone(src)
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		switch {
		case r == '\r' && i+1 < len(src) && src[i+1] == '\n':
			out[i] = ' ' // half of a line end
		case r == '\n' || r == '\t' || unicode.IsPrint(r) && !(r == utf8.RuneError && n <= 1):
		default:
			for j := i; j < i+n; j++ {
				out[j] = '?'
			}
		}
		i += n
	}
	return out
}

// printable escapes all characters except printable ones and line ends, and
// shortens very long text.
func printable(s string) string {
	const longest = 2000
	var b strings.Builder
	for i, r := range s {
		if i > longest {
			b.WriteString("...")
			break
		}
		if r == '\n' || unicode.IsPrint(r) && r != utf8.RuneError {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}

// quote shows text from a description: in quotes, unprintable characters
// escaped, at most 40 characters of it.
func quote(s string) string {
	const longest = 40
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "..."
	}
	return strconv.Quote(s)
}

// quotePath shows a file name.
func quotePath(s string) string { return printable(s) }

// didYouMean returns a sentence with the candidate that given abbreviates, else the one closest to it, or "" if
// none is close: it may differ in a third of the letters of the shorter name, and in one at least.
func didYouMean(given string, candidates []string) string {
	if len(given) > MaxNameLength {
		return ""
	}
	given = strings.ToLower(given)
	best, bestDistance := "", 0
	for _, c := range candidates {
		if len(given) > 1 && len(given) < len(c) && strings.HasPrefix(c, given) {
			return fmt.Sprintf(" Did you mean %q?", c)
		}
		d := levenshtein.Distance(given, c, nil)
		if swapped(given, c) {
			d = 1
		}
		if best == "" || d < bestDistance || d == bestDistance && sameStart(given, c) > sameStart(given, best) {
			best, bestDistance = c, d
		}
	}
	if best == "" || bestDistance > max(1, min(len(given), len(best))/3) || bestDistance >= len(best) {
		return ""
	}
	return fmt.Sprintf(" Did you mean %q?", best)
}

// swapped reports whether two names differ in the order of two letters beside each other.
func swapped(a, b string) bool {
	i := sameStart(a, b)
	return len(a) == len(b) && i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// sameStart returns the length in bytes of the common prefix of two names.
func sameStart(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// listed joins quoted names: "a", "b" or "c".
func listed(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	return either(quoted)
}

// either joins texts with "or".
func either(texts []string) string {
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}
