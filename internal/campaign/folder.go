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
	Seconds  float64           `json:"seconds"` // that the unit took
	Result   json.RawMessage   `json:"result"`  // as the work of the unit returned it
}

// Decode reads the result as the work of the unit returned it.
func (r Result) Decode(into any) error {
	if err := json.Unmarshal(r.Result, into); err != nil {
		return fmt.Errorf("the result of unit %s: %w", r.Unit, err)
	}
	return nil
}

// list is a list of units as their processes read it.
type list struct {
	Kind     string            `json:"kind"`
	Versions map[string]string `json:"versions"`
	Units    []listed          `json:"units"`
	text     []byte
}

type listed struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// newList checks the names of units and marshals their input.
func newList(c Campaign) (*list, error) {
	l := &list{Kind: c.Kind, Versions: c.Versions}
	if l.Versions == nil {
		l.Versions = map[string]string{}
	}
	there := map[string]bool{}
	for _, u := range c.Units {
		if len(u.Name) > MaxName || !legalName.MatchString(u.Name) || there[u.Name] {
			return nil, fmt.Errorf("%q is no name for a unit, or that of another one", u.Name)
		}
		there[u.Name] = true
		input, err := json.Marshal(u.Input)
		if err != nil {
			return nil, fmt.Errorf("the input of unit %s: %w", u.Name, err)
		}
		l.Units = append(l.Units, listed{u.Name, input})
	}
	var err error
	l.text, err = json.Marshal(l)
	return l, err
}

// name is the name of the file of the list, which follows from its content.
func (l *list) name() string { return fmt.Sprintf("%s-%.8x", l.Kind, sha256.Sum256(l.text)) }

// folder is the folder of a campaign.
type folder string

func (f folder) path(parts ...string) string {
	return filepath.Join(append([]string{string(f)}, parts...)...)
}
func (f folder) log(unit string) string        { return f.path("logs", unit+".log") }
func (f folder) resultFile(unit string) string { return f.path("results", unit+".json") }
func (f folder) failedFile(unit string) string { return f.path("failed", unit+".json") }
func (f folder) listFile(name string) string   { return f.path("lists", name+".json") }

// prepare makes what is missing of the folder.
func (f folder) prepare() error {
	for _, part := range []string{"results", "failed", "logs", "lists"} {
		if err := os.MkdirAll(f.path(part), 0o777); err != nil {
			return err
		}
	}
	return nil
}

func (f folder) writeList(l *list) error { return replace(f.listFile(l.name()), l.text) }

// readList reads the list of a name.
func (f folder) readList(name string) (*list, error) {
	text, err := os.ReadFile(f.listFile(name))
	if err != nil {
		return nil, err
	}
	l := &list{text: text}
	if err := json.Unmarshal(text, l); err != nil || l.name() != name {
		return nil, fmt.Errorf("%s is not whole", f.listFile(name))
	}
	return l, nil
}

// result reads the result of a unit: nil if there is none. why says why one that is there does not count.
func (f folder) result(l *list, i int) (result *Result, why string, err error) {
	u := l.Units[i]
	text, err := os.ReadFile(f.resultFile(u.Name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", nil
	case err != nil:
		return nil, "", err
	}
	r := &Result{}
	switch {
	case json.Unmarshal(text, r) != nil || r.Unit != u.Name || len(r.Result) == 0:
		return nil, "it is not whole", nil
	case r.Kind != l.Kind:
		return nil, "it is of a campaign " + r.Kind, nil
	case !maps.Equal(r.Versions, l.Versions):
		return nil, "it is of " + differing(r.Versions, l.Versions), nil
	case !sameJSON(r.Input, u.Input):
		return nil, "it is of another input", nil
	}
	return r, "", nil
}

// writeResult writes the result of a unit, and removes what an earlier try left.
func (f folder) writeResult(r Result) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := replace(f.resultFile(r.Unit), append(text, '\n')); err != nil {
		return err
	}
	return remove(f.failedFile(r.Unit))
}

// failure reads why a unit has no result: nil if it has left no word.
func (f folder) failure(unit string) (*Failure, error) {
	text, err := os.ReadFile(f.failedFile(unit))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	failure := &Failure{}
	if json.Unmarshal(text, failure) != nil {
		return nil, nil
	}
	return failure, nil
}

func (f folder) writeFailure(failure Failure) error {
	text, err := json.Marshal(failure)
	if err != nil {
		return err
	}
	return replace(f.failedFile(failure.Unit), append(text, '\n'))
}

// replace writes a file that is there as a whole or not at all.
func replace(name string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
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
	var all []string
	for _, name := range slices.Sorted(maps.Keys(union(old, now))) {
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

func union(a, b map[string]string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
}

// sameJSON reports whether two texts differ only in white space.
func sameJSON(a, b json.RawMessage) bool {
	var one, two bytes.Buffer
	return json.Compact(&one, a) == nil && json.Compact(&two, b) == nil && bytes.Equal(one.Bytes(), two.Bytes())
}
