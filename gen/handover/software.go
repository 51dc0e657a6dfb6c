// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/plan/registers"
)

// Software returns what programs at the buses of the machine need: descriptions of the registers, and of endpoints a C header
// with their functions.
func Software(p *plan.Plan) []artifact.File {
	switch {
	case p.Programmable != nil:
		return registerFiles(registers.Programmable())
	case p.Endpoint != nil:
		return append(registerFiles(registers.Endpoint()), artifact.File{
			Path: "registers/" + p.Name + ".h", Role: artifact.Registers, Content: render.Template("machine.h.tmpl", newSoftwareView(p)),
		})
	}
	return nil
}

// registerFiles are the registers in all languages.
func registerFiles(m registers.Map) (files []artifact.File) {
	for _, f := range []struct{ extension, content string }{
		{".h", m.C()},
		{".vh", m.Verilog()},
		{".md", m.Markdown()},
		{".json", m.JSON()},
		{".rdl", m.RDL()},
	} {
		files = append(files, artifact.File{Path: "registers/" + m.File + f.extension, Role: artifact.Registers, Content: artifact.Text(f.content)})
	}
	return files
}

// softwareView is everything the C header of a machine with endpoints prints. The names of functions begin with that of the
// machine, and the names of macros with the same in capitals.
type softwareView struct {
	*plan.Plan
	Header, Guard, Capitals string

	Groups       []defineGroup
	First        string   // macro of dimension 1
	M, LSB, Mask []string // of the digits, by dimension; LSB in a destination
	Parameters   []string // digits of a node, highest dimension first
	Node         string   // the destination with these digits
	Higher       []higherDigit
	FirstAll     string // bit of a destination: all digits of dimension 1
}

// higherDigit is the digit of a dimension above the first.
type higherDigit struct {
	Name   string
	Stride string // of the numbers of nodes
	One    string // the digit 1, in a destination
}

// define is a macro with a number.
type define struct{ name, value, meaning string }

// defineGroup is macros with a common meaning, as lines of C.
type defineGroup struct {
	Meaning string
	Defines []string
}

func newSoftwareView(p *plan.Plan) *softwareView {
	e := p.Endpoint
	v := &softwareView{Plan: p, Header: p.Notice("//"), Capitals: strings.ToUpper(p.Name), FirstAll: hex(1 << e.AllLow)}
	v.Guard = v.Capitals + "_ENDPOINTS_H"

	region := func(n int) string { return hex(n << e.RegionLow) }
	all := (1<<len(p.Dims) - 1) << e.AllLow
	sizes := []define{
		{"NODES", decimal(p.Nodes), ""},
		{"DIMENSIONS", decimal(len(p.Dims)), ""},
		{"MEMORY_BYTES", decimal(1 << e.AddressBits), "of the memory of a node"},
	}
	addresses := []define{
		{"REGION_REGISTERS", region(plan.RegionRegisters), ""},
		{"REGION_PUT", region(plan.RegionMessages), ""},
	}
	if e.Gets {
		addresses[1].meaning = "and get"
	}
	if e.Adds {
		addresses = append(addresses, define{"REGION_ADD", region(plan.RegionAdd), ""})
	}
	addresses = append(addresses,
		define{"ALL", hex(all), "destination: all nodes but the own"},
		define{"DOORBELL", hex(1<<e.AddressBits - registers.Word), "offset of the doorbell"},
	)
	var places, events, errors, waiting []define
	m := registers.Endpoint()
	for _, r := range m.Registers {
		meaning := ""
		if r.PerDimension {
			meaning = fmt.Sprintf("of dimension 1; + %d for each further one", registers.Word)
		}
		places = append(places, define{"REGISTER_" + r.Name, hex(plan.RegionRegisters<<e.RegionLow | r.Offset), meaning})
	}
	bits := func(register, prefix string) (list []define) {
		for _, f := range m.Register(register).Fields {
			list = append(list, define{prefix + strings.ToUpper(f.Name), hex((1<<f.Bits - 1) << f.LSB), f.Meaning})
		}
		return list
	}
	events, errors, waiting = bits("EVENTS", "EVENT_"), bits("ERRORS", "ERROR_"), bits("WAITING", "WAITING_")

	taken := map[string]bool{"BASE": true, strings.TrimPrefix(v.Guard, v.Capitals+"_"): true}
	for _, d := range slices.Concat(sizes, addresses, places, events, errors, waiting) {
		taken[d.name] = true
	}
	var dimensions []define
	var terms []string
	for _, d := range rtl.Digits(p) {
		name := strings.ToUpper(d.Name)
		for taken[name] { // no name in a description ends with an underscore
			name += "_"
		}
		taken[name] = true
		dimensions = append(dimensions, define{name, decimal(d.Index), fmt.Sprintf("%s, %d nodes", d.Name, d.M)})

		lsb := e.DigitsLow + d.Digit.Low
		parameter := "digit_" + d.Name // the name alone could be a word of C
		v.M, v.LSB = append(v.M, fmt.Sprint(d.M)), append(v.LSB, fmt.Sprint(lsb))
		v.Mask = append(v.Mask, fmt.Sprintf("0x%x", 1<<d.Digit.Width-1))
		v.Parameters = append(v.Parameters, "uint32_t "+parameter)
		terms = append(terms, fmt.Sprintf("(%s << %d)", parameter, lsb))
		if d.Index > 1 {
			v.Higher = append(v.Higher, higherDigit{d.Name, decimal(d.Stride), hex(1 << lsb)})
		}
	}
	for _, list := range [][]string{v.Parameters, terms} {
		slices.Reverse(list)
	}
	slices.Reverse(v.Higher)
	v.Node, v.First = strings.Join(terms, " | "), v.Capitals+"_"+dimensions[0].name
	for _, g := range []struct {
		meaning string
		list    []define
	}{
		{"Sizes.", sizes},
		{"Dimensions.", dimensions},
		{"Parts of addresses.", addresses},
		{"Addresses of the registers.", places},
		{"Bits of events.", events},
		{"Bits of errors.", errors},
		{"Bits of the register WAITING.", waiting},
	} {
		v.Groups = append(v.Groups, defineGroup{g.meaning, v.lines(g.list)})
	}
	return v
}

// lines are macros as lines of C, aligned.
func (v *softwareView) lines(list []define) (lines []string) {
	name, value := 0, 0
	for _, d := range list {
		name, value = max(name, len(d.name)), max(value, len(d.value))
	}
	for _, d := range list {
		line := fmt.Sprintf("#define %s_%-*s %s", v.Capitals, name, d.name, d.value)
		if d.meaning != "" {
			line += strings.Repeat(" ", value-len(d.value)) + "  // " + d.meaning
		}
		lines = append(lines, line)
	}
	return lines
}

// decimal and hex print an unsigned number of C.
func decimal(n int) string { return fmt.Sprintf("%du", n) }
func hex(n int) string     { return fmt.Sprintf("0x%xu", n) }
