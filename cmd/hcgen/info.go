// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/gen/plan"
)

// info is what hcgen info --json prints.
type info struct {
	Name            string          `json:"name"`
	Nodes           int             `json:"nodes"`
	Degree          int             `json:"degree"`
	Diameter        int             `json:"diameter"` // also the steps of every broadcast
	AverageDistance float64         `json:"average_distance"`
	Links           int             `json:"links"`                // undirected, full duplex
	Kind            string          `json:"kind"`                 // of the routers
	ConfigBus       string          `json:"config_bus,omitempty"` // this and the limits are missing of specialized routers
	MaxDimensions   int             `json:"max_dimensions,omitempty"`
	MaxNodes        int             `json:"max_nodes,omitempty"` // of a dimension
	MaxDegree       int             `json:"max_degree,omitempty"`
	Preference      string          `json:"preference"`
	FIFODepth       int             `json:"fifo_depth"` // slots of every queue that is not a ring port's
	Dimensions      []infoDimension `json:"dimensions"`
	Ports           []infoPort      `json:"ports"`
	LinkBits        int             `json:"link_bits"` // wd, wc, source id and payload
	WdBits          int             `json:"wd_bits"`
	WcBits          int             `json:"wc_bits"`
	SourceBits      int             `json:"source_bits"` // 0 without source id
	PayloadBits     int             `json:"payload_bits"`
	RouterModule    string          `json:"router_module"`
	NetworkModule   string          `json:"network_module,omitempty"` // missing if no network is generated
	Traffic         []string        `json:"traffic"`
	Synthesis       []string        `json:"synthesis"`
	ConfigHash      string          `json:"config_hash"`
}

type infoDimension struct {
	Name   string `json:"name"`
	M      int    `json:"m"`
	Rho    int    `json:"rho"`
	D      int    `json:"D"`
	A      int    `json:"a"`
	K      int    `json:"k"`
	Degree int    `json:"degree"`
}

type infoPort struct {
	Index     int    `json:"index"`
	Dimension int    `json:"dimension"` // 1..r
	Direction string `json:"direction"`
	Distance  int    `json:"distance"`
	Weight    int    `json:"weight"` // of a message entering the port; 0: none does
}

func newInfo(c *console) *cobra.Command {
	var from config
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info -c FILE",
		Short: "Tell the figures of a machine: nodes, degree, diameter, ports, widths",
		Long: `Tell the figures of a machine: nodes, degree, diameter and average distance, the
constants D, a and k of every dimension, every port of a router with the weight
that a message entering it carries, and the widths of the links.`,
		Example: `  hcgen info -c torus4x4.hcl
  hcgen info -c torus4x4.hcl --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := from.load(c)
			if err != nil {
				return classify(err)
			}
			about := describe(plan.New(m))
			if asJSON {
				return classify(writeJSON(c.out, about))
			}
			return classify(about.write(c.out))
		},
	}
	from.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// describe collects the figures of a machine.
func describe(p *plan.Plan) *info {
	m := p.Machine
	g := m.Graph
	i := &info{
		Name: p.Name, Nodes: p.Nodes, Degree: p.Degree, Diameter: g.Diameter(), AverageDistance: g.AverageDistance(), Links: g.Links(),
		Kind: m.Kind(), Preference: m.Preference.String(), FIFODepth: m.FIFODepth,
		LinkBits: p.LinkBits, WdBits: p.WdBits, WcBits: p.WcBits, SourceBits: p.SourceBits, PayloadBits: p.PayloadBits,
		RouterModule: p.RouterModule, ConfigHash: m.Hash,
		Traffic: []string{}, Synthesis: []string{},
	}
	if r := m.Programmable; r != nil {
		i.ConfigBus, i.MaxDimensions, i.MaxNodes, i.MaxDegree = r.Bus, r.MaxDimensions, r.MaxNodes, r.MaxDegree
	}
	if m.Network {
		i.NetworkModule = p.NetworkModule
	}
	for _, d := range p.Dims {
		i.Dimensions = append(i.Dimensions, infoDimension{Name: d.Name, M: d.M, Rho: d.Rho, D: d.D, A: d.A, K: d.K, Degree: g.Dimension(d.Index).Degree()})
	}
	for _, q := range p.Ports {
		i.Ports = append(i.Ports, infoPort{Index: q.Index, Dimension: q.Dimension, Direction: q.Direction.String(), Distance: q.Distance, Weight: q.First})
	}
	for _, t := range m.Traffic {
		i.Traffic = append(i.Traffic, t.Name)
	}
	for _, s := range m.Synthesis {
		i.Synthesis = append(i.Synthesis, s.Name)
	}
	return i
}

// write prints the figures for people.
func (i *info) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "machine\t%s\n", i.Name)
	fmt.Fprintf(w, "nodes\t%d\n", i.Nodes)
	fmt.Fprintf(w, "degree\t%d\n", i.Degree)
	fmt.Fprintf(w, "diameter\t%d\n", i.Diameter)
	fmt.Fprintf(w, "average distance\t%.4g\n", i.AverageDistance)
	fmt.Fprintf(w, "links\t%d\n", i.Links)
	if i.ConfigBus != "" {
		fmt.Fprintf(w, "router\t%s, %s, at most %d dimensions, %d nodes in each, %d ports\n", i.Kind, i.ConfigBus, i.MaxDimensions, i.MaxNodes, i.MaxDegree)
	}
	fmt.Fprintf(w, "preference\t%s\n", i.Preference)
	fmt.Fprintf(w, "fifo depth\t%d\n", i.FIFODepth)
	parts := fmt.Sprintf("wd %d, wc %d, payload %d", i.WdBits, i.WcBits, i.PayloadBits)
	if i.SourceBits > 0 {
		parts = fmt.Sprintf("wd %d, wc %d, source %d, payload %d", i.WdBits, i.WcBits, i.SourceBits, i.PayloadBits)
	}
	fmt.Fprintf(w, "link bits\t%d (%s)\n", i.LinkBits, parts)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	fmt.Fprintf(w, "dimension\tname\tm\trho\tD\ta\tk\tdegree\n")
	for n, d := range i.Dimensions {
		fmt.Fprintf(w, "%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\n", n+1, d.Name, d.M, d.Rho, d.D, d.A, d.K, d.Degree)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	fmt.Fprintf(w, "port\tdimension\tdirection\tdistance\tweight\n")
	for _, p := range i.Ports {
		fmt.Fprintf(w, "%d\t%d\t%s\t%d\t%d\n", p.Index, p.Dimension, p.Direction, p.Distance, p.Weight)
	}
	return w.Flush()
}

// writeJSON prints a value as indented JSON.
func writeJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
