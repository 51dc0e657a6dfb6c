// SPDX-License-Identifier: Apache-2.0

package registers

import (
	"encoding/json"
	"fmt"
	"strings"
)

const license = "SPDX-License-Identifier: Apache-2.0"

// LocalParams returns the constants that the register file itself uses: the
// number of each register in words and the lowest bit of each field, as Verilog
// local parameters indented by four blanks. The text is in
// hdl/programmable/hc_config_registers.v.
func (m Map) LocalParams() string {
	var b strings.Builder
	fmt.Fprintf(&b, "    localparam [7:0] VERSION = 8'd%d;\n", m.Version)
	for _, r := range m.Registers {
		fmt.Fprintf(&b, "    localparam [%d:0] AT_%s = %d'd%d;\n", AddressBits-3, r.Name, AddressBits-2, r.Offset/Word)
		if len(r.Fields) == 1 {
			continue // begins at bit 0
		}
		for _, f := range r.Fields {
			fmt.Fprintf(&b, "    localparam integer %s_%s = %d;\n", r.Name, strings.ToUpper(f.Name), f.LSB)
		}
	}
	return b.String()
}

// Verilog returns constants for masters written in Verilog: byte addresses, the
// lowest bit and the number of bits of each field, and all codes.
func (m Map) Verilog() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n//\n// %s of %s, to be included in a module.\n\n", license, m.Kind, m.Of)
	fmt.Fprintf(&b, "localparam integer %s_VERSION = %d;\n", m.Prefix, m.Version)
	for _, r := range m.Registers {
		fmt.Fprintf(&b, "\n// %s\nlocalparam [%d:0] %s_%s = %d'h%02x;%s\n", r.Meaning, AddressBits-1, m.Prefix, r.Name, AddressBits, r.Offset, perDimension(r, "  // + %d i, i = 0 for dimension 1"))
		for _, f := range r.Fields {
			fmt.Fprintf(&b, "localparam integer %s_%s_%s_LSB = %d;\n", m.Prefix, r.Name, strings.ToUpper(f.Name), f.LSB)
			fmt.Fprintf(&b, "localparam integer %s_%s_%s_BITS = %d;\n", m.Prefix, r.Name, strings.ToUpper(f.Name), f.Bits)
		}
	}
	if len(m.named) > 0 {
		b.WriteString("\n")
	}
	for _, c := range m.codes() {
		fmt.Fprintf(&b, "localparam integer %s_%s = %d;\n", m.Prefix, c.Name, c.Value)
	}
	return b.String()
}

// C returns the same constants as a C header. It depends on nothing.
func (m Map) C() string {
	var b strings.Builder
	guard := strings.ToUpper(m.File) + "_H"
	fmt.Fprintf(&b, "/* %s\n *\n * %s of %s.\n */\n\n", license, m.Kind, m.Of)
	fmt.Fprintf(&b, "#ifndef %s\n#define %s\n\n", guard, guard)
	fmt.Fprintf(&b, "#define %s_VERSION %d\n", m.Prefix, m.Version)
	for _, r := range m.Registers {
		if r.PerDimension {
			fmt.Fprintf(&b, "\n/* %s i = 0 for dimension 1. */\n#define %s_%s(i) (0x%02x + %d * (i))\n", r.Meaning, m.Prefix, r.Name, r.Offset, Word)
		} else {
			fmt.Fprintf(&b, "\n/* %s */\n#define %s_%s 0x%02x\n", r.Meaning, m.Prefix, r.Name, r.Offset)
		}
		for _, f := range r.Fields {
			fmt.Fprintf(&b, "#define %s_%s_%s_LSB %d\n", m.Prefix, r.Name, strings.ToUpper(f.Name), f.LSB)
			fmt.Fprintf(&b, "#define %s_%s_%s_BITS %d\n", m.Prefix, r.Name, strings.ToUpper(f.Name), f.Bits)
		}
	}
	if len(m.named) > 0 {
		b.WriteString("\n")
	}
	for _, c := range m.codes() {
		fmt.Fprintf(&b, "#define %s_%s %d /* %s */\n", m.Prefix, c.Name, c.Value, c.Meaning)
	}
	b.WriteString("\n#endif\n")
	return b.String()
}

// Markdown returns the registers as a page of tables.
func (m Map) Markdown() string {
	var b strings.Builder
	b.WriteString("Registers have 32 bits. `+ 4 i` stands for one register per dimension, i = 0 for dimension 1.\n\n" + m.Note)
	b.WriteString("| address | register | access | bits | field | meaning |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range m.Registers {
		fmt.Fprintf(&b, "| 0x%02x%s | `%s` | %s | | | %s |\n", r.Offset, perDimension(r, " + %d i"), r.Name, r.Access, r.Meaning)
		for _, f := range r.Fields {
			bits := fmt.Sprint(f.LSB)
			if f.Bits > 1 {
				bits = fmt.Sprintf("%d:%d", f.LSB+f.Bits-1, f.LSB)
			}
			fmt.Fprintf(&b, "| | | | %s | `%s` | %s |\n", bits, f.Name, f.Meaning)
		}
	}
	if len(m.named) > 0 {
		b.WriteString("\n| code | value | meaning |\n| --- | --- | --- |\n")
	}
	for _, c := range m.codes() {
		fmt.Fprintf(&b, "| `%s` | %d | %s |\n", c.Name, c.Value, c.Meaning)
	}
	return b.String()
}

