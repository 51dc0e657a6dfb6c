// SPDX-License-Identifier: Apache-2.0

package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// rescue moves into the output folder what the old tree holds of the user's
// and the new one has not got: files that could not be linked, and files that
// were made or edited while hcgen was at work. settled lists those that need
// nothing.
func (w *workspace) rescue(oldRoot string, settled []string) error {
	old, err := scan(oldRoot)
	if err != nil {
		return err
	}
	done := map[string]bool{}
	for _, p := range settled {
		done[p] = true
	}
	var failed error
	for _, e := range old.entries {
		if e.state == folder || e.state == ours || done[e.path] {
			continue
		}
		failed = errors.Join(failed, w.rescueOne(old.root, e))
	}
	return failed
}

// rescueOne moves one file. If the new tree has another file in its place, it
// is put beside it under a new name.
func (w *workspace) rescueOne(oldRoot string, e entry) error {
	from := filepath.Join(oldRoot, filepath.FromSlash(e.path))
	to := filepath.Join(w.target, filepath.FromSlash(e.path))
	there, err := os.Lstat(to)
	if err == nil {
		if os.SameFile(there, e.info) {
			return nil
		}
		saved := to
		for n := 1; !missing(saved); n++ {
			saved = fmt.Sprintf("%s.saved%d", to, n)
		}
		w.warn(fmt.Sprintf("%s changed while hcgen was at work; the changed file is now %s", e.path, saved))
		to = saved
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return w.disk.rename(from, to)
}
