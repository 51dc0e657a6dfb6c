// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"regexp"
)

// coloured reports whether messages are to be coloured: on a terminal that takes colours, unless
// NO_COLOR is set to anything (https://no-color.org). Consoles of Windows may show the codes instead.
func coloured(terminal bool, system string, env func(string) string) bool {
	return terminal && system != "windows" && env("NO_COLOR") == "" && env("TERM") != "dumb" && env("TERM") != ""
}

// painter colours the first word of messages that pass through it, and nothing else.
type painter struct{ w io.Writer }

var messageStart = regexp.MustCompile(`(?m)^((?:[a-z.]+: )?)(error|warning|hint):`)

// colourOf has the codes of bold red, bold yellow and bold blue, which are readable on
// light and dark terminals.
var colourOf = map[string]string{"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "hint": "\x1b[1;34m"}

// Write passes a message on.
func (p painter) Write(message []byte) (int, error) {
	painted := messageStart.ReplaceAllFunc(message, func(start []byte) []byte {
		m := messageStart.FindSubmatch(start)
		return []byte(string(m[1]) + colourOf[string(m[2])] + string(m[2]) + ":\x1b[0m")
	})
	if _, err := p.w.Write(painted); err != nil {
		return 0, err
	}
	return len(message), nil
}
