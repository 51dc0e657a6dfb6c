// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

var identifierPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// identifier checks a label, of which names of modules, classes and files are
// made. what is the block's type.
func (l *loader) identifier(what, name string, at hcl.Range) bool {
	fail := func(format string, args ...any) bool {
		l.errorAt(at, "Invalid "+what+" name", format, args...)
		return false
	}
	switch {
	case name == "":
		return fail("The name of a %s must not be empty: give a letter, followed by letters, digits and single underscores.", what)
	case utf8.RuneCountInString(name) > MaxNameLength:
		return fail("The name of a %s has at most %d characters; this one has %d.", what, MaxNameLength, utf8.RuneCountInString(name))
	case !identifierPattern.MatchString(name):
		return fail("%s is not a name for a %s: give an ASCII letter, followed by letters, digits and underscores.", quote(name), what)
	case strings.Contains(name, "__") || strings.HasSuffix(name, "_"):
		return fail("%s is not a name for a %s: hcgen joins names by a double underscore, so a name has no two underscores in a row, and none at its end: remove them.", quote(name), what)
	}
	if what == "variable" {
		return true // used only in the description
	}
	if strings.HasPrefix(strings.ToLower(name), "hc_") {
		l.errorAt(at, "Reserved "+what+" name",
			"Names that begin with hc_ are reserved for library modules: give the %s another name.", what)
		return false
	}
	if language := keywordOf(name); language != "" && what == "module" { // all other names are parts of longer ones
		return fail("%s is a keyword of %s: give the module another name, such as %q.", quote(name), language, name+"1")
	}
	return true
}

// keywordOf returns the language in which name is a keyword, or "". Tools read Verilog as SystemVerilog by default.
func keywordOf(name string) string {
	switch {
	case slices.Contains(strings.Fields(verilogKeywords), name):
		return "Verilog"
	case slices.Contains(strings.Fields(systemVerilogKeywords), name):
		return "SystemVerilog"
	}
	return ""
}

// verilogKeywords: IEEE Std 1364-2005, Annex B.
const verilogKeywords = `
always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos
config deassign default defparam design disable edge else end endcase endconfig
endfunction endgenerate endmodule endprimitive endspecify endtable endtask event
for force forever fork function generate genvar highz0 highz1 if ifnone incdir
include initial inout input instance integer join large liblist library localparam
macromodule medium module nand negedge nmos nor noshowcancelled not notif0 notif1
or output parameter pmos posedge primitive pull0 pull1 pulldown pullup
pulsestyle_onevent pulsestyle_ondetect rcmos real realtime reg release repeat
rnmos rpmos rtran rtranif0 rtranif1 scalared showcancelled signed small specify
specparam strong0 strong1 supply0 supply1 table task time tran tranif0 tranif1
tri tri0 tri1 triand trior trireg unsigned use uwire vectored wait wand weak0
weak1 while wire wor xnor xor`

// systemVerilogKeywords: what IEEE Std 1800-2017, Annex B, adds.
const systemVerilogKeywords = `
accept_on alias always_comb always_ff always_latch assert assume before bind bins
binsof bit break byte chandle checker class clocking const constraint context
continue cover covergroup coverpoint cross dist do endchecker endclass endclocking
endgroup endinterface endpackage endprogram endproperty endsequence enum eventually
expect export extends extern final first_match foreach forkjoin global iff
ignore_bins illegal_bins implements implies import inside int interconnect
interface intersect join_any join_none let local logic longint matches modport
nettype new nexttime null package packed priority program property protected pure
rand randc randcase randsequence ref reject_on restrict return s_always
s_eventually s_nexttime s_until s_until_with sequence shortint shortreal soft
solve static string strong struct super sync_accept_on sync_reject_on tagged this
throughout timeprecision timeunit type typedef union unique unique0 until
until_with untyped var virtual void wait_order weak wildcard with within`
