// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/explore/measure"
)

// TestMain lets the program of these tests be the process of a unit of a campaign.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == unitCommand {
		main()
	}
	testscript.Main(m, map[string]func(){"hcgen": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"json":   jsonIs,
			"alone":  alone,
			"same":   same,
			"repeat": repeat,
		},
		Condition: func(condition string) (bool, error) {
			if condition != "tools" {
				return false, fmt.Errorf("unknown condition %q", condition)
			}
			return hasTools()
		},
	})
}

// hasTools reports whether the tools of --measure are installed. It is an error if they are not, and required.
func hasTools() (bool, error) {
	for _, tool := range measure.Tools {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("HCGEN_TOOLS") == "required" {
				return false, fmt.Errorf("%s is not installed: make setup", tool)
			}
			return false, nil
		}
	}
	return true, nil
}

// exits N PROGRAM ARGUMENT...: runs a program that must end with exit code N.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N PROGRAM ARGUMENT...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, not %s\n%s", code, args[0], ts.ReadFile("stderr"))
	}
}

// json FILE PATH VALUE: the JSON in FILE (or stdout) has VALUE, itself JSON, at
// PATH, such as ports.0.weight; "ports.len" is the length of a list, and an empty
// path all of it.
func jsonIs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH VALUE")
	}
	var at any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &at))
	for _, key := range strings.Split(args[1], ".") {
		if args[1] == "" {
			break // all of it
		}
		switch v := at.(type) {
		case map[string]any:
			value, ok := v[key]
			if !ok {
				ts.Fatalf("%s: there is no %q", args[1], key)
			}
			at = value
		case []any:
			if key == "len" {
				at = len(v)
				continue
			}
			var i int
			if _, err := fmt.Sscan(key, &i); err != nil || i < 0 || i >= len(v) {
				ts.Fatalf("%s: there is no element %q among %d", args[1], key, len(v))
			}
			at = v[i]
		default:
			ts.Fatalf("%s: nothing is below %q", args[1], key)
		}
	}
	got, err := json.Marshal(at)
	ts.Check(err)
	var want bytes.Buffer
	ts.Check(json.Compact(&want, []byte(args[2])))
	if string(got) != want.String() {
		ts.Fatalf("%s is %s, not %s", args[1], got, want.String())
	}
}

// alone FOLDER NAME...: the folder holds nothing but the named entries, and
// testscript's own .tmp.
func alone(ts *testscript.TestScript, neg bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		if e.Name() != ".tmp" {
			names = append(names, e.Name())
		}
	}
	if fmt.Sprint(names) != fmt.Sprint(args[1:]) {
		ts.Fatalf("%s holds %v, not %v", args[0], names, args[1:])
	}
}

// same A B: two folders hold the same files with the same bytes, at least one.
func same(ts *testscript.TestScript, neg bool, args []string) {
	read := func(root string) map[string]string {
		files := map[string]string{}
		root = ts.MkAbs(root)
		ts.Check(filepath.Walk(root, func(name string, info os.FileInfo, err error) error {
			if err == nil && !info.IsDir() {
				files[strings.TrimPrefix(name, root)] = ts.ReadFile(name)
			}
			return err
		}))
		return files
	}
	a, b := read(args[0]), read(args[1])
	if len(a) == 0 || assert.ObjectsAreEqual(a, b) == neg {
		ts.Fatalf("%s has %d files and %s has %d; equal: %v", args[0], len(a), args[1], len(b), !neg)
	}
}

// repeat FILE N TEXT: writes a file of N lines.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	var n int
	_, err := fmt.Sscan(args[1], &n)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[2]+"\n", n)), 0o666))
}

// torus is the machine that the examples of the help name.
const torus = `
variable "payload_bits" {
  type    = number
  default = 32
}
machine "torus4x4" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = var.payload_bits
  }
}
`

