// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "man FOLDER",
		Short: "Write man pages",
		Long: `Write a man page for every command to a folder, which is created if it does not
exist. Existing pages are replaced. Two runs give the same bytes.`,
		Example: `  hcgen man share/man/man1`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("give a folder such as share/man/man1", "man takes one folder, got %d", len(args))
			}
			if args[0] == "-" {
				return usage("write man pages to a folder such as share/man/man1", "%q: %w", args[0], errFolderIsStream)
			}
			return classify(writeManPages(c, cmd.Root(), args[0]))
		},
	}
}

// writeManPages writes the pages of a command and all below it.
func writeManPages(c *console, root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
			err = pathErr.Err
		}
		return failure{code: exitUsage, err: fmt.Errorf("%s cannot be created: %w", folder, err)}
	}
	pages := 0
	var visit func(cmd *cobra.Command) error
	visit = func(cmd *cobra.Command) error {
		page, err := manPage(cmd)
		if err != nil {
			return err
		}
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		err = writeFile(c, filepath.Join(folder, name), func(w io.Writer) error {
			_, err := w.Write(page)
			return err
		})
		if err != nil {
			return err
		}
		pages++
		for _, sub := range cmd.Commands() {
			if !sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
				continue
			}
			if err := visit(sub); err != nil {
				return err
			}
		}
		return nil
	}
	if err := visit(root); err != nil {
		return err
	}
	fmt.Fprintf(c.err, "hcgen: %s in %s\n", count(pages, "man page"), folder)
	return nil
}

// manPage makes the page of one command, without a date: the same program makes
// the same page on any day.
func manPage(cmd *cobra.Command) ([]byte, error) {
	cmd.DisableAutoGenTag = true
	day := time.Unix(0, 0).UTC()
	var page bytes.Buffer
	err := doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Date: &day, Source: "hcgen " + version(), Manual: "hcgen"}, &page)
	if err != nil {
		return nil, err
	}
	text := bytes.Replace(page.Bytes(), []byte(`"Jan 1970"`), []byte(`""`), 1)
	// what a flag takes, as in the help; of cobra there is the default, which is none
	return manFlag.ReplaceAllFunc(text, func(found []byte) []byte {
		m := manFlag.FindSubmatch(found)
		if flag := cmd.Flag(string(m[2])); flag != nil && flag.NoOptDefVal == "" {
			return fmt.Appendf(nil, "%s=%s", m[1], flag.Value.Type())
		}
		return m[1]
	}), nil
}

// manFlag is a flag of a man page: its name, and the default.
var manFlag = regexp.MustCompile(`(?m)(^(?:\\fB-\w\\fP, )?\\fB--([a-z-]+)\\fP)(?:=|\[=[a-z]*\])$`)
