// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/plan"
)

// CollectiveProof is everything the templates of the proof of a collective network print.
type CollectiveProof struct {
	*plan.Collective
	Header, HeaderHash  string
	Module              string   // of the proof of the whole network; empty if there is none, because there are several operations
	RTL                 []string // files, without their folders
	Fields              []indexField
	Digits              []string // of each node, packed
	RootNode            int
	Ports               []plan.Wire
	Connections         []verilog.Connection
	TimeBits, CountBits int

	Reduces, FromRoot, ToRoot, OneItem bool
	RequestCycles                      []int // 0 is the cycle of the start
	DeliveryCycles                     []int
	TakenCycles                        []int    // in which requested words are taken, if operations take turns
	StartTimes                         []string // of the operations, if they take turns
	Operations                         int
	Asked, Delivered                   string // a request, or a delivery, that the operation has
	OperatorName, Identity             string // the identity is a literal of a word
	Larger, Signed                     int    // parameters of an operator that chooses a word in chunks

	Depth    int    // cycles that are searched: then the last operation has ended
	RingList string // m and rho of each dimension, as netlist.awk reads it

	proofWords
	nodesProof
}

// proofWords are the words of a proof. If words of the network have chunks, they have three, so that a chunk is between two others.
type proofWords struct {
	Word       int // bits of a word
	ProofChunk int // bits of a chunk
	ProofSkew  int // cycles by which the last chunk is behind the first
	Votes      int // bits of a word in the proof of a whole network that are free: all, or a vote in each chunk
}

func newProofWords(c *plan.Collective) proofWords {
	if c.Skew == 0 {
		return proofWords{Word: proofWord, ProofChunk: proofWord, Votes: proofWord}
	}
	return proofWords{Word: proofChunks * proofWord, ProofChunk: proofWord, ProofSkew: proofChunks - 1, Votes: proofChunks}
}

// AllBits is a literal with all bits of a word.
func (w proofWords) AllBits() string { return w.literal(1, 1) }

// literal is a word, by its highest bit and each of its other bits.
func (w proofWords) literal(sign, others int) string {
	return fmt.Sprintf("%d'b%d%s", w.Word, sign, strings.Repeat(fmt.Sprint(others), w.Word-1))
}

// indexField is a digit of an index.
type indexField struct {
	Slice    string
	M, Above string // literals: m, and m as a bound
}

// Of the proof: pauses before the third operation, and operations, also if they take turns.
const (
	proofPause      = 2
	proofOperations = 3
	proofTurns      = 4
)

// turnStarts are the times at which operations that take turns start, the reset being at time 0: as soon as the network is ready, but
// the last one not before the turn of the first one is free.
func turnStarts(c *plan.Collective) (starts []int) {
	ready := func(time int) bool {
		return !slices.ContainsFunc(starts, func(start int) bool { return slices.Contains(c.Times[1:c.Steps], time-start) })
	}
	time := 0
	for len(starts) < proofTurns {
		time++
		if len(starts) == proofTurns-1 {
			time = max(time, starts[0]+c.Times[c.Steps])
		}
		for !ready(time) {
			time++
		}
		starts = append(starts, time)
	}
	return starts
}

// proofDepth is the number of cycles of the reset, the operations, and the cycle behind the last one.
func proofDepth(c *plan.Collective, words proofWords) int {
	if c.Pipelined {
		return turnStarts(c)[proofTurns-1] + c.Period + 3
	}
	return proofOperations*c.Period + proofPause + words.ProofSkew + 3
}

// severalDepth is that of a network of several operations, each of which follows another one at once.
func severalDepth(c *plan.Collective, words proofWords) int {
	depth := proofPause + words.ProofSkew + 3
	for _, s := range c.Schedules {
		depth += s.Period
	}
	return depth
}

// Of words in proofs: the bits of a word, or of each of its chunks, and the chunks of a word that has several.
const (
	proofWord   = 2
	proofChunks = 3
)

// ofAllNodes reports whether a port is an input that all nodes share: the clock, the reset and the start.
func ofAllNodes(w plan.Wire) bool { return w.Network == plan.Shared && !w.Output }

// NewCollectiveProof lays out the proof of a collective network.
func NewCollectiveProof(c *plan.Collective) *CollectiveProof {
	v := &CollectiveProof{
		Collective: c, Header: c.Notice("//"), HeaderHash: c.Notice("#"),
		RootNode: c.Collective.Root, Reduces: c.HasResult(), RingList: ringList(c.Graph),
		proofWords: newProofWords(c),
	}
	if v.Reduces {
		sign, others := rtl.Identity(c)
		v.OperatorName, v.Identity = rtl.OperatorName(c), v.literal(sign, others)
		v.Larger, v.Signed = verilog.Int(strings.HasSuffix(c.Operator, "max")), verilog.Int(strings.HasPrefix(c.Operator, "signed"))
	}
	if c.Several() {
		v.Depth, v.TimeBits = severalDepth(c, v.proofWords), numberBits(c)
	} else {
		v.wholeNetwork()
	}
	v.nodesProof = newNodesProof(c, v.proofWords, v.TimeBits)
	return v
}

