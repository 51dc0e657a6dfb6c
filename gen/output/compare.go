// SPDX-License-Identifier: Apache-2.0

package output

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"
)

// Change is the kind of difference between a file in an output folder and the output of Write.
type Change string

// The kinds of changes that Compare distinguishes.
const (
	Differs Change = "differs" // other bytes, or no regular file
	Missing Change = "missing" // generated now, but not there
	Extra   Change = "extra"   // listed by the manifest, but not generated any more
)

// Difference is one file that differs from the output of Write.
type Difference struct {
	Path   string // slash-separated, relative to the output folder
	Change Change
}

// Comparison is the result of Compare.
type Comparison struct {
	Differences []Difference // sorted by path
	Blocked     error        // the error that Write would return; nil: none
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
	target, err := resolve(dir)
	if err != nil {
		return nil, err
	}
	old, err := scan(target)
	if err != nil {
		return nil, &DirError{Dir: dir, Reason: "cannot be read", Err: err}
	}
	wanted, err := inventoried(ctx, files, meta, func(f File) (string, error) { return hashOf(ctx, f.Content) })
	if err != nil {
		return nil, err
	}
	c := &Comparison{}
	if c.Differences, err = old.differences(wanted); err != nil {
		return nil, &DirError{Dir: dir, Reason: "cannot be read", Err: err}
	}
	if len(c.Differences) > 0 {
		_, c.Blocked = merge(dir, old, wanted, false)
	}
	return c, nil
}

// differences lists what is not as wanted.
func (inv *inventory) differences(wanted *staged) ([]Difference, error) {
	hashes := wanted.all()
	found := map[string]Change{}
	for p := range hashes {
		found[p] = Missing
	}
	if inv.manifest != nil {
		found[manifestName] = Differs
		if string(inv.manifest) == string(wanted.manifest) {
			delete(found, manifestName)
		}
	}
	for _, e := range inv.entries {
		want, generated := hashes[e.path]
		if !generated {
			if _, listed := inv.hashes[e.path]; listed && e.state != folder {
				found[e.path] = Extra
			}
			continue
		}
		same, err := e.sameContent(inv.root, want)
		if err != nil {
			return nil, err
		}
		found[e.path] = Differs
		if same {
			delete(found, e.path)
		}
	}
	var list []Difference
	for p, c := range found {
		list = append(list, Difference{Path: p, Change: c})
	}
	slices.SortFunc(list, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// hashOf returns the SHA-256 of what content writes, in hex.
func hashOf(ctx context.Context, content func(io.Writer) error) (string, error) {
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	h := sha256.New()
	w := bufio.NewWriterSize(contextWriter{ctx, h}, 1<<16)
	if err := content(w); err != nil {
		return "", err
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
