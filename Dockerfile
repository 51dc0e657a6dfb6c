# SPDX-License-Identifier: Apache-2.0
#
# Debian 12 with Go and every tool of make, make check, make test and make test-all. CONTRIBUTING.md shows how to use it.
FROM golang:1.26-bookworm
COPY tools/setup.sh /tmp/
RUN sh /tmp/setup.sh interop && rm -rf /tmp/setup.sh /var/lib/apt/lists/*
# The mounted checkout may belong to another user.
RUN git config --system --add safe.directory /hcgen
WORKDIR /hcgen
