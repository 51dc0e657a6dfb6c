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
			fmt.Fprintf(&b, "BenchmarkOverload/%s/%s%s \t       1\t         0.%d25 deliveries\t         0.75 fairness\t        12.5 latency\t      %d max-wait\t        %d nodes\t         1.5 share\n",
				machine, l.key, suffix, m+1, i, 16+14*m)
		}
	}
	b.WriteString("PASS\n")
	return b.String()
}

// read takes all that a benchmark prints.
func read(output string) (results, error) {
	all := results{runs: map[string]map[string]figures{}}
	for text := range strings.Lines(output) {
		if err := all.add(text); err != nil {
			return all, err
		}
	}
	return all, nil
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		args    []string
		options bool
		err     string
	}{
		{nil, false, ""},
		{[]string{"-options"}, true, ""},
		{[]string{"options"}, false, `fairness takes no argument, but got "options"`},
		{[]string{"-options", "4x4"}, false, `fairness takes no argument, but got "4x4"`},
		{[]string{"-option"}, false, "flag provided but not defined: -option"},
	} {
		options, err := arguments(c.args, io.Discard)
		assert.Equal(t, c.options, options, "%q", c.args)
		if c.err == "" {
			assert.NoError(t, err, "%q", c.args)
		} else {
			assert.EqualError(t, err, c.err, "%q", c.args)
		}
	}
}

func TestLoadsThatAreNotInTheTable(t *testing.T) {
	for _, suffix := range []string{"", "-8"} {
		for _, name := range unshown {
			_, err := read("BenchmarkOverload/4x4/" + name + suffix + " 1 0.5 deliveries\n")
			assert.NoError(t, err, name)
		}
		_, err := read("BenchmarkOverload/4x4/busy=4" + suffix + " 1 0.5 deliveries\n")
		assert.EqualError(t, err, `the benchmark has a load "busy=4`+suffix+`" that this program does not know`)
	}
}

// One machine more than the picture can show is found as soon as it is named.
func TestTooManyMachines(t *testing.T) {
	var b strings.Builder
	for i := range len(colours) + 1 {
		fmt.Fprintf(&b, "BenchmarkOverload/m%d/busy=1 1 0.5 deliveries 9 nodes 3 max-wait\n", i)
	}
	_, err := read(b.String())
	assert.EqualError(t, err, `machine "m8" is one more than there are colours, 8`)
}

func TestTableOfPlacements(t *testing.T) {
	var lines []string
	for _, l := range placements.loads {
		for i, time := range placements.columns {
			lines = append(lines, fmt.Sprintf("BenchmarkPlacements/4x4/%s/%s-2 \t 1 \t 0.95%d least-part\t 0.8%d least-fairness\t 0.97 median-fairness\t 0.99 most-fairness",
				l.name, time.name, i, i))
		}
	}
	all := newGridResults(placements)
	for _, text := range append([]string{"goos: linux", "BenchmarkPlacements"}, lines...) {
		require.NoError(t, all.add(text))
	}
	text, err := all.table()
	require.NoError(t, err)
	rows := strings.Split(strings.TrimSpace(text), "\n")
	require.Len(t, rows, 2+len(placements.loads))
	assert.Equal(t, "| machine | busy nodes | 60,000 cycles | 120,000 cycles | 240,000 cycles |", rows[0])
	assert.Equal(t, "| 4x4 | half | 0.80, 0.97, 0.99; 0.950 | 0.81, 0.97, 0.99; 0.951 | 0.82, 0.97, 0.99; 0.952 |", rows[3])

	some := newGridResults(placements)
	_, err = some.table()
	assert.EqualError(t, err, "the benchmark has printed no figures")
	require.NoError(t, some.add(lines[0]))
	_, err = some.table()
	assert.EqualError(t, err, "the benchmark has no 4x4/three-quarters/120000")
	assert.EqualError(t, some.add("BenchmarkPlacements/4x4/half/1 1 1 least-part"), `the benchmark has a run "half/1" that this program does not know`)
	assert.ErrorContains(t, some.add("BenchmarkPlacements/4x4/half/60000 1 1 least-part"), "prints no least-fairness")
}

