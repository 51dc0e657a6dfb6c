// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
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

// startSlurm starts a Slurm of one node with two processors, which ends with the test: munged, slurmctld and slurmd, with
// a folder, ports and a key of their own. The commands of Slurm use it, because the test has its SLURM_CONF. The test is
// skipped if Slurm is not installed, or if the user has only a number, as in a container. The function that it returns
// waits until something is true.
func startSlurm(t *testing.T) (await func(what string, there func() bool)) {
	t.Helper()
	needs.Tools(t, munged, slurmctld, slurmd, "sbatch", "squeue", "scancel", "scontrol", "sinfo")
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
`) + fmt.Sprintf("SlurmctldPort=%d\nSlurmdPort=%d\n", port(t), port(t))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "slurm.conf"), []byte(settings), 0o644))
	for _, name := range []string{"SLURM_CLUSTERS", "SBATCH_PARTITION", "SBATCH_TIMELIMIT", "SBATCH_WAIT"} {
		t.Setenv(name, "") // restores it
		require.NoError(t, os.Unsetenv(name))
	}
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))

	await = func(what string, there func() bool) {
		t.Helper()
		for start := time.Now(); !there(); time.Sleep(200 * time.Millisecond) {
			if time.Since(start) < 5*time.Minute {
				continue
			}
			logs, _ := filepath.Glob(filepath.Join(dir, "*.log"))
			for _, name := range logs {
				text, _ := os.ReadFile(name)
				t.Logf("%s:\n%s", filepath.Base(name), text)
			}
			t.Fatalf("waited too long for %s", what)
		}
	}
	daemon := func(program string, arguments ...string) {
		ctx, cancel := context.WithCancel(context.Background())
		command := process.Command(ctx, program, arguments...)
		log, err := os.Create(filepath.Join(dir, filepath.Base(program)+".log"))
		require.NoError(t, err)
		command.Stdout, command.Stderr = log, log
		require.NoError(t, command.Start())
		t.Cleanup(func() {
			cancel()
			_ = command.Wait() // it fails because of the signal
			log.Close()
		})
	}
	daemon(munged, "--foreground", "--socket="+dir+"/munge/socket", "--key-file="+dir+"/munge/key",
		"--pid-file="+dir+"/munge/pid", "--log-file="+dir+"/munge/log", "--seed-file="+dir+"/munge/seed")
	await("munged", func() bool { _, err := os.Stat(dir + "/munge/socket"); return err == nil })
	daemon(slurmctld, "-D")
	await("the controller", func() bool { return exec.Command("scontrol", "ping").Run() == nil })
	daemon(slurmd, "-D", "-N", host)
	await("the node", func() bool {
		state, err := exec.Command("sinfo", "--noheader", "--format=%T").Output()
		return err == nil && strings.TrimSpace(string(state)) == "idle"
	})
	t.Cleanup(func() { // jobs of a test that has failed
		_ = exec.Command("scancel", "--full", "--user="+me.Username).Run()
		for range 50 {
			if steps, _ := filepath.Glob(filepath.Join(dir, "spool", host+"_*")); len(steps) == 0 {
				return
			}
			time.Sleep(200 * time.Millisecond)
		}
	})
	return await
}

// port is a port that nothing uses.
func port(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
