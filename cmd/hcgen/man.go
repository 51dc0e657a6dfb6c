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
	"runtime/debug"
	"strconv"
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
exist. Existing pages are replaced. Two runs give the same bytes: the date of a page is
that of SOURCE_DATE_EPOCH, in seconds, or of the commit from which hcgen was built.`,
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
	date, err := manDate()
	if err != nil {
		return err
	}
	pages := 0
	var visit func(cmd *cobra.Command) error
	visit = func(cmd *cobra.Command) error {
		page, err := manPage(cmd, date)
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

// manDate is the date of the pages, which does not depend on the day of the run. It is empty if the
// environment has none, and Go did not record the commit in the binary.
func manDate() (string, error) {
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return "", usage("set it to seconds since 1970, or unset it", "SOURCE_DATE_EPOCH is %q, not a number of seconds", epoch)
		}
		return time.Unix(seconds, 0).UTC().Format(time.DateOnly), nil
	}
	if b, ok := debug.ReadBuildInfo(); ok {
		for _, s := range b.Settings {
			if s.Key == "vcs.time" {
				return s.Value[:min(len(s.Value), len(time.DateOnly))], nil
			}
		}
	}
	return "", nil
}

// manPage makes the page of one command.
func manPage(cmd *cobra.Command, date string) ([]byte, error) {
	cmd.DisableAutoGenTag = true
	day := time.Unix(0, 0).UTC() // cobra writes months, so the date replaces it
	var page bytes.Buffer
	err := doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Date: &day, Source: "hcgen " + version(), Manual: "hcgen"}, &page)
	if err != nil {
		return nil, err
	}
	text := bytes.Replace(page.Bytes(), []byte(`"Jan 1970"`), []byte(`"`+date+`"`), 1)
	text = manOption.ReplaceAll(text, []byte(".TP\n$1\n$2"))
	// what a flag takes, as in the help; of cobra there is the default, which is none
	return manFlag.ReplaceAllFunc(text, func(found []byte) []byte {
		m := manFlag.FindSubmatch(found)
		if flag := cmd.Flag(string(m[2])); flag != nil && flag.NoOptDefVal == "" {
			return fmt.Appendf(nil, "%s=%s", m[1], flag.Value.Type())
		}
		return m[1]
	}), nil
}

// manOption is a flag and its meaning, which cobra separates by a tab; .TP indents it.
var manOption = regexp.MustCompile(`(?m)^(?:\.PP\n)?(\\fB-.*)\n\t(.*)`)

// manFlag is a flag of a man page: its name, and the default.
var manFlag = regexp.MustCompile(`(?m)(^(?:\\fB-\w\\fP, )?\\fB--([a-z-]+)\\fP)(?:=|\[=[a-z]*\])$`)
