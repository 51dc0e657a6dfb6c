// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// The types below fix the canonical JSON of a description: the keys and their
// order, no white space, numbers as encoding/json writes them. It holds the
// evaluated description, so formatting, comments, variables, file name, the
// choice of syntax, and whether a default is written out make no difference.
// A broadcast is [source, at], with the source as a
// decimal address. If messages have a destination or tlast, all scheduled messages are in sends.
type (
	canonical struct {
		Format      string               `json:"format"` // "hcgen-machine-v1"
		Name        string               `json:"name"`
		Dimensions  []canonicalDimension `json:"dimensions"`
		PayloadBits int                  `json:"payload_bits"`
		SourceID    bool                 `json:"source_id"`
		Preference  string               `json:"preference"`
		FIFODepth   int                  `json:"fifo_depth"`
		Stages      int                  `json:"stages"`
		Delivery    string               `json:"delivery"`
		Network     bool                 `json:"network"`
		Traffic     []canonicalTraffic   `json:"traffic"`
		Synthesis   []canonicalSynthesis `json:"synthesis"`

		// Missing without the option, so that the hashes of other machines do not depend on them.
		Programmable *canonicalProgrammable `json:"programmable,omitempty"`
		Destination  bool                   `json:"destination,omitempty"`
		Last         bool                   `json:"last,omitempty"`
		Barrier      bool                   `json:"barrier,omitempty"`
		Scope        bool                   `json:"deliver_destination,omitempty"`
		NodeErrors   bool                   `json:"node_errors,omitempty"`
		NoRouters    bool                   `json:"no_routers,omitempty"`
		Collectives  []canonicalCollective  `json:"collectives,omitempty"`
	}
	canonicalCollective struct {
		Name        string `json:"name"`
		Operation   string `json:"operation"`
		OneWord     bool   `json:"one_word"`
		PayloadBits int    `json:"payload_bits"`
		Root        int    `json:"root"`
		Operator    string `json:"operator"`
		Latency     int    `json:"operator_latency"`

		Schedule *canonicalSchedule `json:"schedule,omitempty"` // missing if none is given
	}
	canonicalSchedule struct {
		Steps     int                 `json:"steps"`
		Period    []int               `json:"period"` // 1 for each dimension if the transfers are those of node 0
		Transfers []canonicalTransfer `json:"transfers"`
	}
	// canonicalTransfer is [step, from, to, node of the item, node that it is for or -1, 1 if it is added].
	canonicalTransfer  [6]int32
	canonicalDimension struct {
		Name string `json:"name"`
		M    int    `json:"m"`
		Rho  int    `json:"rho"`
	}
	canonicalProgrammable struct {
		Bus           string `json:"config_bus"`
		MaxDimensions int    `json:"max_dimensions"`
		MaxNodes      int    `json:"max_nodes"`
		MaxDegree     int    `json:"max_degree"`
	}
	canonicalTraffic struct {
		Name       string           `json:"name"`
		Cycles     int              `json:"cycles"`
		Broadcasts [][2]int         `json:"broadcasts"`
		Random     *canonicalRandom `json:"random"`
		Sends      []canonicalSend  `json:"sends,omitempty"`
		Stalls     []canonicalStall `json:"stalls,omitempty"`
	}
	canonicalSend struct {
		From int    `json:"from"`
		At   int    `json:"at"`
		To   string `json:"to"` // such as 2,*
		Last bool   `json:"last"`
	}
	canonicalStall struct {
		Receivers []int `json:"receivers"`
		At        int   `json:"at"`
		Cycles    int   `json:"cycles"`
	}
	canonicalRandom struct {
		Rate    float64 `json:"rate"`
		Stall   float64 `json:"stall"`
		Seed    int64   `json:"seed"`
		Sources []int   `json:"sources,omitempty"` // missing: all nodes
		*canonicalPattern
	}
	// canonicalPattern is present with destinations.
	canonicalPattern struct {
		Pattern    string  `json:"pattern"`
		Broadcasts float64 `json:"broadcasts"`
		Hot        int     `json:"hot"`
		Share      float64 `json:"share"`
	}
	canonicalSynthesis struct {
		Name     string  `json:"name"`
		Family   string  `json:"family"`
		Device   string  `json:"device"`
		Package  string  `json:"package"`
		ClockMHz float64 `json:"clock_mhz"`
		Seeds    []int   `json:"seeds"`
	}
)

