// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
)

// column is a figure of machines: a column of the table, and fields of CSV and JSON.
type column struct {
	name  string // in the table, and for Sort; that of an estimate begins with ~
	lists lists  // that have the column
	// key is what machines are sorted by, the best first: less of everything but stars, bisection width and clock. It is nil
	// if the machine lacks the figure.
	key func(*Machine) []float64
	// compare compares two machines that have the figure; nil: the column has no stars.
	compare comparison
	cell    func(*Machine) string // of the table
	fields  []field
}

// field is a part of a figure. The name is that of JSON: a.b is the field b of the object a. In CSV it is a_b.
type field struct {
	name  string
	value func(*Machine) any // nil if the machine lacks the figure
}

// lists are those that have a column.
type lists struct {
	flags string // of hcgen explore, which make such a list
	are   func(Query) bool
}

var (
	inAll         = lists{"", func(Query) bool { return true }}
	ifMeasured    = lists{"--measure", func(q Query) bool { return q.Measured }}
	ifAddressed   = lists{"--measure and --destination", func(q Query) bool { return q.Measured && q.Destination }}
	ifPlanned     = lists{"--collective", func(q Query) bool { return q.Collective != "" }}
	ifSynthesized = lists{"--measure and --collective", func(q Query) bool { return q.Measured && q.Collective != "" }}
)

// columns are those of all lists, in the order of the table.
var columns = slices.Concat([]column{
	starColumn,
	nameColumn,
	nodesColumn,
	whole("degree", "degree", inAll, func(m *Machine) int { return m.Degree }),
	whole("diameter", "diameter", inAll, func(m *Machine) int { return m.Diameter }),
	averageColumn,
	whole("links", "links", inAll, func(m *Machine) int { return m.Links }),
	bisectionColumn,
	whole(collective.AllGather, "all_gather", inAll, func(m *Machine) int { return m.AllGather }),
	whole(collective.TotalExchange, "total_exchange", inAll, func(m *Machine) int { return m.TotalExchange }),
	whole(collective.AllReduce, "all_reduce", inAll, func(m *Machine) int { return m.AllReduce }),
	cost("~LUT4", "lut4", inAll, func(m *Machine) int { return m.LUT4 }),
}, measurement("", ifMeasured, func(m *Machine) Measured { return m.Router }), []column{
	duration("broadcast-ns", ifMeasured, (*Machine).broadcast),
	duration(collective.AllGather+"-ns", ifMeasured, (*Machine).allGather),
	duration(collective.TotalExchange+"-ns", ifAddressed, (*Machine).totalExchange),
	whole("collective-steps", "collective_steps", ifPlanned, func(m *Machine) int { return m.Collective.Steps }),
	whole("collective-cycles", "collective_cycles", ifPlanned, func(m *Machine) int { return m.Collective.Cycles }),
	cost("~collective-LUT4", "collective_lut4", ifPlanned, func(m *Machine) int { return m.Collective.LUT4 }),
	chunkColumn,
	estimatedClock,
	whole("~collective-time", "collective_estimated_ns", ifPlanned, func(m *Machine) int { return m.Collective.NS }),
}, measurement("collective-", ifSynthesized, func(m *Machine) Measured { return m.Node }), []column{
	duration("collective-ns", ifSynthesized, (*Machine).collective),
})

var starColumn = column{
	"best", inAll,
	func(m *Machine) []float64 {
		if m.Best {
			return []float64{0}
		}
		return []float64{1}
	},
	nil,
	func(m *Machine) string {
		if m.Best {
			return "*"
		}
		return " "
	},
	[]field{{"best", func(m *Machine) any { return m.Best }}},
}

var nameColumn = column{
	"machine", inAll,
	func(m *Machine) (key []float64) {
		for _, d := range slices.Backward(m.Rings) {
			key = append(key, float64(d.M), float64(d.Rho))
		}
		return key
	},
	nil,
	(*Machine).String,
	[]field{{"machine", func(m *Machine) any { return m.String() }}},
}