func TestExamplesOfTheHelpRun(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("torus4x4.hcl", []byte(torus), 0o666))
	addressed := strings.Replace(torus, "message {", "message {\n    destination  = true", 1)
	require.NoError(t, os.WriteFile("addressed.hcl", []byte(addressed), 0o666))
	sum := strings.Replace(torus, "message {", "collective \"sum\" {\n    operation = \"all-reduce\"\n    words = \"one\"\n  }\n  message {", 1)
	require.NoError(t, os.WriteFile("sum4x4.hcl", []byte(sum), 0o666))
	const call = "gapi: '1.0'\nvlnv: ::top-network:0\nparameters: {config: torus4x4.hcl}\n"
	require.NoError(t, os.WriteFile("network_input.yml", []byte(call), 0o666))
	commands, examples := 0, 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
		if cmd.HasParent() && cmd.Parent().Name() == "completion" {
			return // cobra's own texts, for each shell
		}
		if cmd.Hidden {
			return
		}
		commands++
		assert.NotEmpty(t, cmd.Example, cmd.CommandPath())
		for _, line := range strings.Split(cmd.Example, "\n") {
			line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "source <("), ")")
			line, stdout, _ := strings.Cut(line, " > ")
			line, stdin, _ := strings.Cut(line, " < ")
			words := strings.Fields(strings.ReplaceAll(line, "'", "")) // quoted words have no blanks
			if words[0] == "make" {
				continue // the generated Makefile has its own tests
			}
			if slices.Contains(words, "--measure") {
				tools, err := hasTools()
				require.NoError(t, err)
				if !tools {
					t.Logf("%s: not run, because yosys or nextpnr-ice40 is not installed: make setup", line)
					continue
				}
			}
			require.Equal(t, "hcgen", words[0], line)
			var in io.Reader = strings.NewReader("")
			if stdin != "" {
				data, err := os.ReadFile(stdin)
				require.NoError(t, err)
				in = bytes.NewReader(data)
			}
			var out, messages bytes.Buffer
			code := run(context.Background(), &console{in: in, out: &out, err: &messages}, words[1:])
			assert.Equal(t, exitFine, code, "%s: %s", line, messages.String())
			if stdout != "" && filepath.Base(stdout) == stdout {
				require.NoError(t, os.WriteFile(stdout, out.Bytes(), 0o666)) // the next example may read it
			}
			examples++
		}
	}
	visit(newRoot(&console{in: strings.NewReader(""), out: io.Discard, err: io.Discard}))
	assert.Greater(t, commands, 10)
	assert.Greater(t, examples, commands)
}

func TestMissingYosysIsAMissingTool(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	folder := filepath.Join(t.TempDir(), "measured")
	var out, messages bytes.Buffer
	code := run(t.Context(), &console{out: &out, err: &messages}, []string{"explore", "--nodes", "2", "--measure", "1", "--folder", folder})
	assert.Equal(t, exitTool, code)
	assert.Empty(t, out.String())
	assert.Equal(t, "hcgen: error: yosys is not installed\nhint: on Debian: apt-get install yosys\n", messages.String())
	assert.NoDirExists(t, folder)
}

func TestInterruptedMeasurementSaysWhatIsKept(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var messages bytes.Buffer
	code := run(ctx, &console{out: io.Discard, err: &messages}, []string{"explore", "--nodes", "2", "--measure", "1", "--folder", "kept"})
	assert.Equal(t, exitInterrupted, code)
	assert.Equal(t, "hcgen: error: interrupted; results so far are in kept\n", messages.String())
}

func TestPanicIsReportedAsInternalFault(t *testing.T) {
	var messages bytes.Buffer
	code := guard(&console{err: &messages}, func() int { panic("broken") })
	assert.Equal(t, exitFault, code)
	assert.Contains(t, messages.String(), "hcgen: error: internal error: broken\nhint: ")
	assert.Contains(t, messages.String(), "please report it")
}

