// SPDX-License-Identifier: Apache-2.0

package output

import (
	"context"
	"io"
	"maps"
	"path/filepath"
	"slices"
)

// Change is the kind of difference between a file in an output folder and the output of Write.
type Change string

// The kinds of changes that Compare distinguishes.
const (
	Stale       Change = "stale"        // as hcgen wrote it, but generated with other bytes now
	Edited      Change = "edited"       // changed since hcgen wrote it
	InTheWay    Change = "in-the-way"   // not written by hcgen, at the path of a generated file or of its folder
	Missing     Change = "missing"      // generated now, but not there
	Extra       Change = "extra"        // as hcgen wrote it, but not generated any more; or the journal of a run that was stopped
	ExtraEdited Change = "extra-edited" // changed since hcgen wrote it, and not generated any more: Write leaves it
)

// Difference is one file that differs from the output of Write.
type Difference struct {
	Path   string // slash-separated, relative to the output folder
	Change Change
}

// Comparison is the result of Compare.
type Comparison struct {
	Differences []Difference   // sorted by path
	Blocked     *ConflictError // why Write without force would refuse; nil: it would not
	Previous    *Meta          // of the manifest in the folder; nil without one
}

// Compare lists what Write with the same arguments would change in dir, and
// writes nothing. Files of the user that do not conflict are no difference;
// a generated file that is not generated any more is one even if it was edited,
// because the manifest lists it. In a folder that does not exist all files are missing.
func Compare(ctx context.Context, dir string, files []File, meta Meta) (*Comparison, error) {
	files, err := sorted(files, meta)
	if err != nil {
		return nil, err
	}
	if err := usable(dir); err != nil {
		return nil, err
	}
	_, hashes, err := generate(ctx, files, meta, func(f File) (string, error) { return digest(ctx, io.Discard, f.Content) })
	if err != nil {
		return nil, err
	}
	s, err := examine(dir, hashes)
	if err != nil {
		return nil, err
	}
	if s.journal {
		s.changes[Journal] = Extra
	}
	c := &Comparison{Blocked: s.conflictError(false)}
	if m, _, ok := readManifest(filepath.Join(dir, manifestName)); ok {
		c.Previous = &Meta{Version: m.Version, Machine: m.Machine, ConfigHash: m.ConfigHash}
	}
	for _, p := range slices.Sorted(maps.Keys(s.changes)) {
		c.Differences = append(c.Differences, Difference{Path: p, Change: s.changes[p]})
	}
	return c, nil
}