// CanonicalJSON returns the text whose sha256 is Hash: the evaluated
// description as JSON with a fixed order of keys and no white space.
func (m *Machine) CanonicalJSON() []byte {
	c := canonical{
		Format:      "hcgen-machine-v1",
		Name:        m.Name,
		Dimensions:  []canonicalDimension{},
		PayloadBits: m.PayloadBits,
		SourceID:    m.SourceID,
		Preference:  m.Preference.String(),
		FIFODepth:   m.FIFODepth,
		Stages:      m.Stages,
		Delivery:    m.Delivery.String(),
		Network:     m.Network,
		Traffic:     []canonicalTraffic{},
		Synthesis:   []canonicalSynthesis{},
		Destination: m.Destination,
		Last:        m.Last,
		Barrier:     m.Barrier,
		Scope:       m.Scope,
		NodeErrors:  m.NodeErrors,
		NoRouters:   m.NoRouters,
	}
	for _, n := range m.Collectives {
		c.Collectives = append(c.Collectives, canonicalCollective{
			n.Name, n.Operation, n.OneWord, n.PayloadBits, n.Root, n.Operator, n.Latency, canonicalScheduleOf(n.Given),
		})
	}
	if p := m.Programmable; p != nil {
		c.Programmable = &canonicalProgrammable{p.Bus, p.MaxDimensions, p.MaxNodes, p.MaxDegree}
	}
	for _, d := range m.Dimensions {
		c.Dimensions = append(c.Dimensions, canonicalDimension{d.Name, d.M, d.Rho})
	}
	for _, t := range m.Traffic {
		ct := canonicalTraffic{Name: t.Name, Cycles: t.Cycles, Broadcasts: [][2]int{}}
		for _, b := range t.Sends {
			if !m.Destination && !m.Last {
				ct.Broadcasts = append(ct.Broadcasts, [2]int{b.From, b.At})
				continue
			}
			to := b.To
			if to == nil {
				to = hypercycle.Everywhere(len(m.Dimensions))
			}
			ct.Sends = append(ct.Sends, canonicalSend{b.From, b.At, to.String(), b.Last})
		}
		if r := t.Random; r != nil {
			ct.Random = &canonicalRandom{Rate: r.Rate, Stall: r.Stall, Seed: r.Seed, Sources: r.Sources}
			if m.Destination {
				ct.Random.canonicalPattern = &canonicalPattern{r.Pattern.String(), r.Broadcasts, r.Hot, r.Share}
			}
		}
		for _, s := range t.Stalls {
			cycles := s.Cycles
			if cycles == 0 {
				cycles = t.Cycles - s.At
			}
			ct.Stalls = append(ct.Stalls, canonicalStall{s.Receivers, s.At, cycles})
		}
		c.Traffic = append(c.Traffic, ct)
	}
	for _, s := range m.Synthesis {
		c.Synthesis = append(c.Synthesis, canonicalSynthesis(s))
	}
	text, err := json.Marshal(c)
	if err != nil {
		// only infinite numbers could fail, and those are rejected
		panic(fmt.Sprintf("machine: %v", err))
	}
	return text
}

func canonicalScheduleOf(s *collective.Schedule) *canonicalSchedule {
	if s == nil {
		return nil
	}
	c := &canonicalSchedule{Steps: s.Steps, Period: s.Period}
	for _, t := range s.Transfers {
		add := int32(0)
		if t.Add {
			add = 1
		}
		c.Transfers = append(c.Transfers, canonicalTransfer{t.Step, t.From, t.To, t.Item.Node, t.Item.For, add})
	}
	return c
}

// hash returns the value of Hash.
func (m *Machine) hash() string {
	sum := sha256.Sum256(m.CanonicalJSON())
	return hex.EncodeToString(sum[:])
}
