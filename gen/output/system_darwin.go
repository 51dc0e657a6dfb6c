// SPDX-License-Identifier: Apache-2.0

package output

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// exchange lets two folders change places in one step. The error is
// errors.ErrUnsupported if the file system cannot.
var exchange = func(a, b string) error {
	err := unix.RenamexNp(a, b, unix.RENAME_SWAP)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.EINVAL):
		return errors.ErrUnsupported
	}
	return fmt.Errorf("cannot replace %s: %w", b, err)
}
