// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/hcgen/hcgen/hypercycle"
)

// measured reports whether a router of the list was synthesized: then there is one more
// column.
func measured(list []Machine) bool {
	return slices.ContainsFunc(list, func(m Machine) bool { return m.Measured > 0 })
}

// planned reports whether the list has a collective network: then there are two more columns.
func planned(list []Machine) bool {
	return slices.ContainsFunc(list, func(m Machine) bool { return m.Collective.Steps > 0 })
}

// columns are the cells of a collective network, or blanks if it is not planned.
func (c Collective) columns(blank string) []string {
	if c.Steps == 0 {
		return []string{blank, blank}
	}
	return []string{strconv.Itoa(c.Steps), strconv.Itoa(c.LUT4)}
}

// WriteTable prints a list for people. The best machines have a star.
func WriteTable(out io.Writer, list []Machine) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "best\tmachine\tnodes\tdegree\tdiameter\taverage\tlinks\tbisection\tall-gather\ttotal-exchange\tall-reduce\tLUT4, about")
	more := measured(list)
	if more {
		fmt.Fprint(w, "\tmeasured")
	}
	collective := planned(list)
	if collective {
		fmt.Fprint(w, "\tcollective steps\tcollective LUT4, about")
	}
	fmt.Fprintln(w)
	for i := range list {
		m := &list[i]
		best := ""
		if m.Best {
			best = "*"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%.3f\t%d\t%s\t%d\t%d\t%d\t%d", best, m, m.Nodes, m.Degree, m.Diameter, m.AverageDistance, m.Links, m.Bisection,
			m.AllGather, m.TotalExchange, m.AllReduce, m.LUT4)
		switch {
		case m.Measured > 0:
			fmt.Fprintf(w, "\t%d", m.Measured)
		case more:
			fmt.Fprint(w, "\t-")
		}
		if collective {
			fmt.Fprint(w, "\t"+strings.Join(m.Collective.columns("-"), "\t"))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// WriteCSV prints a list for spreadsheets, with a line of titles.
func WriteCSV(out io.Writer, list []Machine) error {
	w := csv.NewWriter(out)
	titles := []string{"machine", "nodes", "degree", "diameter", "average_distance", "links", "bisection_low", "bisection_high", "all_gather", "total_exchange", "all_reduce", "lut4", "best"}
	more := measured(list)
	if more {
		titles = append(titles, "measured_lut4")
	}
	collective := planned(list)
	if collective {
		titles = append(titles, "collective_steps", "collective_lut4")
	}
	_ = w.Write(titles) // the Writer keeps an error for the end
	for i := range list {
		m := &list[i]
		row := []string{
			m.String(), strconv.Itoa(m.Nodes), strconv.Itoa(m.Degree), strconv.Itoa(m.Diameter), strconv.FormatFloat(m.AverageDistance, 'f', 6, 64), strconv.Itoa(m.Links),
			strconv.Itoa(m.Bisection.Low), strconv.Itoa(m.Bisection.High),
			strconv.Itoa(m.AllGather), strconv.Itoa(m.TotalExchange), strconv.Itoa(m.AllReduce), strconv.Itoa(m.LUT4), strconv.FormatBool(m.Best),
		}
		switch {
		case m.Measured > 0:
			row = append(row, strconv.Itoa(m.Measured))
		case more:
			row = append(row, "")
		}
		if collective {
			row = append(row, m.Collective.columns("")...)
		}
		_ = w.Write(row)
	}
	w.Flush()
	return w.Error()
}

// entry is a machine as JSON has it.
type entry struct {
	Machine         string      `json:"machine"`
	Dimensions      []dimension `json:"dimensions"` // dimension 1 first
	Nodes           int         `json:"nodes"`
	Degree          int         `json:"degree"`
	Diameter        int         `json:"diameter"`
	AverageDistance float64     `json:"average_distance"`
	Links           int         `json:"links"`
	Bisection       width       `json:"bisection"`
	AllGather       int         `json:"all_gather"`
	TotalExchange   int         `json:"total_exchange"`
	AllReduce       int         `json:"all_reduce"`
	LUT4            int         `json:"lut4"`
	Measured        int         `json:"measured_lut4,omitempty"`
	Best            bool        `json:"best"`
	CollectiveSteps int         `json:"collective_steps,omitempty"`
	CollectiveLUT4  int         `json:"collective_lut4,omitempty"`
}

type dimension struct {
	M   int `json:"m"`
	Rho int `json:"rho"`
}

type width struct {
	Low  int `json:"low"`
	High int `json:"high"`
}

// WriteJSON prints a list for programs.
func WriteJSON(out io.Writer, list []Machine) error {
	entries := make([]entry, 0, len(list)) // [] if there is none
	for i := range list {
		m := &list[i]
		entries = append(entries, entry{
			Machine: m.String(), Dimensions: dimensions(m.Rings), Nodes: m.Nodes, Degree: m.Degree, Diameter: m.Diameter, AverageDistance: m.AverageDistance,
			Links: m.Links, Bisection: width{m.Bisection.Low, m.Bisection.High}, AllGather: m.AllGather, TotalExchange: m.TotalExchange, AllReduce: m.AllReduce, LUT4: m.LUT4, Measured: m.Measured, Best: m.Best,
			CollectiveSteps: m.Collective.Steps, CollectiveLUT4: m.Collective.LUT4,
		})
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(entries)
}

func dimensions(rings []hypercycle.Dimension) []dimension {
	var all []dimension
	for _, d := range rings {
		all = append(all, dimension{d.M, d.Rho})
	}
	return all
}
