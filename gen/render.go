// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"io"
	"text/template"

	"github.com/hcgen/hcgen/templates"
)

// functions print the values of views as Verilog.
var functions = template.FuncMap{
	"bits":    rangeOf,    // bits 4 8: [31:0]
	"slice":   part.slice, // of bits 8 to 11: [11:8]
	"lane":    lane,       // lane 1 8: [15:8]
	"lit":     sized,      // lit 2 3: 2'd3
	"flag":    flag,       // flag true: 1'b1
	"asInt":   asInt,      // asInt true: 1
	"parts":   parts,      // parts "v" of two parts: v[7:0] and v[15:8]
	"concat":  concat,     // of v[7:0] and v[15:8]: {v[15:8], v[7:0]}
	"declare": declare,    // of ports: input  wire [3:0] v, and so on
	"connect": connect,    // of connections: .v(v[7:0]), and so on
	"list":    commaList,  // of a and b: a, b

	"scheduleText": scheduleText, // of a collective network
	"declareVHDL":  declareVHDL,  // of ports: v : in  std_logic_vector(3 downto 0);, and so on
	"declarePorts": declarePorts, // of ports of collective networks, as declare
}

var parsed = template.Must(template.New("").Option("missingkey=error").Funcs(functions).ParseFS(templates.Files, "*/*.tmpl"))

// render returns a writer of the named template filled with the view.
func render(name string, view any) func(io.Writer) error {
	return func(w io.Writer) error { return parsed.ExecuteTemplate(w, name, view) }
}
