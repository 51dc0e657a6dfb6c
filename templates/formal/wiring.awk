# SPDX-License-Identifier: Apache-2.0
#
# Checks the wiring of a network: what drives each input of each router, and each output of the
# network. The neighbours follow from m and rho alone, as docs/architecture.md describes them.
#
#   cat router.blif network.blif | tr ' ' '\n' | awk -v machine=NAME -v rings="m rho .." -v max_nodes=N -f wiring.awk
#
# router.blif has the router as a black box, from Yosys's write_blif -blackbox; network.blif has
# the network, from write_blif -icells -cname -conn. tr puts each word on a line, because some
# versions of awk limit the words of a line. rings lists m and rho of each dimension; max_nodes
# is that of a programmable router, else 0.
#
# Prints the number of connections that it has compared, or the first that is wrong.
# Exit codes: 0 fine, 1 a connection is wrong, or the file is no such network.

# Directives of the file, and the words behind them.
/^\./ {
    word = $0
    if (word == ".subckt" || word == ".gate") { cells++; pins = 0 }
    next
}
word == ".model" { model = $0 }
word == ".inputs" && model == machine "_router" { add_port("router input") }
word == ".outputs" && model == machine "_router" { add_port("router output") }
word == ".inputs" && model == machine "_network" {
    add_port("network input")
    drive(bit_name($0), "network " bit_name($0))
}
word == ".outputs" && model == machine "_network" { add_port("network output") }
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

END {
    if (wrong) exit 1
    lay_out()
    check_cells()
    for (i = 1; i <= count["router input"]; i++) {
        bit = name["router input", i]
        port = port_of(bit)
        number = number_of(bit)
        look_at(port, number)
        for (n = 0; n < nodes; n++) compare(source(net[n, bit]), input_of(n), port, number, " of node " n)
    }
    for (i = 1; i <= count["network output"]; i++) {
        bit = name["network output", i]
        port = port_of(bit)
        number = number_of(bit)
        compare(source(bit), output_of(port, number), port, number, " of the network")
    }
    print compared + 0
}

# fail ends with a sentence.
function fail(text) {
    if (!wrong) print text
    wrong = 1
    exit 1
}

# A bit is written name[number], also if it is the only one of its port; constants as they are.
function bit_name(text) { return text ~ /\]$/ || is_constant(text) ? text : text "[0]" }
function port_of(bit) { return substr(bit, 1, index(bit, "[") - 1) }
function number_of(bit) { return substr(bit, index(bit, "[") + 1) + 0 }

# add_port lists a bit of the ports of one kind and counts the bits of its port.
function add_port(kind) {
    name[kind, ++count[kind]] = bit_name($0)
    width[kind, port_of(bit_name($0))]++
}

# drive says what drives a net.
function drive(to, by) {
    if (to in driver) fail("net " to " is driven by " say(driver[to]) " and by " say(by))
    driver[to] = by
}

# add_cell takes the pins of a router or of a reduction.
function add_cell(cell,    i, n) {
    if (type == machine "_router") {
        if (cell !~ /^node[0-9]+$/) fail("a router is called " cell ", not node and its number")
        n = substr(cell, 5) + 0
        routers++
        for (i = 2; i <= pins; i++) {
            if (("router output", port_of(formal[i])) in width) drive(actual[i], n " " formal[i])
            else net[n, formal[i]] = actual[i]
        }
    } else if (type == "$reduce_or" || type == "$reduce_and") {
        for (i = 2; i <= pins; i++) {
            if (formal[i] == "Y[0]") drive(actual[i], type " " cell)
            else reduced[cell, ++inputs[cell]] = actual[i]
        }
    } else fail("the network has a cell of type " type)
}

# source follows a net to what drives it.
function source(from,    by) {
    while (!is_constant(from)) {
        by = driver[from]
        if (substr(by, 1, 4) != "net ") return substr(by, 1, 1) == "$" ? reduction(by) : by
        from = substr(by, 5)
    }
    return from
}
function is_constant(bit) { return bit == "$false" || bit == "$true" || bit == "$undef" }

# reduction names the OR or AND of the same port of all nodes, of each link if it has links, or of the links of one node.
function reduction(by,    part, cell, of, found, lanes, i, n, first, last, what) {
    split(by, part, " ")
    cell = part[2]
    what = part[1] == "$reduce_or" ? "OR" : "AND"
    for (i = 1; i <= inputs[cell]; i++) found[source(reduced[cell, i])]
    of = source(reduced[cell, 1])
    first = substr(of, 1, index(of, " ") - 1) + 0
    of = port_of(substr(of, index(of, " ") + 1))
    lanes = of == "header_error" ? degree : 1
    last = first
    if (of != "header_error" || inputs[cell] != degree) {
        first = 0
        last = nodes - 1
    }
    for (n = first; n <= last; n++)
        for (i = 0; i < lanes; i++)
            if (!((n " " of "[" i "]") in found)) return what " without " of "[" i "] of node " n
    if (inputs[cell] != (last - first + 1) * lanes) return what " of " inputs[cell] " bits"
    return what " of " of (first == last ? " of node " first : "")
}

