// SPDX-License-Identifier: Apache-2.0

package check

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

// The checker imports the standard library and a library that reads JSON, by itself and by a package that imports nothing else,
// so that it trusts nothing that makes schedules.
func TestCheckerIsIndependent(t *testing.T) {
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	readers, err := filepath.Glob("../../internal/jsonfile/*.go")
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
			path, err := strconv.Unquote(i.Path.Value)
			require.NoError(t, err)
			if path != "github.com/hcgen/hcgen/internal/jsonfile" && !strings.HasPrefix(path, "github.com/go-json-experiment/json") {
				assert.NotContains(t, path, ".", "%s imports %s", name, path)
			}
		}
		read++
	}
	assert.GreaterOrEqual(t, read, 4)
}
