// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A record is a text file. Its first line names the program and what it goes through. Then it
// has blocks: a line for every schedule above its bound, and a line with the number of
// machines that are done in all and how many of them are how far above the bound. What
// follows the last such line is dropped when the record is read.
const (
	recordName = "hcgen-schedules-record"
	missLine   = "above %s %s %s %d %d\n"
	doneLine   = "done %d"
	countField = " %s/%s/%d=%d"
	block      = 1000 // machines
)

// record is what is done so far.
type record struct {
	file     *os.File // nil: nothing is recorded
	machines int
	count    map[kind]int
	most     int // steps above the bound
	misses   []miss
	pending  bytes.Buffer // lines of the block that is not finished
}

// kind is an outcome.
type kind struct {
	operation, ports string
	above            int
}

// outcome is how many steps a schedule takes.
type outcome struct {
	operation, ports string
	steps, bound     int
}

// miss is a schedule above its bound.
type miss struct {
	machine, operation, ports string
	steps, bound              int
}

// openRecord reads the record of the same program and machines, or begins a new one. It refuses to touch a
// file that is no record.
func openRecord(name, of string) (*record, error) {
	r := &record{count: map[kind]int{}}
	if name == "" {
		return r, nil
	}
	head := recordName + " " + of + "\n"
	data, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = os.MkdirAll(filepath.Dir(name), 0o777)
	case err == nil && len(data) > 0 && !bytes.HasPrefix(data, []byte(recordName+" ")):
		err = fmt.Errorf("%s is not a record of this check: name another file, or remove it", name)
	}
	if err != nil {
		return nil, err
	}
	keep := 0
	if bytes.HasPrefix(data, []byte(head)) {
		keep = len(head) + r.read(string(data[len(head):]))
	}
	if r.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	if err = r.file.Truncate(int64(keep)); err == nil {
		_, err = r.file.Seek(int64(keep), 0)
	}
	if err == nil && keep == 0 {
		_, err = r.file.WriteString(head)
	}
	if err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// read takes whole blocks and returns their length.
func (r *record) read(text string) (good int) {
	var misses []miss
	for at := 0; ; {
		length := strings.IndexByte(text[at:], '\n') + 1
		if length == 0 {
			return good
		}
		line := text[at : at+length]
		at += length
		var m miss
		if _, err := fmt.Sscanf(line, missLine, &m.machine, &m.operation, &m.ports, &m.steps, &m.bound); err == nil {
			misses = append(misses, m)
			continue
		}
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "done" {
			return good
		}
		count, most, machines := map[kind]int{}, 0, 0
		if _, err := fmt.Sscan(fields[1], &machines); err != nil {
			return good
		}
		for _, field := range fields[2:] {
			var k kind
			var n int
			if _, err := fmt.Sscanf(strings.ReplaceAll(strings.ReplaceAll(field, "/", " "), "=", " "), "%s %s %d %d", &k.operation, &k.ports, &k.above, &n); err != nil {
				return good
			}
			count[k] = n
			most = max(most, k.above)
		}
		r.machines, r.count, r.most, r.misses = machines, count, most, append(r.misses, misses...)
		misses, good = nil, at
	}
}

// add records a machine; at the end of a block it writes.
func (r *record) add(machine string, outcomes []outcome) error {
	r.machines++
	for _, c := range outcomes {
		k := kind{c.operation, c.ports, c.steps - c.bound}
		r.count[k]++
		r.most = max(r.most, k.above)
		if k.above > 0 {
			m := miss{machine, c.operation, c.ports, c.steps, c.bound}
			r.misses = append(r.misses, m)
			fmt.Fprintf(&r.pending, missLine, m.machine, m.operation, m.ports, m.steps, m.bound)
		}
	}
	if r.machines%block == 0 {
		return r.flush()
	}
	return nil
}

// flush ends a block.
func (r *record) flush() error {
	if r.file == nil {
		r.pending.Reset()
		return nil
	}
	fmt.Fprintf(&r.pending, doneLine, r.machines)
	var kinds []kind
	for k := range r.count {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b kind) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	for _, k := range kinds {
		fmt.Fprintf(&r.pending, countField, k.operation, k.ports, k.above, r.count[k])
	}
	r.pending.WriteByte('\n')
	_, err := r.file.Write(r.pending.Bytes())
	r.pending.Reset()
	return err
}

// remove ends the record: everything is done.
func (r *record) remove() error {
	if r.file == nil {
		return nil
	}
	return os.Remove(r.file.Name())
}

func (r *record) close() {
	if r.file != nil {
		r.file.Close()
	}
}
