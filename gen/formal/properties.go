// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/gocty"

	"github.com/hcgen/hcgen/gen/internal/render"
	"github.com/hcgen/hcgen/gen/internal/verilog"
)

// properties are the numbers of assertions and covers of a design.
//
// Yosys drops in silence what it does not understand, and a design without assertions passes every proof. So each claim
// states these numbers, and prove.sh compares them with the formula that the solver gets. A reader that shares nothing with
// Yosys counts them in the Verilog that hcgen writes, and does so when hcgen generates: a count taken at run time, from the
// files in the output folder, could not miss an instance that has been removed from these files. So a property, an instance
// or a lane that disappears between the generator and the solver is found. No formula must follow each change of a property.
type properties struct{ Assertions, Covers int }

// A block is a module, or a generate block in it.
type block struct {
	header    string // of a generate block: for (..), if (..) or else
	before    *block // of an else: the block whose condition is false
	text      string // what stands in it, without generate blocks
	blocks    []*block
	instances []instance
}

// instance is an instance of a module, with its parameters.
type instance struct{ module, parameters string }

// design is Verilog in the style of hcgen: the header of a generate block and its begin with a name are on one line, and no
// other begin has a name.
type design map[string]*block

// values are the parameters, and other constants, of a block.
type values map[string]cty.Value

var (
	comment    = regexp.MustCompile(`//.*`)
	blockWords = regexp.MustCompile(`(?m)^.*\bbegin : \w+|\bbegin\b|\bend\b|^module \w+|^endmodule`)
	property   = regexp.MustCompile(`\b(assert|cover) \(`)
	constants  = regexp.MustCompile(`(?m)^\s*(?:parameter|localparam)\s+(?:integer\s+)?(\w+)\s*=\s*([^;,\n]*)`)
	parameters = regexp.MustCompile(`\.(\w+)\s*\(([^(){}]*)\)`)
	loop       = regexp.MustCompile(`\bfor \((\w+) = (.+?); \w+ < (.+?); `)
	condition  = regexp.MustCompile(`\bif \((.*)\) begin`)
)

// countProperties counts the properties of a module with these parameters and of what is instantiated in it.
func countProperties(top string, with values, sources ...string) (properties, error) {
	d := design{}
	for _, source := range sources {
		d.read(comment.ReplaceAllString(source, ""))
	}
	for _, m := range d {
		d.findInstances(m)
	}
	found, err := d.count(d[top], with)
	if err == nil && found.Assertions == 0 {
		err = errors.New("it has no assertions")
	}
	if err != nil {
		return found, fmt.Errorf("the properties of %s: %w", top, err)
	}
	return found, nil
}

// countRendered counts the properties of a module that a template makes.
func countRendered(top string, with values, template string, view any, modules ...string) (properties, error) {
	var text strings.Builder
	if err := render.Template(template, view)(&text); err != nil {
		return properties{}, err
	}
	return countProperties(top, with, append(modules, text.String())...)
}

// read lists the modules of a source, each with its generate blocks.
func (d design) read(source string) {
	var open []*block // the blocks that are open; nil is a begin without a name
	current := &block{}
	at := 0
	for _, word := range blockWords.FindAllStringIndex(source, -1) {
		text := source[word[0]:word[1]]
		current.text += source[at:word[0]]
		at = word[1]
		var before *block
		if text == "end" || strings.Contains(text, "end else") {
			last := len(open) - 1
			before, open = open[last], open[:last]
		}
		switch {
		case strings.HasPrefix(text, "module "):
			open = []*block{{}}
			d[strings.TrimPrefix(text, "module ")] = open[0]
		case text == "begin":
			open = append(open, nil)
		case strings.Contains(text, "begin :"):
			inner := &block{header: text, before: before}
			in := innermost(open)
			in.blocks = append(in.blocks, inner)
			open = append(open, inner)
		}
		current = innermost(open)
	}
}

