// SPDX-License-Identifier: Apache-2.0

package check

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// MaxBytes is the size of the largest file that Read accepts.
const MaxBytes = 2 << 30

// File is a schedule as hcgen schedule --json writes it.
type File struct {
	Machine    string      `json:"machine"`    // its name
	Dimensions []Dimension `json:"dimensions"` // dimension 1 first; may be missing, then the reader must know the machine
	Operation  string      `json:"operation"`
	Algorithm  string      `json:"algorithm"`
	Ports      string      `json:"ports"`   // "all" or "one"
	Root       *int        `json:"root"`    // of rooted operations
	Nodes      int         `json:"nodes"`   // N, 0 if missing
	Degree     int         `json:"degree"`  // 0 if missing
	Packets    int         `json:"packets"` // of an item; 1 if missing
	Steps      int         `json:"steps"`
	Bound      int         `json:"bound"`
	// With Translated only the transfers from node 0 are listed, and each holds at every node.
	Translated bool           `json:"translated"`
	Transfers  []FileTransfer `json:"transfers"`
}

// Dimension is a ring of the machine of a file.
type Dimension struct {
	M   int `json:"m"`
	Rho int `json:"rho"`
}

// FileTransfer is a transfer as a file has it.
type FileTransfer struct {
	Step   int       `json:"step"`
	From   int       `json:"from"`
	To     int       `json:"to"`
	Item   *FileItem `json:"item"`
	Packet int       `json:"packet"` // 0 if missing
}

// FileItem is a node, or of total exchange the pair of where an item comes from and the node that it is for.
type FileItem struct{ Node, For int }

// UnmarshalJSON reads a number, or a list of two.
func (i *FileItem) UnmarshalJSON(data []byte) error {
	i.For = -1
	if err := json.Unmarshal(data, &i.Node); err == nil {
		return nil
	}
	var pair []int
	if err := json.Unmarshal(data, &pair); err != nil || len(pair) != 2 {
		return fmt.Errorf("item %s is neither a node nor a list of two nodes", data)
	}
	i.Node, i.For = pair[0], pair[1]
	return nil
}

// Read reads a schedule in JSON. The error tells what it is not.
func Read(in io.Reader) (*File, error) {
	limited := &io.LimitedReader{R: in, N: MaxBytes + 1}
	decoder := json.NewDecoder(limited)
	f := File{Packets: 1}
	if err := decoder.Decode(&f); err != nil {
		if limited.N == 0 {
			return nil, fmt.Errorf("it has more than %d bytes", MaxBytes)
		}
		return nil, fmt.Errorf("it is no schedule in JSON: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows the schedule")
	}
	if !slices.Contains(Operations(), f.Operation) {
		return nil, fmt.Errorf("operation is %q, want one of %s", f.Operation, strings.Join(Operations(), ", "))
	}
	if f.Ports != "all" && f.Ports != "one" {
		return nil, fmt.Errorf("ports is %q, want all or one", f.Ports)
	}
	if Rooted(f.Operation) && f.Root == nil {
		return nil, fmt.Errorf("%s needs a root, but none is given", f.Operation)
	}
	return &f, nil
}

// Described returns the machine whose dimensions the file lists; without a dimension if it lists none.
func (f *File) Described() (m Machine) {
	for _, d := range f.Dimensions {
		m.M, m.Rho = append(m.M, d.M), append(m.Rho, d.Rho)
	}
	return m
}

// Schedule returns the claim of the file about a machine. The error tells which number is not of the machine.
func (f *File) Schedule(m Machine) (*Schedule, error) {
	if other := f.Described(); len(f.Dimensions) > 0 && other.String() != m.String() {
		return nil, fmt.Errorf("it is for %s, but the machine is %s", other, m)
	}
	if f.Nodes != 0 && f.Nodes != m.Nodes() {
		return nil, fmt.Errorf("it is for %d nodes, but the machine has %d", f.Nodes, m.Nodes())
	}
	if f.Degree != 0 && f.Degree != m.Degree() {
		return nil, fmt.Errorf("it is for degree %d, but the machine has degree %d", f.Degree, m.Degree())
	}
	s := &Schedule{Operation: f.Operation, OnePort: f.Ports == "one", Packets: f.Packets, Steps: f.Steps,
		Period: slices.Clone(m.M), Transfers: make([]Transfer, len(f.Transfers))}
	if f.Root != nil {
		s.Root = *f.Root
	}
	if f.Translated {
		for i := range s.Period {
			s.Period[i] = 1
		}
	}
	for i, t := range f.Transfers {
		if t.Item == nil {
			return nil, fmt.Errorf("transfer %d has no item", i+1)
		}
		for _, number := range []int{t.Step, t.From, t.To, t.Item.Node, t.Item.For, t.Packet} {
			if number < math.MinInt32 || number > math.MaxInt32 {
				return nil, fmt.Errorf("transfer %d: %d is no step, node or packet", i+1, number)
			}
		}
		s.Transfers[i] = Transfer{int32(t.Step), int32(t.From), int32(t.To), Item{int32(t.Item.Node), int32(t.Item.For), int32(t.Packet)}}
	}
	return s, nil
}