func TestProgressGoesToTerminalsOnly(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var messages bytes.Buffer
		p := newProgress(&console{err: &messages, terminal: terminal})
		p.show("golden/a.trace", 10, 100)
		p.show("golden/b.trace", 1, 2)
		p.clear()
		p.show("golden/c.trace", 0, 0)
		if terminal {
			assert.Contains(t, messages.String(), "golden/a.trace")
			assert.Contains(t, messages.String(), "golden/b.trace")
			assert.NotRegexp(t, "\x1b\\[[0-9;]*m", messages.String(), "a colour, and NO_COLOR is not looked at")
		} else {
			assert.Empty(t, messages.String())
		}
	}
}

func TestInterruptStopsBeforeAnythingIsWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("torus4x4.hcl", []byte(torus), 0o666))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, messages bytes.Buffer
	code := run(ctx, &console{out: &out, err: &messages}, []string{"-c", "torus4x4.hcl", "-o", "out"})
	assert.Equal(t, exitInterrupted, code)
	assert.Equal(t, "hcgen: error: interrupted; nothing was changed\n", messages.String())
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	assert.Len(t, entries, 1, "only the description is there")
}

// Data written to a pipe stay, and the message says so.
func TestInterruptedTraceInAPipeIsCalledIncomplete(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("torus4x4.hcl", []byte(torus), 0o666))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, c := range [][2]string{ // trace and message; the first trace interrupts at its first output
		{"-", "interrupted; the trace is incomplete"},
		{"a.trace", "interrupted; nothing was changed"},
	} {
		var messages bytes.Buffer
		out := writerFunc(func(b []byte) (int, error) {
			cancel()
			return len(b), nil
		})
		code := run(ctx, &console{out: out, err: &messages}, []string{"simulate", "-c", "torus4x4.hcl", "--traffic", "storm", "--trace", c[0]})
		assert.Equal(t, exitInterrupted, code)
		assert.Equal(t, "hcgen: error: "+c[1]+"\n", messages.String())
	}
	assert.NoFileExists(t, "a.trace")
}

// writerFunc is a function that takes output.
type writerFunc func(b []byte) (int, error)

// Write calls the function.
func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// A signal ends an endless evaluation, and a panic in an evaluation is a fault of the program.
func TestInterruptEndsEvaluation(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun, end := make(chan bool), make(chan bool)
	defer close(end)
	go func() {
		<-begun
		cancel()
	}()
	_, err := untilInterrupted(ctx, func() int {
		close(begun)
		<-end
		return 1
	})
	assert.ErrorIs(t, err, context.Canceled)

	n, err := untilInterrupted(t.Context(), func() int { return 1 })
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	assert.Panics(t, func() { _, _ = untilInterrupted(t.Context(), func() int { panic("broken") }) })
}

func TestInterruptedLoadPrintsNoFigures(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("torus4x4.hcl", []byte(torus), 0o666))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, messages bytes.Buffer
	code := run(ctx, &console{out: &out, err: &messages}, []string{"simulate", "-c", "torus4x4.hcl", "--traffic", "storm"})
	assert.Equal(t, exitInterrupted, code)
	assert.Empty(t, out.String())
	assert.Equal(t, "hcgen: error: interrupted; nothing was changed\n", messages.String())
}

// A signal ends the program also while it waits for standard input, which may never come.
func TestInterruptEndsWaitingForStandardInput(t *testing.T) {
	for _, arguments := range []string{"check -c -", "check -c - --json", "info -c -", "fmt -"} {
		silent, writer := io.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		var messages bytes.Buffer
		code := make(chan int, 1)
		go func() {
			code <- run(ctx, &console{in: silent, out: io.Discard, err: &messages}, strings.Fields(arguments))
		}()
		cancel()
		select {
		case got := <-code:
			assert.Equal(t, exitInterrupted, got, arguments)
			assert.Equal(t, "hcgen: error: interrupted; nothing was changed\n", messages.String(), arguments)
		case <-time.After(time.Minute):
			t.Fatalf("%s still waits", arguments)
		}
		writer.Close()
	}
}
