# SPDX-License-Identifier: Apache-2.0
#
# Draws a golden trace over its cycles. Each node, or each group of nodes, has a row with injections, deliveries and
# messages on links; a thicker mark means more of them. Also writes the same numbers as a table.
#
#   -v nodes=N dimensions="M.." ports=N deliveries=N picture=0|1
#
# From the environment: NAME of the traffic, CONFIG, the hash of the description.

BEGIN {
    mostColumns = 160
    mostRows = 32
    split("inject deliver send", lanes, " ")
    split("#b84a00 #00745a #0072b2", colours, " ")
}

NR == 1 {
    for (i = 3; i <= NF; i++) {
        split($i, pair, "=")
        head[pair[1]] = pair[2]
    }
    cycles = head["cycles"] + 0
    good = $2 == "hcgen-trace" && head["config"] == ENVIRON["CONFIG"] && cycles > 0
    if (!good) exit
    per = int((cycles + mostColumns - 1) / mostColumns)
    group = int((nodes + mostRows - 1) / mostRows)
    columns = int((cycles + per - 1) / per)
    rows = int((nodes + group - 1) / group)
    next
}

{
    row = nodes == 1 ? 0 : int($2 / group)
    lane = 0
    if ($3 ~ /^s_local/) {
        if ($4 == 1) lane = 1
        else waits[row]++
    } else if ($3 ~ /^m_local/) {
        if ($4 == 1) lane = 2
    } else if ($3 ~ /^m_link/) {
        if ($4 == 1) lane = 3
    } else if ($3 ~ /^header_error/) errors[row]++
    if (lane) {
        n[lane, row, int($1 / per)]++
        total[lane, row]++
        sum[lane]++
    }
}

# The nodes of a row, for people.
function rowName(r,   first, last) {
    first = r * group
    last = first + group - 1
    if (last >= nodes) last = nodes - 1
    return group == 1 ? address(first) : address(first) " to " address(last)
}

# roundStep returns the smallest 1, 2 or 5 times a power of ten that divides the range into at most `most` steps.
function roundStep(range, most,   step) {
    for (step = 1; range / step > most; step *= 10) {
        if (range / (2 * step) <= most) return 2 * step
        if (range / (5 * step) <= most) return 5 * step
    }
    return step
}

function aggregation(   s) {
    s = per == 1 ? "Each column is one cycle" : "Each column sums up " per " cycles"
    if (nodes > 1) s = s (group == 1 ? ", each row is one node" : ", each row sums up " group " nodes")
    return s "."
}

# A narrow page shows the picture smaller, but not so small that its numbers cannot be read: below seven tenths
# it is scrolled. Attributes give the shapes the colours of the style sheet, for readers that block style sheets.
function drawing(   unit, left, right, high, top, width, height, l, r, c, level, of, v, run, d, step, id, y) {
    unit = int(640 / columns)
    if (unit > 24) unit = 24
    left = 8
    for (r = 0; r < rows; r++) if (length(rowName(r)) * 7 + 16 > left) left = length(rowName(r)) * 7 + 16
    high = 26
    top = 22
    width = left + columns * unit + 40
    height = top + rows * high + 4
    id = "trace-" text(ENVIRON["NAME"])
    printf "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-labelledby=\"%s\">\n", id
    printf "<svg class=\"timeline\" style=\"min-width:%dpx\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\" fill=\"currentColor\" role=\"img\" aria-label=\"Activity of %s over %s; the table below has the sums\">\n", \
        width * .7, width, height, width, height, count(nodes, "node"), count(cycles, "cycle")
    step = roundStep(cycles, columns * unit / 60)
    for (c = 0; c < cycles; c += step) {
        y = left + c / per * unit
        printf "<path class=\"grid\" d=\"M%.1f %dV%d\" fill=\"none\" stroke=\"#b3b3b3\"/><text x=\"%.1f\" y=\"12\" text-anchor=\"middle\">%d</text>\n", y, top - 4, height - 4, y, c
    }
    for (r = 0; r < rows; r++) {
        y = top + r * high
        printf "<path class=\"grid\" d=\"M4 %dh%d\" fill=\"none\" stroke=\"#b3b3b3\"/><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", y, width - 8, left - 6, y + 17, rowName(r)
    }
    printf "<g transform=\"translate(%d %d) scale(%d 1)\">\n", left, top, unit
    for (l = 1; l <= 3; l++) {
        of = per * group * (l == 1 ? 1 : l == 2 ? deliveries : ports)
        split("", d)
        for (r = 0; r < rows; r++) {
            run = 0
            for (c = 0; c <= columns; c++) {
                v = (c < columns && ((l, r, c) in n)) ? int((5 * n[l, r, c] + of - 1) / of) : 0
                if (v > 5) v = 5
                if (run && v != level) { # a run of the same thickness ends
                    d[level] = d[level] "M" (c - run) " " (r * high + 8 * l - 3) "h" run
                    run = 0
                }
                level = v
                if (v) run++
            }
        }
        for (v = 1; v <= 5; v++) if (d[v] != "")
            printf "<path class=\"%s l%d\" d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\"/>\n", lanes[l], v, d[v], colours[l], 1.4 * v
    }
    print "</g>\n</svg>\n</div>"
}

function table(   r) {
    print "<details><summary>Sums by node as a table</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Sums of " text(ENVIRON["NAME"]) "\"><table>"
    print "<caption>" text(ENVIRON["NAME"]) ": handshakes in " count(cycles, "cycle") (group > 1 ? ", each row " group " nodes" : "") "</caption>"
    print "<thead><tr><th scope=\"col\">node</th><th scope=\"col\">injected</th><th scope=\"col\">cycles an injection waited</th><th scope=\"col\">delivered</th><th scope=\"col\">sent on links</th><th scope=\"col\">malformed, dropped</th></tr></thead><tbody>"
    for (r = 0; r < rows; r++)
        printf "<tr><th scope=\"row\">%s</th><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td></tr>\n", \
            rowName(r), total[1, r], waits[r], total[2, r], total[3, r], errors[r]
    print "</tbody></table></div></details>"
}

END {
    print "<section class=\"trace\" aria-labelledby=\"trace-" text(ENVIRON["NAME"]) "\">\n<h3 id=\"trace-" text(ENVIRON["NAME"]) "\">" text(ENVIRON["NAME"]) "</h3>"
    if (NR == 0) print "<p class=\"missing\">golden/" text(ENVIRON["NAME"]) ".trace is missing or empty: generate the machine again.</p>"
    else if (!good) print "<p class=\"missing\">golden/" text(ENVIRON["NAME"]) ".trace is not a trace of this description: generate the machine again.</p>"
    else {
        print "<p>" count(cycles, "cycle") ", " (nodes == 1 ? "one router" : count(nodes, "node")) ": " count(sum[1] + 0, "injection") ", " (sum[2] + 0) (sum[2] == 1 ? " delivery" : " deliveries") ", " count(sum[3] + 0, "message") " on links. " (picture ? aggregation() : "Only the first traces are drawn, to keep this page small.") "</p>"
        if (picture) {
            drawing()
            table()
        }
    }
    print "</section>"
}