// innermost is the last block with a name.
func innermost(open []*block) *block {
	for _, b := range slices.Backward(open) {
		if b != nil {
			return b
		}
	}
	return &block{} // between modules
}

// findInstances lists the instances in a block of modules that have been read.
func (d design) findInstances(b *block) {
	for name := range d {
		of := regexp.MustCompile(`(?m)^\s*` + name + ` (#\([\s\S]*?\n\s*\) )?\w+ \(`)
		for _, found := range of.FindAllStringSubmatch(b.text, -1) {
			b.instances = append(b.instances, instance{name, found[1]})
		}
	}
	for _, inner := range b.blocks {
		d.findInstances(inner)
	}
}

// count counts the properties of a block with these constants.
func (d design) count(b *block, known values) (all properties, err error) {
	known = known.with(constants.FindAllStringSubmatch(b.text, -1), known)
	for _, p := range property.FindAllStringSubmatch(b.text, -1) {
		all.Assertions += verilog.Int(p[1] == "assert")
		all.Covers += verilog.Int(p[1] == "cover")
	}
	add := func(inner *block, known values) error {
		found, err := d.count(inner, known)
		all.Assertions += found.Assertions
		all.Covers += found.Covers
		return err
	}
	for _, i := range b.instances {
		if err := add(d[i.module], values{}.with(parameters.FindAllStringSubmatch(i.parameters, -1), known)); err != nil {
			return all, err
		}
	}
	for _, inner := range b.blocks {
		if !inner.matters() {
			continue
		}
		passes, err := inner.passes(known)
		if err != nil {
			return all, err
		}
		for _, pass := range passes {
			if err := add(inner, pass); err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

// matters reports whether there may be properties in a block.
func (b *block) matters() bool {
	return len(b.instances) > 0 || property.MatchString(b.text) || slices.ContainsFunc(b.blocks, (*block).matters)
}

// passes are the constants of each pass through a generate block.
func (b *block) passes(known values) (list []values, err error) {
	if l := loop.FindStringSubmatch(b.header); l != nil {
		first, err := known.number(l[2])
		if err != nil {
			return nil, err
		}
		end, err := known.number(l[3])
		for i := first; i < end; i++ {
			pass := maps.Clone(known)
			pass[l[1]] = cty.NumberIntVal(i)
			list = append(list, pass)
		}
		return list, err
	}
	if b.before != nil {
		if passes, err := b.before.passes(known); err != nil || len(passes) > 0 {
			return nil, err
		}
	}
	if c := condition.FindStringSubmatch(b.header); c != nil {
		v, err := known.evaluate(c[1])
		if err != nil || v.Type() != cty.Bool || v.False() {
			return nil, err
		}
	}
	return []values{known}, nil
}

// with adds constants, each a name and an expression, that are plain numbers. A constant that has a value keeps it.
func (v values) with(list [][]string, known values) values {
	all := values{}
	maps.Copy(all, v)
	for _, c := range list {
		if _, is := all[c[1]]; is {
			continue
		}
		if value, err := known.evaluate(c[2]); err == nil {
			all[c[1]] = value
			known = all
		}
	}
	return all
}

// evaluate computes an expression that Verilog and HCL write in the same way.
func (v values) evaluate(expression string) (cty.Value, error) {
	parsed, problems := hclsyntax.ParseExpression([]byte(expression), expression, hcl.InitialPos)
	if problems.HasErrors() {
		return cty.NilVal, problems
	}
	value, problems := parsed.Value(&hcl.EvalContext{Variables: v})
	if problems.HasErrors() {
		return cty.NilVal, problems
	}
	return value, nil
}

// number computes an expression that is a whole number.
func (v values) number(expression string) (int64, error) {
	value, err := v.evaluate(expression)
	if err != nil {
		return 0, err
	}
	var n int64
	err = gocty.FromCtyValue(value, &n)
	return n, err
}
