# SPDX-License-Identifier: Apache-2.0
#
# Tells what a flow has left: a row of the table of checks, or a section about synthesis, the
# proof or mutation.
#
# From the environment: KIND and NAME of the result; AT, where it is, without its ending;
# CONFIG and RTL, hash of the description and checksum of the Verilog that are here now.

# get("file"): all lines of a file in line[1..]; how many, or -1 without the file.
function get(file,   k, got, s) {
    split("", line)
    k = 0
    while ((got = (getline s < file)) > 0) line[++k] = s
    close(file)
    return got < 0 ? -1 : k
}

function exists(file,   got, s) {
    got = (getline s < file)
    close(file)
    return got >= 0
}

function first(file,   s, got) {
    s = ""
    got = (getline s < file)
    close(file)
    return got > 0 ? s : ""
}

# value("key"): of a member "key": in the lines got, a string without its quotes or the rest up to , or }.
function value(key,   k, s) {
    for (k = 1; k in line; k++) {
        if (!match(line[k], "\"" key "\": *")) continue
        s = substr(line[k], RSTART + RLENGTH)
        if (substr(s, 1, 1) == "\"") {
            s = substr(s, 2)
            sub(/".*/, "", s)
        } else sub(/[,}].*/, "", s)
        return s
    }
    return ""
}

# member("key", s): of an object of JSON in one line, a string.
function member(key, s,   k, c, found) {
    if (!match(s, "\"" key "\": *\"")) return ""
    for (k = RSTART + RLENGTH; (c = substr(s, k, 1)) != "" && c != "\""; k++) {
        if (c == "\\") c = substr(s, ++k, 1)
        found = found c
    }
    return found
}

