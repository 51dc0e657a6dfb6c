# SPDX-License-Identifier: Apache-2.0
#
# Reads a network that Yosys has reduced to its wires: expose -evert replaces each node by ports of the network, so that an
# input of a node is an output node3.NAME, and an output of a node an input. The second script, wiring.awk or follow.awk,
# defines what must drive each output:
#
#   awk -v rings=M,RHO,M,RHO.. -f netlist.awk -f wiring.awk class0.txt.. node.blif network.blif
#
# rings lists m and rho of each dimension. classN.txt lists the nodes of class N, as NETWORK/nodeNUMBER (select -write);
# node.blif has the ports of a node (write_blif -blackbox), network.blif the network (write_blif -icells -cname -conn).
#
# A network whose links have registers, or lead from clock to clock, also has parts that belong to a link. cells.blif
# (write_blif -icells -cname -param, before hierarchy, named before network.blif) has their modules and parameters.
#
# A network of chips is flattened: the node with place number 2 of chip 3 is chip3.node2 then, and becomes the node with its address.
# chips has a 1 for each dimension between chips. The ends of its cables are chip3.cable2, and the session of a chip is chip3.sessions.
#
# Prints the first fault to stderr, as "fault: ..". Exit codes: 0 fine, 1 there is a fault.

BEGIN { RS = "[ \n]+" } # some versions of awk limit the words of a line

FNR == 1 { file++ }
FILENAME ~ /\.txt$/ {
    node = whole(substr($0, index($0, "/") + 1))
    if (node !~ /^node[0-9]+$/) fail("a node is called " $0 ", not node and its number")
    class[substr(node, 5) + 0] = substr(FILENAME, 6) + 0
    next
}

# The parts of links: module[NAME], and parameter[NAME, PARAMETER].
FILENAME ~ /cells\.blif$/ {
    if ($0 ~ /^\./) { word = $0; from = "" }
    else if (word == ".subckt" || word == ".gate") { if (from == "") type = from = $0 }
    else if (word == ".cname") { cell = $0; if (type ~ /hc_/ && cell !~ /^node[0-9]+$/) module[cell] = type }
    else if (word == ".param") { if (from == "") from = $0; else parameter[cell, from] = binary($0) }
    next
}

# Directives of the BLIF files, and the words behind them.
/^\./ {
    word = $0
    if (word == ".end") of_network = 1 # node.blif comes first
    type = from = ""
    next
}
word == ".inputs" && !of_network { width[port_of(bit_name($0))]++; inputs_of_node++ }
word == ".outputs" && !of_network { width[port_of(bit_name($0))]++ }
word == ".inputs" && of_network { driver[bit_name($0)] = "" }
word == ".outputs" && of_network {
    load[++loads] = bit_name($0)
    if (!index($0, ".")) outputs_of_network++
}
word == ".conn" {
    if (from == "") from = bit_name($0)
    else { drive(bit_name($0), from); from = "" }
}
word == ".subckt" || word == ".gate" { # a reduction, as $reduce_or A[0]=FROM .. Y=TO
    if (type == "") type = $0 " " ++reductions
    else if ($0 ~ /^Y/) drive(bit_name(substr($0, index($0, "=") + 1)), type)
    else reduced[reductions, ++operands[reductions]] = bit_name(substr($0, index($0, "=") + 1))
}

# fail ends with a sentence.
function fail(text) {
    if (!wrong) print "fault: " text >"/dev/stderr" # Yosys logs what a command prints only if it succeeds
    wrong = 1
    exit 1
}

function binary(text,    i, value) {
    for (i = 1; i <= length(text); i++) value = 2 * value + substr(text, i, 1)
    return value + 0
}

# A bit is written name[number], also if it is the only one of its port; constants as they are.
function bit_name(text) {
    text = whole(text)
    return text ~ /\]$/ || text ~ /^\$/ ? text : text "[0]"
}
function port_of(bit) { return substr(bit, 1, index(bit, "[") - 1) }
function number_of(bit) { return substr(bit, index(bit, "[") + 1) + 0 }

