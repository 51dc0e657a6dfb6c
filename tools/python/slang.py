# SPDX-License-Identifier: Apache-2.0
"""The command slang on pyslang, with the options of slang and with all its warnings.

Some warnings are about what Verilog-2005 has to be, or about a style. EXCLUDED names them, each with the reason.
"""

import sys

from pyslang import driver

EXCLUDED = {
    "sign-compare": "Verilog-2005 has no unsigned integer, so a comparison of an integer with a vector mixes signs",
    "sign-conversion": "as sign-compare",
    "arith-op-mismatch": "Verilog-2005 has no casts that could make both operands of one type",
    "bitwise-op-parentheses": "a style; & binds more tightly than |",
    "shift-count-overflow": "a shift by the whole width gives 0, which a node without links needs",
    "unused-net": "Verilator reports these, too, but not those whose names begin with unused",
    "unused-but-set-net": "as unused-net",
    "missing-else-clause": "a style; the statements come from macros, which stand on lines of their own",
    "shadow-hierarchy": "a style; names in a generate block are its own",
}

arguments = sys.argv[1:]
parse_only = "--parse-only" in arguments  # the driver of pyslang does not know this option
if parse_only:
    arguments.remove("--parse-only")

command = driver.Driver()
command.addStandardArgs()
words = ["slang", "-Weverything", "-Werror"] + [f"-Wno-{name}" for name in EXCLUDED] + arguments
ok = command.parseCommandLine(" ".join(words)) and command.processOptions() and command.parseAllSources()
if ok:
    ok = command.reportParseDiags() if parse_only else command.runFullCompilation(True)
sys.exit(0 if ok else 3)
