// SPDX-License-Identifier: Apache-2.0

package output

import (
	"errors"
	"os"
)

// disk makes the changes of a run. The function is called before each change with the operation and the
// path. In tests it returns an error, with which the change fails, or ends the process. With nil all
// changes are made.
type disk func(change, name string) error

// do makes a change.
func (d disk) do(change, name string, system func() error) error {
	if d != nil {
		if err := d(change, name); err != nil {
			return err
		}
	}
	return system()
}

func (d disk) mkdirAll(name string) error {
	return d.do("mkdir", name, func() error { return os.MkdirAll(name, 0o777) })
}

func (d disk) rename(from, to string) error {
	return d.do("rename", to, func() error { return os.Rename(from, to) })
}

func (d disk) remove(name string) error {
	return d.do("remove", name, func() error { return os.Remove(name) })
}

func (d disk) removeAll(root string) error {
	return d.do("remove all", root, func() error { return os.RemoveAll(root) })
}

// removeEmpty removes the folders that are empty.
func (d disk) removeEmpty(folders ...string) {
	for _, name := range folders {
		if info, err := os.Lstat(name); err == nil && info.IsDir() {
			_ = d.do("rmdir", name, func() error { return os.Remove(name) })
		}
	}
}

// write creates a file.
func (d disk) write(name string, content func(diskFile) error) (err error) {
	var f *os.File
	if err := d.do("create", name, func() error { f, err = os.Create(name); return err }); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return content(diskFile{d, f})
}

// diskFile is a file whose writes and syncs are changes.
type diskFile struct {
	disk disk
	*os.File
}

func (f diskFile) Write(p []byte) (n int, err error) {
	err = f.disk.do("write", f.Name(), func() error { n, err = f.File.Write(p); return err })
	return n, err
}

// Sync waits until the file is on the disk.
func (f diskFile) Sync() error { return f.disk.do("sync", f.Name(), f.File.Sync) }
