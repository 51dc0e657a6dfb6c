// SPDX-License-Identifier: Apache-2.0

package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// disk makes every change of a run, one at a time. It is called before each with what is done and
// the path. A test lets it return an error, which the change then has, or end the process; nil
// lets all changes pass.
type disk func(change, name string) error

func (d disk) before(change, name string) error {
	if d == nil {
		return nil
	}
	return d(change, name)
}

func (d disk) mkdir(name string) error {
	if err := d.before("mkdir", name); err != nil {
		return err
	}
	return os.Mkdir(name, 0o777)
}

// makeFolders creates dir and what is missing above it, and returns the folders it made,
// outermost first.
func (d disk) makeFolders(dir string) (made []string, err error) {
	if info, err := os.Stat(dir); err == nil {
		if !info.IsDir() {
			return nil, fmt.Errorf("%s is not a folder", dir)
		}
		return nil, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if up := filepath.Dir(dir); up != dir {
		if made, err = d.makeFolders(up); err != nil {
			return nil, err
		}
	}
	if err := d.mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
		d.removeEmpty(made)
		return nil, err
	}
	return append(made, dir), nil
}

// removeEmpty removes folders, the last one first, until one is not empty.
func (d disk) removeEmpty(folders []string) {
	for _, dir := range slices.Backward(folders) {
		if d.before("rmdir", dir) != nil || os.Remove(dir) != nil {
			return
		}
	}
}

// write creates or replaces a file.
func (d disk) write(name string, content func(diskFile) error) (err error) {
	if err := d.before("create", name); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return content(diskFile{d, f})
}

// diskFile is a file whose writes and syncs count as changes.
type diskFile struct {
	disk disk
	*os.File
}

func (f diskFile) Write(p []byte) (int, error) {
	if err := f.disk.before("write", f.Name()); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

// Sync waits until the file is on the disk.
func (f diskFile) Sync() error {
	if err := f.disk.before("sync", f.Name()); err != nil {
		return err
	}
	return f.File.Sync()
}

func (d disk) rename(from, to string) error {
	if err := d.before("rename", to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

func (d disk) remove(name string) error {
	if err := d.before("remove", name); err != nil {
		return err
	}
	return os.Remove(name)
}

func (d disk) removeAll(root string) error {
	if err := d.before("remove all", root); err != nil {
		return err
	}
	return os.RemoveAll(root)
}
