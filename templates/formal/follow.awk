# SPDX-License-Identifier: Apache-2.0
#
# Follows the words of each operation through a collective network. The nodes do what the table says, which is
# proved for their modules, and the connections come from the netlist. The words that the nodes deliver and combine
# are compared with the definition of the operation. netlist.awk describes the files.
#
#   awk -v rings=M,RHO.. -v ways=REGISTERS.. -v table=FILE -v operation=NAME,NAME.. -v root=NODE -f netlist.awk -f follow.awk \
#       class0.txt.. delayREGISTERS.list.. node.blif network.blif
#
# operation lists the operations of the network; all-reduce-word is that of one word per node. The table says with which step each of
# several begins. No word of one operation is used in another. ways lists the registers on the way of the links of each dimension, and
# delayN.list the modules with N of them, as NETWORK/laneNUMBER_link. Both are absent if no link has registers.
#
# A word is written "FOR|GIVERS": the node that it is for, or all, and the nodes whose words are combined in it.
#
# Prints the numbers of connections and of delivered words, or the first fault.

FILENAME ~ /\.list$/ {
    if ($0 !~ /\/lane[0-9]+_link$/) fail("a delay is called " $0 ", not lane, its number and _link")
    delay[substr($0, index($0, "/lane") + 5) + 0] = substr(FILENAME, 6) + 0
    next
}

END {
    if (wrong) exit 1
    lay_out_rings()
    lay_out_ways()
    check_connections()
    operations = split(operation, names, ",")
    read_table()
    for (o = 0; o < operations; o++) follow(o, begins[o], o + 1 < operations ? begins[o + 1] - 1 : steps)
    print "claim: words      the " compared " connections take the words of the table to " words " results, which are those of the operation" (operations > 1 ? "s" : "")
}

# follow carries out the operation with a number, which has the steps from first to last.
function follow(number, first, last,    k) {
    operation = names[number + 1]
    first_step = first
    reduces = operation ~ /reduce/
    for (k in sent) delete sent[k]
    for (k in held) delete held[k]
    for (k in requested) delete requested[k]
    for (k in delivered) delete delivered[k]
    for (k in got) delete got[k]
    for (k = first; k <= last; k++) carry_out(k)
    conclude(operations > 1 ? " " number : "", last + 1)
}

# differ ends with a sentence about the operation.
function differ(text,    name) {
    name = operation
    sub(/-word$/, "", name)
    fail((operations > 1 ? name ": " : "") text)
}

function reduction(by) { return by }

# lay_out_ways finds the registers on the way to each port.
function lay_out_ways(    part, i, p, end) {
    split(ways, part, ",")
    for (i = 1; i <= dimensions; i++) {
        end += 2 * rho[i] - (2 * rho[i] == m[i])
        while (p < end) way[p++] = part[i] + 0
    }
}

# check_connections compares what drives each input of a node, and each output of the network.
function check_connections(    i, n, bit, local, port, b, bits) {
    word_bits = width["link_out"] / degree
    straightens = "m_data" in width # words have chunks, so that nodes deliver them, not links
    flags = "m_own_valid" in width # not every operation has results, so that nodes say when they have them
    for (i in delay) inputs_of_parts += word_bits + 2
    for (i = 1; i <= loads; i++) {
        bit = load[i]
        n = substr(bit, 5) + 0
        local = substr(bit, index(bit, ".") + 1)
        port = port_of(local)
        b = number_of(local)
        if (bit ~ /^lane/) {
            if (port == "clk") compare(bit, "clk[0]", "")
            if (port == "rst") compare(bit, "$false", "")
            continue # link compares the others
        }
        if (index(bit, ".")) {
            if (port == "link_in") link(n, b, bit)
            else if (port ~ /^(clk|rst|start|operation)$/) compare(bit, local, "")
            else compare(bit, port "[" n * width[port] + b "]", "")
            continue
        }
        bits = width[port == "m_data" && !straightens ? "link_in" : port == "m_own_valid" && !flags ? "done" : port]
        n = int(b / bits)
        if (port ~ /^(ready|done)$/) compare(bit, "node0." bit, "")
        else if (port == "m_own_valid" && !flags) compare(bit, "node" n ".done[0]", "")
        else if (port == "m_data" && !straightens) compare(bit, source("node" n ".link_in[" b % bits "]"), "")
        else compare(bit, "node" n "." port "[" b % bits "]", "")
    }
    all_compared()
}

