// SPDX-License-Identifier: Apache-2.0

//go:build unix && !linux

package output

import "testing"

// asOrdinaryUser runs f; the tests of these systems are not run as root.
func asOrdinaryUser(t *testing.T, f func() error) error {
	t.Helper()
	return f()
}