// wholeNetwork lays out the proof of a network with a single operation as a whole.
func (v *CollectiveProof) wholeNetwork() {
	c := v.Collective
	v.Module = c.Module("network_proof")
	v.OneItem = c.Operation() == collective.AllGather || c.Operation() == collective.Gather
	v.Depth, v.Operations = proofDepth(c, v.proofWords), proofOperations
	v.FromRoot = c.Operation() == collective.Broadcast || c.Operation() == collective.Scatter
	v.ToRoot = c.Operation() == collective.Gather
	v.TimeBits, v.CountBits = bits.Len(uint(v.Depth+2)), bits.Len(uint(c.Degree*(c.Steps+1)))
	v.layOutIndices()
	for _, w := range c.Wires() {
		value := w.Name
		if w.Role == plan.Start {
			value = "starts || eager && !is_ready"
		}
		v.Connections = append(v.Connections, verilog.To(w.Name, value))
		if !ofAllNodes(w) {
			v.Ports = append(v.Ports, w.WithWords(v.Word))
		}
	}
	v.RequestCycles = c.Times[:c.Steps]
	v.DeliveryCycles = each.Of(c.Times[1:], func(t int) int { return t + 1 })
	if c.Pipelined {
		v.Operations = proofTurns
		for _, time := range turnStarts(c) {
			v.StartTimes = append(v.StartTimes, verilog.Sized(v.TimeBits, time))
		}
		v.TakenCycles = each.Of(v.RequestCycles, func(t int) int { return t + 1 })
	}
	v.state()
}

// LastVotes is the place of the votes of the last operation, and VotesBefore that of the one before.
func (v *CollectiveProof) LastVotes() int   { return (v.Operations - 1) * v.Votes }
func (v *CollectiveProof) VotesBefore() int { return (v.Operations - 2) * v.Votes }

// AllVotes are the bits of the votes of all operations, and LastOperation is the number of the last.
func (v *CollectiveProof) AllVotes() int      { return v.Operations * v.Votes }
func (v *CollectiveProof) LastOperation() int { return v.Operations - 1 }

// HitBits are those of counters of requests or deliveries of all operations.
func (v *CollectiveProof) HitBits() int { return v.Operations * v.CountBits }

// layOutIndices says where the digits are.
func (v *CollectiveProof) layOutIndices() {
	low := 0
	for i, width := range v.IndexFields {
		m := v.Graph.Dimension(i + 1).M
		f := indexField{Slice: fmt.Sprintf("[%d:%d]", low+width-1, low), M: verilog.Sized(width+1, m), Above: verilog.Sized(width+1, m)}
		v.Fields = append(v.Fields, f)
		low += width
	}
	for n := range v.Nodes {
		v.Digits = append(v.Digits, verilog.Sized(v.IndexBits, int(v.IndexOf(n))))
	}
}

// state says what the operation has.
func (v *CollectiveProof) state() {
	switch v.Operation() {
	case collective.AllGather:
		v.Asked = "i == 0"
	case collective.Gather:
		v.Asked = "i == 0 && HERE != ROOT"
	case collective.Scatter:
		v.Asked = "i != 0 && legal(i) && HERE == ROOT"
	default:
		v.Asked = "i != 0 && legal(i)"
	}
	switch {
	case v.FromRoot:
		v.Delivered = "HERE != ROOT && i == index(HERE, ROOT)"
	case v.ToRoot:
		v.Delivered = "HERE == ROOT && i != 0 && legal(i)"
	default:
		v.Delivered = "i != 0 && legal(i)"
	}
}

// Names of the claims about a network: as a whole, or by its nodes.
const (
	byNetwork = "network"
	byNodes   = "nodes"
)

// Tasks and Count are printed by the claim about the whole network, and the others by that about its nodes.
func (v *CollectiveProof) Tasks() proofTasks { return proofTasks{Cover: v.Depth, Bounded: v.Depth} }
func (v *CollectiveProof) Count() (properties, error) {
	return countRendered(v.Module, nil, "collective_proof.v.tmpl", v)
}
func (v *CollectiveProof) NodesTasks() proofTasks {
	return proofTasks{Induction: v.Induction, Cover: v.CoverDepth, Bounded: v.Depth}
}
func (v *CollectiveProof) NodesCount() (properties, error) {
	return countRendered(v.NodesProof, nil, "collective_nodes_proof.v.tmpl", v)
}

// collectiveProofs are the claims about the networks, and the scripts that they need if the claims about the router have not
// brought them.
func collectiveProofs(networks []*plan.Collective, known []artifact.File) (files []artifact.File, err error) {
	if len(networks) == 0 {
		return nil, nil
	}
	scripts, err := proofScripts([]string{"prove.sh", "cut.awk", "netlist.awk", "follow.awk"})
	if err != nil {
		return nil, err
	}
	for _, f := range scripts {
		if !slices.ContainsFunc(known, func(other artifact.File) bool { return other.Path == f.Path }) {
			files = append(files, f)
		}
	}
	for _, c := range networks {
		rtl, err := rtl.Collective(c, nil)
		if err != nil {
			return nil, err
		}
		v := NewCollectiveProof(c)
		for _, f := range rtl {
			name := strings.TrimPrefix(f.Path, "rtl/")
			if name != v.OperatorName+".v" {
				v.RTL = append(v.RTL, name)
				if name != c.NetworkModule+".v" && (name != "hc_delay.v" || c.Skew > 0) {
					v.NodeRTL = append(v.NodeRTL, name)
				}
			}
		}
		if v.Module != "" {
			files = append(files,
				formalFile(v.Module+".v", "collective_proof.v.tmpl", v),
				formalFile(c.NetworkModule+claimEnding, "collective_network.sby.tmpl", v))
		}
		files = append(files,
			formalFile(v.Table, "collective_table.vh.tmpl", v),
			formalFile(v.NodesProof+".v", "collective_nodes_proof.v.tmpl", v),
			formalFile(strings.TrimSuffix(v.NodesProof, "_proof")+claimEnding, "collective_nodes.sby.tmpl", v))
	}
	return files, nil
}
