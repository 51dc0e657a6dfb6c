// SPDX-License-Identifier: Apache-2.0

// Package slurmtest runs a Slurm cluster of one node for tests: munged, slurmctld and slurmd, with a folder,
// ports and a key of their own.
package slurmtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/process"
)

// Debian's programs. Ordinary users often do not have their folder in PATH.
const (
	munged    = "/usr/sbin/munged"
	slurmctld = "/usr/sbin/slurmctld"
	slurmd    = "/usr/sbin/slurmd"
)

// Cluster is a cluster. The commands of Slurm use it, because the test has its SLURM_CONF.
type Cluster struct {
	Node       string // name
	t          testing.TB
	dir        string
	controller func() // ends it
}

// patience is the time that anything here may take on a busy machine.
const patience = time.Minute

// Start starts a cluster whose node has two processors, with further lines of configuration. It ends with the test. The
// test is skipped if Slurm is not installed, or if the user has only a number, as in a container.
func Start(t testing.TB, configuration ...string) *Cluster {
	t.Helper()
	needs.Tools(t, munged, slurmctld, slurmd, "sbatch", "squeue", "scancel", "scontrol")
	me, err := user.LookupId(fmt.Sprint(os.Getuid()))
	if err != nil {
		t.Skipf("Slurm does not run for a user without a name: %v", err)
	}
	// The paths of sockets have at most 108 characters.
	dir, err := os.MkdirTemp("", "slurm")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	for _, part := range []string{"munge", "state", "spool"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, part), 0o755))
	}
	key := make([]byte, 128)
	_, _ = rand.Read(key) // never fails
	require.NoError(t, os.WriteFile(filepath.Join(dir, "munge", "key"), key, 0o600))
	host, err := os.Hostname()
	require.NoError(t, err)
	host, _, _ = strings.Cut(host, ".")
	c := &Cluster{Node: host, t: t, dir: dir}
	settings := strings.NewReplacer("DIR", dir, "HOST", host, "USER", me.Username).Replace(`ClusterName=test
SlurmctldHost=HOST(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=DIR/munge/socket
SlurmUser=USER
SlurmdUser=USER
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/spool
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=2
NodeName=HOST NodeAddr=127.0.0.1 CPUs=2
PartitionName=test Nodes=ALL Default=YES State=UP
`)
	settings += fmt.Sprintf("SlurmctldPort=%d\nSlurmdPort=%d\n", port(t), port(t)) + strings.Join(configuration, "\n") + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "slurm.conf"), []byte(settings), 0o644))
	for _, name := range []string{"SLURM_CONF", "SLURM_CLUSTERS", "SBATCH_PARTITION", "SBATCH_TIMELIMIT", "SBATCH_WAIT"} {
		t.Setenv(name, "") // restores it
		require.NoError(t, os.Unsetenv(name))
	}
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	c.daemon(munged, "--foreground", "--socket="+dir+"/munge/socket", "--key-file="+dir+"/munge/key",
		"--pid-file="+dir+"/munge/pid", "--log-file="+dir+"/munge/log", "--seed-file="+dir+"/munge/seed")
	c.await("munged", func() bool { _, err := os.Stat(dir + "/munge/socket"); return err == nil })
	c.StartController()
	t.Cleanup(func() { c.StopController() })
	c.daemon(slurmd, "-D", "-N", host)
	c.await("the node", func() bool { return c.ask("sinfo", "--noheader", "--format=%T") == "idle" })
	t.Cleanup(c.empty)
	return c
}

// port is a port that nothing uses.
func port(t testing.TB) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// daemon starts a daemon in the foreground. The function that it returns ends it, as does the end of the test, or of its process.
func (c *Cluster) daemon(program string, arguments ...string) func() {
	ctx, cancel := context.WithCancel(context.Background())
	command := process.Command(ctx, program, arguments...)
	log, err := os.OpenFile(filepath.Join(c.dir, filepath.Base(program)+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(c.t, err)
	command.Stdout, command.Stderr = log, log
	require.NoError(c.t, command.Start())
	end := func() {
		cancel()
		_ = command.Wait() // it fails because of the signal
		log.Close()
	}
	c.t.Cleanup(end)
	return end
}

// StartController starts the controller, and waits for it.
func (c *Cluster) StartController() {
	c.t.Helper()
	c.controller = c.daemon(slurmctld, "-D")
	c.await("the controller", func() bool { return exec.Command("scontrol", "ping").Run() == nil })
}

// StopController ends the controller. Tasks go on.
func (c *Cluster) StopController() { c.controller() }

// Run runs a command of Slurm and returns its output.
func (c *Cluster) Run(name string, arguments ...string) string {
	c.t.Helper()
	out, err := exec.Command(name, arguments...).CombinedOutput()
	require.NoError(c.t, err, "%s %s: %s", name, arguments, out)
	return strings.TrimSpace(string(out))
}

// ask is Run for a command that may fail.
func (c *Cluster) ask(name string, arguments ...string) string {
	out, _ := exec.Command(name, arguments...).Output()
	return strings.TrimSpace(string(out))
}

// await waits until something is true.
func (c *Cluster) await(what string, there func() bool) {
	c.t.Helper()
	for start := time.Now(); !there(); time.Sleep(50 * time.Millisecond) {
		if time.Since(start) > patience {
			steps, _ := filepath.Glob(c.steps())
			logs := fmt.Sprintf("\nsteps: %q\n%s", steps, c.ask("squeue", "--states=all"))
			for _, name := range []string{"munged.log", "munge/log", "slurmctld.log", "slurmd.log"} {
				text, _ := os.ReadFile(filepath.Join(c.dir, name))
				logs += fmt.Sprintf("\n%s:\n%s", name, text)
			}
			c.t.Fatalf("waited for %s for %s%s", what, patience, logs)
		}
	}
}

// steps is the pattern of the sockets of steps that run.
func (c *Cluster) steps() string { return filepath.Join(c.dir, "spool", c.Node+"_*") }

// Empty reports whether no job is in the queue and no process of one is left.
func (c *Cluster) Empty() bool {
	steps, err := filepath.Glob(c.steps())
	return err == nil && len(steps) == 0 && c.ask("squeue", "--noheader") == ""
}

// empty ends all jobs. A step that has ended while the controller was away tells it every 15 seconds, and sometimes never gets
// through: in the end such steps are killed.
func (c *Cluster) empty() {
	late := time.Now().Add(patience / 2)
	c.await("the end of all jobs", func() bool {
		jobs := strings.Fields(c.ask("squeue", "--noheader", "--format=%A"))
		if len(jobs) > 0 {
			c.ask("scancel", append([]string{"--full"}, jobs...)...)
		}
		if time.Now().After(late) {
			c.killSteps()
		}
		return len(jobs) == 0 && c.Empty()
	})
}

// killSteps kills the steps of this cluster, which have its configuration in their environment, and removes their sockets.
func (c *Cluster) killSteps() {
	processes, _ := filepath.Glob("/proc/[0-9]*/comm")
	for _, name := range processes {
		comm, _ := os.ReadFile(name)
		environment, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "environ"))
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err == nil && string(comm) == "slurmstepd\n" && strings.Contains(string(environment), "SLURM_CONF="+c.dir+"/") {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
		}
	}
	sockets, _ := filepath.Glob(c.steps())
	for _, s := range sockets {
		_ = os.Remove(s)
	}
}
