// SPDX-License-Identifier: Apache-2.0

// Package measure measures the machines of a list of hcgen explore by a campaign: it synthesizes and places their
// routers, and the nodes of their collective networks.
package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/completion"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/synthesis"
	"github.com/hcgen/hcgen/machine"
)

// Kind is the kind of the campaign.
const Kind = "explore"

// Tools are the programs that results follow from.
var Tools = []string{"yosys", "nextpnr-ice40"}

// seeds are those of a synthesis block by default: make synth of an output folder prints the same figures.
var seeds = []int{1, 2, 3}

// MaxNodes is the largest machine whose operations by messages are run in the model: a total exchange takes seconds there.
const MaxNodes = 256

// task is the input of a unit: a router, or a node of a collective network, which is synthesized once and placed with each
// seed.
type task struct {
	synthesis.Task
	Tools map[string]string // their versions
}

// Units returns a unit for the router of each machine of a list, and for the node of its collective network if it has one.
// versions are those of the Tools.
func Units(ctx context.Context, q explore.Query, list []*explore.Machine, versions map[string]string) ([]campaign.Unit, error) {
	units := make([][]campaign.Unit, len(list))
	err := parallel(ctx, len(list), func(i int) error {
		m := q.Describe(list[i])
		add := func(name, collective string) error {
			t, err := synthesis.NewTask(m, collective, synthesis.Options{Target: synthesis.HX8K(seeds...)})
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			units[i] = append(units[i], campaign.Unit{Name: name, Input: task{*t, versions}})
			return nil
		}
		if err := add(routerUnit(q, list[i]), ""); err != nil {
			return err
		}
		for _, c := range m.Collectives {
			if err := add(nodeUnit(q, list[i]), c.Name); err != nil {
				return err
			}
		}
		return nil
	})
	return slices.Concat(units...), err
}

// Work does a unit. It may run on another machine than the campaign, with other tools.
func Work(ctx context.Context, input json.RawMessage) (any, error) {
	var t task
	if err := json.Unmarshal(input, &t); err != nil {
		return nil, err
	}
	if err := synthesis.Same(ctx, t.Tools); err != nil {
		return nil, err
	}
	return t.Do(ctx)
}

// Apply puts the results of units into the machines of a list.
func Apply(q explore.Query, list []*explore.Machine, results []campaign.Result) error {
	byUnit := map[string]explore.Measured{}
	for _, r := range results {
		var m synthesis.Measured
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

// Complete runs the operations of machines whose router has a clock, and at most MaxNodes nodes, in the model, and puts
// their cycles into the machines.
func Complete(ctx context.Context, q explore.Query, list []*explore.Machine) error {
	return parallel(ctx, len(list), func(i int) error {
		if list[i].Nodes > MaxNodes || list[i].Router.Clock == (explore.Clock{}) {
			return nil
		}
		m, err := machine.Bare(list[i].Rings...)
		if err != nil {
			return err
		}
		m.Destination = q.Destination
		if list[i].Cycles.AllGather, err = cycles(m, collective.AllGather); err == nil && q.Destination {
			list[i].Cycles.TotalExchange, err = cycles(m, collective.TotalExchange)
		}
		return err
	})
}

func cycles(m *machine.Machine, operation string) (int, error) {
	cycles, _, err := completion.Routers(m, operation)
	return cycles, err
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

// unit is the name of a unit: the options of the list, the design, and the machine. A name that is too long ends with its hash.
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
