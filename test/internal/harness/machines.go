// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hcgen/hcgen/machine"
)

// Options are the options of the router block that change hardware, and the fields of messages.
type Options struct {
	Stages      int
	Delivery    machine.Delivery
	FifoDepth   int
	SourceID    bool
	Network     bool // a network top
	PayloadBits int
}

// With returns the options in the order of their fields.
func With(stages int, delivery machine.Delivery, fifoDepth int, sourceID, network bool, payloadBits int) Options {
	return Options{stages, delivery, fifoDepth, sourceID, network, payloadBits}
}

// Machine writes the description of a machine with these options into a new file and returns its
// name. A dimension is "m, rho".
func (o Options) Machine(t testing.TB, dimensions ...string) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "machine \"options\" {\n  network = %t\n", o.Network)
	for i, d := range dimensions {
		m, rho, _ := strings.Cut(d, ", ")
		fmt.Fprintf(&b, "  dimension \"d%d\" {\n    m   = %s\n    rho = %s\n  }\n", i, m, rho)
	}
	fmt.Fprintf(&b, "  message {\n    payload_bits = %d\n    source_id    = %t\n  }\n", o.PayloadBits, o.SourceID)
	fmt.Fprintf(&b, "  router {\n    fifo_depth = %d\n    stages     = %d\n    delivery   = %q\n  }\n}\n", o.FifoDepth, o.Stages, o.Delivery)
	fmt.Fprint(&b, "traffic \"storm\" {\n  cycles = 600\n  random {\n    rate  = 0.6\n    stall = 0.3\n  }\n}\n")
	return Text(t, b.String())
}

// Groups has a port of each kind, a source id and little else, because a
// netlist takes long to compile.
const Groups = `
machine "cells" {
  dimension "x" {
    m   = 2
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = 3
    source_id    = true
  }
}
traffic "storm" {
  cycles = 300
  random {
    rate  = 0.4
    stall = 0.3
  }
}
`
