// SPDX-License-Identifier: Apache-2.0

package proofs

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// specialized returns the description of a router with a payload of the given number of bits, of a product
// of rings, each m and rho.
func specialized(rings [][2]int, payload, stages int, delivery string) string {
	var b strings.Builder
	b.WriteString("machine \"proved\" {\n")
	for i, r := range rings {
		fmt.Fprintf(&b, "  dimension \"d%d\" {\n    m   = %d\n    rho = %d\n  }\n", i+1, r[0], r[1])
	}
	fmt.Fprintf(&b, "  network = false\n  message {\n    payload_bits = %d\n  }\n", payload)
	fmt.Fprintf(&b, "  router {\n    stages   = %d\n    delivery = %q\n  }\n}\n", stages, delivery)
	return b.String()
}

// Routers of practical size, some with two stages and deliveries per port. The test prints the rows of the table in
// docs/verification.md; HCGEN_PROOFS=all proves all, otherwise only the first is proved.
func TestRoutersOfExamplesAreProved(t *testing.T) {
	ring8, c6 := [][2]int{{8, 1}}, [][2]int{{6, 2}}
	cube, torus := [][2]int{{2, 1}, {2, 1}, {2, 1}, {2, 1}}, [][2]int{{4, 1}, {4, 1}}
	widest := [][2]int{{15, 2}, {15, 2}, {15, 2}, {15, 2}}
	routers := []struct {
		name     string
		rings    [][2]int
		payload  int
		stages   int
		delivery string
	}{
		{"8-ring", ring8, 32, 1, "merged"},
		{"8-ring, `stages = 2`, `per_port`", ring8, 32, 2, "per_port"},
		{"C_6<1,2>", c6, 32, 1, "merged"},
		{"C_6<1,2>, payload of 3 bits", c6, 3, 1, "merged"},
		{"the same, `stages = 2`", c6, 3, 2, "merged"},
		{"the same, `per_port`", c6, 3, 1, "per_port"},
		{"the same, both", c6, 3, 2, "per_port"},
		{"4-cube", cube, 32, 1, "merged"},
		{"4x4 torus", torus, 32, 1, "merged"},
		{"4x4 torus, `stages = 2`", torus, 32, 2, "merged"},
		{"4x4 torus, `per_port`", torus, 32, 1, "per_port"},
		{"4x4 torus, both", torus, 32, 2, "per_port"},
		{"15^4, rho 2: degree 16, payload of 16 bits (`configs/degree16.hcl`)", widest, 16, 1, "merged"},
	}
	if os.Getenv("HCGEN_PROOFS") == "" { // make campaign WHAT=proofs
		routers = routers[:1]
	}
	for _, c := range routers {
		t.Run(c.name, func(t *testing.T) {
			_, out := generateText(t, specialized(c.rings, c.payload, c.stages, c.delivery))
			command := exec.CommandContext(t.Context(), "make", "-C", out, "prove", "PROVE_TIME=1800") // however busy the machine is
			said, err := command.CombinedOutput()
			require.NoError(t, err, string(said))
			require.Contains(t, string(said), "PASS: proved_router")
			size := proofSize.FindStringSubmatch(string(said))
			require.NotNil(t, size, string(said))
			t.Logf("| %s | %s | %s | %.0f s |", c.name, size[1], size[2],
				(command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds())
		})
	}
}
