// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// expressionName is the file name of the expression in messages.
const expressionName = "<expression>"

func newQuery(c *console) *cobra.Command {
	var from config
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "query -c FILE [EXPRESSION]",
		Short: "Print one property of a machine, for scripts",
		Long: `Evaluate an expression over the properties of a machine. The names are the fields of
hcgen info --json, such as nodes, dimensions[0].D and ports[*].weight. Operators, for
and all functions of the configuration language are available.

Strings are printed without quotes, lists one element per line, and objects as JSON.
Without an expression, all properties are printed as JSON. Quote brackets and spaces
in a shell.`,
		Example: `  hcgen query -c torus4x4.hcl nodes
  hcgen query -c torus4x4.hcl 'ports[*].weight'
  hcgen query -c torus4x4.hcl --json traffic`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return queryNames(reflect.TypeFor[plan.Figures](), ""), cobra.ShellCompDirectiveNoFileComp
		},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("quote an expression with spaces; use a list for several properties: '[nodes, degree]'",
					"query takes one expression, but got %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := from.load(c)
			if err != nil {
				return classify(err)
			}
			about := plan.New(m).Figures()
			if err := about.AddCollectives(m); err != nil {
				return classify(err)
			}
			if len(args) == 0 {
				return classify(writeJSON(c.out, about))
			}
			facts, err := factsOf(about)
			if err != nil {
				return classify(err)
			}
			type evaluated struct {
				value cty.Value
				files map[string]*hcl.File
				diags hcl.Diagnostics
			}
			e, err := untilInterrupted(c.ctx, func() (e evaluated) {
				e.value, e.files, e.diags = machine.Evaluate(expressionName, args[0], facts)
				return e
			})
			if err != nil {
				return classify(err)
			}
			if err := machine.WriteDiagnostics(c.err, "hcgen: ", e.files, e.diags); err != nil {
				return classify(err)
			}
			if e.diags.HasErrors() {
				return failure{code: exitUsage}
			}
			answer, err := jsonValue(e.value)
			if err != nil {
				return usage("select another value", "%s: %w", expressionName, err)
			}
			if asJSON {
				return classify(writeJSON(c.out, answer))
			}
			return classify(writeAnswer(c.out, answer))
		},
	}
	from.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// queryNames lists the paths of all values that a type has in JSON.
func queryNames(t reflect.Type, before string) []string {
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if at := t.Field(i).Type; at.Kind() == reflect.Slice && at.Elem().Kind() == reflect.Struct {
			names = append(names, queryNames(at.Elem(), before+name+"[*].")...)
		} else {
			names = append(names, before+name)
		}
	}
	return names
}

// factsOf returns the figures of a machine, with their names in JSON.
func factsOf(about *plan.Figures) (map[string]cty.Value, error) {
	text, err := json.Marshal(about)
	if err != nil {
		return nil, err
	}
	t, err := ctyjson.ImpliedType(text)
	if err != nil {
		return nil, err
	}
	v, err := ctyjson.Unmarshal(text, t)
	if err != nil {
		return nil, err
	}
	return v.AsValueMap(), nil
}

// jsonValue converts a value for encoding/json. Whole numbers stay exact, others are rounded to 64 bits.
func jsonValue(v cty.Value) (any, error) {
	t := v.Type()
	switch {
	case v.IsNull():
		return nil, nil
	case t == cty.Bool:
		return v.True(), nil
	case t == cty.String:
		return v.AsString(), nil
	case t == cty.Number:
		f := v.AsBigFloat()
		if f.IsInt() {
			return json.Number(f.Text('f', 0)), nil
		}
		if rounded, _ := f.Float64(); !f.IsInf() {
			return rounded, nil
		}
		return nil, errors.New("the value is infinite")
	case t.IsObjectType() || t.IsMapType():
		object := map[string]any{}
		for name, part := range v.AsValueMap() {
			p, err := jsonValue(part)
			if err != nil {
				return nil, err
			}
			object[name] = p
		}
		return object, nil
	case v.CanIterateElements():
		list := []any{}
		for _, part := range v.AsValueSlice() {
			p, err := jsonValue(part)
			if err != nil {
				return nil, err
			}
			list = append(list, p)
		}
		return list, nil
	}
	return nil, fmt.Errorf("a %s cannot be printed", t.FriendlyName())
}

// writeAnswer prints a value for scripts.
func writeAnswer(out io.Writer, answer any) error {
	switch a := answer.(type) {
	case []any:
		for _, element := range a {
			if err := writeLine(out, element); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		return writeJSON(out, a)
	}
	return writeLine(out, answer)
}

// writeLine prints a text unchanged and any other value as JSON.
func writeLine(out io.Writer, v any) error {
	if text, ok := v.(string); ok {
		_, err := fmt.Fprintln(out, text)
		return err
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := out.Write(line.Bytes())
	return err
}
