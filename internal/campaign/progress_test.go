// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestProgressIsALineAtIntervals(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, "squares", 10, 2, time.Time{})
	p.add(3, 0)
	assert.Empty(t, out.String(), "the interval is not over")
	p.start = time.Now().Add(-time.Minute)
	for _, step := range []struct{ done, failed int }{{4, 1}, {5, 1}, {9, 1}} {
		p.last = time.Now().Add(-interval)
		p.add(step.done, step.failed)
	}
	assert.Equal(t, "squares: 4 of 10 units, 1 without a result, 1m0s, about 2m30s left\nsquares: 5 of 10 units, 1 without a result, 1m0s, about 1m20s left\n", out.String(),
		"nothing follows the last unit")
	p.say("%d more", 3)
	assert.Contains(t, out.String(), "\nsquares: 3 more\n")
}

func TestEstimateEndsWithTheTimeOfTheRun(t *testing.T) {
	p := newProgress(&bytes.Buffer{}, "squares", 1000, 0, time.Now().Add(20*time.Second+400*time.Millisecond))
	p.start = time.Now().Add(-time.Minute)
	p.add(1, 0)
	assert.Equal(t, "squares: 1 of 1000 units, 1m0s, about 20s left", p.String())
}
