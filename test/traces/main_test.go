// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"testing"

	"github.com/hcgen/hcgen/internal/needs"
)

func TestMain(m *testing.M) { needs.Main(m, "make", "verilator", "yosys", "iverilog", "nextpnr-ice40") }
