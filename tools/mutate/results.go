// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Stages, in their order.
const (
	stageRouter   = "router"      // bench of the router
	stageNetwork  = "network"     // bench of the network
	stageModules  = "modules"     // proofs of the modules
	stageProof    = "proof"       // proof of the router
	stageCompared = "equivalence" // comparison with the router as it should be
)

var allStages = []string{stageRouter, stageNetwork, stageModules, stageProof}

// result is the result of a mutant.
type result struct {
	mutation
	Stage   string `json:"stage"`   // that has decided
	Verdict string `json:"verdict"` // caught, or one of a comparison
	Detail  string `json:"detail,omitempty"`
}

const caught = "caught"

// survives reports whether no check has caught the mutant, and it is not shown to be equivalent.
func (r result) survives() bool { return r.Verdict == differs || r.Verdict == unknown }

// store keeps the results of a design in a file, one in each line.
type store struct {
	lock sync.Mutex
	file *os.File
	all  map[int]result
}

// openStore reads what is known of the mutations of a design.
func openStore(d *design, stages []string) (*store, error) {
	s := &store{all: map[int]result{}}
	drawn := map[int]mutation{}
	for _, m := range d.mutations {
		drawn[m.Number] = m
	}
	name := filepath.Join(d.dir, "results "+strings.Join(stages, " ")+" "+d.drawn[:min(12, len(d.drawn))]+".jsonl")
	if old, err := os.Open(name); err == nil {
		lines := bufio.NewScanner(old)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var r result
			if json.Unmarshal(lines.Bytes(), &r) != nil { // the last one may be cut off
				continue
			}
			if m, is := drawn[r.Number]; is && m.Command == r.Command && m.Module == r.Module {
				s.all[r.Number] = r
			}
		}
		old.Close()
		if lines.Err() != nil {
			return nil, lines.Err()
		}
	}
	var err error
	s.file, err = os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	_, err = s.file.WriteString("\n") // ends a line that was cut off
	return s, err
}

func (s *store) get(number int) (result, bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	r, ok := s.all[number]
	return r, ok
}

func (s *store) put(r result) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s.all[r.Number] = r
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// account holds the results of a machine.
type account struct {
	Machine string   `json:"machine"`
	Sources string   `json:"sources"` // SHA-256 of the generated files and the properties of their modules
	Results []result `json:"results"`
}

// report is the JSON file.
type report struct {
	Seed     uint64            `json:"seed"`
	Count    int               `json:"count"`
	Wires    int               `json:"wires"`
	Tools    map[string]string `json:"tools"` // and what they call their version
	Machines []account         `json:"machines"`
}

// replace writes a file that is there as a whole or not at all.
func replace(name string, text []byte) error {
	if err := os.WriteFile(name+".new", text, 0o666); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// columns are the ways in which a mutant can end.
var columns = []struct {
	title string
	is    func(result) bool
}{
	{"router bench", func(r result) bool { return r.Verdict == caught && r.Stage == stageRouter }},
	{"network bench", func(r result) bool { return r.Verdict == caught && r.Stage == stageNetwork }},
	{"proofs of modules", func(r result) bool { return r.Verdict == caught && r.Stage == stageModules }},
	{"proof of the router", func(r result) bool { return r.Verdict == caught && r.Stage == stageProof }},
	{"equivalent", func(r result) bool { return r.Verdict == equivalent }},
	{"equivalent where reachable", func(r result) bool { return r.Verdict == reachable }},
	{"survive", result.survives},
}

func count(results []result, is func(result) bool) int {
	n := 0
	for _, r := range results {
		if is(r) {
			n++
		}
	}
	return n
}

// String is the table, what is equivalent and what survives.
func (r report) String() string {
	var b strings.Builder
	b.WriteString("| machine | mutants |")
	for _, c := range columns {
		b.WriteString(" " + c.title + " |")
	}
	b.WriteString("\n| --- | --- |" + strings.Repeat(" --- |", len(columns)) + "\n")
	var all []result
	row := func(name string, results []result) {
		fmt.Fprintf(&b, "| %s | %d |", name, len(results))
		for _, c := range columns {
			fmt.Fprintf(&b, " %d |", count(results, c.is))
		}
		b.WriteString("\n")
	}
	for _, m := range r.Machines {
		row(m.Machine, m.Results)
		all = append(all, m.Results...)
	}
	row("all", all)
	for _, m := range r.Machines {
		for _, one := range m.Results {
			if one.Verdict != caught && !one.survives() {
				fmt.Fprintf(&b, "%s: %s: mutant %d: %s\n", m.Machine, one.Verdict, one.Number, one.mutation)
			}
		}
	}
	return b.String()
}
