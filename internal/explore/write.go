// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/hcgen/hcgen/hypercycle"
)

// Table is a list of machines that fit a query, as it is printed.
type Table struct {
	Query    Query
	Machines []Machine
}

// WriteTable prints a table for people, with numbers of its rows. The best machines have a star.
func WriteTable(out io.Writer, t Table) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(cells []string) {
		_, _ = io.WriteString(w, strings.Join(cells, "\t")+"\n") // the Writer keeps an error for the end
	}
	columns := t.Query.columns()
	line(append([]string{"row"}, names(columns)...))
	for i := range t.Machines {
		cells := []string{strconv.Itoa(i + 1)}
		for _, c := range columns {
			cell := c.cell(&t.Machines[i])
			if cell == "" {
				cell = "-"
			}
			cells = append(cells, cell)
		}
		line(cells)
	}
	return w.Flush()
}

// WriteCSV prints a table for spreadsheets, with a line of titles.
func WriteCSV(out io.Writer, t Table) error {
	w := csv.NewWriter(out)
	line := func(text func(field) string) {
		var cells []string
		for _, c := range t.Query.columns() {
			for _, f := range c.fields {
				cells = append(cells, text(f))
			}
		}
		_ = w.Write(cells) // the Writer keeps an error for the end
	}
	line(func(f field) string { return strings.ReplaceAll(f.name, ".", "_") })
	for i := range t.Machines {
		line(func(f field) string {
			switch value := f.value(&t.Machines[i]).(type) {
			case nil:
				return ""
			case float64:
				return strconv.FormatFloat(math.Round(1e6*value)/1e6, 'f', -1, 64)
			default:
				return fmt.Sprint(value)
			}
		})
	}
	w.Flush()
	return w.Error()
}

// WriteJSON prints a table for programs.
func WriteJSON(out io.Writer, t Table) error {
	list := make([]object, 0, len(t.Machines)) // [] if there is none
	for i := range t.Machines {
		var o object
		for _, c := range t.Query.columns() {
			for _, f := range c.fields {
				if value := f.value(&t.Machines[i]); value != nil {
					o.set(f.name, value)
				}
			}
		}
		o.set("dimensions", dimensions(t.Machines[i].Rings))
		list = append(list, o)
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}

// object is an object of JSON whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

// set appends a member. A name a.b is that of b in the object a, of which no other member stands between.
func (o *object) set(name string, value any) {
	outer, inner, nested := strings.Cut(name, ".")
	switch last := len(*o) - 1; {
	case !nested:
		*o = append(*o, member{name, value})
	case last >= 0 && (*o)[last].name == outer:
		(*o)[last].value = append((*o)[last].value.(object), member{inner, value})
	default:
		*o = append(*o, member{outer, object{{inner, value}}})
	}
}

// MarshalJSON writes the object.
func (o object) MarshalJSON() ([]byte, error) {
	text := []byte("{")
	for i, m := range o {
		if i > 0 {
			text = append(text, ',')
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		text = append(fmt.Appendf(text, "%q:", m.name), value...)
	}
	return append(text, '}'), nil
}

// dimensions are rings as JSON has them, dimension 1 first.
func dimensions(rings []hypercycle.Dimension) (all []object) {
	for _, d := range rings {
		all = append(all, object{{"m", d.M}, {"rho", d.Rho}})
	}
	return all
}
