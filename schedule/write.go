// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"bufio"
	"fmt"
	"io"

	"github.com/hcgen/hcgen/collective"
)

// Listed is how many transfers the schedule lists as JSON and CSV write it: those of node 0 if it is
// translated, else those of every node.
func (s *Schedule) Listed() int {
	if s.Translated() {
		return len(s.Transfers)
	}
	copies := s.Graph.Nodes()
	for _, p := range s.Period {
		copies /= p
	}
	return copies * len(s.Transfers)
}

// WriteJSON writes the schedule of a machine of that name as a collective.File. The error is the first of out.
func (s *Schedule) WriteJSON(out io.Writer, machine string) error {
	g := s.Graph
	f := collective.File{Machine: machine, Operation: s.Operation, Algorithm: s.Algorithm, Ports: s.Ports.String(), Root: s.Root, Nodes: g.Nodes(), Degree: g.Degree(),
		Packets: s.Packets, Steps: s.Steps, Bound: s.Bound, Waiting: -1, Phases: collective.Reduces(s.Operation), Translated: s.Translated(), Transfers: s.Expanded().Transfers}
	for i := 1; i <= g.Rank(); i++ {
		f.Dimensions = append(f.Dimensions, collective.Dimension{M: g.Dimension(i).M, Rho: g.Dimension(i).Rho})
	}
	if s.Algorithm == "streaming" {
		streaming, err := s.Streaming()
		if err != nil {
			panic(err) // it is for hardware
		}
		f.Waiting = streaming.Waiting()
	}
	return f.Write(out)
}

// WriteCSV writes the transfers: step, from, to, item; of total exchange also the node that the item is for,
// of items of several packets the packet, and of reductions the phase. The error is the first of out.
func (s *Schedule) WriteCSV(out io.Writer) error {
	w := bufio.NewWriter(out)
	exchange := s.Operation == collective.TotalExchange
	line := func(first string, more ...string) {
		w.WriteString(first)
		if exchange {
			w.WriteString("," + more[0])
		}
		if s.Packets > 1 {
			w.WriteString("," + more[1])
		}
		if collective.Reduces(s.Operation) {
			w.WriteString("," + more[2])
		}
		w.WriteByte('\n')
	}
	line("step,from,to,item", "for", "packet", "phase")
	for _, t := range s.Expanded().Transfers {
		line(fmt.Sprintf("%d,%d,%d,%d", t.Step, t.From, t.To, t.Item.Node), fmt.Sprint(t.Item.For), fmt.Sprint(t.Item.Packet), t.Phase())
	}
	return w.Flush()
}
