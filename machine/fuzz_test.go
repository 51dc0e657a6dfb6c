// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"
)

// endless matches the start of an expression that, if nested, can run until the user interrupts it.
var endless = regexp.MustCompile(`[\[{(]\s*for|setproduct|%\{\s*for`)

// FuzzLoad: whatever the text, Load does not panic, a machine
// comes exactly without errors, and every message can be shown.
func FuzzLoad(f *testing.F) {
	for _, d := range append(cases(f, bad), cases(f, good)...) {
		value := ""
		for _, v := range d.vars {
			value = max(value, v) // the same value in every run
		}
		f.Add(IsJSON(d.file), d.src, value)
	}
	examples, err := filepath.Glob("../configs/*.hcl")
	require.NoError(f, err)
	for _, e := range examples {
		src, err := os.ReadFile(e)
		require.NoError(f, err)
		f.Add(false, src, "64")
	}
	f.Fuzz(func(t *testing.T, json bool, src []byte, value string) {
		if len(endless.FindAllIndex(src, -1))+len(endless.FindAllStringIndex(value, -1)) > 3 {
			t.Skip("nested loops")
		}
		name := "machine.hcl"
		if json {
			name += ".json"
		}
		m, files, diags := LoadBytes(name, src, map[string]string{"payload_bits": value, "bits": value}, withSchedules)
		if (m == nil) != diags.HasErrors() {
			t.Fatalf("machine: %v, errors: %v", m != nil, diags.HasErrors())
		}
		if len(diags) > MaxDiagnostics+1 {
			t.Fatalf("%d diagnostics", len(diags))
		}
		assertShowable(t, rendered(t, files, diags))
		var b bytes.Buffer
		if err := hcl.NewDiagnosticTextWriter(&b, files, 78, false).WriteDiagnostics(diags); err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(b.Bytes(), "\x00\x1b") {
			t.Fatal("HCL's writer shows a control character")
		}
		if m != nil {
			assertConsistent(t, m)
			again, _, _ := LoadBytes(name, src, map[string]string{"payload_bits": value, "bits": value}, withSchedules)
			if again == nil || again.Hash != m.Hash {
				t.Fatal("a second load differs")
			}
		}
	})
}
