# SPDX-License-Identifier: Apache-2.0
#
# Shows the results that a target of make has written for the report. A line has fields between tabs:
#
#   of       hash of the description, checksum of the Verilog
#   tools    versions of the tools
#   result   passed, failed, missed, bounded or broken, and details; the last such line is valid
#   text     a sentence
#   table    caption of a table of numbers
#   words    caption of a table of words
#   head     titles of that table
#   row      cells of that table
#
# From the environment: TARGET, the target of make; RESULT, the name of the file, which differs if the target has several
# results; PART, row for the row of the table of checks, or section for the rest; CONFIG, the hash of the description; RTL,
# the checksum of the Verilog.

BEGIN {
    FS = "\t"
    says["none"] = "not run yet"
    says["passed"] = "passed"
    says["failed"] = "failed"
    says["missed"] = "goal missed"
    says["bounded"] = "bounded, not proved"
    says["broken"] = "no result"
    target = text(ENVIRON["TARGET"])
    name = text(ENVIRON["RESULT"])
    why = "of another description"
}

# add(HTML): below the table before it, if any.
function add(html) {
    body = body (inside ? "</tbody></table></div>\n" : "") html
    inside = 0
}

# cells(SCOPE): the fields as a row of a table; titles all of them (col) or the first (row).
function cells(scope,   k, s) {
    for (k = 2; k <= NF; k++)
        s = s (scope == "col" || k == 2 ? "<th scope=\"" scope "\">" text($k) "</th>" : "<td>" text($k) "</td>")
    return "<tr>" s "</tr>"
}

$1 == "of" { why = $2 != ENVIRON["CONFIG"] ? "of another description" : $3 != ENVIRON["RTL"] ? "the Verilog has changed since" : "" }
$1 == "tools" { tools = $2 }
$1 == "result" {
    result = $2
    details = $3
}
$1 == "text" { add("<p>" text($2) "</p>\n") }
$1 == "table" || $1 == "words" {
    add("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" text($2) "\"><table class=\"" $1 "\"><caption>" text($2) "</caption>\n")
    inside = 1
}
$1 == "head" { body = body "<thead>" cells("col") "</thead><tbody>\n" }
$1 == "row" { body = body cells("row") "\n" }

function row(   mark, words) {
    mark = NR == 0 ? "none" : (result in says) ? result : "broken"
    words = says[mark]
    details = text(details)
    if (mark == "none") details = "<code>make " target "</code>"
    else if (mark == "broken") details = details == "" ? "it was started, but ended without a result" : details
    else if (why != "") {
        mark = "outdated"
        words = words ", but outdated"
        details = why (details == "" ? "" : "; " details)
    }
    print "<tr><th scope=\"row\"><code>" name "</code></th><td><span class=\"mark " mark "\">" words "</span></td><td>" details "</td><td>" text(tools) "</td></tr>"
}

function section() {
    if (body == "") print "<p class=\"missing\">Not run yet, or it ended without a result: <code>make " target "</code></p>"
    else if (why != "") print "<p class=\"missing\">These results are outdated: " why ". Run <code>make " target "</code> again.</p>"
    printf "%s", body
}

END {
    add("")
    if (ENVIRON["PART"] == "row") row()
    else section()
}
