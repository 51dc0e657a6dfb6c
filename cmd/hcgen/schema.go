// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/machine"
)

func newSchema(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of descriptions in JSON",
		Long: `Print the JSON Schema (2020-12) of descriptions in JSON. Editors use it to complete and
check descriptions. It does not cover relations between values, or the results of
templates; hcgen check does.`,
		Example: `  hcgen schema
  hcgen schema > hcgen.schema.json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			schema, err := machine.JSONSchema()
			if err != nil {
				return classify(err)
			}
			_, err = c.out.Write(schema)
			return classify(err)
		},
	}
}
