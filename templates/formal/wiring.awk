# SPDX-License-Identifier: Apache-2.0
#
# Checks the wiring of a network: what drives each input of each router, and each output of the network. The neighbours
# follow from m and rho alone, as docs/architecture.md describes them. netlist.awk describes the files.
#
#   awk -v rings=M,RHO.. -v max_nodes=N [-v registers=L.. [-v clocks=0,1..|-v chips=0,1..]] -f netlist.awk -f wiring.awk \
#       class0.txt node.blif [cells.blif] network.blif
#
# max_nodes is that of a programmable router, else 0. registers lists the registers on the way of the links of each dimension, and
# clocks has a 1 for each dimension whose links lead from clock to clock, as docs/links.md describes them. Such a link is a queue
# and a part for each pace: a delay, or a crossing to the other clock. Their names begin with the node that the link leaves, and
# the port. chips has a 1 for each dimension whose links lead to other chips by cables, as docs/chips.md describes them. Prints the number of connections, or the first wrong one.

END {
    if (wrong) exit 1
    lay_out()
    check_parts()
    for (i = 1; i <= loads; i++) {
        bit = load[i]
        if (bit ~ /^chip[0-9]+\./) compare(bit, input_of_chip(bit), "")
        else if (bit ~ /^n[0-9]+_p/) compare(bit, input_of_part(bit), "")
        else if (index(bit, ".")) {
            n = substr(bit, 5) + 0
            local = substr(bit, index(bit, ".") + 1)
            compare(bit, input_of(n, port_of(local), number_of(local)), place(port_of(local), number_of(local)))
        } else compare(bit, output_of(port_of(bit), number_of(bit)), "")
    }
    all_compared()
    print "claim: wiring     each of the " compared " connections of the network is that of the machine"
}

# reduction names the OR or AND of the same port, of each link if it has links: of one node, of the nodes of a region if there
# are regions, or of all nodes. That of one bit is the bit.
function reduction(by,    part, cell, of, found, lanes, i, n, first, alone, size, what) {
    split(by, part, " ")
    cell = part[2]
    what = part[1] == "$reduce_or" ? "OR" : "AND"
    for (i = 1; i <= operands[cell]; i++) found[source(reduced[cell, i])]
    of = source(reduced[cell, 1])
    if (operands[cell] == 1) return of
    first = substr(of, 5) + 0
    of = port_of(substr(of, index(of, ".") + 1))
    lanes = lanes_of(of)
    alone = operands[cell] == lanes
    for (n = 0; n < nodes; n++) {
        if (alone ? n != first : region(n) != region(first)) continue
        size += lanes
        for (i = 0; i < lanes; i++)
            if (!(("node" n "." of "[" i "]") in found)) return what " without " of "[" i "] of node " n
    }
    if (operands[cell] != size) return what " of " operands[cell] " bits"
    return what " of " of (alone ? " of node " first : regions > 1 ? " of region " region(first) : "")
}

function lanes_of(error) { return error == "header_error" ? degree : 1 }

# lay_out numbers the ports of a router: dimension 1 first, in each clockwise 1..rho, then
# counterclockwise 1..rho, without the last if it leads where the clockwise one does.
function lay_out(    i, x, s, p) {
    lay_out_rings()
    lay_out_regions()
    p = 0
    for (i = 1; i <= dimensions; i++) {
        for (s = 1; s >= -1; s -= 2)
            for (x = 1; x <= rho[i]; x++)
                if (s == 1 || 2 * x != m[i]) {
                    dimension[p] = i
                    step[p] = s * x
                    index_of[i, s * x] = p++
                }
        if (2 * rho[i] == m[i]) index_of[i, -rho[i]] = index_of[i, rho[i]]
    }
}

# lay_out_regions takes the dimensions with clocks, or between chips. Nodes that differ in none of them share a clock: they are a
# region.
function lay_out_regions(    i) {
    split(chips ? chips : clocks, clock, ",")
    regions = 1
    for (i = 1; i <= dimensions; i++)
        if (clock[i] + 0) {
            below_region[i] = regions
            regions *= m[i]
        }
}
function region(n,    i, r) {
    for (i in below_region) r += digit(n, i) * below_region[i]
    return r + 0
}

