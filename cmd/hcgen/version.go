// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the version of this program as the Go toolchain records it: a tag, a pseudo-version of the commit, or (devel).
func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "(devel)"
}

// versionInfo is what hcgen version --json prints.
type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // commit that it was built from, if known
	Modified bool   `json:"modified"`           // built from a changed work tree
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersion(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Example: `  hcgen version
  hcgen version --json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			v := versionInfo{Version: version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
			if b, ok := debug.ReadBuildInfo(); ok {
				for _, s := range b.Settings {
					switch s.Key {
					case "vcs.revision":
						v.Revision = s.Value
					case "vcs.modified":
						v.Modified = s.Value == "true"
					}
				}
			}
			if asJSON {
				return classify(writeJSON(c.out, v))
			}
			_, err := fmt.Fprintf(c.out, "hcgen %s %s %s\n", v.Version, v.Go, v.Platform)
			return classify(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
