// SPDX-License-Identifier: Apache-2.0

package integration

import (
	"testing"

	"github.com/hcgen/hcgen/internal/needs"
)

func TestMain(m *testing.M) { needs.Main(m, "verilator", "yosys", "iverilog", "vvp", "sta") }
