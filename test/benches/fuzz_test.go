// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/verilator"
)

// traceReader is a process that reads traces with the reader of the benches, built
// with the checks of memory and of undefined behaviour.
type traceReader struct {
	in      io.WriteCloser
	out     *bufio.Reader
	errors  bytes.Buffer
	process *exec.Cmd
	trace   string
}

func newTraceReader(t testing.TB) *traceReader {
	t.Helper()
	needs.Time(t)
	root, err := exec.Command("verilator", "--getenv", "VERILATOR_ROOT").Output()
	require.NoError(t, err, "make setup installs Verilator")
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/standin")))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "tb"), verilator.Files))
	main, err := filepath.Abs("testdata/fuzz_main.cpp")
	require.NoError(t, err)
	command := exec.Command("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
		"-I", "tb", "-isystem", filepath.Join(strings.TrimSpace(string(root)), "include"), "-o", "reader", main, "tb/trace.cpp", "tb/bench.cpp")
	command.Dir = dir
	text, err := command.CombinedOutput()
	require.NoError(t, err, "make setup installs g++: %s", text)
	r := &traceReader{trace: filepath.Join(dir, "fuzz.trace")}
	r.process = exec.Command(filepath.Join(dir, "reader"), r.trace)
	r.process.Stderr = &r.errors
	r.in, err = r.process.StdinPipe()
	require.NoError(t, err)
	out, err := r.process.StdoutPipe()
	require.NoError(t, err)
	r.out = bufio.NewReader(out)
	require.NoError(t, r.process.Start())
	t.Cleanup(func() {
		r.in.Close()
		if err := r.process.Wait(); err != nil {
			t.Errorf("the reader ends with %v: %s", err, r.errors.String())
		}
	})
	return r
}

// read returns the lines that were read and the message, which is empty if all were.
func (r *traceReader) read(t *testing.T, kind byte, data []byte) (lines, message string) {
	require.NoError(t, os.WriteFile(r.trace, data, 0o666))
	_, err := fmt.Fprintf(r.in, "%c\n", kind)
	require.NoError(t, err)
	answer, err := r.out.ReadString(0)
	if err != nil {
		r.in.Close()
		require.NoError(t, r.process.Wait(), r.errors.String())
	}
	answer = strings.TrimSuffix(answer, "\n\x00")
	if lines, message, failed := strings.Cut(answer, "error "); failed {
		return lines, message
	}
	return strings.TrimSuffix(answer, "ok"), ""
}

// FuzzTraceReader: for every file, the reader of the benches neither crashes nor reads
// memory that is not its own. The lines that it has read equal an accepted trace, byte for
// byte, and of a rejected trace they are the lines before the one that the message names.
func FuzzTraceReader(f *testing.F) {
	reader := newTraceReader(f)
	router, network := routerTrace(1, 12).String(), stormTrace(12).String()
	f.Add([]byte(router), true)
	f.Add([]byte(network), false)
	f.Add([]byte(network), true)
	f.Add([]byte(quietTrace(0, 3).String()), true)
	head := newTrace("x", 5).header + "\n"
	for _, s := range []string{
		"", "\n", "# hcgen-trace v1 ", head, head[:len(head)-1], head + "\n", head + "0 0 m_local 1 1 7fffffffff\n", head + "0 0 m_local 1 1 ffffffffff\n",
		head + "00 0 s_local 1 - 0000000001\n", head + "0 00 s_local 1 - 0000000001\n", head + "18446744073709551616 0 s_local 1 - 0000000001\n",
		head + "0 4294967296 s_local 1 - 0000000001\n", head + "0 0 header_error00 1 - -\n", head + "0 0 header_error00 0 - -\n", head + "0 0 m_link99 1 0 0\n",
		head + "0 0 m_link00 1 g 0000000001\n", head + "0 0 s_local 1 - 0000000001 \n", head + "0 0 s_local 1 - 0000000001\r\n", head + "0 0 s_local 1 - 0000000001\n0 0 s_local 1 - 0000000001\n",
		strings.Replace(head, "cycles=5", "cycles=05", 1), strings.Replace(head, "cycles=5", "cycles=0", 1), strings.Replace(head, "cycles=5", "cycles=18446744073709551615", 1),
		strings.Replace(head, "cycles=5", "cycles=5 cycles=5", 1), strings.Replace(head, "traffic=x", "traffic=", 1), strings.Replace(head, "traffic=x", "traffic=\x1b[2J", 1),
	} {
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, isRouter bool) {
		kind := byte('n')
		if isRouter {
			kind = 'r'
		}
		lines, message := reader.read(t, kind, data)
		if message == "" {
			require.Equal(t, string(data), lines, "accepted, but it says something else")
			return
		}
		require.True(t, strings.HasPrefix(string(data), lines), "read %q before %s", lines, message)
		// a message about the header comes first; after the header, lines are read ahead by one
		at := fmt.Sprintf("%s:%d: ", reader.trace, 1+max(1, strings.Count(lines, "\n")))
		if lines == "" {
			require.Regexp(t, `:[12]: `, message)
		} else {
			require.True(t, strings.HasPrefix(message, at), "want %s, got %s", at, message)
		}
		require.Regexp(t, `^[ -~]{1,1000}$`, message, "cannot be shown")
	})
}
