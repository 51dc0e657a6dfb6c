// SPDX-License-Identifier: Apache-2.0

package collective

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Write writes the file, a transfer a line. All its fields must be set, so that Read gives the same file. The
// error is the first of out.
func (f *File) Write(out io.Writer) error {
	d := document{Machine: f.Machine, Dimensions: f.Dimensions, Operation: operation(f.Operation), Algorithm: f.Algorithm, Ports: ports(f.Ports), Root: absent,
		Nodes: positive(f.Nodes), Degree: positive(f.Degree), Packets: positive(f.Packets), Steps: steps(f.Steps), Bound: whole(f.Bound), Waiting: whole(f.Waiting),
		Translated: f.Translated}
	if Rooted(f.Operation) {
		d.Root = whole(f.Root)
	}
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s,\"transfers\":[", text[:len(text)-1])
	for i, t := range f.Transfers {
		if i > 0 {
			w.WriteByte(',')
		}
		item := fmt.Sprint(t.Item.Node)
		if t.Item.For >= 0 {
			item = fmt.Sprintf("[%d,%d]", t.Item.Node, t.Item.For)
		}
		fmt.Fprintf(w, "\n{\"step\":%d,\"from\":%d,\"to\":%d,\"item\":%s", t.Step, t.From, t.To, item)
		if f.Packets > 1 {
			fmt.Fprintf(w, ",\"packet\":%d", t.Item.Packet)
		}
		if f.Phases {
			fmt.Fprintf(w, ",\"phase\":%q", t.Phase())
		}
		w.WriteByte('}')
	}
	w.WriteString("\n]}\n")
	return w.Flush()
}
