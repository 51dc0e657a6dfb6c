// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Flags are the flags about engines of a program that runs campaigns. The folder of a campaign remembers them for --resume.
type Flags struct {
	Engine     string   `json:"engine"` // local or slurm; empty: local
	Jobs       int      `json:"jobs,omitempty"`
	Retries    int      `json:"retries,omitempty"`
	ArrayLimit int      `json:"arrayLimit,omitempty"`
	Sbatch     []string `json:"sbatch,omitempty"` // options of sbatch
	resume     bool
}

// FlagSet is a flag.FlagSet or a pflag.FlagSet.
type FlagSet interface {
	IntVar(p *int, name string, value int, usage string)
	StringVar(p *string, name string, value string, usage string)
	BoolVar(p *bool, name string, value bool, usage string)
	Func(name, usage string, fn func(string) error)
}

// Add adds the flags to a set.
func (f *Flags) Add(set FlagSet) {
	set.IntVar(&f.Jobs, "jobs", 0, "`number` of units that run at a time on this machine; 0: one for each core")
	set.IntVar(&f.Retries, "retries", 0, "`number` of times that a unit without a result runs again")
	set.StringVar(&f.Engine, "engine", "", "`engine` that runs the units: local (the default), or slurm, as job arrays of a cluster that shares the folder")
	set.Func("sbatch", "`options` of sbatch for the engine slurm, such as --partition=NAME; may be repeated", func(text string) error {
		f.Sbatch = append(f.Sbatch, strings.Fields(text)...)
		return nil
	})
	set.IntVar(&f.ArrayLimit, "array-limit", 0, "`number` of units that run at a time on the cluster; 0: as Slurm decides")
	set.BoolVar(&f.resume, "resume", false, "continue the last run in the folder, with its engine and options")
}

// ours are the options of sbatch that the engine sets itself.
var ours = []string{"-a", "--array", "-D", "--chdir", "-e", "--error", "-J", "--job-name", "-M", "--clusters", "-o", "--output",
	"--parsable", "--requeue", "--no-requeue", "-W", "--wait", "--wrap"}

// Set sets the engine and the retries of options whose folder is set. The error is a mistake in the flags.
func (f *Flags) Set(o *Options) error {
	if f.resume {
		if err := f.recall(folder(o.Folder)); err != nil {
			return err
		}
	}
	if f.Engine == "" {
		f.Engine = "local"
	}
	local := f.Engine == "local"
	switch {
	case !local && f.Engine != "slurm":
		return fmt.Errorf("--engine is local or slurm, not %q", f.Engine)
	case f.Jobs < 0 || f.Retries < 0 || f.ArrayLimit < 0:
		return errors.New("--jobs, --retries and --array-limit are 0 or more")
	case local && f.ArrayLimit > 0:
		return errors.New("--array-limit is for --engine slurm; here --jobs limits the units that run at a time")
	case local && len(f.Sbatch) > 0:
		return errors.New("--sbatch is for --engine slurm")
	case !local && f.Jobs > 0:
		return errors.New("--jobs is for --engine local; with slurm, --array-limit limits the units that run at a time")
	}
	for _, option := range f.Sbatch {
		name, _, _ := strings.Cut(option, "=")
		if !strings.HasPrefix(option, "--") {
			name = option[:min(2, len(option))]
		}
		if slices.Contains(ours, name) {
			return fmt.Errorf("--sbatch may not have %s, which is set here: want options about resources, such as --partition, --time and --mem", name)
		}
	}
	o.Engine, o.Retries, o.flags = Local{Jobs: f.Jobs}, f.Retries, f
	if !local {
		o.Engine = Slurm{Options: f.Sbatch, ArrayLimit: f.ArrayLimit}
	}
	return nil
}

// recall takes the flags that are not given from the last run in a folder. Those of another engine stay there.
func (f *Flags) recall(dir folder) error {
	text, err := os.ReadFile(dir.path("run.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--resume: no campaign has run in %s", string(dir))
	}
	var old Flags
	if err == nil {
		err = json.Unmarshal(text, &old)
	}
	if err != nil {
		return fmt.Errorf("--resume: %s: %w", dir.path("run.json"), err)
	}
	if f.Retries == 0 {
		f.Retries = old.Retries
	}
	if f.Engine != "" && f.Engine != old.Engine {
		return nil
	}
	f.Engine = old.Engine
	if f.Jobs == 0 {
		f.Jobs = old.Jobs
	}
	if f.ArrayLimit == 0 {
		f.ArrayLimit = old.ArrayLimit
	}
	if len(f.Sbatch) == 0 {
		f.Sbatch = old.Sbatch
	}
	return nil
}

// begin remembers the flags of a run that has the lock. The error says that the folder has work of another engine.
func (f folder) begin(o Options) error {
	if _, ok := o.Engine.(Slurm); !ok {
		arrays, err := readArrays(string(f))
		if err != nil {
			return err
		}
		if len(arrays) > 0 {
			return fmt.Errorf("%s has jobs in Slurm: continue with --resume or --engine slurm, or give them up: %s, and remove the folder %s",
				string(f), cancelCommand(arrays), f.path("slurm"))
		}
	}
	if o.flags == nil {
		return nil
	}
	text, err := json.Marshal(o.flags)
	if err != nil {
		return err
	}
	return replace(f.path("run.json"), append(text, '\n'))
}
