// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/internal/completion"
	"github.com/hcgen/hcgen/internal/svg"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/schedule/check"
)

// What collectives writes: the cycles by messages, and those on collective networks.
var (
	messagesPlace = place{"docs/collectives.md", "cycles"}
	networksPlace = place{"docs/collectives.md", "collective-cycles"}
)

const collectivesPicture = "docs/collectives.svg"

// collectives measures in the reference models the cycles in which networks of routers complete collective operations,
// beside their bounds, and those of collective networks.
func collectives(*flag.FlagSet) func(context.Context) (*report, error) {
	return func(context.Context) (*report, error) {
		var all [][]completed
		for _, title := range []string{"8-ring", "4x4", "4-cube", "8x8", "5x5x5"} {
			var results []completed
			for _, operation := range completedOperations {
				c, err := complete(title, operation)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", title, operation, err)
				}
				results = append(results, c)
			}
			all = append(all, results)
		}
		messages := tableOf("cycles / bound by messages", completedColumns(func(c completed) any {
			if c.messages == 0 {
				return nil
			}
			return []int{c.messages, c.bound}
		}, all), all)
		networks := tableOf("cycles on collective networks", completedColumns(func(c completed) any { return unlessZero(c.network) }, all), all)
		return &report{
			Tables:   []table{messages, networks},
			pages:    []page{{messagesPlace, []table{messages}, ""}, {networksPlace, []table{networks}, ""}},
			pictures: []picture{{collectivesPicture, drawCompleted(slices.Concat(all...))}},
		}, nil
	}
}

var completedOperations = slices.Concat(check.Operations(), []string{check.AllReduceWord})

// completed has the cycles of an operation on a machine. Those of messages or of a network that cannot carry it out are 0.
type completed struct {
	machine, operation string
	messages, bound    int
	network            int
}

// completedColumns has a column for each operation that has the value. A row has the results of a machine.
func completedColumns(value func(completed) any, all [][]completed) []column[[]completed] {
	columns := []column[[]completed]{{"machine", "machine", "", "%s", func(results []completed) any { return results[0].machine }}}
	for i, operation := range completedOperations {
		of := func(results []completed) any { return value(results[i]) }
		if slices.ContainsFunc(all, func(results []completed) bool { return of(results) != nil }) {
			columns = append(columns, column[[]completed]{strings.ReplaceAll(operation, "-", "_"), operation, "", "%d", of})
		}
	}
	return columns
}

// complete runs an operation in the models.
func complete(title, operation string) (c completed, err error) {
	c.machine, c.operation = title, operation
	m := shaped(title)
	m.Destination = true
	if slices.Contains(schedule.Carried(), operation) {
		if c.messages, c.bound, err = completion.Routers(m, operation); err != nil {
			return c, err
		}
	}
	c.network, err = completion.Network(m, operation)
	return c, err
}

// drawCompleted draws a row for each operation that messages and a network can carry out, with a dot for each.
func drawCompleted(all []completed) []byte {
	const (
		left, top, rowHeight, between = 190., 60., 18., 12.
		width, right, foot            = 480., 50., 50.
		radius                        = 4.
		messages, network             = "#d55e00", "#0072b2" // colours
	)
	drawn := []string{"4x4", "4-cube", "8x8", "5x5x5"}
	var rows []completed
	for _, title := range drawn {
		for _, c := range all {
			if c.machine == title && c.messages > 0 && c.network > 0 {
				rows = append(rows, c)
			}
		}
	}
	bottom := top + float64(len(rows))*rowHeight + float64(len(drawn)-1)*between
	x := axis{low: 4, high: 256, from: left, to: left + width, log: true}
	p := svg.New(left+width+right, bottom+foot, "Cycles of collective operations by messages and by collective networks",
		"Two dots for each operation on each machine: cycles of messages between routers, and of a collective network; the figures are in the tables")
	x.below(p, top, bottom, 4, 8, 16, 32, 64, 128, 256)
	p.Text(svg.Point{X: left + width/2, Y: bottom + 36}, svg.Middle, "", "cycles from the first injection or the start to the last delivery")
	key(p, svg.Point{X: x.at(4), Y: 28}, radius, network, "collective network")
	key(p, svg.Point{X: x.at(32), Y: 28}, radius, messages, "messages between routers")
	y, machine := top-between+rowHeight/2, ""
	for _, c := range rows {
		if c.machine != machine {
			machine = c.machine
			y += between
			p.Text(svg.Point{X: 12, Y: y + 4}, svg.Start, `font-weight="bold"`, machine)
		}
		byMessages, onNetwork := svg.Point{X: x.at(float64(c.messages)), Y: y}, svg.Point{X: x.at(float64(c.network)), Y: y}
		p.Text(svg.Point{X: left - 10, Y: y + 4}, svg.End, "", c.operation)
		p.Add(`<path d="M%s %sH%s" stroke="#888888"/>`, svg.N(onNetwork.X), svg.N(y), svg.N(byMessages.X))
		dot(p, byMessages, radius, messages, fmt.Sprintf("messages: %d cycles", c.messages))
		dot(p, onNetwork, radius, network, fmt.Sprintf("collective network: %d cycles", c.network))
		if c.messages != c.network {
			p.Text(svg.Point{X: max(byMessages.X, onNetwork.X) + 8, Y: y + 4}, svg.Start, "", fmt.Sprintf("%.1fx", float64(c.messages)/float64(c.network)))
		}
		y += rowHeight
	}
	return p.Bytes()
}
