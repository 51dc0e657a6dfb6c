#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Draws the pictures of docs/gallery.md and docs/algorithm.md by the commands on those pages, and
# the picture of docs/tutorial.md.
#
#   gallery.sh BUILD      (run in the top folder; BUILD, an absolute path, has the program hcgen)
set -eu

PATH=$1:$PATH
top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r configs "$work"
cd "$work"
for page in gallery algorithm tutorial; do
    mkdir "$page"
    # first the descriptions on the page, then its commands
    awk '/^```hcl / { file = $2; next } /^```/ { file = "" } file { print >file }' "$top/docs/$page.md"
    if [ "$page" = tutorial ]; then
        sed -n 's/^\$ \(hcgen draw .* -o \)\(.*\)/\1tutorial\/\2/p' "$top/docs/$page.md" >commands
    else
        sed -n 's/^    hcgen /hcgen /p' "$top/docs/$page.md" >commands
    fi
    sh -eu commands
    mkdir -p "$top/docs/$page"
    rm -f "$top/docs/$page"/*
    cp "$page"/* "$top/docs/$page"
done
