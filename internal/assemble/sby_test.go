// SPDX-License-Identifier: Apache-2.0

package assemble

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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

// SymbiYosys is not available as a package. So the tests check the format by its reference, and run
// what it would run with Yosys: the script, in a folder with copies of the files.
func TestTasksOfSymbiYosysAreWhatItsReferenceSaysAndYosysTakesTheScript(t *testing.T) {
	needs.Tools(t, "yosys")
	made := contents(t, loaded(t, ring5))
	const file = "formal/ring5_proof.sby"
	s := sections(t, made[file])
	for name := range s {
		assert.Contains(t, []string{"tasks", "options", "engines", "script", "files"}, name)
	}
	require.NotEmpty(t, s["tasks"])
	option := regexp.MustCompile(`^(\w+): (mode (?:bmc|prove|cover|live)|depth [1-9]\d*)$`)
	given := map[string][]string{}
	for _, line := range s["options"] {
		m := option.FindStringSubmatch(line)
		require.NotNil(t, m, line)
		key, _, _ := strings.Cut(m[2], " ")
		given[m[1]] = append(given[m[1]], key)
	}
	for _, task := range s["tasks"] {
		assert.Equal(t, []string{"mode", "depth"}, given[task], task)
	}
	assert.Len(t, given, len(s["tasks"]), "options of a task that there is not")
	require.Len(t, s["engines"], 1)
	assert.Regexp(t, `^smtbmc (--\w+ )*z3( -- .*)?$`, s["engines"][0])

	src := t.TempDir()
	for _, name := range s["files"] {
		from := path.Join(path.Dir(file), name)
		require.Contains(t, made, from)
		to := filepath.Join(src, path.Base(name))
		require.NoFileExists(t, to, "two files of one name: one would be lost")
		require.NoError(t, os.WriteFile(to, []byte(made[from]), 0o644))
	}
	run := func(script []string) (string, error) {
		yosys := exec.CommandContext(t.Context(), "yosys", "-p", strings.Join(script, "; "))
		yosys.Dir = src
		text, err := yosys.CombinedOutput()
		return string(text), err
	}
	count := []string{"select -assert-min 1 t:$assert", "select -assert-min 1 t:$assume", "select -assert-min 1 t:$cover"}
	text, err := run(slices.Concat(s["script"], []string{"flatten"}, count))
	require.NoError(t, err, text)

	// Yosys detects a missing file
	require.NoError(t, os.Remove(filepath.Join(src, path.Base(s["files"][0]))))
	_, err = run(s["script"])
	assert.Error(t, err)
}

// SymbiYosys itself is not run: its tasks are those of make prove, on the same files.
func TestTasksForSymbiYosysAreThoseOfTheScript(t *testing.T) {
	needs.Tools(t, "yosys")
	for name, text := range map[string]string{
		"one stage": ring5,
		"two stages": strings.Replace(ring5, "machine \"ring5\" {\n", "machine \"ring5\" {\n  router {\n    stages   = 2\n"+
			"    delivery = \"per_port\"\n  }\n", 1),
	} {
		t.Run(name, func(t *testing.T) {
			made := contents(t, loaded(t, text))
			sby := sections(t, made["formal/ring5_proof.sby"])
			ys := made["formal/ring5_proof.ys"]
			script := made["formal/prove.sh"]
			find := func(pattern, text string) string {
				all := regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1)
				require.Len(t, all, 1, pattern)
				return all[0][1]
			}

			// SymbiYosys puts the files into one folder, in which the Yosys script reads them.
			var files, read []string
			for _, file := range sby["files"] {
				require.Contains(t, made, path.Join("formal", file))
				files = append(files, path.Base(file))
			}
			for _, line := range regexp.MustCompile(`(?m)^read_verilog( -formal)?( .*)$`).FindAllStringSubmatch(ys, -1) {
				read = append(read, strings.Fields(line[2])...)
			}
			assert.ElementsMatch(t, append(read, "ring5_proof.ys"), files)
			top := find(`(?s)read_verilog -formal.*\nhierarchy -check -top (\S+)\n`, ys)
			assert.Equal(t, []string{"script ring5_proof.ys", "prep -top " + top}, sby["script"])
			assert.Contains(t, script, "name=${MACHINE}_$proof\n")
			assert.Contains(t, script, `script $name.ys`)

			assert.Equal(t, []string{"induction", "bounded", "cover"}, sby["tasks"])
			cycles, err := strconv.Atoi(find(`(?m)^depth=\$\{PROVE_DEPTH:-(\d+)\}$`, script))
			require.NoError(t, err)
			assert.Equal(t, []string{
				"induction: mode prove", "induction: depth " + find(`(?m)^check base proof.smt2 -t (\d+) `, script),
				"bounded: mode bmc", fmt.Sprintf("bounded: depth %d", cycles+1), // including the cycle of reset
				"cover: mode cover", "cover: depth " + find(`(?m)^task cover cover.smt2 -c -t (\d+)$`, script),
			}, sby["options"])
			assert.Contains(t, script, " task induction proof.smt2 -i -t 1\n", "no deeper than that of the other")
			flags := strings.Fields(find(`"\$smtbmc" --noprogress (.*) -s "\$solver"`, script))
			assert.Equal(t, []string{"--unroll", "--noincr"}, flags)
			assert.Equal(t, []string{"smtbmc " + flags[0] + " " + find(`(?m)^solver=\$\{SOLVER:-(\w+)\}$`, script) + " -- " + flags[1]}, sby["engines"])
		})
	}
}
