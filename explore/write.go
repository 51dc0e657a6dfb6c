// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/hcgen/hcgen/hypercycle"
)

// WriteTable prints a list for people. The best machines have a star.
func WriteTable(out io.Writer, list []Machine) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "best\tmachine\tnodes\tdegree\tdiameter\taverage\tlinks\tbisection\tLUT4, about\n")
	for i := range list {
		m := &list[i]
		best := ""
		if m.Best {
			best = "*"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%.3f\t%d\t%s\t%d\n", best, m, m.Nodes, m.Degree, m.Diameter, m.AverageDistance, m.Links, m.Bisection, m.LUT4)
	}
	return w.Flush()
}

// WriteCSV prints a list for spreadsheets, with a line of titles.
func WriteCSV(out io.Writer, list []Machine) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{"machine", "nodes", "degree", "diameter", "average_distance", "links", "bisection_low", "bisection_high", "lut4", "best"})
	for i := range list {
		m := &list[i]
		_ = w.Write([]string{
			m.String(), strconv.Itoa(m.Nodes), strconv.Itoa(m.Degree), strconv.Itoa(m.Diameter), strconv.FormatFloat(m.AverageDistance, 'f', 6, 64), strconv.Itoa(m.Links),
			strconv.Itoa(m.Bisection.Low), strconv.Itoa(m.Bisection.High), strconv.Itoa(m.LUT4), strconv.FormatBool(m.Best),
		})
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
	LUT4            int         `json:"lut4"`
	Best            bool        `json:"best"`
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
			Links: m.Links, Bisection: width{m.Bisection.Low, m.Bisection.High}, LUT4: m.LUT4, Best: m.Best,
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
