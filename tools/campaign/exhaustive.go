// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/tools/internal/exhaustive"
)

// exhaustiveKind checks the broadcasts of every machine of the prototype's range; see package exhaustive.
var exhaustiveKind = kind{
	name:  "exhaustive",
	about: "execute the broadcasts of all machines of the prototype's range",
	define: func(*flag.FlagSet) func(context.Context, campaign.Options) (plan, error) {
		return func(context.Context, campaign.Options) (plan, error) {
			program, err := campaign.Program()
			p := plan{versions: map[string]string{"program": program}, enough: exhaustiveIsWrong, report: reportExhaustive}
			for i, b := range exhaustive.Blocks() {
				p.units = append(p.units, campaign.Unit{Name: fmt.Sprintf("block%d", i), Input: b})
			}
			return p, err
		}
	},
	work: func(ctx context.Context, input json.RawMessage) (any, error) {
		var b exhaustive.Block
		if err := json.Unmarshal(input, &b); err != nil {
			return nil, err
		}
		count, fault, err := b.Check(ctx)
		return checkedBlock{count, fault}, err
	},
}

// checkedBlock is the result of a block.
type checkedBlock struct {
	exhaustive.Count
	Fault string `json:"fault,omitempty"`
}

// exhaustiveIsWrong reports whether a block has a fault.
func exhaustiveIsWrong(r campaign.Result) bool {
	var b checkedBlock
	return r.Decode(&b) == nil && b.Fault != ""
}

// reportExhaustive reports what was executed and what was not, or the first fault.
func reportExhaustive(out io.Writer, o *campaign.Outcome) error {
	var s exhaustive.Count
	seconds := 0.0
	for _, r := range o.Results {
		var b checkedBlock
		if err := r.Decode(&b); err != nil {
			return err
		}
		s.Add(b.Count)
		seconds += r.Seconds
		if b.Fault != "" {
			return &finding{fmt.Sprintf("%s\nhint: of the machines that were checked, this is the first in the order of the range", b.Fault)}
		}
	}
	if o.Missing > 0 {
		fmt.Fprintf(out, "%s of %s machines are checked, and nothing is wrong with them\n", thousands(s.Machines), thousands(exhaustive.Machines))
		return nil
	}
	if err := s.Complete(); err != nil {
		return &finding{err.Error()}
	}
	fmt.Fprintf(out, `every machine of the prototype's range is right: exactly once, in the fewest steps, weights in their fields

executed, message by message
  machines    %[1]s, in every order of the dimensions; %[2]s up to the order
  broadcasts  %[3]s, with 3 preferences: from every node of the %[4]s machines with up to %[5]d nodes, from one of each other
  messages    %[6]s, wc up to %[7]d
  searches    %[2]s, breadth-first: the distances of balanced broadcasts, in one order of each
not executed, by argument
  sources     the other nodes of larger machines: all routers are the same, and links are the same from each node
  searches    the other orders: an order only renames digits, and the steps are the sums of those of the rings in all of them
time of all units, one after the other: %.0[8]f s
`, thousands(s.Machines), thousands(s.Multisets), thousands(s.Broadcasts), thousands(s.AllSources), exhaustive.AllSources, thousands(s.Messages), s.LargestWC, seconds)
	return nil
}
