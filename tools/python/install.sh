#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs the packages of a list into a virtual environment of Python, unless they are installed already.
#
#   install.sh FOLDER LIST [PYTHON]      (the environment; a file of this folder; default python3)
#
# Exit codes: 0 fine, 4 Python is missing, or pip cannot install.
set -eu

folder=$1
list=$(dirname "$0")/$2
python=${3:-python3}

fail() {
    echo "install.sh: error: $1" >&2
    echo "hint: $2" >&2
    exit 4
}

! cmp -s "$list" "$folder/installed.txt" || exit 0
rm -rf "${folder:?}/installed.txt" "${folder:?}/bin" "${folder:?}/lib"
echo "install.sh: installing tools/python/$2 into $folder" >&2
"$python" -m venv "$folder" || fail "$python cannot make a virtual environment" "on Debian: apt-get install python3-venv"
"$folder/bin/pip" install --quiet --disable-pip-version-check --retries 2 --timeout 30 --require-hashes --only-binary :all: -r "$list" ||
    fail "pip cannot install tools/python/$2, as printed above" "is the package registry within reach? make test, make quick and make demo do not need it"
cp "$list" "$folder/installed.txt"
