// SPDX-License-Identifier: Apache-2.0

// Package program builds the command hcgen for tests of packages in top folders, at most once
// for each package.
package program

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	// The sources of the program: a change must run the tests again.
	_ "github.com/hcgen/hcgen/gen"
	_ "github.com/hcgen/hcgen/sim/traces"
)

var folder string

// Main is for a TestMain: it runs the tests and removes the program.
func Main(m *testing.M) {
	dir, err := os.MkdirTemp("", "hcgen-program")
	if err != nil {
		panic(err)
	}
	folder = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// Folder builds the program and returns its folder. The name of the program is hcgen.
func Folder(t testing.TB) string {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	return folder
}

var build = sync.OnceValue(func() error {
	// Reading the sources makes the cache of test results depend on them.
	sources, err := filepath.Glob("../cmd/hcgen/*.go")
	if err != nil {
		return err
	}
	for _, s := range sources {
		if _, err := os.ReadFile(s); err != nil {
			return err
		}
	}
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(folder, "hcgen"), "../cmd/hcgen").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
})
