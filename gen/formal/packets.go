// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"fmt"
	"io/fs"
	"math/bits"
	"strings"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/plan"
)

// PacketsProof is the proof of hc_packets in the output folder.
type PacketsProof struct {
	Parameters         string // with which it is proved, names and values
	Assertions, Covers int    // of its properties
	properties         string // Verilog that stands before endmodule
}

// Limits of the parameters that are proved. More take minutes: 64 sources with 32 bits take one.
const (
	provedSources   = 16
	provedDepthBits = 1
	provedPackets   = 3 // a first place, a last one, and one between them
	provedWidth     = 2
)

// NewPacketsProof returns the proof of the hc_packets of a plan. Its parameters are those of the machine up to
// the limits.
func NewPacketsProof(p *plan.Plan) *PacketsProof {
	properties, err := fs.ReadFile(hdl.Proofs, "proofs/"+rtl.PacketsModule+".v")
	if err != nil {
		panic(err) // the file is embedded
	}
	sources := min(p.Nodes, provedSources)
	return &PacketsProof{
		Parameters: fmt.Sprintf("SOURCES %d SOURCE_BITS %d DEPTH_BITS %d PACKETS %d WIDTH %d",
			sources, bits.Len(uint(sources-1)), provedDepthBits, provedPackets, min(p.PayloadBits, provedWidth)),
		Assertions: strings.Count(string(properties), "assert ("), Covers: strings.Count(string(properties), "cover ("),
		properties: string(properties),
	}
}

// file returns the properties. prove.sh puts them into the module.
func (v *PacketsProof) file() artifact.File {
	return artifact.File{Path: "formal/packets_properties.v", Role: artifact.Formal, Content: artifact.Text(v.properties)}
}
