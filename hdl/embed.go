// SPDX-License-Identifier: Apache-2.0

// Package hdl holds the hand-written Verilog modules of the router. All logic of
// a generated router lives here; what is generated only wires these modules.
package hdl

import "embed"

// Files holds one module per file, named after the module.
//
//go:embed *.v
var Files embed.FS

// RouterProof holds the property modules that generated routers are proved with.
//
//go:embed router_proof/*.v
var RouterProof embed.FS

// Proofs holds properties of the modules, each file to stand before the endmodule of the
// module it is named after.
//
//go:embed proofs/*.v
var Proofs embed.FS
