// SPDX-License-Identifier: Apache-2.0

package verilog

import (
	"bytes"
	"io"
	"regexp"
	"strings"
)

// Aligned is a writer that aligns lists of ports and of connections as in hand-written Verilog: the directions, types,
// ranges, names and comments of ports stand in columns, and so do the names and values of connections. It changes blanks
// only. Flush writes the last list.
type Aligned struct {
	w       io.Writer
	pending []byte   // the line that is not complete
	list    []string // lines of a list that is not complete
}

// NewAligned returns a writer that writes to w.
func NewAligned(w io.Writer) *Aligned { return &Aligned{w: w} }

func (a *Aligned) Write(text []byte) (int, error) {
	a.pending = append(a.pending, text...)
	for {
		end := bytes.IndexByte(a.pending, '\n')
		if end < 0 {
			return len(text), nil
		}
		if err := a.line(string(a.pending[:end])); err != nil {
			return 0, err
		}
		a.pending = append(a.pending[:0], a.pending[end+1:]...)
	}
}

// Flush writes the lines that are left.
func (a *Aligned) Flush() error {
	if err := a.endList(); err != nil {
		return err
	}
	_, err := a.w.Write(a.pending)
	a.pending = nil
	return err
}

// line adds a line to the list, or writes it. A list ends with a parenthesis at the begin of a line.
func (a *Aligned) line(line string) error {
	first := strings.TrimLeft(line, " ")
	isItem := strings.HasPrefix(first, ".") || strings.HasPrefix(first, "input ") || strings.HasPrefix(first, "output ")
	if isItem || len(a.list) > 0 && !strings.HasPrefix(first, ")") {
		a.list = append(a.list, line)
		return nil
	}
	if err := a.endList(); err != nil {
		return err
	}
	_, err := io.WriteString(a.w, line+"\n")
	return err
}

func (a *Aligned) endList() error {
	if len(a.list) == 0 {
		return nil
	}
	alignPorts(a.list)
	alignConnections(a.list)
	_, err := io.WriteString(a.w, strings.Join(a.list, "\n")+"\n")
	a.list = a.list[:0]
	return err
}

var (
	portLine       = regexp.MustCompile(`^ *(input|output) +([\w:]+) +(\[[^\]]*\])? *(\w+,?) *(//.*)?$`)
	connectionLine = regexp.MustCompile(`^( *\.\w+) *(\(.*)$`)
)

// alignPorts aligns the lines that are ports.
func alignPorts(lines []string) {
	parts := matches(lines, portLine)
	var width [4]int // of types, ranges, and names with a comment
	for _, p := range parts {
		if p == nil {
			continue
		}
		width[0], width[1] = max(width[0], len(p[2])), max(width[1], len(p[3]))
		if p[5] != "" {
			width[2] = max(width[2], len(p[4]))
		}
	}
	for i, p := range parts {
		if p == nil {
			continue
		}
		words := []string{pad(p[1], len("output")), pad(p[2], width[0])}
		if width[1] > 0 {
			words = append(words, pad(p[3], width[1]))
		}
		indent := lines[i][:len(lines[i])-len(strings.TrimLeft(lines[i], " "))]
		line := indent + strings.Join(words, " ") + " " + p[4]
		if p[5] != "" {
			line += pad("", width[2]-len(p[4])) + "  " + p[5]
		}
		lines[i] = line
	}
}

// alignConnections aligns the lines that are connections. Values may go on in lines that are not.
func alignConnections(lines []string) {
	parts := matches(lines, connectionLine)
	width := 0
	for _, p := range parts {
		if p != nil {
			width = max(width, len(p[1]))
		}
	}
	for i, p := range parts {
		if p != nil {
			lines[i] = pad(p[1], width) + p[2]
		}
	}
}

func matches(lines []string, pattern *regexp.Regexp) [][]string {
	list := make([][]string, len(lines))
	for i, line := range lines {
		list[i] = pattern.FindStringSubmatch(line)
	}
	return list
}

func pad(text string, width int) string { return text + strings.Repeat(" ", max(0, width-len(text))) }
