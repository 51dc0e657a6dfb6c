// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMeaningsAreThoseOfTheTables(t *testing.T) {
	want := map[string]string{}
	for _, tab := range read(t, configuration).tablesOf("attribute") {
		for _, row := range tab.rows {
			want[blockOf(tab.heading)+"."+codes(row[0])[0]] = strings.ReplaceAll(row[3], "`", "")
		}
	}
	assert.Equal(t, want, Meanings())
}

func TestSchemaDescribesEveryAttribute(t *testing.T) {
	s := newSession(t, read(t, commandLine))
	var schema struct {
		Defs map[string]struct {
			Properties map[string]struct{ Description string }
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal([]byte(s.succeed("hcgen schema")), &schema))
	for key, meaning := range Meanings() {
		block, attribute, _ := strings.Cut(key, ".")
		assert.Equal(t, meaning, schema.Defs[block].Properties[attribute].Description, key)
	}
	assert.Equal(t, "nodes of the ring", schema.Defs["dimension"].Properties["m"].Description)
}
