// SPDX-License-Identifier: Apache-2.0

package schedule_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Programs give schedules to the packages that use them, and find each schedule once. These packages know the words only.
func TestPackagesBelowTheCommandFindNoSchedules(t *testing.T) {
	read := 0
	for _, folder := range []string{"collective", "hypercycle", "machine", "plan", "gen", "sim"} {
		require.NoError(t, filepath.WalkDir("../"+folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, i := range file.Imports {
				assert.NotContains(t, i.Path.Value, "/hcgen/schedule", path)
			}
			read++
			return nil
		}))
	}
	assert.Greater(t, read, 50)
}
