// SPDX-License-Identifier: Apache-2.0

package output

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

func (systemDisk) exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EINVAL), errors.Is(err, unix.EOPNOTSUPP):
		return errors.ErrUnsupported
	}
	return fmt.Errorf("cannot replace %s: %w", b, err)
}
