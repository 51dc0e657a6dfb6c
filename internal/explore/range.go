// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"fmt"
	"strconv"
	"strings"
)

// Range is all whole numbers from Low to High, both included.
type Range struct{ Low, High int }

// Has reports whether n is in the range.
func (r Range) Has(n int) bool { return r.Low <= n && n <= r.High }

// String writes the range as ParseRange reads it.
func (r Range) String() string {
	if r.Low == r.High {
		return strconv.Itoa(r.Low)
	}
	return fmt.Sprintf("%d..%d", r.Low, r.High)
}

// ParseRange reads n, a..b, a.. or ..b; an end that is left out is that of within.
// It fails if the text is none of these, if it ends before it begins, or if an end
// lies outside within.
func ParseRange(text string, within Range) (Range, error) {
	r := within
	low, high, two := strings.Cut(text, "..")
	if !two {
		high = low
	}
	// digits only: Atoi would take a sign too
	if low == "" && high == "" || strings.Trim(low+high, "0123456789") != "" {
		return r, fmt.Errorf("%q is not a range", text)
	}
	for _, end := range []struct {
		text string
		to   *int
	}{{low, &r.Low}, {high, &r.High}} {
		if end.text == "" {
			continue
		}
		n, err := strconv.Atoi(end.text)
		if err != nil || !within.Has(n) {
			return r, fmt.Errorf("%s is outside %s", end.text, within)
		}
		*end.to = n
	}
	if r.Low > r.High {
		return r, fmt.Errorf("%s ends before it begins", text)
	}
	return r, nil
}
