// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"fmt"
	"io/fs"
	"math/bits"

	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/plan"
)

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
	properties, err := fs.ReadFile(hdl.Proofs, "proofs/"+rtl.PacketsModule+".v")
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
	return countProperties(rtl.PacketsModule, nil, "module "+rtl.PacketsModule+"\n"+v.properties+"endmodule\n")
}

// files returns the claim, and the properties, which its script puts into the module.
func (v *packetsProof) files() []artifact.File {
	return []artifact.File{
		{Path: "formal/packets_properties.v", Role: artifact.Formal, Content: artifact.Text(v.properties + "endmodule\n")},
		formalFile(rtl.PacketsModule+claimEnding, "packets.sby.tmpl", v),
	}
}
