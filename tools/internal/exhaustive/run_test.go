// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// countOne counts a machine without checking it.
func countOne(*Checker, tuple) (Count, error) {
	return Count{Machines: 1, Messages: 2, LargestWC: 3}, nil
}

// few is a row of small chunks.
func few() (all []chunk, machines int) {
	all = chunks(1 << 16)[:40]
	for _, h := range all {
		machines += h.machines
	}
	return all, machines
}

func TestRunIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	all, machines := few()
	var want Count
	for _, workers := range []int{1, 2, 7} {
		reported := 0
		s, err := checkChunks(t.Context(), Options{Workers: workers, Progress: func(n int) { reported = n }}, all, whole)
		require.NoError(t, err)
		require.Equal(t, machines, s.Machines)
		require.Equal(t, machines, reported)
		require.Equal(t, workers, s.Workers)
		if workers == 1 {
			want = s.Count
		}
		require.Equal(t, want, s.Count)
	}
	assert.Greater(t, want.Messages, 1<<20)
}

func TestFirstFaultIsReportedWhoeverFindsIt(t *testing.T) {
	all, _ := few()
	before := 0 // machines of the chunks before the first fault
	for _, h := range all[:17] {
		before += h.machines
	}
	for _, workers := range []int{1, 3, 8} {
		name := filepath.Join(t.TempDir(), "record")
		s, err := checkChunks(t.Context(), Options{Record: name, Workers: workers}, all, func(c *Checker, m tuple) (Count, error) {
			for _, i := range []int{31, 17, 25} {
				if m == all[i].first {
					return Count{}, fmt.Errorf("fault in chunk %d", i)
				}
			}
			return countOne(c, m)
		})
		var fault *Fault
		require.ErrorAs(t, err, &fault)
		require.EqualError(t, err, "fault in chunk 17")
		require.GreaterOrEqual(t, s.Machines, before)
		if workers == 1 {
			require.Equal(t, before, s.Machines, "nothing after the fault is checked")
		}
		require.FileExists(t, name, "what was checked is recorded")
	}

	// a later chunk's fault that is found afterwards is not the one to report
	later, found := make(chan bool), make(chan bool)
	_, err := checkChunks(t.Context(), Options{Workers: 2}, all[:2], func(c *Checker, m tuple) (Count, error) {
		if m == all[0].first {
			<-later
			close(found)
			return Count{}, errors.New("first")
		}
		close(later)
		<-found
		time.Sleep(20 * time.Millisecond)
		return Count{}, errors.New("second")
	})
	require.EqualError(t, err, "first")
}

// A run that is interrupted or killed at any place of its record goes on.
func TestRunGoesOn(t *testing.T) {
	all, machines := few()
	name := filepath.Join(t.TempDir(), "folder", "record")
	options := Options{Record: name, Program: "p", Workers: 2}

	ctx, cancel := context.WithCancel(t.Context())
	options.Progress = func(n int) {
		if n > machines/3 {
			cancel()
		}
	}
	s, err := checkChunks(ctx, options, all, countOne)
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, s.Machines, machines)
	record, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Greater(t, strings.Count(string(record), "\n"), 3)

	for cut := range len(record) + 1 {
		require.NoError(t, os.WriteFile(name, record[:cut], 0o666))
		recorded, executed := -1, 0
		options.Progress = nil
		options.Workers = 1
		options.Started = func(n int, unused error) {
			recorded = n
			head := strings.IndexByte(string(record), '\n') + 1
			switch {
			case cut == 0 || cut >= head:
				require.NoError(t, unused, "cut at %d", cut)
			default:
				require.Error(t, unused, "cut at %d", cut)
			}
		}
		s, err := checkChunks(t.Context(), options, all, func(c *Checker, m tuple) (Count, error) {
			executed++
			return countOne(c, m)
		})
		if cut > 0 && cut <= len(recordName) {
			require.ErrorContains(t, err, "is not a record of this check", "cut at %d", cut)
			continue
		}
		require.NoError(t, err, "cut at %d", cut)
		require.Equal(t, Count{Machines: machines, Messages: 2 * machines, LargestWC: 3}, s.Count)
		require.Equal(t, recorded, s.Recorded)
		require.Equal(t, machines, recorded+executed, "a machine is left out or checked twice")
		require.NoFileExists(t, name, "the next run begins anew")
	}
}

func TestRecordsOfOthersAreNotUsed(t *testing.T) {
	all, machines := few()
	name := filepath.Join(t.TempDir(), "record")
	head := "hcgen-exhaustive-record program=p chunks=40\n"
	good := "chunk 0 machines=%d multisets=0 all-sources=0 broadcasts=0 messages=0 largest-wc=0 elapsed-ms=5\n"
	good = fmt.Sprintf(good, all[0].machines)
	for _, c := range []struct{ name, text, says string }{
		{"right", head + good, ""},
		{"another program", strings.Replace(head, "=p", "=q", 1) + good, "is of another program"},
		{"other chunks", strings.Replace(head, "=40", "=41", 1) + good, "is of another program"},
		{"no line", head + "hello\n" + good, "record:2: not a line of a record"},
		{"more on a line", head + strings.Replace(good, "\n", " 7\n", 1), "record:2: not a line of a record"},
		{"no such chunk", head + good + strings.Replace(good, "chunk 0", "chunk 40", 1), "record:3: there is no chunk 40"},
		{"a negative chunk", head + strings.Replace(good, "chunk 0", "chunk -1", 1), "there is no chunk -1"},
		{"other machines", head + strings.Replace(good, "machines=", "machines=1", 1), "there is no chunk 0 of"},
	} {
		require.NoError(t, os.WriteFile(name, []byte(c.text), 0o666))
		recorded := -1
		var why error
		s, err := checkChunks(t.Context(), Options{Record: name, Program: "p", Started: func(n int, unused error) { recorded, why = n, unused }}, all, countOne)
		require.NoError(t, err, c.name)
		require.Equal(t, machines, s.Machines, c.name)
		if c.says == "" {
			require.NoError(t, why)
			require.Equal(t, all[0].machines, recorded)
		} else {
			require.ErrorContains(t, why, c.says, c.name)
			require.Zero(t, recorded, c.name)
		}
	}
}

// An error of the system ends the run with its message, not as a fault.
func TestARecordThatCannotBeOpenedEndsTheRun(t *testing.T) {
	all, _ := few()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	for name, says := range map[string]string{
		t.TempDir():                   "is a directory",
		filepath.Join(file, "record"): "not a directory",
	} {
		_, err := checkChunks(t.Context(), Options{Record: name}, all, countOne)
		require.ErrorContains(t, err, says)
	}
}

func TestAForeignFileIsNotTouched(t *testing.T) {
	name := filepath.Join(t.TempDir(), "thesis.txt")
	require.NoError(t, os.WriteFile(name, []byte("years of work"), 0o666))
	_, err := Run(t.Context(), Options{Record: name, Program: "p"})
	require.ErrorContains(t, err, "thesis.txt is not a record of this check: name another file, or remove it")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "years of work", string(text))
}

func TestAnIncompleteCountIsAFault(t *testing.T) {
	c := Count{Machines: Machines, Multisets: Multisets, Broadcasts: 3 * Machines}
	require.NoError(t, c.complete())
	c.Machines--
	require.ErrorContains(t, c.complete(), "the enumeration is wrong, or the record")
}
