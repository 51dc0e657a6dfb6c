// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"io/fs"
	"math/bits"

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

// packetsProof is everything the template of the claim about hc_packets prints.
type packetsProof struct {
	HeaderHash string   // a comment
	Parameters []string // with which it is proved, each a name and a value
	properties string   // Verilog that stands before endmodule
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
	v := &packetsProof{HeaderHash: p.Notice("#"), properties: string(properties)}
	for _, parameter := range []struct {
		name  string
		value int
	}{
		{"SOURCES", sources}, {"SOURCE_BITS", bits.Len(uint(sources - 1))}, {"DEPTH_BITS", provedDepthBits},
		{"PACKETS", provedPackets}, {"WIDTH", min(p.PayloadBits, provedWidth)},
	} {
		v.Parameters = append(v.Parameters, fmt.Sprintf("%s %d", parameter.name, parameter.value))
	}
	return v
}

// Tasks and Count are printed by the claim.
func (v *packetsProof) Tasks() proofTasks { return inductive(1) }
func (v *packetsProof) Count() (properties, error) {
	return countProperties(packetsModule, nil, "module "+packetsModule+"\n"+v.properties+"endmodule\n")
}

// files returns the claim, and the properties, which its script puts into the module.
func (v *packetsProof) files() []output.File {
	return []output.File{
		{Path: "formal/packets_properties.v", Role: roleFormal, Content: text(v.properties + "endmodule\n")},
		formalFile(packetsModule+claimEnding, "packets.sby.tmpl", v),
	}
}