function neighbour(n, p,    i) {
    i = dimension[p]
    return n + ((digit(n, i) + step[p] + m[i]) % m[i] - digit(n, i)) * below[i]
}
function opposite(p) { return index_of[dimension[p], -step[p]] }
function constant(value, b) { return int(value / 2 ^ b) % 2 ? "$true" : "$false" }

# input_of is what must drive bit b of an input of the router of node n.
function input_of(n, port, b,    far, lanes, bits, at) {
    if (port ~ /^(clk|rst)$/) return timing(port, region(n))
    if (port ~ /^(wb|s_axi)_/) return port "[" b "]"
    if (port == "drained") return "AND of idle"
    if (port == "node_id") return constant(n, b)
    if (port == "node_digits") return digits_bit(n, b)
    far = port
    if (port ~ /^[sm]_axis_local_t|^barrier_arrive$/) {
        sub("_local", "", far)
        return far "[" n * width[port] + b "]"
    }
    if (port !~ /^(s_axis_link_tvalid|s_axis_link_tdata|m_axis_link_tready|link_pace|link_barrier_pace)$/)
        fail("wiring.awk knows no input " port " of a router")
    lanes = width["s_axis_link_tvalid"]
    bits = width[port] / lanes
    at = int(b / bits)
    if (at >= degree) return port == "m_axis_link_tready" ? "$true" : "$false" # the machine has no such port
    if (cable[at]) {
        if (!sub("^s_axis_link_", "m_axis_", far)) sub("^m_axis_link_", "s_axis_", far)
        return "chip" region(n) ".cable" at "." far "[" place_of(n) * bits + b % bits "]"
    }
    if (queue[at] && port == "m_axis_link_tready") return "n" n "_p" at "_link.s_axis_tready[0]"
    if (queue[at]) {
        if (sub("^link_", "late_", far)) far = far (queue[at] == "hc_link_clocks" ? ".to_count" : ".late")
        else sub("^s_axis_link_", "link.m_axis_", far)
        return "n" neighbour(n, at) "_p" opposite(at) "_" far "[" b % bits "]"
    }
    if (sub("^link_", "", far)) return "node" neighbour(n, at) "." far "[" b % bits "]"
    if (!sub("^s_", "m_", far)) sub("^m_", "s_", far)
    return "node" neighbour(n, at) "." far "[" opposite(at) * bits + b % bits "]"
}

# check_parts compares the modules and parameters of the parts of links: slices for 1 or 2 registers, credits for more, and 16
# places between clocks.
function check_parts(    n, p, name, cycles) {
    split(registers, on_way, ",")
    for (p = 0; p < degree; p++) {
        cycles = on_way[dimension[p]] + 0
        if (dimension[p] in below_region && chips) cable[cable_port[cables++] = p] = 1
        else if (dimension[p] in below_region) is_queue(p, "hc_link_clocks", "PLACES_BITS", 4)
        else if (cycles > 2) is_queue(p, "hc_link_credits", "LATENCY", cycles)
        else if (cycles) is_queue(p, "hc_link_slices", "STAGES", cycles)
    }
    for (n = 0; n < nodes; n++)
        for (p = 0; p < degree; p++) {
            if (!queue[p]) continue
            name = "n" (chips ? place_of(n) : n) "_p" p "_"
            check_part(name "link", queue[p], setting[p], set_to[p], width["s_axis_link_tdata"] / degree, queue[p] == "hc_link_clocks" ? 6 : 4)
            check_late(name, p, "pace")
            if ("barrier_pace" in width) check_late(name, p, "barrier_pace")
        }
    if (chips) check_chips()
    for (name in module) if (!(name in is_part)) fail("the network has a part " name)
}
function is_queue(p, type, name, value) {
    queue[p] = type
    setting[p] = name
    set_to[p] = value
}
function check_late(name, p, pace) {
    if (queue[p] == "hc_link_clocks") check_part(name "late_" pace, "hc_clock_crossing", "", 0, width[pace], 3)
    else check_part(name "late_" pace, "hc_delay", "CYCLES", set_to[p], width[pace], 2)
}

