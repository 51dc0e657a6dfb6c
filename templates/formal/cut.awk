# SPDX-License-Identifier: Apache-2.0
#
# Cuts the formula of a module at its wires. write_smt2 of Yosys defines each wire by its driver. Here each
# wire becomes a free variable, and the predicate of the module's hierarchy, which yosys-smtbmc asserts in
# every state, says that the wire equals its driver. The meaning of the formula stays the same.
# The reason is speed: z3 before 4.8.13, which includes the version of Debian 12, visits all dependencies of
# a definition whenever it reads the definition. That takes minutes, and solving takes seconds.
#
#   awk -f cut.awk formula.smt2
#
# Exit codes: 0 fine, 1 the input is not the formula of one flat module.

# (define-fun NAME ((state STATE)) TYPE DRIVER) ; wire
/^\(define-fun \|[^ ]*#[0-9]+\| \(\(state [^ ]* (Bool|\(_ BitVec [0-9]+\)) / {
    name = $2
    state = substr($4, 1, length($4) - 2)
    type = $5 == "Bool" ? $5 : $5 " " $6 " " $7
    driver = substr($0, length("(define-fun " name " ((state " state ")) " type " ") + 1)
    sub(/\)( ;.*)?$/, "", driver)
    print "(declare-fun " name " (" state ") " type ")"
    equation[++equations] = "(= (" name " state) " driver ")"
    next
}

# (define-fun NAME_h ((state STATE)) Bool true), if the module has no instances
/^\(define-fun \|[^ ]*_h\| / {
    modules++
    flat = sub(/ true\)$/, " (and true")
    print
    for (n = 1; n <= equations; n++) print "    " equation[n]
    if (flat) print "))"
    next
}

{ print }

END {
    if (modules != 1 || !flat) {
        print "cut.awk: error: the formula is not that of one flat module" >"/dev/stderr"
        exit 1
    }
}
