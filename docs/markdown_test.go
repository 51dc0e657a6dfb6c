// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// page is what the tests read of a Markdown file.
type page struct {
	name     string
	text     string
	headings []string
	fences   []fence
	tables   []table
	indented []string // code blocks indented by four blanks, without the indentation
}

// fence is a fenced code block.
type fence struct {
	line int      // of the opening fence, from 1
	info []string // words after the opening fence
	text string
}

// is reports whether the first word after the fence is the given one.
func (f fence) is(language string) bool { return len(f.info) > 0 && f.info[0] == language }

// file is the name under which the page's commands find the block: the last
// word after the fence if it has an extension, else "".
func (f fence) file() string {
	if last := len(f.info) - 1; last > 0 && strings.Contains(f.info[last], ".") {
		return f.info[last]
	}
	return ""
}

// table is a pipe table.
type table struct {
	line    int
	heading string // the last one above it
	header  []string
	rows    [][]string
}

// codes lists all `code` in a cell.
func codes(cell string) []string {
	var all []string
	for _, m := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(cell, -1) {
		all = append(all, m[1])
	}
	return all
}

// column lists all `code` in a column of the table.
func (tab table) column(i int) []string {
	var all []string
	for _, row := range tab.rows {
		all = append(all, codes(row[i])...)
	}
	return all
}

// read parses a page.
func read(t testing.TB, name string) page {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	p := page{name: name, text: string(data)}
	lines := append(strings.Split(p.text, "\n"), "", "") // so that a block can look beyond its end
	heading := ""
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "```"):
			f := fence{line: i + 1, info: strings.Fields(line[3:])}
			for i++; ; i++ {
				require.Less(t, i, len(lines), "%s:%d: the code block has no end", name, f.line)
				if lines[i] == "```" {
					break
				}
				f.text += lines[i] + "\n"
			}
			p.fences = append(p.fences, f)
		case strings.HasPrefix(line, "#"):
			heading = strings.TrimSpace(strings.TrimLeft(line, "#"))
			p.headings = append(p.headings, heading)
		case strings.HasPrefix(line, "| "):
			tab := table{line: i + 1, heading: heading, header: cells(line)}
			require.Regexp(t, `^\|( --- \|)+$`, lines[i+1], "%s:%d: the table has no rule", name, i+2)
			for i += 2; strings.HasPrefix(lines[i], "|"); i++ {
				row := cells(lines[i])
				require.Len(t, row, len(tab.header), "%s:%d: wrong number of cells", name, i+1)
				tab.rows = append(tab.rows, row)
			}
			i--
			p.tables = append(p.tables, tab)
		case strings.HasPrefix(line, "    ") && (i == 0 || lines[i-1] == ""):
			block := ""
			for ; strings.HasPrefix(lines[i], "    ") || lines[i] == "" && strings.HasPrefix(lines[i+1], "    "); i++ {
				block += strings.TrimPrefix(lines[i], "    ") + "\n"
			}
			i--
			p.indented = append(p.indented, block)
		}
	}
	return p
}

// cells splits a row of a table.
func cells(line string) []string {
	parts := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// tablesOf returns the tables whose first column has the given title.
func (p page) tablesOf(title string) []table {
	var found []table
	for _, tab := range p.tables {
		if tab.header[0] == title {
			found = append(found, tab)
		}
	}
	return found
}

// tableOf returns the only table whose first column has the given title.
func (p page) tableOf(t testing.TB, title string) table {
	t.Helper()
	found := p.tablesOf(title)
	require.Len(t, found, 1, "tables in %s whose first column is %q", p.name, title)
	return found[0]
}

// blockWith returns the only indented block that begins with the given text.
func (p page) blockWith(t testing.TB, start string) string {
	t.Helper()
	var found []string
	for _, b := range p.indented {
		if strings.HasPrefix(b, start) {
			found = append(found, b)
		}
	}
	require.Len(t, found, 1, "blocks in %s that begin with %q", p.name, start)
	return found[0]
}
