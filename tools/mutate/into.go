// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hcgen/hcgen/gen/output"
)

// shown is where the report of an output folder looks for what became of mutants of its machine.
var shown = filepath.Join("build", "mutate", "result.json")

// receiver finds the design whose description and Verilog an output folder has. What the
// report of the folder shows of an earlier run is removed.
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

// survivor is a mutant that the report names.
type survivor struct {
	Number  int    `json:"number"`
	Change  string `json:"change"`
	Place   string `json:"place"`
	Verdict string `json:"verdict"`
	Detail  string `json:"detail"`
}

// show writes what became of the mutants of a design for the report of the output folder:
// one line for each member and each survivor, which awk can read.
func (c *campaign) show(d *design, results []result) error {
	var b bytes.Buffer
	line := func(format string, values ...any) {
		for i, v := range values {
			var text bytes.Buffer
			e := json.NewEncoder(&text)
			e.SetEscapeHTML(false)
			if err := e.Encode(v); err != nil {
				panic(err) // strings, numbers and maps of them
			}
			values[i] = strings.TrimSpace(text.String())
		}
		fmt.Fprintf(&b, format+"\n", values...)
	}
	line("{")
	line(`  "machine": %s,`, d.p.Name)
	line(`  "config": %s,`, d.p.Machine.Hash)
	line(`  "rtl": %s,`, d.rtl)
	line(`  "seed": %s,`, c.seed)
	line(`  "mutants": %s,`, len(results))
	for _, k := range columns {
		line(`  "`+strings.ReplaceAll(k.title, " ", "_")+`": %s,`, count(results, k.is))
	}
	line(`  "survivors": [`)
	left := count(results, result.survives)
	for _, r := range results {
		if r.survives() {
			left--
			line("    %s"+strings.Repeat(",", min(1, left)), survivor{r.Number, r.what(), r.place(), r.Verdict, r.Detail})
		}
	}
	line("  ],")
	line(`  "tools": %s`, c.tools)
	line("}")
	file := filepath.Join(c.into, shown)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return replace(file, b.Bytes())
}
