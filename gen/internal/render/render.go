// SPDX-License-Identifier: Apache-2.0

// Package render fills the templates of package templates.
package render

import (
	"io"
	"text/template"

	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/templates"
)

// functions print the values of views as Verilog.
var functions = template.FuncMap{
	"bits":        verilog.Range,       // bits 4 8: [31:0]
	"slice":       verilog.Part.Slice,  // of bits 8 to 11: [11:8]
	"lane":        verilog.Lane,        // lane 1 8: [15:8]
	"lit":         verilog.Sized,       // lit 2 3: 2'd3
	"flag":        verilog.Flag,        // flag true: 1'b1
	"asInt":       verilog.Int,         // asInt true: 1
	"parts":       verilog.Parts,       // parts "v" of two parts: v[7:0] and v[15:8]
	"concat":      verilog.Concat,      // of v[7:0] and v[15:8]: {v[15:8], v[7:0]}
	"declare":     verilog.Declare,     // of ports: input  wire [3:0] v, and so on
	"wires":       verilog.Wires,       // of ports: wire [3:0] v;  // input, and so on
	"vector":      verilog.Dimension,   // of a port that is a vector: [3:0] and a blank
	"net":         verilog.Net,         // of a port, at its wire in a proof: wire [3:0] v
	"connect":     verilog.Connect,     // of connections: .v(v[7:0]), and so on
	"list":        verilog.List,        // of a and b: a, b
	"declareVHDL": verilog.DeclareVHDL, // of ports: v : in  std_logic_vector(3 downto 0); and so on

	"highest": func(width int) int { return width - 1 }, // bit of a vector
}

var parsed = template.Must(template.New("").Option("missingkey=error").Funcs(functions).ParseFS(templates.Files, "*/*.tmpl"))

// Template returns a writer of the named template filled with the view.
func Template(name string, view any) func(io.Writer) error {
	return func(w io.Writer) error { return parsed.ExecuteTemplate(w, name, view) }
}

// Verilog is Template with aligned lists of ports and connections.
func Verilog(name string, view any) func(io.Writer) error {
	return func(w io.Writer) error {
		aligned := verilog.NewAligned(w)
		if err := parsed.ExecuteTemplate(aligned, name, view); err != nil {
			return err
		}
		return aligned.Flush()
	}
}