// RDL returns the registers as SystemRDL 2.0.
func (m Map) RDL() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n//\n// %s of %s, in SystemRDL 2.0.\n\n", license, m.Kind, m.Of)
	fmt.Fprintf(&b, "addrmap %s {\n    name = %q;\n", m.File, m.Kind)
	fmt.Fprintf(&b, "    default regwidth = %d;\n    default accesswidth = %d;\n", 8*Word, 8*Word)
	for _, r := range m.Registers {
		fmt.Fprintf(&b, "\n    reg {\n        desc = %q;\n", r.Meaning)
		for _, f := range r.Fields {
			encode := ""
			if codes := m.codesOf(r, f); codes != nil {
				encode = fmt.Sprintf(" encode = %s_codes;", f.Name)
				fmt.Fprintf(&b, "        enum %s_codes {\n", f.Name)
				for _, c := range codes {
					fmt.Fprintf(&b, "            %s = %d'd%d { desc = %q; };\n", c.Name, f.Bits, c.Value, c.Meaning)
				}
				b.WriteString("        };\n")
			}
			name := f.Name
			if rdlKeywords[name] {
				name = `\` + name
			}
			fmt.Fprintf(&b, "        field { desc = %q; %s%s } %s[%d:%d];\n", f.Meaning, rdlAccess[r.Access], encode, name, f.LSB+f.Bits-1, f.LSB)
		}
		fmt.Fprintf(&b, "    } %s", r.Name)
		if r.PerDimension {
			fmt.Fprintf(&b, "[%d] @ 0x%02x += 0x%x;  // [0] is dimension 1; there are %s\n", m.MaxDimensions, r.Offset, Word, m.Dimensions)
		} else {
			fmt.Fprintf(&b, " @ 0x%02x;\n", r.Offset)
		}
	}
	b.WriteString("};\n")
	return b.String()
}

// rdlAccess says what the bus and the hardware can do with a field.
var rdlAccess = map[Access]string{
	ReadOnly:  "sw = r; hw = w;",
	ReadWrite: "sw = rw; hw = r;",
	WriteOnly: "sw = w; hw = r;",
	Clear:     "sw = rw; onwrite = woclr; hw = r; hwset; precedence = hw;",
	Set:       "sw = rw; onwrite = wset; hw = r; hwclr; precedence = hw;",
}

// rdlKeywords are keywords of SystemRDL 2.0 that are short enough for the name of a field. Such a name is escaped.
var rdlKeywords = map[string]bool{
	"all": true, "bit": true, "hw": true, "na": true, "name": true, "r": true, "ref": true, "rw": true, "sw": true, "this": true, "type": true,
	"w": true, "w1": true, "wr": true,
}

// JSON returns the registers for programs.
func (m Map) JSON() string {
	type field struct {
		Name    string `json:"name"`
		LSB     int    `json:"lsb"`
		Bits    int    `json:"bits"`
		Meaning string `json:"meaning"`
	}
	type register struct {
		Name    string  `json:"name"`
		Offset  int     `json:"offset"`
		Count   int     `json:"count"` // largest number of elements; a register with several has one per dimension
		Access  Access  `json:"access"`
		Meaning string  `json:"meaning"`
		Fields  []field `json:"fields"`
	}
	type code struct {
		Name    string `json:"name"`
		Value   int    `json:"value"`
		Meaning string `json:"meaning"`
	}
	all := struct {
		Version   int        `json:"version"`
		WordBytes int        `json:"word_bytes"`
		Registers []register `json:"registers"`
		Codes     []code     `json:"codes,omitempty"`
	}{Version: m.Version, WordBytes: Word}
	for _, r := range m.Registers {
		out := register{r.Name, r.Offset, 1, r.Access, r.Meaning, nil}
		if r.PerDimension {
			out.Count = m.MaxDimensions
		}
		for _, f := range r.Fields {
			out.Fields = append(out.Fields, field(f))
		}
		all.Registers = append(all.Registers, out)
	}
	for _, c := range m.codes() {
		all.Codes = append(all.Codes, code(c))
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(text) + "\n"
}

func perDimension(r Register, format string) string {
	if !r.PerDimension {
		return ""
	}
	return fmt.Sprintf(format, Word)
}
