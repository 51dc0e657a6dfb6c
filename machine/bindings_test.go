// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
)

// blockStructs are the structs to which attributes are bound, with the fields that no attribute is bound to.
var blockStructs = []struct {
	value   any
	unbound string
}{
	{Machine{}, "Name Dimensions Traffic Synthesis Collectives Programmable Endpoint Graph Hash"}, // kind makes Programmable
	{Programmable{}, ""},
	{Dimension{}, "Name Link"},
	{Link{}, ""},
	{Endpoint{}, ""},
	{Collective{}, "Name Given"},
	{Traffic{}, "Name Sends Random Stalls"},
	{sending{}, ""},
	{carried{}, ""},
	{Random{}, ""},
	{Stall{}, ""},
	{Synthesis{}, "Name"},
}

// Every attribute is a field of a struct, and every field is an attribute, a label or a list of blocks, or computed.
func TestEveryAttributeHasAFieldAndEveryFieldAnAttribute(t *testing.T) {
	changed := map[reflect.Type]map[string]bool{}
	for _, block := range language {
		for _, row := range block.attributes {
			if block.name == "variable" {
				assert.Nil(t, row.bind, "variables are evaluated before the machine")
				continue
			}
			name := block.title() + "." + row.name
			if !assert.NotNil(t, row.bind, "%s has no binding", name) {
				continue
			}
			bound := 0
			for _, s := range blockStructs {
				kind := reflect.TypeOf(s.value)
				if !row.bind.of(reflect.New(kind).Interface()) {
					continue
				}
				bound++
				fields := fieldsOf(kind, row)
				assert.Len(t, fields, 1, "fields that the binding of %s sets", name)
				if changed[kind] == nil {
					changed[kind] = map[string]bool{}
				}
				maps.Copy(changed[kind], fields)
			}
			assert.Equal(t, 1, bound, "structs that have %s", name)
		}
	}
	for _, s := range blockStructs {
		kind := reflect.TypeOf(s.value)
		got := map[string]bool{}
		maps.Copy(got, changed[kind])
		for _, f := range strings.Fields(s.unbound) {
			got[f] = true
		}
		assert.ElementsMatch(t, fieldNames(kind), slices.Collect(maps.Keys(got)), "fields of %s that an attribute is bound to", kind)
	}
}

// fieldsOf returns the fields of a struct that the binding of an attribute changes.
func fieldsOf(kind reflect.Type, row attribute) map[string]bool {
	names := []any{"x"}
	if c, ok := row.kind.(choice); ok {
		names = []any{c.names[len(c.names)-1]}
	}
	values := slices.Concat(names, []any{true, false, 1, int64(1), 0.5, []int{1}, []string{"x"}, sources{nodes: []int{1}}, hypercycle.Destination{1}})
	fields := map[string]bool{}
	for _, value := range values {
		block := reflect.New(kind)
		if got := row.bind.get(block.Interface()); got != nil && reflect.TypeOf(got) != reflect.TypeOf(value) {
			continue
		}
		row.bind.set(block.Interface(), value)
		for _, f := range reflect.VisibleFields(kind) {
			if !f.Anonymous && !block.Elem().FieldByIndex(f.Index).IsZero() {
				fields[f.Name] = true
			}
		}
	}
	return fields
}

func fieldNames(kind reflect.Type) []string {
	var names []string
	for _, f := range reflect.VisibleFields(kind) {
		if !f.Anonymous {
			names = append(names, f.Name)
		}
	}
	return names
}

// Each attribute changes the text whose sha256 is the hash. Good descriptions have all attributes at least once.
func TestEveryAttributeChangesTheHash(t *testing.T) {
	all := cases(t, good)
	for _, block := range language {
		for _, row := range block.attributes {
			name := block.title() + "." + row.name
			switch {
			case block.name == "variable", block.title() == "collective in traffic": // only their results are in the machine
				continue
			case row.name == "schedule": // the content of the file counts, not its name
				continue
			}
			found := slices.ContainsFunc(all, func(d *description) bool {
				m, _, _ := d.load()
				parts := part{parts: m.parts()}
				p := parts.find(func(p part) bool {
					return p.kind.title() == block.title() && slices.ContainsFunc(m.settings(p), func(s setting) bool { return s.name == row.name })
				})
				if p == nil {
					return false
				}
				before, written := m.hash(), encoded(parts.object(m))
				at := p.structs[slices.IndexFunc(p.structs, row.bind.of)]
				row.bind.set(at, other(t, row.kind, row.bind.get(at)))
				assert.NotEqual(t, written, encoded(parts.object(m)), name)
				if _, ok := at.(*sending); !ok { // made for the text, from the messages of the machine
					assert.NotEqual(t, before, m.hash(), name)
				}
				return true
			})
			assert.True(t, found, "no good description has %s", name)
		}
	}
}

// find returns the first block inside that meets a condition.
func (p part) find(met func(part) bool) *part {
	for _, inner := range p.parts {
		if met(inner) {
			return &inner
		}
		if found := inner.find(met); found != nil {
			return found
		}
	}
	return nil
}

// other returns another value of an attribute.
func other(t *testing.T, k kind, value any) any {
	t.Helper()
	switch v := value.(type) {
	case bool:
		return !v
	case int64:
		return v + 1
	case int: // a node
		return v - 1
	case float64:
		return v/2 + 0.01
	case string:
		if c, ok := k.(choice); ok && len(c.names) > 1 {
			return c.names[(slices.Index(c.names, v)+1)%len(c.names)]
		}
		return v + "x"
	case []string:
		return append([]string{v[0] + "x"}, v[1:]...)
	case []int:
		return append([]int{v[0] + 1}, v[1:]...)
	case sources:
		return sources{nodes: append([]int{v.nodes[0] ^ 1}, v.nodes[1:]...)}
	case hypercycle.Destination:
		if v[0] == hypercycle.All {
			return append(hypercycle.Destination{0}, v[1:]...)
		}
		return append(hypercycle.Destination{hypercycle.All}, v[1:]...)
	}
	require.Fail(t, "no other value", "%T", value)
	return nil
}
