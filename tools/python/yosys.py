# SPDX-License-Identifier: Apache-2.0
"""The command yosys on pyosys, with the options that generated Makefiles use.

pyosys is a library without this command. yosys-smtbmc is not in it.
"""

import argparse
import os
import sys
import tempfile

from pyosys import libyosys

parser = argparse.ArgumentParser(prog="yosys")
parser.add_argument("-V", action="store_true", help="print the version")
parser.add_argument("-q", action="store_true", help="print only warnings and errors")
parser.add_argument("-Q", action="store_true", help="without effect: pyosys prints no banner")
parser.add_argument("-T", action="store_true", help="without effect: pyosys prints no summary")
parser.add_argument("-l", metavar="FILE", help="write a log")
parser.add_argument("-p", metavar="COMMANDS", action="append", default=[])
parser.add_argument("-o", metavar="FILE", help="write the design at the end")
parser.add_argument("script", nargs="*")
options = parser.parse_args()

if options.V:
    print("Yosys", libyosys.yosys_maybe_version().removeprefix("Yosys "))
    sys.exit()


def run():
    design = libyosys.Design()
    for commands in options.p:
        libyosys.run_pass(commands, design)
    for script in options.script:
        libyosys.run_pass(f"script {script}", design)
    if options.o:
        libyosys.run_backend(options.o, "auto", design)
    libyosys.log_flush()


if not options.q and not options.l:
    run()
    sys.exit()

# Yosys ends its process at an error, so it runs in one of its own. It prints everything on its standard output.
with open(options.l, "w+") if options.l else tempfile.TemporaryFile("w+") as log:
    child = os.fork()
    if child == 0:
        os.dup2(log.fileno(), sys.stdout.fileno())
        run()
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    log.seek(0)
    for line in log:
        if not options.q:
            print(line, end="")
        elif line.startswith(("Warning:", "ERROR:")):
            print(line, end="", file=sys.stderr)
sys.exit(status)
