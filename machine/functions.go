// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"regexp"
	"sort"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// Functions lists the names of the functions that expressions may call, in
// alphabetical order.
func Functions() []string {
	var names []string
	for name := range newMeter().functions() {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// functions returns the functions of the configuration language, all paying
// from the meter.
func (m *meter) functions() map[string]function.Function {
	plain := map[string]function.Function{
		"abs":        stdlib.AbsoluteFunc,
		"ceil":       stdlib.CeilFunc,
		"chunklist":  stdlib.ChunklistFunc,
		"coalesce":   stdlib.CoalesceFunc,
		"concat":     stdlib.ConcatFunc,
		"contains":   stdlib.ContainsFunc,
		"element":    stdlib.ElementFunc,
		"flatten":    stdlib.FlattenFunc,
		"floor":      stdlib.FloorFunc,
		"join":       stdlib.JoinFunc,
		"keys":       stdlib.KeysFunc,
		"length":     lengthFunc,
		"log":        stdlib.LogFunc,
		"lookup":     stdlib.LookupFunc,
		"lower":      stdlib.LowerFunc,
		"max":        stdlib.MaxFunc,
		"merge":      stdlib.MergeFunc,
		"min":        stdlib.MinFunc,
		"parseint":   stdlib.ParseIntFunc,
		"pow":        stdlib.PowFunc,
		"range":      stdlib.RangeFunc, // makes at most 1024 numbers by itself
		"reverse":    stdlib.ReverseListFunc,
		"slice":      stdlib.SliceFunc,
		"sort":       stdlib.SortFunc,
		"split":      stdlib.SplitFunc,
		"substr":     stdlib.SubstrFunc,
		"sum":        sumFunc,
		"tobool":     conversion(cty.Bool),
		"tonumber":   conversion(cty.Number),
		"tostring":   conversion(cty.String),
		"upper":      stdlib.UpperFunc,
		"values":     stdlib.ValuesFunc,
		"zipmap":     stdlib.ZipmapFunc,
		"distinct":   stdlib.DistinctFunc,
		"format":     stdlib.FormatFunc,
		"formatlist": stdlib.FormatListFunc,
		"replace":    stdlib.ReplaceFunc,
		"setproduct": stdlib.SetProductFunc,
	}
	checks := map[string]func([]cty.Value) error{
		"distinct":   m.checkDistinct,
		"format":     m.checkFormat,
		"formatlist": m.checkFormat,
		"join":       m.checkJoin,
		"replace":    m.checkReplace,
		"setproduct": m.checkSetProduct,
	}
	fs := map[string]function.Function{
		// These two take expressions instead of values; the loops in them pay.
		"can": tryfunc.CanFunc,
		"try": tryfunc.TryFunc,
	}
	for name, f := range plain {
		fs[name] = m.function(f, checks[name])
	}
	return fs
}

// lengthFunc counts the elements of a collection or the characters of a string.
var lengthFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		t := args[0].Type()
		switch {
		case t == cty.String:
			return stdlib.Strlen(args[0])
		case t.IsObjectType() || t.IsTupleType() || t.IsCollectionType():
			return args[0].Length(), nil
		}
		return cty.DynamicVal, function.NewArgErrorf(0, "a list, a map or a string is needed, not a %s", t.FriendlyName())
	},
})

// sumFunc adds the numbers of a list, which may be empty.
var sumFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "numbers", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if !args[0].CanIterateElements() {
			return cty.DynamicVal, function.NewArgErrorf(0, "a list of numbers is needed, not a %s", args[0].Type().FriendlyName())
		}
		sum := cty.Zero
		for it := args[0].ElementIterator(); it.Next(); {
			_, v := it.Element()
			n, err := convert.Convert(v, cty.Number)
			if err != nil || n.IsNull() {
				return cty.DynamicVal, function.NewArgErrorf(0, "all elements must be numbers")
			}
			sum = sum.Add(n)
		}
		return sum, nil
	},
})

// conversion returns the function that converts a value to a primitive type.
func conversion(to cty.Type) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true}},
		Type:   function.StaticReturnType(to),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := convert.Convert(args[0], to)
			if err != nil {
				return cty.DynamicVal, function.NewArgErrorf(0, "cannot be converted to a %s: %s", to.FriendlyName(), err)
			}
			return v, nil
		},
	})
}

// checkSetProduct pays for the product before it is made.
func (m *meter) checkSetProduct(args []cty.Value) error {
	product := 1
	for _, a := range args {
		if a.IsKnown() && !a.IsNull() && a.CanIterateElements() {
			product *= a.LengthInt()
		}
		m.charge(product)
	}
	return nil
}

// checkDistinct pays for comparing each element with each other one.
func (m *meter) checkDistinct(args []cty.Value) error {
	if args[0].IsKnown() && !args[0].IsNull() && args[0].CanIterateElements() {
		n := args[0].LengthInt()
		m.charge(n * n)
	}
	return nil
}

// wideVerb is a width or precision that would make much padding.
var wideVerb = regexp.MustCompile(`%[^%a-zA-Z]*[0-9]{3}`)

// checkFormat limits the width of a verb, and pays for a text in which many verbs name
// the same argument, or which is made for many elements.
func (m *meter) checkFormat(args []cty.Value) error {
	s := args[0]
	if !s.IsKnown() || s.IsNull() {
		return nil
	}
	if wideVerb.MatchString(s.AsString()) {
		return function.NewArgErrorf(0, "a width or precision above 99 is not supported")
	}
	for range len(s.AsString()) / 16 {
		for _, a := range args[1:] {
			m.weigh(a)
		}
	}
	return nil
}

// checkJoin pays for the separators before the text is made.
func (m *meter) checkJoin(args []cty.Value) error {
	if !args[0].IsKnown() || args[0].IsNull() {
		return nil
	}
	for _, list := range args[1:] {
		if list.IsKnown() && !list.IsNull() {
			m.charge(len(args[0].AsString()) * list.LengthInt() / 16)
		}
	}
	return nil
}

// checkReplace pays for the longest possible result before it is made.
func (m *meter) checkReplace(args []cty.Value) error {
	for _, a := range args {
		if !a.IsKnown() || a.IsNull() {
			return nil
		}
	}
	m.charge((len(args[0].AsString()) + 1) * (len(args[2].AsString()) + 1) / 16)
	return nil
}
