// SPDX-License-Identifier: Apache-2.0

package output

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

func (systemDisk) exchange(a, b string) error {
	err := unix.RenamexNp(a, b, unix.RENAME_SWAP)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.EINVAL):
		return errors.ErrUnsupported
	}
	return fmt.Errorf("cannot replace %s: %w", b, err)
}
