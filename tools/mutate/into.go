// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
)

// shown is the file from which the report of an output folder reads the results of mutants.
var shown = filepath.Join("build", "results", "mutate.tsv")

// receiver finds the design whose description and Verilog an output folder has, and removes the results of
// an earlier run from the report of the folder.
func (c *campaign) receiver(ctx context.Context, designs []*design) (*design, error) {
	meta, _, err := output.Existing(c.into)
	if err != nil {
		text := "-into: " + err.Error()
		if dir := new(output.DirError); errors.As(err, &dir) && dir.Advice != "" {
			text += ": " + dir.Advice
		}
		return nil, &refused{text}
	}
	for _, d := range designs {
		if d.p.Machine.Hash != meta.ConfigHash {
			continue
		}
		here, err := checksum(ctx, c.into)
		if err != nil {
			return nil, &refused{fmt.Sprintf("-into: the Verilog in %s cannot be read: %v: generate it again", c.into, err)}
		}
		if d.rtl, err = checksum(ctx, d.out); err != nil {
			return nil, err
		}
		if here != d.rtl {
			return nil, &refused{fmt.Sprintf("-into: the Verilog in %s is not what is mutated, which this hcgen makes of %s: generate it again with the hcgen of this source",
				c.into, d.p.Name)}
		}
		if err := os.Remove(filepath.Join(c.into, shown)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return d, nil
	}
	return nil, &refused{fmt.Sprintf("-into: %s has a machine %s of another description than those in -machines: name its description there", c.into, meta.Machine)}
}

// checksum is that of the Verilog of an output folder, as its Makefile and its report take it.
func checksum(ctx context.Context, dir string) (string, error) {
	list, err := os.ReadFile(filepath.Join(dir, "filelist.f"))
	if err != nil {
		return "", err
	}
	var all bytes.Buffer
	for _, name := range strings.Fields(string(list)) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		all.Write(text)
	}
	command := exec.CommandContext(ctx, "cksum")
	command.Stdin = &all
	sum, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("cksum: %w", err)
	}
	return strings.TrimSpace(string(sum)), nil
}

// oneField makes a text a field of a line, between tabs.
var oneField = strings.NewReplacer("\t", " ", "\n", " ")

// show writes the results of a design's mutants for the report of the output folder, in the format of
// templates/report/results.awk.
func (c *campaign) show(d *design, results []result) error {
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
	line("of", d.p.Machine.Hash, d.rtl)
	survive := count(results, result.survives)
	line("text", fmt.Sprintf("%d of %d mutants survive, drawn with seed %d. %s, %s, %s.", survive, len(results), c.seed,
		c.tools["yosys"], c.tools["verilator"], c.tools["z3"]))
	line("words", "What became of the mutants")
	line("head", "caught by, or what else", "mutants")
	for _, k := range columns {
		line("row", k.title, count(results, k.is))
	}
	if survive > 0 {
		line("words", "Mutants that survive")
		line("head", "mutant", "change", "place", "compared with the router as it should be")
	}
	for _, r := range results {
		if r.survives() {
			line("row", r.Number, r.what(), r.place(), r.Verdict+": "+r.Detail)
		}
	}
	file := filepath.Join(c.into, shown)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return replace(file, b.Bytes())
}
