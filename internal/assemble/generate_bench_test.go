// SPDX-License-Identifier: Apache-2.0

package assemble

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// BenchmarkGenerate writes all files of each example machine. MB is the memory that the
// process has taken from the system so far.
func BenchmarkGenerate(b *testing.B) {
	configs, err := filepath.Glob("../../configs/*.hcl")
	require.NoError(b, err)
	require.NotEmpty(b, configs)
	for _, config := range configs {
		b.Run(strings.TrimSuffix(filepath.Base(config), ".hcl"), func(b *testing.B) {
			for b.Loop() {
				m, _, diags := machine.Load(config, nil)
				require.False(b, diags.HasErrors(), diags.Error())
				files, err := Files(plan.New(m), Options{})
				require.NoError(b, err)
				meta := output.Meta{Version: "bench", Machine: m.Name, ConfigHash: m.Hash}
				require.NoError(b, output.Write(b.Context(), filepath.Join(b.TempDir(), "out"), files, meta, output.Options{}))
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(memory.Sys)/1e6, "MB")
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s")
		})
	}
}
