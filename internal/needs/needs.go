// SPDX-License-Identifier: Apache-2.0

// Package needs skips tests whose tools are missing, with a message. The targets of make set
// HCGEN_TOOLS=required; then a missing tool fails the test.
package needs

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// Tools skips a test if a program is not in PATH.
func Tools(t testing.TB, programs ...string) {
	t.Helper()
	missing := first(programs)
	switch {
	case missing == "":
	case required():
		t.Fatalf("%s is not installed: make setup", missing)
	default:
		t.Skipf("%s is not installed: make setup", missing)
	}
}

// Main is for a TestMain: it runs the tests of a package, or none if a program is not in PATH.
func Main(m *testing.M, programs ...string) {
	if missing := first(programs); missing != "" {
		fmt.Printf("skipped: %s is not installed: make setup\n", missing)
		if required() {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Time skips a test that takes minutes, except in make test-all.
func Time(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long: make test-all")
	}
}

func required() bool { return os.Getenv("HCGEN_TOOLS") == "required" }

// first returns the first program that is not in PATH, or nothing.
func first(programs []string) string {
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			return p
		}
	}
	return ""
}
