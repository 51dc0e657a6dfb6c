// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/campaign/slurmtest"
	"github.com/hcgen/hcgen/internal/needs"
)

// The commands for a cluster work on one, with a smaller list of machines.
func TestCommandsForClustersWork(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "yosys", "nextpnr-ice40")
	var commands []string
	var on *session
	for _, p := range pages(t) {
		if p.name != "campaigns.md" {
			continue
		}
		on = newSession(t, p)
		for _, f := range p.fences {
			if strings.Contains(f.text, "--engine slurm") {
				commands = strings.Split(strings.TrimSpace(f.text), "\n")
			}
		}
	}
	require.Len(t, commands, 3)
	const machines = "--nodes 16..64 --degree ..6 --measure 1000"
	for _, command := range commands[:2] {
		require.Contains(t, command, machines)
	}
	begin, resume := strings.Replace(commands[0], machines, "--nodes 2..3 --measure 1", 1), strings.Replace(commands[1], machines, "--nodes 2..3 --measure 1", 1)

	c := slurmtest.Start(t)
	c.Run("scontrol", "update", "nodename="+c.Node, "state=drain", "reason=test")
	said := on.run("timeout --signal=INT 5 " + begin)
	assert.Contains(t, said, "hcgen: error: interrupted")
	assert.Regexp(t, `(?m)^  `+strings.Replace(commands[2], "JOB", `\d+`, 1)+"$", said)
	c.Run("scontrol", "update", "nodename="+c.Node, "state=resume")
	said = on.run(resume)
	assert.Contains(t, said, "1 task of an earlier run taken up")
	assert.Regexp(t, `(?m)^.*measured-LUT4.*\n.*\(3,1\)|\(2,1\)`, said)
}
