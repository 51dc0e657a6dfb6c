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
func LocalParams() string {
	var b strings.Builder
	fmt.Fprintf(&b, "    localparam [7:0] VERSION = 8'd%d;\n", Version)
	for _, r := range Map() {
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
func Verilog() string {
	var b strings.Builder
	b.WriteString("// " + license + "\n//\n// Configuration registers of the programmable router, to be included in a module.\n\n")
	fmt.Fprintf(&b, "localparam integer HC_VERSION = %d;\n", Version)
	for _, r := range Map() {
		fmt.Fprintf(&b, "\n// %s\nlocalparam [%d:0] HC_%s = %d'h%02x;%s\n", r.Meaning, AddressBits-1, r.Name, AddressBits, r.Offset, perDimension(r, "  // + %d i, i = 0 for dimension 1"))
		for _, f := range r.Fields {
			fmt.Fprintf(&b, "localparam integer HC_%s_%s_LSB = %d;\n", r.Name, strings.ToUpper(f.Name), f.LSB)
			fmt.Fprintf(&b, "localparam integer HC_%s_%s_BITS = %d;\n", r.Name, strings.ToUpper(f.Name), f.Bits)
		}
	}
	b.WriteString("\n")
	for _, c := range codes() {
		fmt.Fprintf(&b, "localparam integer HC_%s = %d;\n", c.Name, c.Value)
	}
	return b.String()
}

// C returns the same constants as a C header. It depends on nothing.
func C() string {
	var b strings.Builder
	b.WriteString("/* " + license + "\n *\n * Configuration registers of the programmable router.\n */\n\n")
	b.WriteString("#ifndef HC_REGISTERS_H\n#define HC_REGISTERS_H\n\n")
	fmt.Fprintf(&b, "#define HC_VERSION %d\n", Version)
	for _, r := range Map() {
		if r.PerDimension {
			fmt.Fprintf(&b, "\n/* %s i = 0 for dimension 1. */\n#define HC_%s(i) (0x%02x + %d * (i))\n", r.Meaning, r.Name, r.Offset, Word)
		} else {
			fmt.Fprintf(&b, "\n/* %s */\n#define HC_%s 0x%02x\n", r.Meaning, r.Name, r.Offset)
		}
		for _, f := range r.Fields {
			fmt.Fprintf(&b, "#define HC_%s_%s_LSB %d\n", r.Name, strings.ToUpper(f.Name), f.LSB)
			fmt.Fprintf(&b, "#define HC_%s_%s_BITS %d\n", r.Name, strings.ToUpper(f.Name), f.Bits)
		}
	}
	b.WriteString("\n")
	for _, c := range codes() {
		fmt.Fprintf(&b, "#define HC_%s %d /* %s */\n", c.Name, c.Value, c.Meaning)
	}
	b.WriteString("\n#endif\n")
	return b.String()
}

// Markdown returns the registers as a page of tables.
func Markdown() string {
	var b strings.Builder
	b.WriteString("Registers have 32 bits. `+ 4 i` stands for one register per dimension, i = 0 for dimension 1.\n\n")
	b.WriteString("| address | register | access | bits | field | meaning |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range Map() {
		fmt.Fprintf(&b, "| 0x%02x%s | `%s` | %s | | | %s |\n", r.Offset, perDimension(r, " + %d i"), r.Name, r.Access, r.Meaning)
		for _, f := range r.Fields {
			bits := fmt.Sprint(f.LSB)
			if f.Bits > 1 {
				bits = fmt.Sprintf("%d:%d", f.LSB+f.Bits-1, f.LSB)
			}
			fmt.Fprintf(&b, "| | | | %s | `%s` | %s |\n", bits, f.Name, f.Meaning)
		}
	}
	b.WriteString("\n| code | value | meaning |\n| --- | --- | --- |\n")
	for _, c := range codes() {
		fmt.Fprintf(&b, "| `%s` | %d | %s |\n", c.Name, c.Value, c.Meaning)
	}
	return b.String()
}

// RDL returns the registers as SystemRDL 2.0.
func RDL() string {
	var b strings.Builder
	b.WriteString("// " + license + "\n//\n// Configuration registers of the programmable router, in SystemRDL 2.0.\n\n")
	b.WriteString("addrmap hc_registers {\n    name = \"Configuration registers\";\n")
	fmt.Fprintf(&b, "    default regwidth = %d;\n    default accesswidth = %d;\n", 8*Word, 8*Word)
	for _, r := range Map() {
		fmt.Fprintf(&b, "\n    reg {\n        desc = %q;\n", r.Meaning)
		for _, f := range r.Fields {
			encode := ""
			if codes := codesOf(r, f); codes != nil {
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
			fmt.Fprintf(&b, "[%d] @ 0x%02x += 0x%x;  // [0] is dimension 1; there are max_dimensions\n", MaxDimensions, r.Offset, Word)
		} else {
			fmt.Fprintf(&b, " @ 0x%02x;\n", r.Offset)
		}
	}
	b.WriteString("};\n")
	return b.String()
}

// rdlAccess says what the bus and the router can do with a field.
var rdlAccess = map[Access]string{
	ReadOnly:  "sw = r; hw = w;",
	ReadWrite: "sw = rw; hw = r;",
	WriteOnly: "sw = w; hw = r;",
}

// rdlKeywords are keywords of SystemRDL 2.0 that are short enough for the name of a field. Such a name is escaped.
var rdlKeywords = map[string]bool{
	"all": true, "bit": true, "hw": true, "na": true, "name": true, "r": true, "ref": true, "rw": true, "sw": true, "this": true, "type": true,
	"w": true, "w1": true, "wr": true,
}

// codesOf lists the values of a field that have names, or nothing.
func codesOf(r Register, f Field) []Code {
	switch r.Name + "." + f.Name {
	case "STATUS.code":
		return ErrorCodes()
	case "PREFERENCE.preference":
		return PreferenceCodes()
	}
	return nil
}

// JSON returns the registers for programs.
func JSON() string {
	type field struct {
		Name    string `json:"name"`
		LSB     int    `json:"lsb"`
		Bits    int    `json:"bits"`
		Meaning string `json:"meaning"`
	}
	type register struct {
		Name    string  `json:"name"`
		Offset  int     `json:"offset"`
		Count   int     `json:"count"` // largest number of elements; a register with several has max_dimensions
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
		Codes     []code     `json:"codes"`
	}{Version: Version, WordBytes: Word}
	for _, r := range Map() {
		out := register{r.Name, r.Offset, 1, r.Access, r.Meaning, nil}
		if r.PerDimension {
			out.Count = MaxDimensions
		}
		for _, f := range r.Fields {
			out.Fields = append(out.Fields, field(f))
		}
		all.Registers = append(all.Registers, out)
	}
	for _, c := range codes() {
		all.Codes = append(all.Codes, code(c))
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(text) + "\n"
}

func codes() []Code { return append(ErrorCodes(), PreferenceCodes()...) }

func perDimension(r Register, format string) string {
	if !r.PerDimension {
		return ""
	}
	return fmt.Sprintf(format, Word)
}
