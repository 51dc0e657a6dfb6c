// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The rows that the page gives the tables of the paper are what the command lists; package explore
// compares with the paper.
func TestTablesOfThePaperAreWhatExploreLists(t *testing.T) {
	p := read(t, "explore.md")
	s := newSession(t, p)
	rows := p.tableOf(t, "table").rows
	require.Len(t, rows, 17)
	for _, row := range rows {
		var list []struct {
			Machine         string
			Nodes           int
			Degree          int
			Diameter        int
			AverageDistance float64 `json:"average_distance"`
		}
		out := s.succeed(fmt.Sprintf("hcgen explore --nodes %s --degree %s --json", row[2], row[3]))
		require.NoError(t, json.Unmarshal([]byte(out), &list))
		found := 0
		for _, m := range list {
			if "`"+m.Machine+"`" == row[1] {
				found++
				assert.Equal(t, row[2:5], []string{fmt.Sprint(m.Nodes), fmt.Sprint(m.Degree), fmt.Sprint(m.Diameter)}, m.Machine)
				assert.Equal(t, row[6], fmt.Sprintf("%.3f", m.AverageDistance), m.Machine)
			}
		}
		assert.Equal(t, 1, found, row[1])
	}
}
