// SPDX-License-Identifier: Apache-2.0

// Package measure measures the machines of a list of hcgen explore by a campaign: it synthesizes and places their
// routers, and the nodes of their collective networks.
package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/completion"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/schedule/check"
)

// Kind is the kind of the campaign.
const Kind = "explore"

// Tools are the programs that results follow from.
var Tools = []string{"yosys", "nextpnr-ice40"}

// MaxNodes is the largest machine whose operations by messages are run in the model: a total exchange takes seconds there.
const MaxNodes = 256

// design is the input of a unit: a router, or a node of a collective network. The unit synthesizes it once and places it
// with each seed, as make synth of an output folder does.
type design struct {
	Description string            // of the machine, in HCL
	Node        bool              // the node of its collective network, not its router
	Files       string            // hash of the generated files
	Tools       map[string]string // their versions
	Options     synthesis.Options // device, clock that the tools aim for, and seeds
}

// measured is the result of a unit.
type measured struct {
	synthesis.Result
	Overflow *synthesis.Use `json:"overflow,omitempty"` // what the device lacks, if the design does not fit
}

// Units returns a unit for the router of each machine of a list, and for the node of its collective network if it has one.
// versions are those of the Tools.
func Units(ctx context.Context, q explore.Query, list []*explore.Machine, versions map[string]string) ([]campaign.Unit, error) {
	var units []campaign.Unit
	for _, m := range list {
		description := string(q.Describe(m))
		units = append(units, campaign.Unit{Name: routerUnit(q, m), Input: design{Description: description}})
		if m.Collective.Steps > 0 {
			units = append(units, campaign.Unit{Name: nodeUnit(q, m), Input: design{Description: description, Node: true}})
		}
	}
	return units, parallel(ctx, len(units), func(i int) error {
		d := units[i].Input.(design)
		generated, options, err := d.generate()
		if err != nil {
			return fmt.Errorf("%s: %w", units[i].Name, err)
		}
		d.Files, d.Options, d.Tools = generated.Hash(), options, versions
		units[i].Input = d
		return nil
	})
}

// generate makes the files of the design. The options are those of the synthesis block that every machine has.
func (d design) generate() (*synthesis.Design, synthesis.Options, error) {
	m, _, diags := machine.LoadBytes("machine.hcl", []byte(d.Description), nil)
	if diags.HasErrors() {
		return nil, synthesis.Options{}, diags
	}
	options := synthesis.Options{Target: m.Synthesis[0]}
	if d.Node {
		files, err := synthesis.Node(m, m.Collectives[0])
		return files, options, err
	}
	files, err := synthesis.Router(m)
	return files, options, err
}

// Work does a unit. It may run on another machine than the campaign, with another hcgen and other tools.
func Work(ctx context.Context, input json.RawMessage) (any, error) {
	var d design
	if err := json.Unmarshal(input, &d); err != nil {
		return nil, err
	}
	generated, _, err := d.generate()
	if err != nil {
		return nil, err
	}
	if generated.Hash() != d.Files {
		return nil, errors.New("this hcgen generates other files than that of the campaign")
	}
	versions, err := synthesis.Versions(ctx, Tools...)
	if err != nil {
		return nil, err
	}
	for _, tool := range Tools {
		if versions[tool] != d.Tools[tool] {
			return nil, fmt.Errorf("%s is %s here, and %s where the campaign runs", tool, versions[tool], d.Tools[tool])
		}
	}
	result, err := generated.Run(ctx, d.Options)
	if overflow := (*synthesis.Overflow)(nil); errors.As(err, &overflow) {
		return measured{result, &overflow.Use}, nil
	}
	return measured{result, nil}, err
}

// Apply puts the results of units into the machines of a list.
func Apply(q explore.Query, list []*explore.Machine, results []campaign.Result) error {
	byUnit := map[string]explore.Measured{}
	for _, r := range results {
		var m measured
		if err := r.Decode(&m); err != nil {
			return err
		}
		byUnit[r.Unit] = explore.Measured{LUT4: m.LUT4, FF: m.FF, Clock: explore.Clock(m.Clock)}
	}
	for _, m := range list {
		m.Router, m.Node = byUnit[routerUnit(q, m)], byUnit[nodeUnit(q, m)]
	}
	return nil
}

// Complete runs the operations of machines of at most MaxNodes nodes in the model, and puts their cycles into the machines.
func Complete(ctx context.Context, q explore.Query, list []*explore.Machine) error {
	return parallel(ctx, len(list), func(i int) error {
		if list[i].Nodes > MaxNodes {
			return nil
		}
		m, err := machine.Bare(list[i].Rings...)
		if err != nil {
			return err
		}
		m.Destination = q.Destination
		if list[i].Cycles.AllGather, err = cycles(m, check.AllGather); err == nil && q.Destination {
			list[i].Cycles.TotalExchange, err = cycles(m, check.TotalExchange)
		}
		return err
	})
}

// cycles does not count the first one, as the latency of a message does not.
func cycles(m *machine.Machine, operation string) (int, error) {
	cycles, _, err := completion.Routers(m, operation)
	return cycles - 1, err
}

// parallel calls a function with the numbers below n on all processors, until one fails or the context ends.
func parallel(ctx context.Context, n int, f func(i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	for i := range n {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return f(i)
		})
	}
	return group.Wait()
}

// routerUnit names the unit of a router.
func routerUnit(q explore.Query, m *explore.Machine) string { return unit(q, "router", m) }

// nodeUnit names the unit of a node of a collective network.
func nodeUnit(q explore.Query, m *explore.Machine) string { return unit(q, "node", m) }

// unit names a unit by the options of the machine, what the design is, and the machine, of whose name there may be too much.
func unit(q explore.Query, design string, m *explore.Machine) string {
	words := []string{design, m.String()}
	if q.Collective != "" {
		words = append([]string{q.Collective}, words...)
	}
	if q.Destination {
		words = append([]string{"destination"}, words...)
	}
	name := strings.Join(words, "-")
	if len(name) <= campaign.MaxName {
		return name
	}
	sum := fnv.New64a()
	fmt.Fprint(sum, name)
	return fmt.Sprintf("%s-%x", name[:campaign.MaxName-20], sum.Sum64())
}
