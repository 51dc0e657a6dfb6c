// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// mutation is one change of the design, as Yosys's command mutate makes it, or two wires
// of the network that change places.
type mutation struct {
	Number  int      `json:"number"`            // from 1; selects the mutation in the benches
	Command string   `json:"command,omitempty"` // of Yosys, without the control input
	Module  string   `json:"module"`            // as in the source
	Sources []string `json:"sources,omitempty"` // file:line.column-line.column

	netlist string // name of the module in the netlist, with its parameters
	swap    *swap
}

// control is the option of Yosys that switches a mutation on by a number at an input.
var control = regexp.MustCompile(`^mutate -ctrl \S+ \d+ (\d+) `)

// library finds the name of a module in the one that Yosys gives it with its parameters.
var library = regexp.MustCompile(`(?:^\$paramod.*?\\|^)(\w+)(?:\\|$)`)

// parseMutations reads what mutate -list has written.
func parseMutations(list string) ([]mutation, error) {
	var all []mutation
	for _, line := range strings.Split(list, "\n") {
		if line == "" {
			continue
		}
		if control.FindString(line) == "" {
			return nil, fmt.Errorf("a mutation of Yosys is not understood: %q", line)
		}
		m := mutation{Number: len(all) + 1, Command: control.ReplaceAllString(line, "mutate ")}
		words := strings.Fields(m.Command)
		for i := 1; i+1 < len(words); i += 2 {
			switch words[i] {
			case "-module":
				m.netlist = words[i+1]
				m.Module = sourceName(m.netlist)
			case "-src":
				m.Sources = append(m.Sources, words[i+1])
			}
		}
		if m.Module == "" {
			return nil, fmt.Errorf("a mutation of Yosys names no module: %q", line)
		}
		all = append(all, m)
	}
	return all, nil
}

// sourceName is the name of a module in the source.
func sourceName(netlist string) string {
	if found := library.FindStringSubmatch(netlist); found != nil {
		return found[1]
	}
	return netlist
}

// String reports what is changed where.
func (m mutation) String() string {
	if m.swap != nil {
		return m.what()
	}
	return m.what() + ", " + m.place()
}

// what reports what is changed.
func (m mutation) what() string {
	if m.swap != nil {
		return m.swap.String()
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
func (m mutation) place() string {
	if len(m.Sources) == 0 {
		return m.Module
	}
	at := m.Sources[len(m.Sources)-1]
	name, columns, _ := strings.Cut(at, ":")
	line, _, _ := strings.Cut(columns, ".")
	return name + ":" + line
}

// instances lists, for each module of a netlist in RTLIL, the modules it is made of.
func instances(rtlil string) map[string][]string {
	made := map[string][]string{}
	in := ""
	for _, line := range strings.Split(rtlil, "\n") {
		words := strings.Fields(line)
		if len(words) == 2 && words[0] == "module" {
			in = strings.TrimPrefix(words[1], `\`)
			made[in] = nil
		}
		if len(words) == 3 && words[0] == "cell" {
			if of := strings.TrimPrefix(words[1], `\`); !slices.Contains(made[in], of) {
				made[in] = append(made[in], of)
			}
		}
	}
	for module, parts := range made { // without the cells of Yosys itself
		made[module] = slices.DeleteFunc(parts, func(part string) bool { _, is := made[part]; return !is })
	}
	return made
}
