// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// The commands for Slurm work on a cluster of one node, with a smaller list of machines.
func TestCommandsForSlurmWork(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "yosys", "nextpnr-ice40")
	p := read(t, "campaigns.md")
	var commands []string
	for _, f := range p.fences {
		if strings.HasPrefix(f.text, "sbatch ") {
			commands = strings.Split(strings.TrimSpace(f.text), "\n")
		}
	}
	require.Len(t, commands, 3)
	const machines = "--nodes 16..64 --degree ..6 --measure 1000"
	for i := range commands {
		require.Contains(t, commands[i], machines)
		commands[i] = strings.Replace(commands[i], machines, "--nodes 2..3 --measure 2", 1)
	}
	s := newSession(t, p)
	await := startSlurm(t)
	assert.Contains(t, s.succeed(commands[1]), "explore: 0 of 2 units are done\n")
	said := s.succeed(commands[0])
	require.Regexp(t, `^Submitted batch job \d+\n$`, said)
	await("the end of all jobs", func() bool {
		s.succeed(commands[1])
		left, err := exec.Command("squeue", "--noheader").Output()
		return err == nil && len(left) == 0
	})
	logs, err := filepath.Glob(filepath.Join(s.dir, "slurm-*.out"))
	require.NoError(t, err)
	require.Len(t, logs, 20)
	for _, shard := range []string{"1", "2"} {
		found := false
		for _, log := range logs {
			if strings.HasSuffix(log, "_"+shard+".out") {
				found = true
				name, err := filepath.Rel(s.dir, log)
				require.NoError(t, err)
				assert.Contains(t, s.read(name), "explore "+shard+"/20: 1 of 1 unit, ")
			}
		}
		assert.True(t, found, shard)
	}
	results := s.succeed(commands[1])
	assert.Contains(t, results, "explore: 2 of 2 units are done\n")
	assert.Regexp(t, `\(2,1\)  .* \d+/\d+/\d+ .*\n.*\(3,1\)  .* \d+/\d+/\d+ `, results)
	assert.Equal(t, results, s.succeed(commands[2]), "nothing is missing")
}
