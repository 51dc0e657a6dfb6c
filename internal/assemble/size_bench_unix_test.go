// SPDX-License-Identifier: Apache-2.0

//go:build unix

package assemble

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// BenchmarkSizes writes all files of machines of growing size, with the default traffic, for the
// table of docs/performance.md. cpu-s is the processor time of the fastest run, because other
// processes may use the processor too. text-cpu-s is the processor time from a description to all
// files except the golden traces. MB is the memory that the process holds after the first run.
func BenchmarkSizes(b *testing.B) {
	for _, size := range []struct{ name, rings string }{
		{"4x4", "4,1 4,1"},
		{"16x16", "16,1 16,1"},
		{"16x16x4", "16,1 16,1 4,1"},
		{"15x15x15x15_degree8", "15,1 15,1 15,1 15,1"},
		{"15x15x15x15_degree16", "15,2 15,2 15,2 15,2"},
	} {
		var text strings.Builder
		text.WriteString("machine \"size\" {\n")
		for i, ring := range strings.Fields(size.rings) {
			m, rho, _ := strings.Cut(ring, ",")
			fmt.Fprintf(&text, "  dimension \"d%d\" {\n    m = %s\n    rho = %s\n  }\n", i+1, m, rho)
		}
		if strings.HasPrefix(size.name, "15") {
			text.WriteString("  network = false\n")
		}
		text.WriteString("}\n")
		description := []byte(text.String())
		b.Run(size.name, func(b *testing.B) {
			least, text, memory := math.Inf(1), math.Inf(1), 0.0
			debug.FreeOSMemory() // of other sizes
			for b.Loop() {
				before := processorTime(b)
				m, _, diags := machine.LoadBytes("size.hcl", description, nil)
				require.False(b, diags.HasErrors(), diags.Error())
				files, err := Files(plan.New(m), Options{})
				require.NoError(b, err)
				made := processorTime(b)
				for _, f := range files {
					if !strings.HasPrefix(f.Path, "golden/") {
						require.NoError(b, f.Content(io.Discard))
					}
				}
				text = min(text, processorTime(b)-before)
				rendered := processorTime(b)
				meta := output.Meta{Version: "bench", Machine: m.Name, ConfigHash: m.Hash}
				require.NoError(b, output.Write(b.Context(), filepath.Join(b.TempDir(), "out"), files, meta, output.Options{}))
				least = min(least, made-before+processorTime(b)-rendered)
				if memory == 0 {
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					memory = float64(m.Sys-m.HeapReleased) / 1e6
				}
			}
			b.ReportMetric(memory, "MB")
			b.ReportMetric(least, "cpu-s")
			b.ReportMetric(text, "text-cpu-s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// processorTime is the processor time of this process so far, in seconds.
func processorTime(b *testing.B) float64 {
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
