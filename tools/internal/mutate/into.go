// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/smt"
)

// shown is the file from which the report of an output folder reads the results of mutants.
var shown = filepath.Join("build", "results", "mutate.tsv")

// Receiver finds the design whose description and Verilog an output folder has, and removes the results of
// an earlier run from the report of the folder.
func Receiver(into string, designs []*Design) (*Design, error) {
	meta, _, err := output.Existing(into)
	if err != nil {
		text := "-into: " + err.Error()
		if dir := new(output.DirError); errors.As(err, &dir) && dir.Advice != "" {
			text += ": " + dir.Advice
		}
		return nil, &Refused{text}
	}
	at := slices.IndexFunc(designs, func(d *Design) bool { return d.p.Machine.Hash == meta.ConfigHash })
	if at < 0 {
		return nil, &Refused{fmt.Sprintf("-into: %s has a machine %s of another description than those in -machines: name its description there", into, meta.Machine)}
	}
	d := designs[at]
	here, err := checksum(into)
	if err != nil {
		return nil, &Refused{fmt.Sprintf("-into: the Verilog in %s cannot be read: %v: generate it again", into, err)}
	}
	mutated, err := checksum(d.file("out"))
	if err != nil {
		return nil, err
	}
	if here != mutated {
		return nil, &Refused{fmt.Sprintf("-into: the Verilog in %s is not what is mutated, which this hcgen makes of %s: generate it again with the hcgen of this source",
			into, d.p.Name)}
	}
	if err := os.Remove(filepath.Join(into, shown)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return d, nil
}

// checksum is that of the Verilog of an output folder, as its Makefile and its report take it.
func checksum(dir string) (string, error) {
	command := exec.Command("sh", "-c", "cat $(cat filelist.f) >/dev/null && cat $(cat filelist.f) | cksum")
	command.Dir = dir
	var complaint strings.Builder
	command.Stderr = &complaint
	sum, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, smt.LastLines(complaint.String(), 1))
	}
	return strings.TrimSpace(string(sum)), nil
}

// oneField makes a text a field of a line, between tabs.
var oneField = strings.NewReplacer("\t", " ", "\n", " ")

// Show writes what became of a design's mutants for the report of an output folder, in the format of
// templates/report/results.awk.
func (d *Design) Show(into string, seed uint64, versions map[string]string, fates []Fate) error {
	var b bytes.Buffer
	line := func(fields ...any) {
		for i, f := range fields {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(oneField.Replace(fmt.Sprint(f)))
		}
		b.WriteByte('\n')
	}
	rtl, err := checksum(d.file("out"))
	if err != nil {
		return err
	}
	line("of", d.p.Machine.Hash, rtl)
	survive := count(fates, Result.Survives)
	line("text", fmt.Sprintf("%d of %d mutants survive, drawn with seed %d. %s, %s, %s.", survive, len(fates), seed,
		versions["yosys"], versions["verilator"], versions["z3"]))
	line("words", "What became of the mutants")
	line("head", "caught by, or what else", "mutants")
	for _, c := range columns {
		line("row", c.title, count(fates, c.is))
	}
	if survive > 0 {
		line("words", "Mutants that survive")
		line("head", "mutant", "change", "place", "compared with the router as it should be")
	}
	for _, f := range fates {
		if f.Survives() {
			line("row", f.Mutant.Number, f.Mutant.what(), f.Mutant.place(), f.Verdict+": "+f.Detail)
		}
	}
	file := filepath.Join(into, shown)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}
