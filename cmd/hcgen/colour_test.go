// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestColoursAreForTerminalsThatWantThem(t *testing.T) {
	for _, c := range []struct {
		terminal            bool
		system, term, plain string
		want                bool
	}{
		{true, "linux", "xterm", "", true}, {true, "darwin", "xterm-256color", "", true},
		{false, "linux", "xterm", "", false}, {true, "linux", "xterm", "1", false}, {true, "linux", "xterm", "0", false},
		{true, "linux", "dumb", "", false}, {true, "linux", "", "", false}, {true, "windows", "xterm", "", false},
	} {
		env := func(name string) string { return map[string]string{"TERM": c.term, "NO_COLOR": c.plain}[name] }
		assert.Equal(t, c.want, coloured(c.terminal, c.system, env), "%+v", c)
	}
}

func TestOnlyTheFirstWordOfAMessageIsColoured(t *testing.T) {
	var out bytes.Buffer
	const messages = "hcgen: error: no hint: of it\nhint: fix it\nhcgen: warning: a\n  error: is data\nhcgen: fine\n"
	n, err := fmt.Fprint(painter{&out}, messages)
	require.NoError(t, err)
	assert.Equal(t, len(messages), n)
	assert.Equal(t, "hcgen: \x1b[1;31merror:\x1b[0m no hint: of it\n\x1b[1;34mhint:\x1b[0m fix it\n"+
		"hcgen: \x1b[1;33mwarning:\x1b[0m a\n  error: is data\nhcgen: fine\n", out.String())
}
