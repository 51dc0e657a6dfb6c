// SPDX-License-Identifier: Apache-2.0

// Package verilator holds the C++ benches that replay golden traces on the
// Verilated router and network. They are the same for every machine; the
// constants of a machine are in the generated header bench_config.h, which
// machine.h specifies together with the Verilator command lines.
package verilator

import (
	"embed"
	"io/fs"
)

// The benches have their own folder because Go accepts no C++ next to its own
// files without cgo.
//
//go:embed tb
var embedded embed.FS

// Files holds the sources of the benches, which are copied unchanged.
var Files = sources()

func sources() fs.FS {
	files, err := fs.Sub(embedded, "tb")
	if err != nil {
		panic(err) // "tb" is a valid name
	}
	return files
}
