// SPDX-License-Identifier: Apache-2.0

//go:build unix

// Units and runners for the tests, as processes of the test program: the units say in a file that they have begun, and
// runners are processes that can be killed.

package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// work is the input of a unit: it takes some time, and then squares a number or does something worse.
type work struct {
	Number int
	Time   time.Duration
	Does   string // what do has
	Begun  string // file that gets a line with the number each time that the unit begins
}

func (w work) do(ctx context.Context) (any, error) {
	file, err := os.OpenFile(w.Begun, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := fmt.Fprintln(file, w.Number); err != nil {
		return nil, err
	}
	fmt.Println("squaring") // into the log
	switch w.Does {
	case "fails":
		return nil, errors.New("no square")
	case "panics":
		panic("no square")
	case "kills itself":
		return nil, errors.Join(syscall.Kill(os.Getpid(), syscall.SIGKILL), errors.New("alive"))
	case "is deaf":
		time.Sleep(w.Time)
		return w.Number * w.Number, nil
	}
	select {
	case <-time.After(w.Time):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if w.Does == "writes much" {
		return strings.Repeat("x", 1<<20), nil
	}
	return w.Number * w.Number, nil
}

// runner is a run of a campaign of such units.
type runner struct {
	Folder  string
	Works   []work
	Jobs    int
	Shard   Shard
	Results bool
	For     time.Duration
	Enough  int // results after which no unit begins; 0: no limit
	Version string
	Program string // empty: results do not follow from it
}

// buffer is a buffer that goroutines share.
type buffer struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.text.String()
}

func (r runner) run(ctx context.Context, messages io.Writer) (*Outcome, error) {
	c := Campaign{Kind: "squares", Versions: map[string]string{"square": r.Version}}
	if r.Program != "" {
		c.Versions["program"] = r.Program
	}
	for _, w := range r.Works {
		c.Units = append(c.Units, Unit{Name: fmt.Sprintf("square%d", w.Number), Input: w})
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	o := Options{Folder: r.Folder, Command: []string{program, "unit"}, Jobs: r.Jobs, Shard: r.Shard, Results: r.Results, For: r.For, Messages: messages}
	if r.Enough > 0 {
		n := 0
		o.Enough = func(Result) bool { n++; return n >= r.Enough }
	}
	return Run(ctx, c, o)
}

// newRunner is a runner of units that take some time, with a folder of its own.
func newRunner(t *testing.T, units int, takes time.Duration) runner {
	dir := t.TempDir()
	r := runner{Folder: filepath.Join(dir, "it's a folder")}
	for i := range units {
		r.Works = append(r.Works, work{Number: i, Time: takes, Begun: filepath.Join(dir, "begun")})
	}
	return r
}

// begun returns how often each unit has begun.
func (r runner) begun(t *testing.T) map[int]int {
	text, err := os.ReadFile(r.Works[0].Begun)
	if !errors.Is(err, os.ErrNotExist) {
		require.NoError(t, err)
	}
	times := map[int]int{}
	for _, line := range strings.Fields(string(text)) {
		var n int
		_, err := fmt.Sscan(line, &n)
		require.NoError(t, err)
		times[n]++
	}
	return times
}

// await waits until units have begun.
func (r runner) await(t *testing.T, units int) {
	require.Eventually(t, func() bool { return len(r.begun(t)) >= units }, time.Minute, 10*time.Millisecond)
}

// succeed runs the campaign to its end and returns the messages.
func (r runner) succeed(t *testing.T) string {
	t.Helper()
	var messages buffer
	o, err := r.run(t.Context(), &messages)
	require.NoError(t, err, &messages)
	r.complete(t, o)
	return messages.String()
}

// complete requires all results.
func (r runner) complete(t *testing.T, o *Outcome) {
	t.Helper()
	require.Empty(t, o.Failed)
	require.Zero(t, o.Missing)
	require.Len(t, o.Results, len(r.Works))
	for i, result := range o.Results {
		assert.Equal(t, fmt.Sprint(r.Works[i].Number*r.Works[i].Number), string(result.Result))
	}
	assert.Empty(t, left(t, filepath.Join(r.Folder, "failed")))
}

// left lists a folder, which need not be there.
func left(t *testing.T, folder string) []string {
	entries, err := os.ReadDir(folder)
	if !errors.Is(err, os.ErrNotExist) {
		require.NoError(t, err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// start starts a process that runs the campaign.
func (r runner) start(t *testing.T) (*exec.Cmd, *buffer) {
	text, err := json.Marshal(r)
	require.NoError(t, err)
	messages := &buffer{}
	command := exec.Command(os.Args[0], "run", string(text))
	command.Stderr = messages
	command.WaitDelay = time.Minute // units of a killed runner have the same stderr
	require.NoError(t, command.Start())
	return command, messages
}

// TestMain lets the test program be the process of a unit or a runner.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "unit" {
		err := Work(context.Background(), func(ctx context.Context, input json.RawMessage) (any, error) {
			var w work
			if err := json.Unmarshal(input, &w); err != nil {
				return nil, err
			}
			return w.do(ctx)
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) == 3 && os.Args[1] == "run" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		var r runner
		err := json.Unmarshal([]byte(os.Args[2]), &r)
		if err == nil {
			_, err = r.run(ctx, os.Stderr)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// failures are the reasons of units without a result.
func failures(o *Outcome) string {
	var all []string
	for _, f := range o.Failed {
		all = append(all, f.Unit+": "+f.Reason)
	}
	return strings.Join(all, "\n")
}
