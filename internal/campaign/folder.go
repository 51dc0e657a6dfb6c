// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Result is the file of a unit that is done.
type Result struct {
	Kind     string            `json:"kind"`
	Unit     string            `json:"unit"`
	Versions map[string]string `json:"versions"`
	Input    json.RawMessage   `json:"input"`
	Seconds  float64           `json:"seconds"`          // that the unit took
	Result   json.RawMessage   `json:"result,omitempty"` // as the work of the unit returned it
}

// Decode reads the result as the work of the unit returned it.
func (r Result) Decode(into any) error {
	if err := json.Unmarshal(r.Result, into); err != nil {
		return fmt.Errorf("the result of unit %s: %w", r.Unit, err)
	}
	return nil
}

// failed is the file of a unit that has failed: a Result with a reason in place of the result.
type failed struct {
	Result
	Reason string `json:"reason"`
}

// folder is the folder of a campaign.
type folder string

func (f folder) resultFile(unit string) string {
	return filepath.Join(string(f), "results", unit+".json")
}

func (f folder) failedFile(unit, ending string) string {
	return filepath.Join(string(f), "failed", unit+ending)
}

// prepare creates the folders that do not exist.
func (f folder) prepare() error {
	for _, part := range []string{"results", "failed"} {
		if err := os.MkdirAll(filepath.Join(string(f), part), 0o777); err != nil {
			return err
		}
	}
	return nil
}

// result reads the result of a unit: nil if there is none. why says why one that is there does not count.
func (f folder) result(key Result) (result *Result, why string, err error) {
	text, err := os.ReadFile(f.resultFile(key.Unit))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", nil
	case err != nil:
		return nil, "", err
	}
	r := &Result{}
	if json.Unmarshal(text, r) != nil || len(r.Result) == 0 {
		return nil, "it is not whole", nil
	}
	if why := r.differs(key); why != "" {
		return nil, why, nil
	}
	return r, "", nil
}

// differs says in what a file is not one of the unit; empty if it is.
func (r Result) differs(key Result) string {
	switch {
	case r.Unit != key.Unit:
		return "it is of the unit " + r.Unit
	case r.Kind != key.Kind:
		return "it is of a campaign " + r.Kind
	case !maps.Equal(r.Versions, key.Versions):
		return "it is of " + differing(r.Versions, key.Versions)
	case !sameJSON(r.Input, key.Input):
		return "it is of another input"
	}
	return ""
}

// write writes the result of a unit, and removes why it had none.
func (f folder) write(r Result) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := replace(f.resultFile(r.Unit), append(text, '\n')); err != nil {
		return err
	}
	return errors.Join(remove(f.failedFile(r.Unit, ".json")), remove(f.failedFile(r.Unit, ".log")))
}

// failure reads why a unit has no result: nil if it has not failed.
func (f folder) failure(key Result) (*Failure, error) {
	text, err := os.ReadFile(f.failedFile(key.Unit, ".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var record failed
	if json.Unmarshal(text, &record) != nil || record.differs(key) != "" {
		return nil, nil
	}
	return &Failure{key.Unit, record.Reason, f.failedFile(key.Unit, ".log")}, nil
}

// writeFailure writes why a unit has no result, and what its process printed.
func (f folder) writeFailure(record Result, log []byte, reason string) (*Failure, error) {
	text, err := json.MarshalIndent(failed{record, reason}, "", "  ")
	if err != nil {
		return nil, err
	}
	name := f.failedFile(record.Unit, ".log")
	log = fmt.Appendf(log, "%s failed: %s\n", record.Unit, reason)
	if err := errors.Join(replace(name, log), replace(f.failedFile(record.Unit, ".json"), append(text, '\n'))); err != nil {
		return nil, err
	}
	return &Failure{record.Unit, reason, name}, nil
}

// replace writes a file that is there as a whole or not at all.
func replace(name string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		return errors.Join(err, remove(file.Name()))
	}
	return nil
}

// remove removes a file, if it is there.
func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// differing names the versions in which a result differs.
func differing(old, now map[string]string) string {
	both := maps.Clone(now)
	maps.Copy(both, old)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(both)) {
		if old[name] != now[name] {
			all = append(all, fmt.Sprintf("%s %s instead of %s", name, short(old[name]), short(now[name])))
		}
	}
	return strings.Join(all, ", ")
}

// short is a version as people read it: hashes have their beginning.
func short(version string) string {
	switch {
	case version == "":
		return "(none)"
	case len(version) == 2*sha256.Size && strings.Trim(version, "0123456789abcdef") == "":
		return version[:12]
	}
	return version
}

// sameJSON reports whether two texts differ only in white space.
func sameJSON(a, b json.RawMessage) bool {
	var one, two bytes.Buffer
	return json.Compact(&one, a) == nil && json.Compact(&two, b) == nil && bytes.Equal(one.Bytes(), two.Bytes())
}