# whole replaces the place of a node of a chip by its address.
function whole(text,    chip) {
    if (text !~ /^chip[0-9]+\.n(ode)?[0-9]/) return text
    chip = substr(text, 5) + 0
    text = substr(text, index(text, ".") + 1)
    match(text, /[0-9]+/)
    return substr(text, 1, RSTART - 1) node_at(chip, substr(text, RSTART, RLENGTH)) substr(text, RSTART + RLENGTH)
}

# node_at is the node at a place of a chip. Both numbers are made of digits, those of the chip in the dimensions between chips.
function node_at(chip, spot,    ring, between, i, of, node, stride, at) {
    at = chip SUBSEP spot
    if (at in placed) return placed[at]
    split(chips, between, ",")
    of = split(rings, ring, ",")
    stride = 1
    for (i = 1; 2 * i <= of; i++) {
        node += stride * ((between[i] + 0 ? chip : spot) % ring[2 * i - 1])
        if (between[i] + 0) chip = int(chip / ring[2 * i - 1])
        else spot = int(spot / ring[2 * i - 1])
        stride *= ring[2 * i - 1]
    }
    return placed[at] = node + 0
}

# drive records the driver of a net. The nets at inputs have none, because they are driven from outside.
function drive(to, by) {
    if (to in driver) fail("the net of " say(to) " is also driven by " say(by))
    driver[to] = by
}

# source follows a net to its driver: a constant, an input of the network, or a reduction; empty if there is none.
function source(of) {
    while (of in driver && driver[of] != "") of = driver[of]
    if (of ~ /^\$reduce/) return reduction(of)
    return of in driver || of ~ /^\$/ ? of : ""
}

# compare counts a connection: what drives a bit is what must drive it.
function compare(bit, expected, place,    found) {
    compared++
    found = source(bit)
    if (found != expected) fail(say(bit) place ": expected " say(expected) ", found " say(found))
}

# lay_out_rings takes m and rho of each dimension, and the stride of its digit.
function lay_out_rings(    part, i) {
    dimensions = split(rings, part, ",") / 2
    nodes = 1
    for (i = 1; i <= dimensions; i++) {
        m[i] = part[2 * i - 1]
        rho[i] = part[2 * i]
        degree += 2 * rho[i] - (2 * rho[i] == m[i])
        below[i] = nodes
        nodes *= m[i]
    }
    for (i = 0; i < nodes; i++) if (!(i in class)) fail("node " i " is not there")
}
function digit(n, i) { return int(n / below[i]) % m[i] }

# all_compared checks that no input of a node, and no output of the network, was left out.
function all_compared(    all) {
    all = nodes * inputs_of_node + inputs_of_parts + outputs_of_network
    if (compared != all) fail("the machine has " all " connections, of which " compared + 0 " were compared")
}

# say describes a source.
function say(by,    part) {
    if (by == "") return "nothing"
    if (by == "$false") return "constant 0"
    if (by == "$true") return "constant 1"
    if (by == "$undef") return "an unknown value"
    if (by ~ /^(OR|AND) of .* of (node|region)/) return "the " by
    if (by ~ /^(OR|AND) of [^0-9]/) return "the " by " of all nodes"
    if (by ~ /^(OR|AND) /) return "an " by
    if (by ~ /^n[0-9]+_p/) return substr(by, index(by, ".") + 1) " of " substr(by, 1, index(by, ".") - 1)
    if (by ~ /^chip[0-9]+\./) {
        split(by, part, ".")
        return part[3] " of " part[2] " of chip " substr(by, 5) + 0
    }
    if (by ~ /^node[0-9]+\./) return substr(by, index(by, ".") + 1) " of node " substr(by, 5, index(by, ".") - 5)
    return by " of the network"
}
