// SPDX-License-Identifier: Apache-2.0

// Package hdl holds the hand-written Verilog modules of routers and collective networks. All logic of
// a generated router lives here; generated modules only wire these. The nodes of a collective network
// also hold the tables of its schedule.
//
// Verilog-2005 has no $error outside of procedures. A module therefore refuses an illegal parameter with
// an instance of a module that does not exist and whose name is the message: tools stop and print it.
package hdl

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

//go:embed *.v programmable/*.v collective/*.v endpoint/*.v
var modules embed.FS

// Proofs holds the properties of the modules. Each file is inserted before the endmodule of the
// module that it is named after.
//
//go:embed proofs/*.v
var Proofs embed.FS

// ChipProof holds modules that prove several modules of links between chips together.
//
//go:embed proofs/chips/*.v
var ChipProof embed.FS

// RouterProof holds the property modules that generated routers are proved with.
//
//go:embed proofs/router/*.v
var RouterProof embed.FS

// folders hold the modules: those of every router, those that only programmable routers use, those
// of collective networks, and those of endpoints.
var folders = []string{".", "programmable", "collective", "endpoint"}

// Modules returns the names of all modules, sorted. Each is in a file of its own.
func Modules() []string {
	var names []string
	for _, folder := range folders {
		files, err := fs.Glob(modules, path.Join(folder, "*.v"))
		if err != nil {
			panic(err) // the pattern is constant
		}
		for _, f := range files {
			base := path.Base(f)
			names = append(names, base[:len(base)-len(".v")])
		}
	}
	slices.Sort(names)
	return names
}

// Source returns the Verilog of a module.
func Source(module string) (string, error) {
	for _, folder := range folders {
		if data, err := fs.ReadFile(modules, path.Join(folder, module+".v")); err == nil {
			return string(data), nil
		}
	}
	return "", fmt.Errorf("module %s is not in the library", module)
}
