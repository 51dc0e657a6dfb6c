// SPDX-License-Identifier: Apache-2.0

package collective

import (
	"io"
	"math"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hcgen/hcgen/internal/jsonfile"
)

// The values of the field ports.
const (
	allPorts = "all"
	onePort  = "one"
)

// OnePort reports whether a node sends one message and receives one in a step, at most.
func (f *File) OnePort() bool { return f.Ports == onePort }

// Unreadable is the error of a file of which no text can be read.
type Unreadable struct {
	Path string
	Why  string // behind the path, such as: is not a regular file
}

// Error says why the file cannot be read.
func (u *Unreadable) Error() string { return u.Path + u.Why }

// MaxBytes is the size of the largest file that Read accepts.
const MaxBytes = 2 << 30

// File is a schedule in JSON, as hcgen schedule --json writes it.
type File struct {
	Machine    string      // its name, or empty
	Dimensions []Dimension // dimension 1 first; may be missing, then the reader must know the machine
	Operation  string
	Algorithm  string // its name, or empty
	Ports      string // "all" or "one"
	Root       int    // of rooted operations
	Nodes      int    // N, 0 if missing
	Degree     int    // 0 if missing
	Packets    int    // of an item; 1 if missing
	Steps      int
	Bound      int  // 0 if missing
	Waiting    int  // -1 if missing
	Phases     bool // whether the transfers of a reduction say if they add
	// With Translated only the transfers from node 0 are listed, and each holds at every node.
	Translated bool
	Transfers  []Transfer
}

// Dimension is a ring of the machine of a file.
type Dimension struct {
	M   int `json:"m"`
	Rho int `json:"rho"`
}

// The JSON of a schedule. A whole number is absent if its field is missing, and a positive one 0.
type (
	document struct {
		Machine    string      `json:"machine"`
		Dimensions []Dimension `json:"dimensions"`
		Operation  operation   `json:"operation"`
		Algorithm  string      `json:"algorithm"`
		Ports      ports       `json:"ports"`
		Root       whole       `json:"root,omitzero"`
		Nodes      positive    `json:"nodes"`
		Degree     positive    `json:"degree"`
		Packets    positive    `json:"packets"`
		Steps      steps       `json:"steps"`
		Bound      whole       `json:"bound"`
		Waiting    whole       `json:"waiting,omitzero"`
		Translated bool        `json:"translated"`
		Transfers  []Transfer  `json:"transfers,omitzero"`
	}
	transfer struct {
		Step   positive  `json:"step"`
		From   whole     `json:"from"`
		To     whole     `json:"to"`
		Item   Item      `json:"item"`
		Packet whole     `json:"packet"`
		Phase  phaseName `json:"phase"`
	}
	whole     int32
	positive  int32
	steps     int32
	operation string
	ports     string
	phaseName string
)

const absent = -1

// IsZero reports whether the field is missing.
func (n whole) IsZero() bool { return n == absent }

// Read reads a schedule in JSON. The error is a *jsonfile.Error, or of in.
func Read(in io.Reader) (*File, error) {
	text, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	var r reader
	if err := jsonfile.Unmarshal(text, MaxBytes, "the schedule", &r.file, json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFromFunc(r.readDocument),
		json.UnmarshalFromFunc(readDimension),
		json.UnmarshalFromFunc(r.readTransfer),
		json.UnmarshalFromFunc(readItem),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, n *whole) error { return readNumber(dec, 0, n) }),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, n *positive) error { return readNumber(dec, 1, n) }),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, n *steps) error {
			r.steps = jsonfile.Next(dec)
			return readNumber(dec, 0, n)
		}),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, s *operation) error { return readText(dec, Operations(), s) }),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, s *ports) error { return readText(dec, []string{allPorts, onePort}, s) }),
		json.UnmarshalFromFunc(func(dec *jsontext.Decoder, s *phaseName) error { return readText(dec, []string{copied, add}, s) }),
	))); err != nil {
		return nil, err
	}
	return &r.file, nil
}

// reader is the state of Read.
type reader struct {
	file              File
	transfers, phases int // that have been read
	steps             int // where the number of steps is
}

