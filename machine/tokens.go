// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// checkTokens rejects text that the recursive parser and evaluator of HCL
// could not take without exhausting the stack or the memory: deep nesting,
// endless chains of operators, numbers with enormous exponents.
func checkTokens(tokens hclsyntax.Tokens) hcl.Diagnostics {
	var diags hcl.Diagnostics
	report := func(t hclsyntax.Token, summary, format string, args ...any) {
		r := t.Range
		diags = append(diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary,
			Detail: fmt.Sprintf(format, args...), Subject: &r})
	}
	depth, operators := 0, 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOParen, hclsyntax.TokenOBrack, hclsyntax.TokenOBrace,
			hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			if depth++; depth > maxNesting {
				report(t, "Too deeply nested", "Brackets, blocks and templates may be nested at most %d deep.", maxNesting)
				return diags
			}
		case hclsyntax.TokenCParen, hclsyntax.TokenCBrack, hclsyntax.TokenCBrace,
			hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			depth = max(depth-1, 0)
		case hclsyntax.TokenEqual, hclsyntax.TokenComma:
			operators = 0
		case hclsyntax.TokenNewline:
			if depth == 0 {
				operators = 0
			}
		case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenPlus, hclsyntax.TokenStar, hclsyntax.TokenSlash,
			hclsyntax.TokenPercent, hclsyntax.TokenAnd, hclsyntax.TokenOr, hclsyntax.TokenQuestion, hclsyntax.TokenEqualOp,
			hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThan,
			hclsyntax.TokenGreaterThanEq, hclsyntax.TokenDot:
			if operators++; operators > maxOperators {
				report(t, "Expression too long", "One expression may have at most %d operators: use locals or sum().", maxOperators)
				return diags
			}
		case hclsyntax.TokenNumberLit:
			if exponentTooLarge(string(t.Bytes)) {
				report(t, "Number too large", "The decimal exponent of a number must lie in -%d..%d.", maxExponent, maxExponent)
			}
		}
	}
	return diags
}

// exponentTooLarge reports whether a number literal's exponent is beyond
// maxExponent in either direction, or its digits are as many.
func exponentTooLarge(literal string) bool {
	if len(literal) > maxExponent {
		return true
	}
	i := strings.IndexAny(literal, "eE")
	if i < 0 {
		return false
	}
	e, err := strconv.Atoi(literal[i+1:])
	return err != nil || e > maxExponent || e < -maxExponent
}

// checkJSON is checkTokens for JSON text. The templates in its strings are
// checked when they are parsed.
func checkJSON(src []byte, filename string) hcl.Diagnostics {
	at := func(i int, summary, format string, args ...any) hcl.Diagnostics {
		r := rangeOfByte(src, filename, i)
		return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &r}}
	}
	depth := 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case c == '[' || c == '{':
			if depth++; depth > maxNesting {
				return at(i, "Too deeply nested", "Brackets and braces may be nested at most %d deep.", maxNesting)
			}
		case c == ']' || c == '}':
			depth = max(depth-1, 0)
		case c >= '0' && c <= '9':
			start := i
			for i < len(src) && strings.IndexByte("0123456789.eE+-", src[i]) >= 0 {
				i++
			}
			if exponentTooLarge(string(src[start:i])) {
				return at(start, "Number too large", "The decimal exponent of a number must lie in -%d..%d.", maxExponent, maxExponent)
			}
			i--
		}
	}
	return nil
}
