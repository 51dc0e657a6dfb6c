// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The model knows neither traffic nor traces, and the traffic does not know the model. Of hcgen, the packages import only these.
func TestImportsPointOneWay(t *testing.T) {
	const own = "github.com/hcgen/hcgen/"
	for folder, allowed := range map[string][]string{
		".":        nil,
		"chips":    {"plan"},
		"endpoint": {"hypercycle", "machine", "plan", "sim", "sim/model", "sim/traffic"},
		"model":    {"hypercycle", "plan", "sim"},
		"traffic":  {"hypercycle", "machine", "plan", "sim"},
		"measure":  {"hypercycle", "machine", "plan", "sim", "sim/model", "sim/traffic"},
		"traces":   {"machine", "plan", "sim", "sim/model", "sim/traffic", "sim/measure"},
	} {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		read := 0
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			require.NoError(t, err)
			for _, i := range file.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				require.NoError(t, err)
				if path, found := strings.CutPrefix(path, own); found {
					assert.Contains(t, allowed, path, "%s", name)
				}
			}
			read++
		}
		assert.Positive(t, read, "%s", folder)
	}
}
