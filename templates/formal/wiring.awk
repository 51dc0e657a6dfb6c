# SPDX-License-Identifier: Apache-2.0
#
# Checks the wiring of a network: the driver of each input of each router, and of each output of the
# network. The neighbours follow from m and rho alone, as docs/architecture.md describes them.
#
#   cat router.blif network.blif | tr ' ' '\n' |
#       awk -v network=NAME -v unit=NAME -v rings="m rho .." -v max_nodes=N -f netlist.awk -f wiring.awk
#
# rings lists m and rho of each dimension; max_nodes is that of a programmable router, else 0.
#
# Prints the number of connections that it has compared, or the first wrong connection.
# Exit codes: 0 fine, 1 a connection is wrong, or the file is no such network.

END {
    if (wrong) exit 1
    lay_out()
    for (i = 1; i <= count["node input"]; i++) {
        bit = name["node input", i]
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

# reduction names the OR or AND of the same port of all nodes, of each link if it has links, or of the links of one node.
function reduction(by,    part, cell, of, found, lanes, i, n, low, last, what) {
    split(by, part, " ")
    cell = part[2]
    what = part[1] == "$reduce_or" ? "OR" : "AND"
    for (i = 1; i <= inputs[cell]; i++) found[source(reduced[cell, i])]
    of = source(reduced[cell, 1])
    low = last = substr(of, 1, index(of, " ") - 1) + 0
    of = port_of(substr(of, index(of, " ") + 1))
    lanes = of == "header_error" ? degree : 1
    if (of != "header_error" || inputs[cell] != degree) {
        low = 0
        last = nodes - 1
    }
    for (n = low; n <= last; n++)
        for (i = 0; i < lanes; i++)
            if (!((n " " of "[" i "]") in found)) return what " without " of "[" i "] of node " n
    if (inputs[cell] != (last - low + 1) * lanes) return what " of " inputs[cell] " bits"
    return what " of " of (low == last ? " of node " low : "")
}

# lay_out numbers the ports of a router: dimension 1 first, in each clockwise 1..rho, then
# counterclockwise 1..rho, without the last if it leads where the clockwise one does.
function lay_out(    i, x, s) {
    lay_out_rings()
    degree = 0
    for (i = 1; i <= dimensions; i++) {
        for (s = 1; s >= -1; s -= 2)
            for (x = 1; x <= rho[i]; x++)
                if (s == 1 || 2 * x != m[i]) {
                    dimension[degree] = i
                    step[degree] = s * x
                    index_of[i, s * x] = degree++
                }
        if (2 * rho[i] == m[i]) index_of[i, -rho[i]] = index_of[i, rho[i]]
    }
}

function neighbour(n, p,    i) {
    i = dimension[p]
    return n + ((digit(n, i) + step[p] + m[i]) % m[i] - digit(n, i)) * below[i]
}
function opposite(p) { return index_of[dimension[p], -step[p]] }
function constant(value, b) { return int(value / 2 ^ b) % 2 ? "$true" : "$false" }

# look_at finds the driver of bit b of an input of a router, as far as the driver does not depend on the
# node: kind is link, local, id or digits, or the driver at all nodes.
function look_at(port, b,    lanes, bits) {
    at = b
    if (port ~ /^(clk|rst)$|^(wb|s_axi)_/) kind = "network " port "[" b "]"
    else if (port == "drained") kind = "AND of idle"
    else if (port == "node_id") kind = "id"
    else if (port == "node_digits") kind = "digits"
    else if (port ~ /^[sm]_axis_local_t|^barrier_arrive$/) {
        kind = "local"
        bits_of_node = width["node input", port]
        sub("_local", "", port)
        far = port
    } else if (port ~ /^(s_axis_link_tvalid|s_axis_link_tdata|m_axis_link_tready|link_pace|link_barrier_pace)$/) {
        kind = "link"
        lanes = width["node input", "s_axis_link_tvalid"]
        bits = width["node input", port] / lanes
        at = int(b / bits)
        if (at >= degree) kind = port == "m_axis_link_tready" ? "$true" : "$false" # the machine has no such port
        else if (sub("^link_", "", port)) far = port "[" b % bits "]"
        else {
            if (!sub("^s_", "m_", port)) sub("^m_", "s_", port)
            far = port "[" opposite(at) * bits + b % bits "]"
        }
    } else fail("wiring.awk knows no input " port " of a router")
}

# input_of is the driver of this bit of the router of node n.
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

# output_of is the driver of bit b of an output of the network.
function output_of(port, b,    of, bits) {
    if (port ~ /^(wb|s_axi)_|^(configured|illegal)$/) return "0 " port "[" b "]"
    if (port ~ /^(header|destination)_error$/) return "OR of " port
    if (port == "node_header_error") return degree == 1 ? b " header_error[0]" : "OR of header_error of node " b
    if (port == "node_destination_error") return b " destination_error[0]"
    if (port !~ /^[sm]_axis_t|^barrier_release$/) fail("wiring.awk knows no output " port " of a network")
    of = port
    sub("_axis_", "_axis_local_", of)
    bits = width["node output", of]
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
    p = int(b / (width["node input", port] / width["node input", "s_axis_link_tvalid"]))
    if (p >= degree) return " (port " p ", which the machine does not have)"
    return " (port " p ", dimension " dimension[p] ", distance " (step[p] > 0 ? step[p] " clockwise)" : -step[p] " counterclockwise)")
}