# attribute("name", s): of an XML element.
function attribute(name, s) {
    if (!match(s, "[ <]" name "=\"")) return ""
    s = substr(s, RSTART + RLENGTH)
    sub(/".*/, "", s)
    gsub(/&#10;/, " ", s)
    gsub(/&quot;/, "\"", s)
    gsub(/&lt;/, "<", s)
    gsub(/&gt;/, ">", s)
    gsub(/&amp;/, "\\&", s)
    return s
}

# property("name"): of a JUnit report in the lines got.
function property(name,   k) {
    for (k = 1; k in line; k++)
        if (index(line[k], "<property name=\"" name "\"")) return attribute("value", line[k])
    return ""
}

# Why a result says nothing about what is here now; "" if it does.
function outdated(config, rtl) {
    if (config != ENVIRON["CONFIG"]) return "of another description"
    if (rtl != ENVIRON["RTL"]) return "the Verilog has changed since"
    return ""
}

# row(COMMAND, passed|failed|missed|bounded|none|broken, DETAIL, TOOLS, WHY OUTDATED): the result in words and in colour.
function row(command, result, detail, tools, why,   words, class) {
    if (result == "none") {
        words = "not run yet"
        detail = "make " command
    } else if (result == "broken") words = "no result"
    else if (result == "missed") words = "goal missed"
    else if (result == "bounded") words = "bounded, not proved"
    else words = result
    class = result
    if (why != "" && result != "none" && result != "broken") {
        words = words ", but outdated"
        detail = why (detail == "" ? "" : "; " detail)
        class = "outdated"
    }
    print "<tr><th scope=\"row\"><code>" text(command) "</code></th><td><span class=\"mark " class "\">" text(words) "</span></td><td>" \
        (result == "none" ? "<code>" text(detail) "</code>" : text(detail)) "</td><td>" text(tools) "</td></tr>"
}

function lint(   k, field) {
    command = "lint-" name
    if (get(at ".txt") < 0) return row(command, "none")
    for (k = 1; k in line; k++) if (match(line[k], /^[a-z]+: /)) field[substr(line[k], 1, RLENGTH - 2)] = substr(line[k], RLENGTH + 1)
    result = field["result"] == "passed" || field["result"] == "failed" ? field["result"] : "broken"
    row(command, result, "", field["version"], outdated(field["config"], field["rtl"]))
}

function replay(command, sum,   k, suite, tests, bad, errors, message, whole) {
    if (get(at ".xml") < 0) return row(command, sum == "" ? "none" : "broken", sum == "" ? "" : "it was started, but ended before it could tell")
    for (k = 1; k in line; k++) {
        if (index(line[k], "<testsuite ")) suite = line[k]
        if (message == "" && line[k] ~ /<(failure|error) /) message = attribute("message", line[k])
        if (index(line[k], "</testsuites>")) whole = 1
    }
    tests = number(attribute("tests", suite))
    bad = number(attribute("failures", suite))
    errors = number(attribute("errors", suite))
    if (!whole || tests + 0 == 0 || bad == "?" || errors == "?" || (bad + errors == 0 && message != "")) return row(command, "broken", "its report cannot be read")
    tools = "Verilator " property("verilator")
    why = outdated(property("config"), sum)
    if (errors > 0) return row(command, "broken", message, tools)
    if (bad > 0) return row(command, "failed", count(bad, "test case") " of " tests " differ, first: " message, tools, why)
    row(command, "passed", count(tests, "test case") " equal to the golden trace in " count(number(property("cycles")), "cycle") ", " number(property("values_compared")) " values compared", tools, why)
}

function synth() {
    command = "synth-" name
    if (get(at "/summary.json") < 0) return row(command, exists(at "/router.log") ? "broken" : "none", "it was started, but ended before it could tell; see the logs beside it")
    met = value("median_met") == "true"
    row(command, met ? "passed" : "missed", met ? "the median reaches the clock wanted" : "the median misses the clock wanted", \
        "Yosys " value("yosys") ", nextpnr-ice40 " value("nextpnr-ice40"), outdated(value("config"), value("rtl")))
}

# How far a proof reaches that is none.
function bounded() {
    return "nothing fails in the first " count(number(value("bound")), "cycle") " after reset; not proved for longer runs: " value("why")
}

function prove(   verdict) {
    if (get(at "/result.json") < 0) return row("prove", exists(at "/prepare.log") ? "broken" : "none", "it was started, but ended before it could tell")
    verdict = value("verdict")
    row("prove", verdict == "PASS" ? "passed" : verdict == "BOUNDED" ? "bounded" : "failed", \
        verdict == "PASS" ? "" : verdict == "BOUNDED" ? bounded() : verdict == "UNKNOWN" ? "not all is proved" : "it does not hold", \
        value("yosys") ", " value("solver"), outdated(value("config"), value("rtl")))
}

# Where a result is of something else, a sentence that says so.
function warning(why) { if (why != "") print "<p class=\"missing\">These results are outdated: " text(why) ". Run <code>make " text(command) "</code> again.</p>" }

function cell(v) { return "<td>" (v == "null" ? "-" : number(v)) "</td>" }

function synthesis(   wanted, k, s, seed, mhz, network) {
    command = "synth-" name
    print "<h3>" text(name) "</h3>"
    if (get(at "/summary.json") < 0) {
        print "<p class=\"missing\">Not run yet, or it ended without a result: <code>make " text(command) "</code></p>"
        return
    }
    warning(outdated(value("config"), value("rtl")))
    wanted = number(value("wanted_mhz"))
    print "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Clock of " text(name) "\"><table><caption>Clock of the router on " text(value("device")) "-" text(value("package")) ", " wanted " MHz wanted</caption>"
    print "<thead><tr><th scope=\"col\">seed</th><th scope=\"col\">MHz</th><th scope=\"col\">reaches " wanted " MHz</th></tr></thead><tbody>"
    for (k = 1; k in line; k++) {
        if (line[k] !~ /"seeds":/) continue
        s = line[k]
        while (match(s, /\{"seed": [0-9]+, "mhz": [0-9.]+\}/)) {
            seed = substr(s, RSTART, RLENGTH)
            s = substr(s, RSTART + RLENGTH)
            mhz = seed
            sub(/.*"mhz": /, "", mhz)
            sub(/\}/, "", mhz)
            sub(/.*"seed": /, "", seed)
            sub(/,.*/, "", seed)
            print "<tr><th scope=\"row\">" number(seed) "</th>" cell(mhz) "<td>" reaches(mhz, wanted) "</td></tr>"
        }
    }
    print "</tbody><tfoot>"
    split("min median max", which, " ")
    for (k = 1; k <= 3; k++) {
        mhz = value(which[k] "_mhz")
        print "<tr><th scope=\"row\">" which[k] "</th>" cell(mhz) "<td>" reaches(mhz, wanted) "</td></tr>"
    }
    print "</tfoot></table></div>"
    print "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Cells of " text(name) "\"><table><caption>Cells</caption>"
    print "<thead><tr><th scope=\"col\">design</th><th scope=\"col\">LUT4</th><th scope=\"col\">FF</th><th scope=\"col\">carry</th><th scope=\"col\">BRAM</th></tr></thead><tbody>"
    print "<tr><th scope=\"row\">router</th>" cell(value("lut4")) cell(value("ff")) cell(value("carry")) cell(value("bram")) "</tr>"
    for (k = 1; k in line; k++) if (line[k] ~ /"network":/) network = line[k]
    split("", line)
    line[1] = network
    if (value("lut4") != "null" && value("lut4") != "")
        print "<tr><th scope=\"row\">network</th>" cell(value("lut4")) cell(value("ff")) "<td>-</td><td>-</td></tr>"
    print "</tbody></table></div>"
}

function reaches(mhz, wanted) { return number(mhz) == "?" || wanted == "?" ? "?" : mhz + 0 >= wanted + 0 ? "yes" : "no" }

function proof(   k, s, task, result, seconds, n) {
    command = "prove"
    if (get(at "/result.json") < 0) {
        print "<p class=\"missing\">Not run yet, or it ended without a result: <code>make prove</code></p>"
        return
    }
    warning(outdated(value("config"), value("rtl")))
    print "<p>Verdict: <strong>" text(value("verdict")) "</strong>. " number(value("assertions")) " assertions, " number(value("covers")) " covers, " number(value("covers_reached")) " of them reached.</p>"
    print "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Tasks of the proof\"><table><caption>Tasks of the proof</caption><thead><tr><th scope=\"col\">task</th><th scope=\"col\">result</th><th scope=\"col\">seconds</th></tr></thead><tbody>"
    for (k = 1; k in line; k++) {
        if (line[k] !~ /"name":.*"seconds":/) continue
        s = line[k]
        task = s
        sub(/.*"name": *"/, "", task)
        sub(/".*/, "", task)
        result = s
        sub(/.*"result": *"/, "", result)
        sub(/".*/, "", result)
        seconds = s
        sub(/.*"seconds": */, "", seconds)
        sub(/[,}].*/, "", seconds)
        print "<tr><th scope=\"row\">" text(task) "</th><td>" text(result) "</td><td>" number(seconds) "</td></tr>"
    }
    print "</tbody></table></div>"
    n = get(at "/summary.txt")
    if (n > 0) {
        print "<pre>"
        for (k = 1; k <= n; k++) print text(line[k])
        print "</pre>"
    }
}

function mutation(   k, n, s, title) {
    if (get(at "/result.json") < 0) {
        print "<p class=\"missing\">Not run yet, or it ended without a result.</p>"
        return
    }
    command = "campaign-mutate MACHINES=DESCRIPTION INTO=FOLDER"
    warning(outdated(value("config"), value("rtl")))
    print "<p>" number(value("survive")) " of " number(value("mutants")) " mutants survive, drawn with seed " number(value("seed")) ". " \
        text(value("yosys")) ", " text(value("verilator")) ", " text(value("z3")) ".</p>"
    print "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"What became of the mutants\"><table class=\"words\"><caption>What became of the mutants</caption><thead><tr><th scope=\"col\">what</th><th scope=\"col\">mutants</th></tr></thead><tbody>"
    n = split("router bench,network bench,proofs of modules,proof of the router,equivalent,equivalent where reachable,survive", title, ",")
    for (k = 1; k <= n; k++) {
        s = title[k]
        gsub(/ /, "_", s)
        print "<tr><th scope=\"row\">" (k <= 4 ? "caught by the " : "") title[k] "</th>" cell(value(s)) "</tr>"
    }
    print "</tbody></table></div>"
    if (value("survive") + 0 == 0) return
    print "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Mutants that survive\"><table class=\"words\"><caption>Mutants that survive</caption><thead><tr><th scope=\"col\">mutant</th><th scope=\"col\">change</th><th scope=\"col\">place</th><th scope=\"col\">compared with the router as it should be</th></tr></thead><tbody>"
    for (k = 1; k in line; k++) {
        s = line[k]
        if (!match(s, /^ *\{"number": *[0-9]+,/)) continue
        n = substr(s, 1, RLENGTH - 1)
        sub(/.*: */, "", n)
        print "<tr><th scope=\"row\">" text(n) "</th><td>" text(member("change", s)) "</td><td><code>" text(member("place", s)) "</code></td><td>" \
            text(member("verdict", s)) ": " text(member("detail", s)) "</td></tr>"
    }
    print "</tbody></table></div>"
}

BEGIN {
    kind = ENVIRON["KIND"]
    name = ENVIRON["NAME"]
    at = ENVIRON["AT"]
    if (kind == "lint") lint()
    else if (kind == "sim") replay("sim-" name, first(at ".sum"))
    else if (kind == "netlist") {
        sum = ""
        if (at != "") {
            folder = at
            sub(/\/[^\/]*$/, "", folder)
            sum = first(folder "/rtl.sum")
        }
        if (at == "" || !exists(at ".xml")) row("netlist-" name, "none")
        else replay("netlist-" name, sum)
    }
    else if (kind == "synth") synth()
    else if (kind == "prove") prove()
    else if (kind == "synthesis") synthesis()
    else if (kind == "proof") proof()
    else if (kind == "mutation") mutation()
    else exit 1
}