# check_part checks a part, whose inputs are a word and others of one bit. It has a parameter besides WIDTH, or none.
function check_part(name, type, set, value, bits, others,    found) {
    is_part[name]
    inputs_of_parts += bits + others
    found = "nothing"
    if (name in module) found = module[name] " with " (set ? set " " parameter[name, set] + 0 " and " : "") "WIDTH " parameter[name, "WIDTH"] + 0
    type = type " with " (set ? set " " value " and " : "") "WIDTH " bits
    if (found != type) fail(name ": expected " type ", found " found)
}

# input_of_part is what must drive an input of a part of a link: n3_p1_link.s_axis_tdata[0].
function input_of_part(bit,    n, p, part, port, b) {
    part = substr(bit, 1, index(bit, ".") - 1)
    port = port_of(substr(bit, length(part) + 2))
    b = number_of(bit)
    n = substr(bit, 2) + 0
    p = substr(bit, index(bit, "_p") + 2) + 0
    if (port ~ /^(s_|from_)?(clk|rst)$/) return timing(substr(port, length(port) - 2), region(n))
    if (port ~ /^(m_|to_)(clk|rst)$/) return substr(port, length(port) - 2) "[" region(neighbour(n, p)) "]"
    if (port ~ /^(value|from_count)$/ && sub(/^n[0-9]+_p[0-9]+_late_/, "", part)) return "node" n "." part "[" b "]"
    if (port == "m_axis_tready") return "node" neighbour(n, p) ".s_axis_link_tready[" opposite(p) "]"
    if (port == "s_axis_tvalid") return "node" n ".m_axis_link_tvalid[" p "]"
    if (port == "s_axis_tdata") return "node" n ".m_axis_link_tdata[" p * width["m_axis_link_tdata"] / degree + b "]"
    fail("wiring.awk knows no input " port " of a part of a link")
}

# timing is the clock or the reset of the nodes of a region.
function timing(port, r) { return port == "rst" && chips ? "chip" r ".sessions.reset[0]" : port "[" r "]" }

# place_of is the place number of a node on its chip.
function place_of(n,    i, stride, at) {
    stride = 1
    for (i = 1; i <= dimensions; i++)
        if (!(i in below_region)) {
            at += stride * digit(n, i)
            stride *= m[i]
        }
    return at + 0
}

# check_chips compares the parameters of the cables of a chip, and counts the inputs of cables and sessions. All chips have the
# same module.
function check_chips(    i, j, p, name, same, bits) {
    split("WORD_BITS FRAME_WORDS NUMBER_BITS FREED_BITS SILENCE HASH", same, " ")
    links = nodes / regions
    for (i in below_region) chip_bits += digit_bits(m[i])
    for (i = 0; i < cables; i++) {
        p = cable_port[i]
        name = "cable" p
        is_part[name]
        is_part[name "_neighbor"] # its output must be a constant
        is_set(name, "LINKS", links)
        is_set(name, "LINK_BITS", bits = width["s_axis_link_tdata"] / degree)
        is_set(name, "PACE_BITS", width["pace"])
        is_set(name, "BARRIER", "barrier_pace" in width ? 1 : 0)
        is_set(name, "CHIP_BITS", chip_bits)
        is_set(name, "PORT", p)
        is_set(name, "FAR_PORT", opposite(p))
        for (j in same) is_set(name, same[j], parameter["cable" opposite(p), same[j]])
        inputs_of_parts += regions * (16 + 2 * chip_bits + links * (4 + bits + width["pace"]) + parameter[name, "WORD_BITS"])
    }
    is_part["sessions"]
    inputs_of_parts += regions * (3 + 9 * cables)
}
function is_set(name, what, value) {
    if (parameter[name, what] + 0 != value + 0) fail(name ": expected " what " " value ", found " parameter[name, what] + 0)
}

