// SPDX-License-Identifier: Apache-2.0

// Package process starts programs that end with all that they have started.
package process
