#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Draws the pictures of docs/gallery.md by the commands on that page.
#
#   gallery.sh BUILD      (run in the top folder; BUILD, a whole path, has the program hcgen)
set -eu

PATH=$1:$PATH
top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r configs "$work"
mkdir "$work/gallery"
cd "$work"
# the descriptions on the page, then its commands
awk '/^```hcl / { file = $2; next } /^```/ { file = "" } file { print >file }' "$top/docs/gallery.md"
sed -n 's/^    hcgen /hcgen /p' "$top/docs/gallery.md" >commands
sh -eu commands
rm -f "$top"/docs/gallery/*
cp gallery/* "$top/docs/gallery"
