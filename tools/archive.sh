#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Writes the files of release archives that the sources do not have: pages with links to the repository at a commit,
# shell completions, and the licences of all modules in the binaries.
#
#   sh tools/archive.sh FOLDER COMMIT     (in the top folder of the project)
set -eu
folder=$1 commit=$2

rm -rf "$folder"
mkdir -p "$folder/completions" "$folder/licenses/go"

for page in README.md CHANGELOG.md; do
	sed -E "s,\]\(([^):# ][^): ]*)\),](https://github.com/hcgen/hcgen/blob/$commit/\1),g" "$page" >"$folder/$page"
done

go build -o "$folder/hcgen" ./cmd/hcgen
"$folder/hcgen" completion bash >"$folder/completions/hcgen.bash"
"$folder/hcgen" completion fish >"$folder/completions/hcgen.fish"
"$folder/hcgen" completion powershell >"$folder/completions/hcgen.ps1"
"$folder/hcgen" completion zsh >"$folder/completions/_hcgen"
rm "$folder/hcgen"

cp "$(go env GOROOT)/LICENSE" "$folder/licenses/go"
for system in linux darwin windows; do
	GOOS=$system go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' ./cmd/hcgen
done | sort -u | while read -r module sources; do
	mkdir -p "$folder/licenses/$module"
	cp "$sources"/LICENSE* "$folder/licenses/$module" # fails if there is none
	find "$sources" -maxdepth 1 \( -name 'COPYING*' -o -name 'NOTICE*' \) -exec cp {} "$folder/licenses/$module" \;
done