# input_of_chip is what must drive an input of an end of a cable, or of the session: chip1.cable2.s_axis_tdata[0].
function input_of_chip(bit,    part, c, p, port, b, there, bits, n) {
    split(bit, part, ".")
    c = substr(bit, 5) + 0
    port = port_of(part[3])
    b = number_of(part[3])
    if (port ~ /^(clk|rst)$/ || part[2] == "sessions" && port == "restart") return port "[" c "]"
    if (part[2] == "sessions" && port == "newer") return "chip" c ".cable" cable_port[b] ".newer[0]"
    if (part[2] == "sessions" && port == "newer_session") return "chip" c ".cable" cable_port[int(b / 8)] ".newer_session[" b % 8 "]"
    if (part[2] !~ /^cable/) fail("wiring.awk knows no part " part[2] " of a chip")
    p = substr(part[2], 6) + 0
    there = region(neighbour(node_at(c, 0), p))
    if (port == "session_rst") return "chip" c ".sessions.reset[0]"
    if (port == "session") return "chip" c ".sessions.session[" b "]"
    if (port == "chip") return chip_digits_bit(c, b)
    if (port == "neighbor") return chip_digits_bit(there, b)
    if (port ~ /^(tx_ready|rx_valid)$/) return "$true"
    if (port == "pattern") return "$false"
    if (port == "rx_clk") return "clk[" there "]"
    if (port ~ /^rx_(first|word)$/) return "chip" there ".cable" opposite(p) ".t" substr(port, 2) "[" b "]"
    bits = port == "s_axis_tdata" ? width["s_axis_link_tdata"] / degree : port == "pace" ? width["pace"] : port == "barrier_pace" ? 2 : 1
    n = "node" node_at(c, int(b / bits)) "."
    b %= bits
    if (port ~ /^s_axis_t(valid|data)$/) return n "m_axis_link_" substr(port, 8) "[" p * bits + b "]"
    if (port == "m_axis_tready") return n "s_axis_link_tready[" p "]"
    if (port == "barrier_pace" && !("barrier_pace" in width)) return "$false"
    if (port ~ /^(barrier_)?pace$/) return n port "[" b "]"
    fail("wiring.awk knows no input " port " of a cable")
}

# chip_digits_bit is bit b of the digits of a chip, the lowest dimension between chips lowest.
function chip_digits_bit(c, b,    i, bits) {
    for (i = 1; i <= dimensions; i++) {
        if (!(i in below_region)) continue
        bits = digit_bits(m[i])
        if (b < bits) return constant(digit(node_at(c, 0), i), b)
        b -= bits
    }
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

# output_of is what must drive bit b of an output of the network.
function output_of(port, b,    of, bits) {
    if (port ~ /^(wb|s_axi)_|^(configured|illegal)$/) return "node0." port "[" b "]"
    if (port == "reset") return timing("rst", b)
    if (port ~ /^(header|destination)_error$/) {
        if (regions == nodes) return error_of(b, port)
        return "OR of " port (regions > 1 ? " of region " b : "")
    }
    if (port ~ /^node_(header|destination)_error$/) return error_of(b, substr(port, 6))
    if (port !~ /^[sm]_axis_t|^barrier_release$/) fail("wiring.awk knows no output " port " of a network")
    of = port
    sub("_axis_", "_axis_local_", of)
    bits = width[of]
    if (!bits) fail("the network has an output " port ", and its routers have no " of)
    return "node" int(b / bits) "." of "[" b % bits "]"
}

function error_of(n, error) { return lanes_of(error) == 1 ? "node" n "." error "[0]" : "OR of " error " of node " n }

# place describes the link of a bit of a port of links.
function place(port, b,    p) {
    if (port !~ /_link_t|^link_/) return ""
    p = int(b / (width[port] / width["s_axis_link_tvalid"]))
    if (p >= degree) return " (port " p ", which the machine does not have)"
    return " (port " p ", dimension " dimension[p] ", distance " (step[p] > 0 ? step[p] " clockwise)" : -step[p] " counterclockwise)")
}
