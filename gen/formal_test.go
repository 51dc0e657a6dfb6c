// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sections are the lines of each section of a .sby file.
func sections(text string) map[string][]string {
	found := map[string][]string{}
	name := ""
	for _, line := range strings.Split(text, "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			name = strings.Trim(line, "[]")
		default:
			found[name] = append(found[name], line)
		}
	}
	return found
}

// SymbiYosys is not there to try: the tasks for it are those of make prove, of the same files.
func TestTasksForSymbiYosysAreThoseOfTheScript(t *testing.T) {
	for name, text := range map[string]string{
		"one stage": ring5,
		"two stages": strings.Replace(ring5, "machine \"ring5\" {\n", "machine \"ring5\" {\n  router {\n    stages   = 2\n"+
			"    delivery = \"per_port\"\n  }\n", 1),
	} {
		t.Run(name, func(t *testing.T) {
			made := contents(t, loaded(t, text))
			sby := sections(made["formal/ring5_proof.sby"])
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
			assert.Equal(t, []string{
				"induction: mode prove", "induction: depth " + find(`(?m)^task base -t (\d+) `, script),
				"bounded: mode bmc", "bounded: depth " + find(`(?m)^depth=\$\{PROVE_DEPTH:-(\d+)\}$`, script),
				"cover: mode cover", "cover: depth " + find(`(?m)^task cover -c -t (\d+)$`, script),
			}, sby["options"])
			assert.Contains(t, script, "    task induction -i -t 1\n", "no deeper than that of the other")
			flags := strings.Fields(find(`"\$smtbmc" --noprogress (.*) -s "\$solver"`, script))
			assert.Equal(t, []string{"--unroll", "--noincr"}, flags)
			assert.Equal(t, []string{"smtbmc " + flags[0] + " " + find(`(?m)^solver=\$\{SOLVER:-(\w+)\}$`, script) + " -- " + flags[1]}, sby["engines"])
		})
	}
}
