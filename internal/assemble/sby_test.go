// SPDX-License-Identifier: Apache-2.0

package assemble

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// sections splits a file for SymbiYosys into its sections, without comments.
func sections(t *testing.T, text string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	name := ""
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
			require.NotContains(t, all, name, "a section stands there twice")
			all[name] = nil
		default:
			require.NotEmpty(t, name, "%s: in no section", line)
			all[name] = append(all[name], line)
		}
	}
	return all
}

// SymbiYosys is not available as a package. So the tests check the format of each claim by its reference, and run what it would
// run with Yosys: the script, in a folder with copies of the files.
func TestClaimsAreWhatTheReferenceOfSymbiYosysSaysAndYosysTakesTheScripts(t *testing.T) {
	needs.Tools(t, "yosys")
	made := contents(t, loaded(t, ring5))
	script := made["formal/prove.sh"]
	var claims []string
	for file := range made {
		if path.Ext(file) == ".sby" {
			claims = append(claims, file)
		}
	}
	require.Len(t, claims, 4)
	option := regexp.MustCompile(`^(\w+): (mode (?:bmc|prove|cover|live)|(?:depth|skip) [1-9]\d*)$`)
	for _, file := range claims {
		s := sections(t, made[file])
		for name := range s {
			assert.Contains(t, []string{"tasks", "options", "engines", "script", "files"}, name)
		}
		if s["tasks"] == nil {
			assert.Equal(t, []string{"mode prep"}, s["options"])
		} else {
			given := map[string][]string{}
			for _, line := range s["options"] {
				m := option.FindStringSubmatch(line)
				require.NotNil(t, m, line)
				key, _, _ := strings.Cut(m[2], " ")
				given[m[1]] = append(given[m[1]], key)
			}
			assert.Equal(t, map[string][]string{"induction": {"mode", "depth"}, "cover": {"mode", "depth"}, "bounded": {"mode", "depth", "skip"}}, given)
			assert.Equal(t, []string{"induction", "cover", "bounded"}, s["tasks"])
			// prove.sh calls the solver in the same way.
			require.Len(t, s["engines"], 1)
			flags := regexp.MustCompile(`"\$smtbmc" --noprogress (--\w+) (--\w+) -s "\$solver"`).FindStringSubmatch(script)
			solver := regexp.MustCompile(`(?m)^solver=\$\{SOLVER:-(\w+)\}$`).FindStringSubmatch(script)
			require.NotNil(t, flags)
			require.NotNil(t, solver)
			assert.Equal(t, "smtbmc "+flags[1]+" "+solver[1]+" -- "+flags[2], s["engines"][0])
		}

		src := t.TempDir()
		for _, name := range s["files"] {
			from := path.Join(path.Dir(file), name)
			require.Contains(t, made, from)
			to := filepath.Join(src, path.Base(name))
			require.NoFileExists(t, to, "two files of one name: one would be lost")
			require.NoError(t, os.WriteFile(to, []byte(made[from]), 0o644))
		}
		run := func() (string, error) {
			require.NoError(t, os.WriteFile(filepath.Join(src, "claim.ys"), []byte(strings.Join(s["script"], "\n")), 0o644))
			yosys := exec.CommandContext(t.Context(), "yosys", "claim.ys")
			yosys.Dir = src
			text, err := yosys.CombinedOutput()
			return string(text), err
		}
		text, err := run()
		require.NoError(t, err, text)
		// Yosys detects a missing file
		require.NoError(t, os.Remove(filepath.Join(src, path.Base(s["files"][0]))))
		_, err = run()
		assert.Error(t, err)
	}
}