var averageColumn = column{
	"average", inAll,
	func(m *Machine) []float64 { return []float64{m.AverageDistance} },
	compareLess(func(m *Machine) float64 { return m.AverageDistance }),
	func(m *Machine) string { return fmt.Sprintf("%.3f", m.AverageDistance) },
	[]field{{"average_distance", func(m *Machine) any { return m.AverageDistance }}},
}

var bisectionColumn = column{
	"bisection", inAll,
	func(m *Machine) []float64 { return []float64{-float64(m.Bisection.Low), -float64(m.Bisection.High)} },
	func(a, b *Machine) int { return compareBisections(a.Bisection, b.Bisection) },
	func(m *Machine) string { return m.Bisection.String() },
	[]field{
		{"bisection.low", func(m *Machine) any { return m.Bisection.Low }},
		{"bisection.high", func(m *Machine) any { return m.Bisection.High }},
	},
}

// chunkColumn has no better or worse.
var chunkColumn = func() column {
	c := whole("collective-chunk", "collective_chunk_bits", ifPlanned, func(m *Machine) int { return m.Collective.Chunk })
	c.compare = nil
	return c
}()

// estimatedClock prefers more.
var estimatedClock = func() column {
	c := whole("~collective-clock", "collective_estimated_mhz", ifPlanned, func(m *Machine) int { return m.Collective.MHz })
	c.key = func(m *Machine) []float64 { return keyOf(-float64(m.Collective.MHz)) }
	c.compare = compareMore(func(m *Machine) float64 { return float64(m.Collective.MHz) })
	return c
}()

// nodesColumn prefers more nodes for stars; lists are sorted from the fewest nodes up.
var nodesColumn = func() column {
	c := whole("nodes", "nodes", inAll, func(m *Machine) int { return m.Nodes })
	c.compare = compareMore(func(m *Machine) float64 { return float64(m.Nodes) })
	return c
}()

// whole is a column of whole numbers, of which less is better. A machine with 0 lacks the figure.
func whole(name, fieldName string, in lists, value func(*Machine) int) column {
	return column{
		name, in,
		func(m *Machine) []float64 { return keyOf(float64(value(m))) },
		compareLess(func(m *Machine) float64 { return float64(value(m)) }),
		func(m *Machine) string {
			if value(m) == 0 {
				return ""
			}
			return fmt.Sprint(value(m))
		},
		[]field{{fieldName, func(m *Machine) any { return unlessZero(value(m)) }}},
	}
}

// cost is a column of LUT4.
func cost(name, fieldName string, in lists, value func(*Machine) int) column {
	c := whole(name, fieldName, in, value)
	c.compare = compareCosts(func(m *Machine) float64 { return float64(value(m)) })
	return c
}

// measurement has the columns of a design.
func measurement(prefix string, in lists, of func(*Machine) Measured) []column {
	fieldPrefix := strings.ReplaceAll(prefix, "-", "_")
	mhz := func(value func(Clock) float64) func(*Machine) any {
		return func(m *Machine) any { return unlessZero(value(of(m).Clock)) }
	}
	return []column{
		cost("measured-"+prefix+"LUT4", "measured_"+fieldPrefix+"lut4", in, func(m *Machine) int { return of(m).LUT4 }),
		whole(prefix+"FF", fieldPrefix+"ff", in, func(m *Machine) int { return of(m).FF }),
		{
			prefix + "MHz", in,
			func(m *Machine) []float64 { return keyOf(-of(m).Clock.Median) },
			compareSpans(func(m *Machine) span { return of(m).Clock.time(1) }),
			func(m *Machine) string {
				switch c := of(m).Clock; {
				case of(m) == Measured{}:
					return ""
				case c == Clock{}:
					return "no fit"
				default:
					return fmt.Sprintf("%.0f/%.0f/%.0f", c.Min, c.Median, c.Max)
				}
			},
			[]field{
				{fieldPrefix + "mhz.min", mhz(func(c Clock) float64 { return c.Min })},
				{fieldPrefix + "mhz.median", mhz(func(c Clock) float64 { return c.Median })},
				{fieldPrefix + "mhz.max", mhz(func(c Clock) float64 { return c.Max })},
			},
		},
	}
}

