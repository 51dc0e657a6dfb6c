// SPDX-License-Identifier: Apache-2.0

// Package options has, for each option that brings ports (plan.Options), the page that explains it, and machines that
// together have all of them. Tests of ports, pages and benches range over these machines, so an option without one is
// an option that they do not cover: the tests of this package find it.
package options

import (
	"fmt"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// Torus are the dimensions of the machines.
const Torus = "dimension \"x\" {\nm = 5\nrho = 1\n}\ndimension \"y\" {\nm = 4\nrho = 1\n}"

// far is Torus with registers of both kinds on its links.
const far = "dimension \"x\" {\nm = 5\nrho = 1\nlink {\nkind = \"wires\"\nregisters = 1\n}\n}\n" +
	"dimension \"y\" {\nm = 4\nrho = 1\nlink {\nkind = \"wires\"\nregisters = 3\n}\n}"

const (
	messages = "payload_bits = 8\nsource_id = true\ndestination = true\nlast = true"
	scoped   = messages + "\ndeliver_destination = true"
)

// pages are where the ports of an option are explained, in docs.
var pages = map[plan.Option]string{
	plan.Always:             "architecture.md",
	plan.OptionSourceID:     "using-the-network.md",
	plan.OptionDestination:  "addressed-messages.md",
	plan.OptionLast:         "addressed-messages.md",
	plan.OptionScope:        "addressed-messages.md",
	plan.OptionBarrier:      "barrier.md",
	plan.OptionNodeErrors:   "using-the-network.md",
	plan.OptionProgrammable: "programmable.md",
}

// Page is the page that explains the ports of an option. It panics without one.
func Page(o plan.Option) string {
	page, ok := pages[o]
	if !ok {
		panic(fmt.Sprintf("options: the ports of option %q are on no page", o))
	}
	return page
}

// Machines are the plans of machines that together have every option, and each bus, by name.
func Machines() map[string]*plan.Plan {
	return map[string]*plan.Plan{
		"plain":        Of("plain", Torus, "payload_bits = 1", ""),
		"all options":  Of("all", "node_errors = true\n"+Torus, scoped, "barrier = true"),
		"per port":     Of("lanes", "node_errors = true\n"+Torus, scoped, "barrier = true\ndelivery = \"per_port\""),
		"registers":    Of("registers", far, scoped, "barrier = true"),
		"programmable": Of("programmable", Torus, "payload_bits = 8", "kind = \"programmable\"\nmax_nodes = 7"),
		"programmable with all options": Of("programmable", Torus, messages,
			"kind = \"programmable\"\nconfig_bus = \"axi4lite\"\nmax_dimensions = 3\nmax_nodes = 6\nmax_degree = 6"),
	}
}

// Of is the plan of a machine with these attributes and blocks, and with attributes of its blocks message and router.
// It panics if the description has an error.
func Of(name, attributes, message, router string) *plan.Plan {
	return Described(fmt.Sprintf("machine %q {\n%s\nmessage {\n%s\n}\nrouter {\n%s\n}\n}\n", name, attributes, message, router))
}

// Described is the plan of a description in HCL. It panics if the description has an error.
func Described(text string) *plan.Plan {
	m, _, diags := machine.LoadBytes("machine.hcl", []byte(text), nil)
	if diags.HasErrors() {
		panic("options: " + diags.Error())
	}
	return plan.New(m)
}
