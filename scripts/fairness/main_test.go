// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// printed is what the benchmark prints for every load of two machines.
func printed(suffix string) string {
	var b strings.Builder
	b.WriteString("goos: linux\nBenchmarkOverload\n")
	for m, machine := range []string{"4x4", "(6,2)x(5,1)"} {
		for i, l := range loads {
			fmt.Fprintf(&b, "BenchmarkOverload/%s/%s%s \t       1\t         0.%d25 deliveries\t         0.75 fairness\t        12.5 latency\t      %d max-wait\t         1.5 share\n",
				machine, l.key, suffix, m+1, i)
		}
	}
	b.WriteString("PASS\n")
	return b.String()
}

func TestTableShowsWhatTheBenchmarkPrints(t *testing.T) {
	for _, suffix := range []string{"", "-2", "-16"} { // of go test, by processors
		all, err := read(printed(suffix))
		require.NoError(t, err)
		assert.Equal(t, []string{"4x4", "(6,2)x(5,1)"}, all.machines)
		text, err := all.table()
		require.NoError(t, err)
		rows := strings.Split(strings.TrimSpace(text), "\n")
		require.Len(t, rows, len(loads)+2)
		assert.Equal(t, "| load | 4x4 | (6,2)x(5,1) |", rows[0])
		for i, l := range loads {
			want := fmt.Sprintf("| %s | 0.125, 0.75, 1.50, %d | 0.225, 0.75, 1.50, %d |", l.text, i, i)
			if l.sources == one || l.sources == changing {
				want = fmt.Sprintf("| %s | 0.125, %d | 0.225, %d |", l.text, i, i)
			}
			assert.Equal(t, want, rows[i+2])
		}
	}
}

func TestWhatIsMissingIsAnError(t *testing.T) {
	_, err := read("PASS\n")
	assert.ErrorContains(t, err, "no figures")
	_, err = read("BenchmarkOverload/4x4/rate=1 1 0.5 deliveries 1 fairness 1 share\n")
	assert.ErrorContains(t, err, "no max-wait")
	_, err = read("BenchmarkOverload/4x4/rate=1 1 x deliveries\n")
	assert.ErrorContains(t, err, "invalid syntax")

	without := strings.ReplaceAll(printed(""), "BenchmarkOverload/4x4/busy=half ", "BenchmarkOverload/4x4/busy=other ")
	all, err := read(without)
	require.NoError(t, err)
	_, err = all.table()
	assert.EqualError(t, err, "the benchmark has no 4x4/busy=half")
	_, err = all.draw()
	assert.EqualError(t, err, "the benchmark has no 4x4/busy=half")
}

func TestPictureShowsEveryMachineUnderEveryLoadOfIt(t *testing.T) {
	all, err := read(printed(""))
	require.NoError(t, err)
	picture, err := all.draw()
	require.NoError(t, err)
	dots := len(all.machines) // of the legend
	for _, l := range loads {
		if l.label == "" {
			continue
		}
		assert.Contains(t, string(picture), ">"+l.label+"<")
		dots += len(all.machines)
		if l.sources == every || l.sources == some {
			dots += len(all.machines)
		}
	}
	assert.Equal(t, dots, strings.Count(string(picture), "<circle"))
	for d := xml.NewDecoder(strings.NewReader(string(picture))); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
	}
}
