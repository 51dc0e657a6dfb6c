#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Draws the timing diagrams of docs/waves with WaveDrom, and writes the checksum of the source into each picture.
#
#   waves.sh BUILD      (run in the top folder; BUILD is where WaveDrom is installed)
# Exit codes: 0 fine, 4 a tool is missing or too old.
set -eu

for tool in node npm; do
    command -v $tool >/dev/null || {
        echo "waves.sh: error: $tool is not installed" >&2
        echo "hint: WaveDrom needs Node.js 20 or newer, https://nodejs.org" >&2
        exit 4
    }
done
[ "$(node -p 'process.versions.node.split(".")[0] >= 20')" = true ] || {
    echo "waves.sh: error: Node.js $(node -p process.versions.node) is too old: version 20 or newer is needed" >&2
    exit 4
}

mkdir -p "$1"
cp docs/waves/package.json docs/waves/package-lock.json "$1"
npm ci --prefix "$1" --ignore-scripts --silent --no-audit --no-fund
for source in docs/waves/*.json; do
    case $source in */package*) continue ;; esac
    picture=${source%.json}.svg
    "$1/node_modules/.bin/wavedrom" -i "$source" >"$1/picture.svg"
    {
        # white, so that black lines can be seen on a dark page
        sed 's/^<svg /<svg style="background:#fff" /' "$1/picture.svg"
        printf '\n<!-- %s, sha256 %s -->\n' "$source" "$(sha256sum "$source" | cut -d ' ' -f 1)"
    } >"$1/signed.svg"
    mv "$1/signed.svg" "$picture"
done
