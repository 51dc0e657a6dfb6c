// SPDX-License-Identifier: Apache-2.0

package synthesis

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/internal/process"
)

// Files are texts by their slash-separated paths.
type Files map[string]string

// Hash identifies the files.
func (f Files) Hash() string {
	sum := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(sum, "%q %q\n", path, f[path])
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// write writes the files into a folder.
func (f Files) write(folder string) error {
	for path, text := range f {
		name := filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Map reads files of Verilog with Yosys, in this order, which has an influence on the result, runs commands on them, and returns
// the cells of the design by type.
func (f Files) Map(ctx context.Context, paths []string, commands string) (map[string]int, error) {
	work, err := os.MkdirTemp("", "hcgen-synthesis-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	if err := f.write(work); err != nil {
		return nil, err
	}
	script := fmt.Sprintf("read_verilog %s; %s; tee -q -o stat stat", strings.Join(paths, " "), commands)
	cmd := process.Command(ctx, "yosys", "-q", "-p", script)
	cmd.Dir = work
	text, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("yosys %s: %w\n%s", commands, err, bytes.TrimSpace(text))
	}
	stat, err := os.ReadFile(filepath.Join(work, "stat"))
	if err != nil {
		return nil, err
	}
	return Stat(string(stat))
}