// duration is a column of nanoseconds at the median clock.
func duration(name string, in lists, of func(*Machine) span) column {
	return column{
		name, in,
		func(m *Machine) []float64 { return keyOf(of(m).median) },
		compareSpans(of),
		func(m *Machine) string {
			if of(m) == (span{}) {
				return ""
			}
			return fmt.Sprintf("%.0f", of(m).median)
		},
		[]field{{strings.ReplaceAll(name, "-", "_"), func(m *Machine) any { return unlessZero(math.Round(10*of(m).median) / 10) }}},
	}
}

// keyOf is a key of one value, nil for 0.
func keyOf(value float64) []float64 {
	if value == 0 {
		return nil
	}
	return []float64{value}
}

// unlessZero is a value, nil for 0.
func unlessZero[T int | float64](value T) any {
	if value == 0 {
		return nil
	}
	return value
}

// columns are those of the table of a query.
func (q Query) columns() []column {
	return slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return !c.lists.are(q) })
}

// Columns lists the columns of all tables.
func Columns() []string { return names(columns) }

// Columns lists the columns of the table of a query.
func (q Query) Columns() []string { return names(q.columns()) }

// starColumns are the columns that decide which machines have a star.
func (q Query) starColumns() (by []column) {
	for _, name := range q.StarColumns() {
		by = append(by, columnOf(name))
	}
	return by
}

// StarColumns lists the columns that decide which machines have a star: a cost and a time, unless the query names others.
func (q Query) StarColumns() []string {
	switch {
	case len(q.Stars) > 0:
		return q.Stars
	case q.Measured:
		return []string{"measured-LUT4", "broadcast-ns"}
	}
	return []string{"~LUT4", "diameter"}
}

// estimated is the query before anything is measured: its stars are by those of its columns that are known then.
func (q Query) estimated() Query {
	q.Measured = false
	q.Stars = slices.DeleteFunc(slices.Clone(q.Stars), func(name string) bool { return !slices.Contains(q.Columns(), name) })
	return q
}

// StarColumn returns the full name of a column by which machines can be compared for a star, as Column does.
func (q Query) StarColumn(name string) (string, error) {
	name, err := q.Column(name)
	if err == nil && columnOf(name).compare == nil {
		err = fmt.Errorf("the column %s has no better or worse", name)
	}
	return name, err
}

func columnOf(name string) column {
	return columns[slices.IndexFunc(columns, func(c column) bool { return c.name == name })]
}

func names(of []column) (list []string) {
	for _, c := range of {
		list = append(list, c.name)
	}
	return list
}

// Column returns the full name of a column of the table, given its name or a part that no other column's name contains. Case
// does not matter, and the ~ of an estimate may be omitted.
func (q Query) Column(name string) (string, error) {
	plain := func(name string) string { return strings.ToLower(strings.TrimPrefix(name, "~")) }
	var parts []column
	for _, c := range columns {
		switch {
		case plain(c.name) != plain(name):
			if c.lists.are(q) && strings.Contains(plain(c.name), plain(name)) {
				parts = append(parts, c)
			}
		case !c.lists.are(q):
			return "", fmt.Errorf("the list has no column %s without %s", c.name, c.lists.flags)
		default:
			return c.name, nil
		}
	}
	switch len(parts) {
	case 0:
		return "", fmt.Errorf("unknown column %q", name)
	case 1:
		return parts[0].name, nil
	}
	return "", fmt.Errorf("%q is part of the names of several columns: %s", name, strings.Join(names(parts), ", "))
}

// Sort sorts machines by a column, the best first. Those that lack the figure come last, and equal ones stay in their order.
// It panics if there is no column with this name.
func Sort(list []Machine, name string) {
	key := columnOf(name).key
	slices.SortStableFunc(list, func(a, b Machine) int {
		x, y := key(&a), key(&b)
		if x == nil || y == nil {
			return cmp.Compare(len(y), len(x))
		}
		return slices.Compare(x, y)
	})
}
