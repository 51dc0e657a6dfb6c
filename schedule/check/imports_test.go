// SPDX-License-Identifier: Apache-2.0

package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const vocabulary = "github.com/hcgen/hcgen/collective"

// parsed are the files of a folder, but for its tests.
func parsed(t *testing.T, folder string) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob(folder + "/*.go")
	require.NoError(t, err)
	files := map[string]*ast.File{}
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			files[name], err = parser.ParseFile(token.NewFileSet(), name, nil, 0)
			require.NoError(t, err)
		}
	}
	require.NotEmpty(t, files, folder)
	return files
}

// The checker imports the standard library and the vocabulary, which imports a library that reads JSON, by itself and by
// a package that imports nothing else. So it trusts nothing that makes schedules.
func TestCheckerIsIndependent(t *testing.T) {
	const reader = "github.com/go-json-experiment/json"
	for folder, legal := range map[string][]string{
		".":                       {vocabulary},
		"../../collective":        {"github.com/hcgen/hcgen/internal/jsonfile", reader, reader + "/jsontext"},
		"../../internal/jsonfile": {reader, reader + "/jsontext"},
	} {
		for name, file := range parsed(t, folder) {
			for _, i := range file.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				require.NoError(t, err)
				if strings.Contains(path, ".") {
					assert.Contains(t, legal, path, "%s imports %s", name, path)
				}
			}
		}
	}
}

// The checker shares names and types, but computes by itself: of the functions and methods of the vocabulary it calls only
// those that list, name or look up.
func TestCheckerSharesNoComputation(t *testing.T) {
	plain := map[string]bool{"Operations": true, "Rooted": true, "Reduces": true, "OnePort": true, "Program": true, "Phase": true, "String": true}
	shared := map[string]bool{}
	for _, file := range parsed(t, "../../collective") {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && !plain[f.Name.Name] {
				shared[f.Name.Name] = true
			}
		}
	}
	require.True(t, shared["Waiting"] && shared["Sources"] && shared["MessageCount"])
	for name, file := range parsed(t, ".") {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.SelectorExpr); ok {
					assert.False(t, shared[f.Sel.Name], "%s calls %s", name, f.Sel.Name)
				}
			}
			return true
		})
	}
}
