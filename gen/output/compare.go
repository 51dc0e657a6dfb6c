// SPDX-License-Identifier: Apache-2.0

package output

import (
	"context"
	"io"
	"maps"
	"slices"

	"github.com/hcgen/hcgen/gen/artifact"
)

// Change is the kind of difference between a file in an output folder and the output of Write.
type Change string

// The kinds of changes that Compare distinguishes.
const (
	Stale       Change = "stale"        // as hcgen wrote it, but with contents other than the generated file
	Edited      Change = "edited"       // changed since hcgen wrote it
	InTheWay    Change = "in-the-way"   // not written by hcgen, at the path of a generated file or of its folder
	Missing     Change = "missing"      // generated, but not in the folder
	Extra       Change = "extra"        // as hcgen wrote it, but no longer generated
	ExtraEdited Change = "extra-edited" // changed since hcgen wrote it, and no longer generated: Write leaves it
)

// Difference is one file that differs from the output of Write.
type Difference struct {
	Path   string // slash-separated, relative to the output folder
	Change Change
}

// Comparison is the result of Compare.
type Comparison struct {
	Differences []Difference   // sorted by path
	Blocked     *ConflictError // why Write without force would fail; nil if it would not
	Previous    *Meta          // of the manifest in the folder; nil without one
	Incomplete  bool           // the last run did not finish; then Previous is its description
}

// Compare lists what Write with the same arguments would change in dir, and
// writes nothing. Files of the user that do not conflict are no difference. A
// file that is no longer generated is a difference even if it was edited,
// because the manifest lists it. In a folder that does not exist all files are missing.
func Compare(ctx context.Context, dir string, files []artifact.File, meta Meta) (*Comparison, error) {
	files, err := sorted(files, meta)
	if err != nil {
		return nil, err
	}
	if err := usable(dir); err != nil {
		return nil, err
	}
	_, hashes, err := generate(files, meta, func(f artifact.File) (string, error) { return copyTo(ctx, io.Discard, f) })
	if err != nil {
		return nil, err
	}
	s, err := examine(dir, hashes)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Blocked: s.conflictError(false), Incomplete: s.incomplete()}
	if s.previous != nil {
		previous := s.previous.meta()
		c.Previous = &previous
	}
	for _, p := range slices.Sorted(maps.Keys(s.changes)) {
		c.Differences = append(c.Differences, Difference{Path: p, Change: s.changes[p]})
	}
	return c, nil
}
