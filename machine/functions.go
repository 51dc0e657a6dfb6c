// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// Functions lists the names of the functions that expressions may call, in
// alphabetical order.
func Functions() []string { return sortedKeys(functions) }

// functions are the functions of the configuration language.
var functions = map[string]function.Function{
	"abs":        stdlib.AbsoluteFunc,
	"can":        tryfunc.CanFunc,
	"ceil":       stdlib.CeilFunc,
	"chunklist":  stdlib.ChunklistFunc,
	"coalesce":   stdlib.CoalesceFunc,
	"concat":     stdlib.ConcatFunc,
	"contains":   stdlib.ContainsFunc,
	"distinct":   stdlib.DistinctFunc,
	"element":    stdlib.ElementFunc,
	"flatten":    stdlib.FlattenFunc,
	"floor":      stdlib.FloorFunc,
	"format":     stdlib.FormatFunc,
	"formatlist": stdlib.FormatListFunc,
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
	"range":      stdlib.RangeFunc, // makes at most 1024 numbers
	"replace":    stdlib.ReplaceFunc,
	"reverse":    stdlib.ReverseListFunc,
	"setproduct": stdlib.SetProductFunc,
	"slice":      stdlib.SliceFunc,
	"sort":       stdlib.SortFunc,
	"split":      stdlib.SplitFunc,
	"substr":     stdlib.SubstrFunc,
	"sum":        sumFunc,
	"tobool":     conversion(cty.Bool),
	"tonumber":   conversion(cty.Number),
	"tostring":   conversion(cty.String),
	"try":        tryfunc.TryFunc,
	"upper":      stdlib.UpperFunc,
	"values":     stdlib.ValuesFunc,
	"zipmap":     stdlib.ZipmapFunc,
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