# link finds the lane that leads to a port of a node: all bits of the word come from it, in order, and with the registers
# on the way of its dimension.
function link(n, b, bit,    by, p, at, lane, found) {
    p = int(b / word_bits)
    lane = n * degree + p
    found = lane in delay ? delay[lane] : 0
    if (found != way[p]) fail(say(bit) ": expected " way[p] " registers on the way, found " (found ? found : "none, or another number"))
    if (way[p]) {
        compare(bit, "lane" lane "_link.late[" b % word_bits "]", "")
        bit = "lane" lane "_link.value[" b % word_bits "]"
    }
    by = source(bit)
    at = number_of(by)
    if (by !~ /^node[0-9]+\.link_out\[/) fail(say(bit) ": expected a word that a node sends, found " say(by))
    if (b % word_bits == 0) {
        leads[n, p] = substr(by, 5) + 0 SUBSEP int(at / word_bits)
        first_bit[n, p] = by
    }
    compare(bit, port_of(first_bit[n, p]) "[" int(number_of(first_bit[n, p]) / word_bits) * word_bits + b % word_bits "]", "")
}

# read_table keeps the rows: by what they do, class, step and port or register. begins has the first steps of several operations.
function read_table(    line, part, n, i, key, first) {
    RS = "\n"
    while ((getline line < table) > 0) {
        if (line !~ /^`/) continue
        gsub(/[^A-Za-z0-9]+/, " ", line)
        n = split(line, part, " ")
        if (part[1] == "define" && part[2] == "STEPS") steps = part[3] + 0
        else if (part[1] == "OPERATION") begins[part[2]] = part[3] + 0
        else {
            first = part[1] != "RESULT" ? 5 : operations > 1 ? 4 : 3
            key = part[1]
            for (i = 2; i < first; i++) key = key " " part[i]
            if (key in row) fail("the table has two rows " key)
            row[key] = ""
            for (i = first; i <= n; i++) row[key] = row[key] part[i] " "
            if (part[1] == "WRITE" && part[4] + 1 > registers) registers = part[4] + 1
        }
        rows++
    }
    if (!steps || rows < 2) fail("there is no table in " table)
    if (operations == 1) begins[0] = 1
    for (i = 0; i < operations; i++) if (!(i in begins) || (i ? begins[i] <= begins[i - 1] : begins[i] != 1)) fail("the table does not say with which step operation " i " begins")
}

# carry_out executes a step at all nodes. sent has the words that arrive in the step, and held the registers after it.
function carry_out(k,    n, p, key) {
    for (n = 0; n < nodes; n++)
        for (p = 0; p < degree; p++) {
            key = class[n] " " k " " p
            asked = ""
            if ("REQUEST " key in row) asked = request(n, row["REQUEST " key] + 0, k)
            sending[n, p] = "SEND " key in row ? sum(n, row["SEND " key], k) : ""
        }
    for (n = 0; n < nodes; n++)
        for (p = 0; p < registers; p++) {
            key = "WRITE " class[n] " " k " " p
            asked = ""
            writing[n, p] = key in row ? sum(n, row[key], k) : held[n, p]
        }
    for (n in sending) sent[n] = sending[n]
    for (n in writing) held[n] = writing[n]
    for (n = 0; n < nodes; n++)
        for (p = 0; p < degree; p++) {
            key = "DELIVER " class[n] " " k " " p
            if (key in row) deliver(n, row[key] + 0, sent[leads[n, p]], k)
        }
}

# sum is the word of the terms of a row at a node. The requested word must be one of them.
function sum(n, terms, k,    part, i, count, word, total) {
    count = split(terms, part, " ")
    for (i = 1; i <= count; i++) {
        if (part[i] == "SUM") continue
        if (part[i + 1] != class[n]) differ("step " k ": a term of class " class[n] " is " part[i] " of class " part[i + 1])
        if (part[i] == "WORD") { word = asked; i += 2 }
        else if (part[i] == "LANE") { word = sent[leads[n, part[i + 2]]]; i += 2 }
        else if (part[i] == "HELD") { word = held[n, part[i + 2]]; i += 2 }
        else if (part[i] == "OWN") { word = k == first_step ? own(n) : ""; i++ }
        else differ("step " k ": a row has a term " part[i])
        if (word == "") differ("step " k ": node " n " reads a word that is not there")
        if (total != "" && word_for(total) != word_for(word)) differ("step " k ": node " n " combines words for " word_for(total) " and for " word_for(word))
        total = total == "" ? word : total " " givers(word)
    }
    return total
}
function word_for(word) { return substr(word, 1, index(word, "|") - 1) }
function givers(word) { return substr(word, index(word, "|") + 1) }

# own is a node's own word.
function own(n) {
    if (operation == "broadcast") return n == root ? "all|" n : ""
    return (operation == "all-reduce-word" ? "all" : n) "|" n
}

# request is the word that a node gives for an index.
function request(n, i, k,    to) {
    to = other(n, i)
    if (operation == "all-gather" || operation == "gather" ? i != 0 : to < 0 || i == 0) differ("step " k ": node " n " requests index " i)
    if (operation == "gather" && n == root || operation == "scatter" && n != root) differ("step " k ": node " n " requests a word")
    if (operation != "all-gather" && requested[n, i]++) differ("step " k ": node " n " requests index " i " again")
    return (operation == "all-gather" ? "all" : operation == "gather" ? root : to) "|" n
}

# other is the node with an index, or -1.
function other(n, i,    d, size, v, node) {
    for (d = 1; d <= dimensions; d++) {
        for (size = 1; size < m[d]; size *= 2);
        v = i % size
        i = int(i / size)
        if (v >= m[d]) return -1
        node += (digit(n, d) + v) % m[d] * below[d]
    }
    return i ? -1 : node
}

# deliver takes a word that a node delivers with an index.
function deliver(n, i, word, k,    from, expected) {
    from = other(n, i)
    if (from < 0 || i == 0 || delivered[n, i]++) differ("step " k ": node " n " delivers index " i (i ? " again" : ""))
    expected = operation ~ /^(all-gather|broadcast)$/ ? "all|" from : n "|" from
    if (operation ~ /^(broadcast|scatter)$/ && from != root || operation == "gather" && n != root) differ("step " k ": node " n " delivers a word from node " from)
    if (reduces ? !complete(word, from) : word != expected) differ("step " k ": node " n " delivers index " i ": expected the word from node " from ", found " say_word(word))
    got[n]++
    words++
}

# complete: the word is the result for a node, in which each node's word is combined once.
function complete(word, node,    part, seen, i) {
    if (word_for(word) != node "" || split(givers(word), part, " ") != nodes) return 0
    for (i in part) if (seen[part[i]]++) return 0
    return 1
}

# conclude checks that every node has received the words that the operation defines. Rows of results have its number if there are
# several. The results are there in step k, behind the last one.
function conclude(number, k,    n, key, expected) {
    expected = operation ~ /^(reduce-scatter|all-reduce-word)$/ ? 0 : nodes - 1
    for (n = 0; n < nodes; n++) {
        if (operation ~ /^(broadcast|scatter)$/) expected = n != root
        if (operation == "gather") expected = n == root ? nodes - 1 : 0
        if (got[n] + 0 != expected) differ("node " n " delivers " got[n] + 0 " words, not " expected)
        key = "RESULT " class[n] number
        if (!reduces && key in row || reduces && !(key in row)) differ("the table has " (key in row ? "a" : "no") " result of class " class[n])
        if (!reduces) continue
        asked = ""
        result = sum(n, row[key], k)
        if (!complete(result, operation == "all-reduce-word" ? "all" : n)) differ("the result of node " n " is " say_word(result))
        words++
    }
}

function say_word(word) { return word == "" ? "nothing" : "what is for " word_for(word) " from " givers(word) }
