# SPDX-License-Identifier: Apache-2.0
#
# Reads a network whose nodes are black boxes, and follows its nets to their drivers. The second script,
# wiring.awk or follow.awk, defines the driver of each input:
#
#   cat node.blif network.blif | tr ' ' '\n' | awk -v network=NAME -v unit=NAME .. -f netlist.awk -f wiring.awk
#
# node.blif has the modules of the nodes, from Yosys's write_blif -blackbox; network.blif has the network,
# from write_blif -icells -cname -conn. tr puts each word on a line, because some versions of awk limit the
# words of a line. network and unit are the names of the modules. If there are several classes of nodes, the
# names of their modules are unit and a number.
#
# Exit codes: 0 fine, 1 the file is no such network; it prints why.

# Directives of the file, and the words behind them.
/^\./ {
    word = $0
    if (word == ".subckt" || word == ".gate") { cells++; pins = 0 }
    next
}
word == ".model" {
    model = $0
    if (is_unit(model) && first == "") first = model # all classes of nodes have its ports
}
word == ".inputs" && model == first { add_port("node input") }
word == ".outputs" && model == first { add_port("node output") }
word == ".inputs" && model == network {
    add_port("network input")
    drive(bit_name($0), "network " bit_name($0))
}
word == ".outputs" && model == network { add_port("network output") }
word == ".subckt" || word == ".gate" {
    if (!pins++) type = $0
    else {
        equals = index($0, "=")
        formal[pins] = bit_name(substr($0, 1, equals - 1))
        actual[pins] = bit_name(substr($0, equals + 1))
    }
}
word == ".cname" { add_cell($0) }
word == ".conn" {
    if (from == "") from = bit_name($0)
    else {
        drive(bit_name($0), "net " from)
        from = ""
    }
}

# fail ends with a sentence.
function fail(text) {
    if (!wrong) print text
    wrong = 1
    exit 1
}

function is_unit(module) { return substr(module, 1, length(unit)) == unit && substr(module, length(unit) + 1) ~ /^[0-9]*$/ }

# A bit is written name[number], also if it is the only one of its port; constants as they are.
function bit_name(text) { return text ~ /\]$/ || is_constant(text) ? text : text "[0]" }
function port_of(bit) { return substr(bit, 1, index(bit, "[") - 1) }
function number_of(bit) { return substr(bit, index(bit, "[") + 1) + 0 }

# add_port lists a bit of the ports of one kind and counts the bits of its port.
function add_port(kind) {
    name[kind, ++count[kind]] = bit_name($0)
    width[kind, port_of(bit_name($0))]++
}

# drive records the driver of a net.
function drive(to, by) {
    if (to in driver) fail("net " to " is driven by " say(driver[to]) " and by " say(by))
    driver[to] = by
}

# add_cell takes the pins of a node or of a reduction.
function add_cell(cell,    i, n) {
    if (is_unit(type)) {
        if (cell !~ /^node[0-9]+$/) fail("a cell of type " type " is called " cell ", not node and its number")
        n = substr(cell, 5) + 0
        class[n] = substr(type, length(unit) + 1) + 0
        units++
        for (i = 2; i <= pins; i++) {
            if (("node output", port_of(formal[i])) in width) drive(actual[i], n " " formal[i])
            else net[n, formal[i]] = actual[i]
        }
    } else if (type == "$reduce_or" || type == "$reduce_and") {
        for (i = 2; i <= pins; i++) {
            if (formal[i] == "Y[0]") drive(actual[i], type " " cell)
            else reduced[cell, ++inputs[cell]] = actual[i]
        }
    } else fail("the network has a cell of type " type)
}

# source follows a net to its driver: a constant, "network PORT[BIT]", "NODE PORT[BIT]", or a reduction.
function source(from,    by) {
    while (!is_constant(from)) {
        by = driver[from]
        if (substr(by, 1, 4) != "net ") return substr(by, 1, 1) == "$" ? reduction(by) : by
        from = substr(by, 5)
    }
    return from
}
function is_constant(bit) { return bit == "$false" || bit == "$true" || bit == "$undef" }

# lay_out_rings takes m and rho of each dimension, and the stride of its digit.
function lay_out_rings(    part, i) {
    dimensions = split(rings, part, " ") / 2
    nodes = 1
    for (i = 1; i <= dimensions; i++) {
        m[i] = part[2 * i - 1]
        rho[i] = part[2 * i]
        below[i] = nodes
        nodes *= m[i]
    }
    if (units != nodes) fail("the network has " units + 0 " cells of type " unit ", and the machine " nodes " nodes")
    for (i = 0; i < nodes; i++) if (!((i, "clk[0]") in net)) fail("node " i " is not there, or has no clk")
}
function digit(n, i) { return int(n / below[i]) % m[i] }

# say describes a source.
function say(by) {
    if (by == "") return "nothing"
    if (by == "$false") return "constant 0"
    if (by == "$true") return "constant 1"
    if (by == "$undef") return "an unknown value"
    if (by ~ /^(OR|AND) of .* of node/) return "the " by
    if (by ~ /^(OR|AND) of [^0-9]/) return "the " by " of all nodes"
    if (by ~ /^(OR|AND) /) return "an " by
    if (by ~ /^network /) return substr(by, 9) " of the network"
    if (by ~ /^[0-9]+ /) return substr(by, index(by, " ") + 1) " of node " substr(by, 1, index(by, " ") - 1)
    return by
}
