# SPDX-License-Identifier: Apache-2.0
#
# Functions that the other scripts of the report share. text() puts text from files into the page, so that none
# of it is read as HTML.

function text(s) {
    gsub(/&/, "\\&amp;", s)
    gsub(/</, "\\&lt;", s)
    gsub(/>/, "\\&gt;", s)
    gsub(/"/, "\\&quot;", s)
    gsub(/'/, "\\&#39;", s)
    gsub(/[\001-\010\013-\037\177]/, "?", s)
    return s
}

# A number as it stands in a file, or a question mark.
function number(s) { return s ~ /^[0-9]+(\.[0-9]+)?$/ ? s : "?" }

# "1 node", "2 nodes".
function count(n, what) { return n " " what (n == 1 ? "" : "s") }

# The address of a node, highest dimension first; -v dimensions has m of each, dimension 1 first.
function address(node,   i, m, n, s) {
    n = split(dimensions, m, " ")
    s = ""
    for (i = 1; i <= n; i++) {
        s = (node % m[i]) (i > 1 ? "," : "") s
        node = int(node / m[i])
    }
    return s
}
