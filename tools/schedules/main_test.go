// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An interrupted run leaves a record, the next one goes on with it, and prints what one run would.
func TestInterruptedRunGoesOn(t *testing.T) {
	args := []string{"-nodes", "64", "-checked", "0", "-streamed", "8", "-list", "total-exchange"}
	var want, got, messages bytes.Buffer
	require.Equal(t, 0, run(t.Context(), args, &want, &messages))
	assert.True(t, strings.HasPrefix(want.String(), "1172 machines of up to 64 nodes and degree 16\n"), want.String())
	assert.Contains(t, want.String(), "\n| total-exchange | all | 1 | 2 |\n")
	assert.Contains(t, want.String(), "\n| all-gather | streaming | 0 | ")
	assert.True(t, strings.HasSuffix(want.String(), "\"(18,6)\",total-exchange,all,3,2\n\"(24,8)\",total-exchange,all,3,2\n"), want.String())

	name := filepath.Join(t.TempDir(), "record")
	args = append(args, "-record", name)
	assert.Equal(t, 130, run(&interrupted{t.Context(), 400}, args, &got, &messages))
	assert.Equal(t, "schedules: error: interrupted; 400 machines are done\n", messages.String())
	assert.Empty(t, got.String())
	assert.FileExists(t, name)
	messages.Reset()
	require.Equal(t, 0, run(t.Context(), args, &got, &messages))
	assert.Equal(t, "schedules: going on: 400 machines are done already\n", messages.String())
	assert.Equal(t, want.String(), got.String())
	assert.NoFileExists(t, name)
}

// interrupted is a context that is canceled when it was asked so often.
type interrupted struct {
	context.Context
	left int
}

func (i *interrupted) Err() error {
	if i.left--; i.left < 0 {
		return context.Canceled
	}
	return nil
}

// A block that a kill cut short is dropped.
func TestRecordDropsWhatIsNotFinished(t *testing.T) {
	name := filepath.Join(t.TempDir(), "record")
	counts := []outcome{{"total-exchange", "all", 3, 2}}
	r, err := openRecord(name, "x")
	require.NoError(t, err)
	require.NoError(t, r.add("(18,6)", counts))
	require.NoError(t, r.flush())
	require.NoError(t, r.add("(24,8)", counts))
	_, err = r.file.Write(r.pending.Bytes())
	require.NoError(t, err)
	r.close()
	r, err = openRecord(name, "x")
	require.NoError(t, err)
	assert.Equal(t, 1, r.machines)
	assert.Equal(t, []miss{{"(18,6)", "total-exchange", "all", 3, 2}}, r.misses)
	assert.Equal(t, map[kind]int{{"total-exchange", "all", 1}: 1}, r.count)
	r.close()
	r, err = openRecord(name, "another program")
	require.NoError(t, err)
	assert.Zero(t, r.machines)
	r.close()
}

func TestBadFlags(t *testing.T) {
	for _, args := range [][]string{{"-recrod", "x"}, {"more"}, {"-nodes", "1"}, {"-for", "-1s"}, {"-list", "gossip"}} {
		assert.Equal(t, 2, run(t.Context(), args, io.Discard, io.Discard), "%v", args)
	}
	name := filepath.Join(t.TempDir(), "thesis.txt")
	require.NoError(t, os.WriteFile(name, []byte("years of work"), 0o666))
	assert.Equal(t, 1, run(t.Context(), []string{"-record", name}, io.Discard, io.Discard))
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "years of work", string(text))
}
