// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A written description gives the machine again, in both syntaxes.
func TestWrittenDescriptionsGiveTheSameMachine(t *testing.T) {
	for _, d := range append(cases(t, good), examples(t)...) {
		t.Run(d.name, func(t *testing.T) {
			m, _, _ := d.load()
			require.NotNil(t, m)
			for name, text := range map[string][]byte{"machine.hcl": m.HCL(), "machine.hcl.json": m.JSON()} {
				again, files, diags := LoadBytes(name, text, nil, withSchedules)
				require.Empty(t, diags, "%s\n%s", rendered(t, files, diags), text)
				require.Equal(t, m, again, "%s", text)
			}
		})
	}
}
