// SPDX-License-Identifier: Apache-2.0

package proofs

import (
	"testing"

	"github.com/hcgen/hcgen/internal/needs"
)

func TestMain(m *testing.M) { needs.Main(m, "make", "yosys", "yosys-smtbmc", "z3", "verilator") }
