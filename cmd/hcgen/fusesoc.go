// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"
)

// generatorCall is the file with which FuseSoC calls a generator, GAPI 1.0. Unknown keys, as of later
// versions, are accepted; unknown parameters, which come from the user, are errors.
type generatorCall struct {
	GAPI       string               `yaml:"gapi"`
	FilesRoot  string               `yaml:"files_root"` // of the core that calls
	VLNV       string               `yaml:"vlnv"`       // of the core to make
	Parameters map[string]yaml.Node `yaml:"parameters"`
}

// reserved matches a word that begins like the names of library modules, which gen prefixes with the name of the machine.
var reserved = regexp.MustCompile(`\bhc_`)

// vlnv is vendor, library, name and version of a core; vendor and library may be empty.
var vlnv = regexp.MustCompile(`^[\w.+-]*:[\w.+-]*:[\w.+-]+(:[\w.+-]+)?$`)

func newFuseSoC(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "fusesoc FILE",
		Short: "Generate a machine for FuseSoC",
		Long: `Generate a machine as a generator of FuseSoC. FuseSoC writes FILE, in YAML, and calls
this command. The file has the name of the core to generate (vlnv), the folder of the
calling core (files_root), and the parameters: config is the description, and vars are
values for its variables. The output is a subfolder of the current folder with the name
of the machine. tools/fusesoc/hcgen.core in the sources registers the generator.`,
		Example: `  hcgen fusesoc network_input.yml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("FuseSoC writes the file and calls this command", "fusesoc takes one file, got %d", len(args))
			}
			call, err := readGeneratorCall(args[0])
			if err != nil {
				return err
			}
			return classify(call.generate(cmd.Context(), c))
		},
	}
}

// readGeneratorCall reads the file that FuseSoC has written.
func readGeneratorCall(name string) (*generatorCall, error) {
	const most = 1 << 20 // bytes; the file has a few parameters
	fail := func(format string, values ...any) (*generatorCall, error) {
		return nil, usage("FuseSoC writes this file; hcgen fusesoc --help describes it", "%s: "+format, append([]any{name}, values...)...)
	}
	file, err := os.Open(name)
	if err != nil {
		if wrong := (*fs.PathError)(nil); errors.As(err, &wrong) {
			err = wrong.Err
		}
		return fail("%w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return fail("%w", err)
	}
	if len(text) > most {
		return fail("it has more than %d bytes", most)
	}
	var call generatorCall
	if err := yaml.Unmarshal(text, &call); err != nil {
		return fail("%s", strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", ""))
	}
	switch {
	case call.GAPI != "1.0":
		return fail("gapi is %q, and hcgen supports 1.0 only", call.GAPI)
	case !vlnv.MatchString(call.VLNV):
		return fail("vlnv is %q, which is not of the form vendor:library:name:version", call.VLNV)
	case reserved.MatchString(call.VLNV):
		return fail("vlnv is %q, and names that begin with hc_ are reserved for library modules", call.VLNV)
	}
	return &call, nil
}

// generate writes the requested machine.
func (call *generatorCall) generate(ctx context.Context, c *console) error {
	g := generate{core: call.VLNV}
	for _, name := range slices.Sorted(maps.Keys(call.Parameters)) {
		node := call.Parameters[name]
		switch {
		case name == "config" && node.Kind == yaml.ScalarNode && node.Value != "":
			path := node.Value
			if !filepath.IsAbs(path) {
				path = filepath.Join(call.FilesRoot, path)
			}
			if err := g.config.path.Set(path); err != nil {
				return err
			}
		case name == "vars" && node.Kind == yaml.MappingNode:
			for i := 0; i < len(node.Content); i += 2 {
				key, value := node.Content[i], node.Content[i+1]
				if value.Kind != yaml.ScalarNode {
					return usage("write a list as text, such as \"[1, 2]\"", "the parameter vars: %s is not a number or a string", key.Value)
				}
				if err := g.config.vars.Set(key.Value + "=" + value.Value); err != nil {
					return usage("give each variable once", "the parameter vars: %s: %w", key.Value, err)
				}
			}
		case name == "config":
			return usage("give the path of the description, relative to the core", "the parameter config is not a file name")
		case name == "vars":
			return usage("write it as {payload_bits: 64}", "the parameter vars is not a map of variables")
		default:
			return usage("the parameters are config and vars", "unknown parameter %q", name)
		}
	}
	if !g.config.path.set {
		return usage("add config: machine.hcl to the parameters", "no description given")
	}
	return g.run(ctx, c)
}
