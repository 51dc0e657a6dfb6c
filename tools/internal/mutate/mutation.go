// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// Mutation is one change of a design: of the router, as Yosys's command mutate makes it, or two wires of
// the network that change places.
type Mutation struct {
	Number  int      `json:"number"`            // from 1; selects the mutation in the benches
	Command string   `json:"command,omitempty"` // of Yosys, without the control input
	Module  string   `json:"module"`            // in the source
	Sources []string `json:"sources,omitempty"` // file:line.column-line.column
	Netlist string   `json:"netlist,omitempty"` // name of the module in the netlist, with its parameters
	Swap    *Swap    `json:"swap,omitempty"`
}

// draw reads the mutations of the router that Yosys has drawn, and draws those of the network.
func (d *Design) draw(s Settings) error {
	for i, filter := range s.Filters {
		text, err := os.ReadFile(d.file(fmt.Sprintf("list%d.txt", i)))
		if err != nil {
			return err
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		if len(lines) < s.Count || lines[0] == "" {
			return &Refused{fmt.Sprintf("%s has fewer than %d mutations %s", d.p.Name, s.Count, filter)}
		}
		for _, line := range lines {
			m, err := d.parse(line)
			if err != nil {
				return err
			}
			d.Mutations = append(d.Mutations, m)
		}
	}
	return d.drawSwaps(s.Wires)
}

// control is the option of Yosys that switches a mutation on by a number at an input.
var control = regexp.MustCompile(`^mutate -ctrl \S+ \d+ \d+ `)

// parse reads a line of mutate -list.
func (d *Design) parse(line string) (Mutation, error) {
	m := Mutation{Number: len(d.Mutations) + 1, Command: control.ReplaceAllString(line, "mutate ")}
	words := strings.Fields(m.Command)
	for i := 1; i+1 < len(words); i += 2 {
		switch words[i] {
		case "-module":
			m.Netlist = words[i+1]
			m.Module = d.Modules[m.Netlist].Source
		case "-src":
			m.Sources = append(m.Sources, words[i+1])
		}
	}
	if m.Command == line || m.Module == "" {
		return m, fmt.Errorf("a mutation of Yosys is not understood: %q", line)
	}
	return m, nil
}

// selectable is the command of Yosys with the input that selects the mutation.
func (m Mutation) selectable() string {
	return strings.Replace(m.Command, "mutate ", fmt.Sprintf("mutate -ctrl mutant 32 %d ", m.Number), 1)
}

// String reports what is changed where.
func (m Mutation) String() string {
	if m.Swap != nil {
		return m.what()
	}
	return m.what() + ", " + m.place()
}

// what reports what is changed.
func (m Mutation) what() string {
	if m.Swap != nil {
		return m.Swap.String()
	}
	what := map[string]string{}
	words := strings.Fields(m.Command)
	for i := 1; i+1 < len(words); i += 2 {
		what[words[i]] = words[i+1]
	}
	text := fmt.Sprintf("%s at %s bit %s of %s", what["-mode"], what["-port"], what["-portbit"], what["-cell"])
	if bit := what["-ctrlbit"]; bit != "" {
		text += ", by bit " + bit
	}
	if wire := what["-wire"]; wire != "" {
		text += fmt.Sprintf(" (%s[%s])", wire, what["-wirebit"])
	}
	return text
}

// place is the place of the mutation in the source; the last attribute is that of the cell.
func (m Mutation) place() string {
	if len(m.Sources) == 0 {
		return m.Module
	}
	at := m.Sources[len(m.Sources)-1]
	name, columns, _ := strings.Cut(at, ":")
	line, _, _ := strings.Cut(columns, ".")
	return name + ":" + line
}