# lay_out numbers the ports of a router: dimension 1 first, in each clockwise 1..rho, then
# counterclockwise 1..rho, without the last if it leads where the clockwise one does.
function lay_out(    part, i, x, s, stride) {
    dimensions = split(rings, part, " ") / 2
    degree = 0
    stride = 1
    for (i = 1; i <= dimensions; i++) {
        m[i] = part[2 * i - 1]
        rho[i] = part[2 * i]
        below[i] = stride
        stride *= m[i]
        for (s = 1; s >= -1; s -= 2)
            for (x = 1; x <= rho[i]; x++)
                if (s == 1 || 2 * x != m[i]) {
                    dimension[degree] = i
                    step[degree] = s * x
                    index_of[i, s * x] = degree++
                }
        if (2 * rho[i] == m[i]) index_of[i, -rho[i]] = index_of[i, rho[i]]
    }
    nodes = stride
}

# check_cells: each node has a router.
function check_cells(    n) {
    for (n = 0; n < nodes; n++) if (!((n, "clk[0]") in net)) fail("node " n " has no router with a clk")
    if (routers != nodes) fail("the network has " routers " routers, and the machine " nodes " nodes")
}

function digit(n, i) { return int(n / below[i]) % m[i] }
function neighbour(n, p,    i) {
    i = dimension[p]
    return n + ((digit(n, i) + step[p] + m[i]) % m[i] - digit(n, i)) * below[i]
}
function opposite(p) { return index_of[dimension[p], -step[p]] }
function constant(value, b) { return int(value / 2 ^ b) % 2 ? "$true" : "$false" }

# look_at finds what drives bit b of an input of a router, as far as that does not depend on the
# node: kind is link, local, id or digits, or what drives it at all nodes.
function look_at(port, b,    lanes, bits) {
    at = b
    if (port ~ /^(clk|rst)$|^(wb|s_axi)_/) kind = "network " port "[" b "]"
    else if (port == "drained") kind = "AND of idle"
    else if (port == "node_id") kind = "id"
    else if (port == "node_digits") kind = "digits"
    else if (port ~ /^[sm]_axis_local_t|^barrier_arrive$/) {
        kind = "local"
        bits_of_node = width["router input", port]
        sub("_local", "", port)
        far = port
    } else if (port ~ /^(s_axis_link_tvalid|s_axis_link_tdata|m_axis_link_tready|link_pace|link_barrier_pace)$/) {
        kind = "link"
        lanes = width["router input", "s_axis_link_tvalid"]
        bits = width["router input", port] / lanes
        at = int(b / bits)
        if (at >= degree) kind = port == "m_axis_link_tready" ? "$true" : "$false" # the machine has no such port
        else if (sub("^link_", "", port)) far = port "[" b % bits "]"
        else {
            if (!sub("^s_", "m_", port)) sub("^m_", "s_", port)
            far = port "[" opposite(at) * bits + b % bits "]"
        }
    } else fail("wiring.awk knows no input " port " of a router")
}

# input_of is what drives this bit of the router of node n.
function input_of(n) {
    if (kind == "link") return neighbour(n, at) " " far
    if (kind == "local") return "network " far "[" n * bits_of_node + at "]"
    if (kind == "id") return constant(n, at)
    if (kind == "digits") return digits_bit(n, at)
    return kind
}

# digits_bit is bit b of the digits of a node, dimension 1 lowest; 0 above them.
function digits_bit(n, b,    i, bits) {
    for (i = 1; i <= dimensions; i++) {
        bits = digit_bits(max_nodes ? max_nodes : m[i])
        if (b < bits) return constant(digit(n, i), b)
        b -= bits
    }
    return "$false"
}
function digit_bits(values,    bits) {
    while (2 ^ bits < values) bits++
    return bits + 0
}

# output_of is what drives bit b of an output of the network.
function output_of(port, b,    of, bits) {
    if (port ~ /^(wb|s_axi)_|^(configured|illegal)$/) return "0 " port "[" b "]"
    if (port ~ /^(header|destination)_error$/) return "OR of " port
    if (port == "node_header_error") return degree == 1 ? b " header_error[0]" : "OR of header_error of node " b
    if (port == "node_destination_error") return b " destination_error[0]"
    if (port !~ /^[sm]_axis_t|^barrier_release$/) fail("wiring.awk knows no output " port " of a network")
    of = port
    sub("_axis_", "_axis_local_", of)
    bits = width["router output", of]
    if (!bits) fail("the network has an output " port ", and its routers have no " of)
    return int(b / bits) " " of "[" b % bits "]"
}

# compare counts a connection.
function compare(found, expected, port, b, of) {
    compared++
    if (found != expected) fail(port "[" b "]" of place(port, b) ": expected " say(expected) ", found " say(found))
}

# place describes the link of a bit of a port of links.
function place(port, b,    p) {
    if (port !~ /_link_t|^link_/) return ""
    p = int(b / (width["router input", port] / width["router input", "s_axis_link_tvalid"]))
    if (p >= degree) return " (port " p ", which the machine does not have)"
    return " (port " p ", dimension " dimension[p] ", distance " (step[p] > 0 ? step[p] " clockwise)" : -step[p] " counterclockwise)")
}

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
