// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/internal/certificate"
	"github.com/hcgen/hcgen/internal/certificate/verify"
	"github.com/hcgen/hcgen/internal/strictjson"
	"github.com/hcgen/hcgen/plan"
)

func newCertificate(c *console) *cobra.Command {
	var from config
	file := once{kind: "FILE"}
	cmd := &cobra.Command{
		Use:   "certificate -c FILE [-o FILE]",
		Short: "Write a certificate of freedom from deadlock",
		Long: `Write a certificate that the network cannot deadlock, as JSON: which resource of a
router waits for which, an order of these resources, and the rings with their rule.
hcgen verify-certificate checks it.`,
		Example: `  hcgen certificate -c torus4x4.hcl
  hcgen certificate -c torus4x4.hcl -o certificate.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := from.routers(c, "certificate")
			if err != nil {
				return classify(err)
			}
			if err := from.spares(file.value); err != nil {
				return err
			}
			data, err := certificate.New(plan.New(m)).Encode()
			if err != nil {
				return classify(err)
			}
			name := "-"
			if file.set {
				name = file.value
			}
			return classify(writeFile(c, name, func(w io.Writer) error {
				_, err := w.Write(data)
				return err
			}))
		},
	}
	from.flags(cmd)
	cmd.Flags().VarP(&file, "output", "o", "file to write, compressed if its name ends in .gz; - is standard output (default -)")
	_ = cmd.MarkFlagFilename("output", "json")
	return cmd
}

// verdict is what hcgen verify-certificate --json prints.
type verdict struct {
	OK        bool           `json:"ok"`
	Machine   string         `json:"machine,omitempty"` // this and the numbers are missing if the certificate does not hold
	Nodes     int            `json:"nodes,omitempty"`
	Resources int            `json:"resources,omitempty"` // of a router
	Edges     int            `json:"edges,omitempty"`     // from the resources of a router
	Rings     int            `json:"rings,omitempty"`     // of the whole network
	Faults    []verdictFault `json:"faults"`
}

type verdictFault struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"`
}

func newVerifyCertificate(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify-certificate FILE",
		Short: "Check a certificate of freedom from deadlock",
		Long: `Check a certificate from hcgen certificate. The check derives the contents of the
certificate from the parameters in the file, and shares no code with the command
that writes it. The file - is standard input.

Exit codes: 0 the certificate holds, 2 the file is not a certificate, 3 the
certificate does not hold.`,
		Example: `  hcgen verify-certificate certificate.json
  hcgen verify-certificate --json certificate.json
  hcgen verify-certificate - < certificate.json`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("give a file such as certificate.json; - is standard input", "verify-certificate takes one file, got %d", len(args))
			}
			return verifyCertificate(c, args[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// verifyCertificate checks a file and reports every fault with its line.
func verifyCertificate(c *console, name string, asJSON bool) error {
	in := c.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return unreadable(name, err)
		}
		defer f.Close()
		in = f
	} else {
		name = "<stdin>"
	}
	data, err := io.ReadAll(io.LimitReader(in, verify.MaxBytes+1))
	if errors.Is(err, context.Canceled) {
		return classify(err)
	}
	if err != nil {
		return unreadable(name, err)
	}
	result, err := verify.Certificate(data)
	var malformed *verify.Malformed
	var rejected *verify.Rejected
	switch {
	case errors.As(err, &malformed):
		return failure{code: exitUsage, err: misread(name, malformed), advice: "hcgen certificate -c FILE writes a certificate"}
	case errors.As(err, &rejected):
		if asJSON {
			v := verdict{}
			for _, f := range rejected.Faults {
				v.Faults = append(v.Faults, verdictFault(f))
			}
			if err := writeJSON(c.out, v); err != nil {
				return classify(err)
			}
			return failure{code: exitCheck}
		}
		for _, f := range rejected.Faults {
			fmt.Fprintf(c.err, "hcgen: error: %s:%d: %s\n", name, f.Line, f.Text)
		}
		return failure{code: exitCheck, advice: "the certificate does not show that this machine cannot deadlock; hcgen certificate -c FILE makes a new one"}
	case err != nil:
		return classify(err)
	}
	if asJSON {
		return classify(writeJSON(c.out, verdict{OK: true, Machine: result.Machine, Nodes: result.Nodes,
			Resources: result.Resources, Edges: result.Edges, Rings: result.Rings, Faults: []verdictFault{}}))
	}
	delivery := result.Delivery
	if result.Destination {
		delivery += ", with destinations"
	}
	fmt.Fprintf(c.out, "ok: %s, (m,rho) = (%s), %s, fifo_depth %d, stages %d, %s, %s: no reachable state is stuck, if its assumptions hold\n", result.Machine, strings.Join(result.Dimensions, "), ("),
		result.Preference, result.FIFODepth, result.Stages, delivery, count(result.Nodes, "node"))
	fmt.Fprintf(c.out, "%s and %s of each router, %s in all\n", count(result.Resources, "resource"), count(result.Edges, "edge"), count(result.Rings, "ring"))
	return nil
}

// misread adds the name of the file to a mistake in JSON.
func misread(name string, mistake *strictjson.Error) error {
	return fmt.Errorf("%s:%d:%d: %s", name, mistake.Line, mistake.Column, mistake.Text)
}

// unreadable is the error for a file that cannot be read.
func unreadable(name string, err error) error {
	if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return failure{code: exitUsage, err: fmt.Errorf("%s cannot be read: %w", name, err)}
}
