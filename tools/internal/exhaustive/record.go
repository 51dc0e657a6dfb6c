// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A record is a text file: a line that names the program and the chunks, then a
// line for each chunk that is checked, in the order in which they were finished.
// A line is written at once, and one that a kill cut short is dropped.
const (
	recordName = "hcgen-exhaustive-record"
	recordHead = recordName + " program=%s chunks=%d\n"
	recordLine = "chunk %d machines=%d multisets=%d all-sources=%d broadcasts=%d messages=%d largest-wc=%d elapsed-ms=%d\n"
)

type record struct {
	file    *os.File // nil: nothing is recorded
	done    map[int]Count
	elapsed time.Duration // of the runs so far
}

// openRecord reads the record of the same program and chunks, or begins a new record.
// It does not touch a file that is no record. unused is the reason why an existing record
// was not used.
func openRecord(name, program string, all []chunk) (r *record, unused, err error) {
	r = &record{done: map[int]Count{}}
	if name == "" {
		return r, nil, nil
	}
	head := fmt.Sprintf(recordHead, program, len(all))
	data, err := os.ReadFile(name)
	keep := 0
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return nil, nil, err
		}
	case err != nil:
		return nil, nil, err
	case len(data) > 0 && !bytes.HasPrefix(data, []byte(recordName+" ")):
		return nil, nil, fmt.Errorf("%s is not a record of this check: name another file, or remove it", name)
	case len(data) == 0: // a kill came between making and writing it
	case !bytes.HasPrefix(data, []byte(head)):
		unused = fmt.Errorf("%s is of another program", name)
	default:
		if keep, err = r.read(data, len(head), all); err != nil {
			unused = fmt.Errorf("%s:%w", name, err)
			r.done, r.elapsed, keep = map[int]Count{}, 0, 0
		}
	}
	if r.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, nil, err
	}
	err = r.file.Truncate(int64(keep))
	if err == nil && keep == 0 {
		_, err = r.file.WriteAt([]byte(head), 0)
		keep = len(head)
	}
	if err == nil {
		_, err = r.file.Seek(int64(keep), 0)
	}
	if err != nil {
		r.close()
		return nil, nil, err
	}
	return r, unused, nil
}

// read takes the lines from the given offset on and returns how much of the data
// is good.
func (r *record) read(data []byte, from int, all []chunk) (keep int, err error) {
	for number := 2; ; number++ {
		length := bytes.IndexByte(data[from:], '\n') + 1
		if length == 0 {
			return from, nil
		}
		line := string(data[from : from+length])
		var i, ms int
		var c Count
		_, err := fmt.Sscanf(line, recordLine, &i, &c.Machines, &c.Multisets, &c.AllSources, &c.Broadcasts, &c.Messages, &c.LargestWC, &ms)
		if err != nil || fmt.Sprintf(recordLine, i, c.Machines, c.Multisets, c.AllSources, c.Broadcasts, c.Messages, c.LargestWC, ms) != line {
			return 0, fmt.Errorf("%d: not a line of a record", number)
		}
		if i < 0 || i >= len(all) || c.Machines != all[i].machines {
			return 0, fmt.Errorf("%d: there is no chunk %d of %d machines", number, i, c.Machines)
		}
		r.done[i] = c
		r.elapsed = max(r.elapsed, time.Duration(ms)*time.Millisecond)
		from += length
	}
}

// add records a chunk.
func (r *record) add(i int, c Count, elapsed time.Duration) error {
	r.done[i] = c
	if r.file == nil {
		return nil
	}
	_, err := fmt.Fprintf(r.file, recordLine, i, c.Machines, c.Multisets, c.AllSources, c.Broadcasts, c.Messages, c.LargestWC, elapsed.Milliseconds())
	return err
}

// remove ends the record: everything is checked.
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
