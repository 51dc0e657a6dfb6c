// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/hcgen/hcgen/schedule/check"
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

// head is what JSON says before the transfers.
type head struct {
	Machine    string            `json:"machine"`
	Dimensions []check.Dimension `json:"dimensions"`
	Operation  string            `json:"operation"`
	Algorithm  string            `json:"algorithm"`
	Ports      string            `json:"ports"`
	Root       *int              `json:"root,omitempty"`
	Nodes      int               `json:"nodes"`
	Degree     int               `json:"degree"`
	Packets    int               `json:"packets"`
	Steps      int               `json:"steps"`
	Bound      int               `json:"bound"`
	Waiting    *int              `json:"waiting,omitempty"`
	Translated bool              `json:"translated"`
}

// WriteJSON writes the schedule of a machine of that name as check.File, a transfer a line. The error is the
// first of out.
func (s *Schedule) WriteJSON(out io.Writer, machine string) error {
	g := s.Graph
	h := head{Machine: machine, Operation: s.Operation, Algorithm: s.Algorithm, Ports: s.Ports.String(), Nodes: g.Nodes(), Degree: g.Degree(),
		Packets: s.Packets, Steps: s.Steps, Bound: s.Bound, Translated: s.Translated()}
	for i := 1; i <= g.Rank(); i++ {
		h.Dimensions = append(h.Dimensions, check.Dimension{M: g.Dimension(i).M, Rho: g.Dimension(i).Rho})
	}
	if check.Rooted(s.Operation) {
		h.Root = &s.Root
	}
	if s.Algorithm == "streaming" {
		streaming, err := s.Streaming()
		if err != nil {
			panic(err) // it is for hardware
		}
		waiting := streaming.Waiting()
		h.Waiting = &waiting
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s,\"transfers\":[", text[:len(text)-1])
	for i, t := range s.Expanded().Transfers {
		if i > 0 {
			w.WriteByte(',')
		}
		item := fmt.Sprint(t.Item.Node)
		if t.Item.For >= 0 {
			item = fmt.Sprintf("[%d,%d]", t.Item.Node, t.Item.For)
		}
		fmt.Fprintf(w, "\n{\"step\":%d,\"from\":%d,\"to\":%d,\"item\":%s", t.Step, t.From, t.To, item)
		if s.Packets > 1 {
			fmt.Fprintf(w, ",\"packet\":%d", t.Item.Packet)
		}
		if reduces(s.Operation) {
			fmt.Fprintf(w, ",\"phase\":%q", phase(t))
		}
		w.WriteByte('}')
	}
	w.WriteString("\n]}\n")
	return w.Flush()
}

// phase is what the receiver does with a transfer.
func phase(t Transfer) string {
	if t.Add {
		return "add"
	}
	return "copy"
}

// WriteCSV writes the transfers: step, from, to, item; of total exchange also the node that the item is for,
// of items of several packets the packet, and of reductions the phase. The error is the first of out.
func (s *Schedule) WriteCSV(out io.Writer) error {
	w := bufio.NewWriter(out)
	exchange := s.Operation == check.TotalExchange
	line := func(first string, more ...string) {
		w.WriteString(first)
		if exchange {
			w.WriteString("," + more[0])
		}
		if s.Packets > 1 {
			w.WriteString("," + more[1])
		}
		if reduces(s.Operation) {
			w.WriteString("," + more[2])
		}
		w.WriteByte('\n')
	}
	line("step,from,to,item", "for", "packet", "phase")
	for _, t := range s.Expanded().Transfers {
		line(fmt.Sprintf("%d,%d,%d,%d", t.Step, t.From, t.To, t.Item.Node), fmt.Sprint(t.Item.For), fmt.Sprint(t.Item.Packet), phase(t))
	}
	return w.Flush()
}
