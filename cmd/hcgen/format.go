// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/hcgen/hcgen/machine"
)

func newFormat(c *console) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "fmt FILE...",
		Short: "Format descriptions",
		Long: `Format descriptions in HCL, with two spaces of indentation and aligned equal signs.
Only white space changes. The command prints the names of the files that it changes. If
a file has a syntax error, no file is changed. With -, it formats standard input to
standard output.

Exit codes: 0 all files are formatted, 2 a file cannot be read or has a syntax
error, 3 a file is not formatted (with --check).`,
		Example: `  hcgen fmt torus4x4.hcl
  hcgen fmt --check torus4x4.hcl
  hcgen fmt - < torus4x4.hcl`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"hcl"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(_ *cobra.Command, names []string) error {
			files, err := readDescriptions(c, names)
			if err != nil {
				return classify(err)
			}
			return classify(format(c, files, check))
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "list files that are not formatted and write nothing; exit code 3 if there are any")
	return cmd
}

// description is a file to format.
type description struct {
	name           string
	src, formatted []byte
}

// readDescriptions reads and formats all files, or reports all errors in them.
func readDescriptions(c *console, names []string) ([]description, error) {
	if len(names) == 0 {
		return nil, usage("give files such as machine.hcl; - is standard input", "no file given")
	}
	if len(names) > 1 && slices.Contains(names, "-") {
		return nil, usage("format standard input separately", "standard input (-) and files cannot be formatted together")
	}
	for _, name := range names {
		if machine.IsJSON(name) {
			return nil, usage("use a formatter for JSON, such as jq", "%s is JSON, but hcgen fmt formats HCL only", name)
		}
	}
	var all []description
	failed := false
	for _, name := range names {
		d, files, diags := readDescription(c, name)
		if name == "-" && c.stopped() {
			return nil, context.Canceled
		}
		if err := machine.WriteDiagnostics(c.err, "hcgen: ", files, diags); err != nil {
			return nil, err
		}
		failed = failed || diags.HasErrors()
		all = append(all, d)
	}
	if failed {
		return nil, failure{code: exitUsage}
	}
	return all, nil
}

// readDescription reads and formats one file, or standard input.
func readDescription(c *console, name string) (description, map[string]*hcl.File, hcl.Diagnostics) {
	if name != "-" {
		src, formatted, files, diags := machine.FormatFile(name)
		return description{name, src, formatted}, files, diags
	}
	src, diags := readStdin(c)
	if diags.HasErrors() {
		return description{}, nil, diags
	}
	formatted, files, diags := machine.Format(stdinName, src)
	return description{name, src, formatted}, files, diags
}

// write replaces the file by the formatted text, or writes to standard output.
func (d description) write(c *console) error {
	if d.name == "-" {
		_, err := c.out.Write(d.formatted)
		return err
	}
	target, err := filepath.EvalSymlinks(d.name)
	if err != nil {
		return unwritable(d.name, err)
	}
	if info, err := os.Stat(target); err == nil && info.Mode().Perm()&0o222 == 0 {
		return usage("make it writable first", "%s is read-only", shown(d.name))
	}
	err = replace(d.name, target, func(w io.Writer) error {
		_, err := w.Write(d.formatted)
		return err
	})
	if err == nil {
		fmt.Fprintln(c.out, shown(d.name))
	}
	return err
}

// shown is a file name that is safe for a terminal.
func shown(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) || !utf8.ValidString(name) {
		return strconv.QuoteToASCII(name)
	}
	return name
}

// format writes or only lists the files that are not formatted.
func format(c *console, all []description, check bool) error {
	unformatted := 0
	for _, d := range all {
		same := bytes.Equal(d.src, d.formatted)
		if !same {
			unformatted++
		}
		switch {
		case check && same, !check && same && d.name != "-":
		case check && d.name == "-":
			fmt.Fprintln(c.out, stdinName)
		case check:
			fmt.Fprintln(c.out, shown(d.name))
		default:
			if err := d.write(c); err != nil {
				return err
			}
		}
	}
	if !check || unformatted == 0 {
		return nil
	}
	if unformatted == 1 {
		return failure{code: exitCheck, err: errors.New("1 file is not formatted"), advice: "hcgen fmt FILE formats it"}
	}
	return failure{code: exitCheck, err: fmt.Errorf("%d files are not formatted", unformatted), advice: "hcgen fmt FILE... formats them"}
}
