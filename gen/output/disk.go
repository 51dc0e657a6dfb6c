// SPDX-License-Identifier: Apache-2.0

package output

import "os"

// disk makes the changes of a run that others can see, one at a time. Whatever the
// last of them was when a run ended, the output is the old or the new one, or the next
// run brings it back.
type disk interface {
	create(name string) (*os.File, error) // the file must not exist
	rename(from, to string) error
	remove(name string) error
	removeAll(root string) error
	// link gives a file a second name. Not every file system can.
	link(from, to string) error
	// exchange lets two folders change places in one step. The error is
	// errors.ErrUnsupported if the system or the file system cannot.
	exchange(a, b string) error
}

// systemDisk is the disk of the operating system.
type systemDisk struct{}

func (systemDisk) create(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}
func (systemDisk) rename(from, to string) error { return os.Rename(from, to) }
func (systemDisk) remove(name string) error     { return os.Remove(name) }
func (systemDisk) removeAll(root string) error  { return os.RemoveAll(root) }
func (systemDisk) link(from, to string) error   { return os.Link(from, to) }
