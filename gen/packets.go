// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"io/fs"
	"math/bits"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/plan"
)

// packetsModule hands packets to a receiver. It stands behind the network, so no router has it.
const packetsModule = "hc_packets"

// packetsDepthBits is its DEPTH_BITS in simulation, its default.
const packetsDepthBits = 4

// hasPackets reports whether hc_packets fits the machine: a node has one stream of deliveries, and these
// have a source id and tlast.
func hasPackets(p *plan.Plan) bool {
	return p.Machine.Last && p.Machine.SourceID && !p.PerPort() && p.Programmable == nil
}

// packetsProof is the proof of hc_packets in the output folder.
type packetsProof struct {
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

// newPacketsProof returns the proof of the hc_packets of a plan. Its parameters are those of the machine up to
// the limits.
func newPacketsProof(p *plan.Plan) *packetsProof {
	properties, err := fs.ReadFile(hdl.Proofs, "proofs/"+packetsModule+".v")
	if err != nil {
		panic(err) // the file is embedded
	}
	sources := min(p.Nodes, provedSources)
	return &packetsProof{
		Parameters: fmt.Sprintf("SOURCES %d SOURCE_BITS %d DEPTH_BITS %d PACKETS %d WIDTH %d",
			sources, bits.Len(uint(sources-1)), provedDepthBits, provedPackets, min(p.PayloadBits, provedWidth)),
		Assertions: strings.Count(string(properties), "assert ("), Covers: strings.Count(string(properties), "cover ("),
		properties: string(properties),
	}
}

// file returns the properties. prove.sh puts them into the module.
func (v *packetsProof) file() output.File {
	return output.File{Path: "formal/packets_properties.v", Role: roleFormal, Content: text(v.properties)}
}
