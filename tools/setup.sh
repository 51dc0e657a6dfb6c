#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that the tools that make needs are installed and recent enough, and installs
# missing tools from Debian's packages. Prints each step.
# Exit codes: 0 fine, 4 a tool is missing or too old.
set -eu
PATH=$PATH:/usr/sbin # daemons

say() { echo "setup: $*" >&2; }

# tool, Debian package, oldest major.minor version, command that prints a version
tools='
make           make           4.0  make --version
g++            g++            9.0  g++ -dumpfullversion
ccache         ccache         4.0  ccache --version
verilator      verilator      5.0  verilator --version
yosys          yosys          0.23 yosys -V
nextpnr-ice40  nextpnr-ice40  0.4  nextpnr-ice40 --version
iverilog       iverilog       11.0 iverilog -V
yosys-smtbmc   yosys          0.23 yosys -V
z3             z3             4.8  z3 --version
'

# Tools that only make test and make check need.
if_tests='
gcc            gcc            9.0  gcc -dumpfullversion
chromium       chromium       110.0 chromium --version
node           nodejs         18.0 node --version
npm            npm            9.0  npm --version
zsh            zsh            5.0  zsh --version
fish           fish           3.0  fish --version
shellcheck     shellcheck     0.9  shellcheck --version
clang-format   clang-format   14.0 clang-format --version
'

# Tools of any version that only tests need: tool or file, Debian package
unversioned='
gtkwave  gtkwave
sta      opensta
slurmctld slurm-wlm
munged   munge
icepack  fpga-icestorm
xauth    xauth
xvfb-run xvfb
/usr/share/bash-completion/bash_completion bash-completion
'

# Tools that only make interop and make test-all need.
if_interop='
python3.11     python3.11     3.11 /usr/bin/python3.11 --version
ghdl           ghdl           2.0  ghdl --version
'
interop_unversioned='
riscv64-unknown-elf-gcc gcc-riscv64-unknown-elf
/usr/lib/python3.11/ensurepip/__init__.py python3.11-venv
/usr/bin/python3.11-config python3.11-dev
'

case "${1:-}" in
interop)
    tools=$tools$if_tests$if_interop
    unversioned=$unversioned$interop_unversioned
    ;;
test) tools=$tools$if_tests ;;
*) unversioned= ;;
esac

# there TOOL: whether a program or a file exists.
there() { command -v "$1" >/dev/null 2>&1 || [ -f "$1" ]; }

# Prints the first number with a point in it.
version_of() {
    "$@" 2>&1 | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1
}

# at_least WANT HAVE: compares major and minor.
at_least() {
    awk -v want="$1" -v have="$2" 'BEGIN {
        split(want, w, "."); split(have, h, ".")
        exit !(h[1] + 0 > w[1] + 0 || (h[1] + 0 == w[1] + 0 && h[2] + 0 >= w[2] + 0))
    }'
}

missing=""
while read -r tool package oldest command; do
    [ -n "$tool" ] || continue
    there "$tool" || missing="$missing $package"
done <<END
$tools
$unversioned
END

if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null 2>&1; then
        say "error: missing:$missing"
        say "hint: install them with your package manager, then run this again"
        exit 4
    fi
    as_root=""
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null 2>&1 || {
            say "error: missing:$missing, and neither root nor sudo to install them"
            exit 4
        }
        as_root=sudo
    fi
    say "installing with apt-get:$missing"
    say "hint: to leave this system as it is, use the container of ./Dockerfile, which has all tools: see CONTRIBUTING.md"
    $as_root apt-get update -qq
    # shellcheck disable=SC2086 # a list of packages
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >&2
fi

status=0
while read -r tool package oldest command; do
    [ -n "$tool" ] || continue
    # shellcheck disable=SC2086 # a command with its arguments
    have=$(version_of $command)
    if at_least "$oldest" "${have:-0}"; then
        say "$tool $have"
    else
        say "error: $tool ${have:-of unknown version} is too old; at least $oldest is needed"
        status=4
    fi
done <<END
$tools
END

while read -r tool package; do
    [ -n "$tool" ] || continue
    if there "$tool"; then
        say "$tool"
    else
        say "error: $tool is not installed, though $package is"
        status=4
    fi
done <<END
$unversioned
END

if ! command -v go >/dev/null 2>&1; then
    say "error: Go is not installed; hcgen needs Go 1.26 or newer: https://go.dev/doc/install"
    status=4
fi
exit $status
