// SPDX-License-Identifier: Apache-2.0

package check

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The checker imports the standard library and a reader of JSON, which imports nothing else, so that
// it trusts nothing that makes schedules.
func TestCheckerIsIndependent(t *testing.T) {
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	readers, err := filepath.Glob("../../internal/strictjson/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, readers)
	names = append(names, readers...)
	read := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range file.Imports {
			if i.Path.Value != `"github.com/hcgen/hcgen/internal/strictjson"` {
				assert.NotContains(t, i.Path.Value, ".", "%s imports %s", name, i.Path.Value)
			}
		}
		read++
	}
	assert.GreaterOrEqual(t, read, 4)
}