func TestTableOfNumbersOfNodes(t *testing.T) {
	line := func(run, least string) string {
		return fmt.Sprintf("BenchmarkBusy/%s-2 \t 1 \t %s least-fairness\t 0.9%s least-part\t 0.97 median-fairness", run, least, least[2:])
	}
	lines := []string{
		line("4x4/11/60000", "0.85"), line("4x4/11/240000", "0.83"), line("8-ring/2/60000", "0.99"), line("8-ring/2/240000", "0.98"),
	}
	var all busyResults
	for _, text := range append([]string{"goos: linux", "BenchmarkBusy"}, lines...) {
		require.NoError(t, all.add(text))
	}
	text, err := all.table()
	require.NoError(t, err)
	assert.Equal(t, `| busy | 4x4 | 8-ring |
| --- | --- | --- |
| 2 | | 0.99, 0.97; 0.98, 0.97; 0.998 |
| 11 | 0.85, 0.97; 0.83, 0.97; 0.983 | |
`, text)

	for _, single := range []string{lines[0], lines[1]} {
		var some busyResults
		_, err = some.table()
		assert.EqualError(t, err, "the benchmark has printed no figures")
		require.NoError(t, some.add(single))
		_, err = some.table()
		assert.EqualError(t, err, "the benchmark has not all times of 4x4/11")
	}
	assert.EqualError(t, all.add("BenchmarkBusy/4x4/11/1 1 1 least-part"), `the benchmark has a run "11/1" that this program does not know`)
	assert.EqualError(t, all.add("BenchmarkBusy/4x4/half/60000 1 1 least-part"), `the benchmark has a run "half/60000" that this program does not know`)
	assert.ErrorContains(t, all.add("BenchmarkBusy/4x4/11/60000 1 1 least-part"), "prints no least-fairness")
}

func TestTableOfOptions(t *testing.T) {
	var lines []string
	for _, l := range options.loads {
		for i, v := range options.columns {
			lines = append(lines, fmt.Sprintf("BenchmarkOptions/4x4/%s/%s-2 \t 1 \t 1.875 bound\t 1.%d deliveries\t 0.97 fairness", l.name, v.name, i+1))
		}
	}
	all := newGridResults(options)
	for _, text := range append([]string{"goos: linux", "BenchmarkOptions"}, lines...) {
		require.NoError(t, all.add(text))
	}
	text, err := all.table()
	require.NoError(t, err)
	rows := strings.Split(strings.TrimSpace(text), "\n")
	require.Len(t, rows, 2+len(options.loads))
	assert.Equal(t, "| machine | busy nodes | 1 stage, merged | 2 stages, merged | 1 stage, per port | 2 stages, per port |", rows[0])
	assert.Equal(t, "| 4x4 | half | 1.100, 0.59, 0.97 | 1.200, 0.64, 0.97 | 1.300, 0.69, 0.97 | 1.400, 0.75, 0.97 |", rows[3])

	some := newGridResults(options)
	_, err = some.table()
	assert.EqualError(t, err, "the benchmark has printed no figures")
	require.NoError(t, some.add(lines[0]))
	_, err = some.table()
	assert.EqualError(t, err, "the benchmark has no 4x4/all/stages=2,merged")
	assert.EqualError(t, some.add("BenchmarkOptions/4x4/2/stages=1,merged 1 1 deliveries"), `the benchmark has a run "2/stages=1,merged" that this program does not know`)
	assert.ErrorContains(t, some.add("BenchmarkOptions/4x4/1/stages=1,merged 1 1 deliveries"), "prints no bound")
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
	all, err := read("PASS\n")
	require.NoError(t, err)
	_, err = all.table()
	assert.ErrorContains(t, err, "no figures")
	_, err = read("BenchmarkOverload/4x4/rate=1 1 0.5 deliveries 1 fairness 1 share 16 nodes\n")
	assert.ErrorContains(t, err, "no max-wait")
	_, err = read("BenchmarkOverload/4x4/rate=1 1 x deliveries\n")
	assert.ErrorContains(t, err, "invalid syntax")

	without := strings.ReplaceAll(printed(""), "BenchmarkOverload/4x4/busy=half ", "BenchmarkOverload/4x4/rate=0.3 ")
	all, err = read(without)
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