func (r *reader) readDocument(dec *jsontext.Decoder, f *File) error {
	start := jsonfile.Next(dec)
	d := document{Root: absent, Packets: 1, Steps: absent, Waiting: absent}
	if err := json.UnmarshalDecode(dec, &d); err != nil {
		return err
	}
	if err := lacks(start, "the schedule", field{"operation", d.Operation == ""}, field{"ports", d.Ports == ""},
		field{"steps", d.Steps == absent}, field{"transfers", d.Transfers == nil}); err != nil {
		return err
	}
	// What follows takes memory for every step.
	if int(d.Steps) > len(d.Transfers) {
		return jsonfile.Fail(r.steps, "steps is %d, but %d transfers are listed, and a schedule has at most as many steps: a step without a transfer does nothing; number the steps without gaps", d.Steps, len(d.Transfers))
	}
	*f = File{Machine: d.Machine, Dimensions: d.Dimensions, Operation: string(d.Operation), Algorithm: d.Algorithm, Ports: string(d.Ports),
		Root: max(0, int(d.Root)), Nodes: int(d.Nodes), Degree: int(d.Degree), Packets: int(d.Packets), Steps: int(d.Steps), Bound: int(d.Bound), Waiting: int(d.Waiting), Phases: r.phases > 0,
		Translated: d.Translated, Transfers: d.Transfers}
	switch rooted := d.Root != absent; {
	case rooted && !Rooted(f.Operation):
		return jsonfile.Fail(start, "%s has no root, but one is given", f.Operation)
	case !rooted && Rooted(f.Operation):
		return jsonfile.Fail(start, "%s needs a root, but none is given", f.Operation)
	}
	return nil
}

func readDimension(dec *jsontext.Decoder, d *Dimension) error {
	start := jsonfile.Next(dec)
	ring := struct {
		M   whole `json:"m"`
		Rho whole `json:"rho"`
	}{absent, absent}
	if err := json.UnmarshalDecode(dec, &ring); err != nil {
		return err
	}
	*d = Dimension{int(ring.M), int(ring.Rho)}
	return lacks(start, "a dimension", field{"m", ring.M == absent}, field{"rho", ring.Rho == absent})
}

func (r *reader) readTransfer(dec *jsontext.Decoder, t *Transfer) error {
	start := jsonfile.Next(dec)
	read := transfer{From: absent, To: absent, Item: Item{Node: absent}}
	if err := json.UnmarshalDecode(dec, &read); err != nil {
		return err
	}
	*t = Transfer{Step: int32(read.Step), From: int32(read.From), To: int32(read.To), Item: read.Item, Add: read.Phase == add}
	t.Item.Packet = int32(read.Packet)
	if r.transfers++; read.Phase != "" {
		r.phases++
	}
	if r.phases != 0 && r.phases != r.transfers {
		return jsonfile.Fail(start, "some transfers have a phase and others have none: give all of them a phase, or none")
	}
	return lacks(start, "a transfer", field{"step", t.Step == 0}, field{"from", t.From == absent}, field{"to", t.To == absent},
		field{"item", t.Item.Node == absent})
}

// readItem reads a node, or of total exchange a list of the node that an item comes from and the
// node that it is for, which is else -1.
func readItem(dec *jsontext.Decoder, i *Item) error {
	start := jsonfile.Next(dec)
	switch dec.PeekKind() {
	case '0':
		var n whole
		err := json.UnmarshalDecode(dec, &n)
		*i = Item{Node: int32(n), For: -1}
		return err
	case '[':
		var pair []whole
		if err := json.UnmarshalDecode(dec, &pair); err != nil {
			return err
		}
		if len(pair) != 2 {
			return jsonfile.Fail(start, "item is a list of %d, want a node or a list of two nodes", len(pair))
		}
		*i = Item{Node: int32(pair[0]), For: int32(pair[1])}
		return nil
	}
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	return jsonfile.Unfit(dec, v, "a node or a list of two nodes")
}

// readNumber reads a whole number, lo or more.
func readNumber[N ~int32](dec *jsontext.Decoder, lo int, n *N) error {
	read, err := jsonfile.Int(dec, lo, math.MaxInt32)
	*n = N(read)
	return err
}

// readText reads one of some texts.
func readText[S ~string](dec *jsontext.Decoder, values []string, s *S) error {
	read, err := jsonfile.OneOf(dec, values...)
	*s = S(read)
	return err
}

// field is a field that an object must have.
type field struct {
	name    string
	missing bool
}

// lacks is the mistake of an object that lacks a field.
func lacks(start int, what string, fields ...field) error {
	for _, f := range fields {
		if f.missing {
			return jsonfile.Fail(start, "%s lacks the field %q", what, f.name)
		}
	}
	return nil
}
