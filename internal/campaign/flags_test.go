// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flagSets are the kinds of flag sets that programs use.
var flagSets = map[string]func() (FlagSet, func([]string) error){
	"flag": func() (FlagSet, func([]string) error) {
		set := flag.NewFlagSet("", flag.ContinueOnError)
		set.SetOutput(io.Discard)
		return set, set.Parse
	},
	"pflag": func() (FlagSet, func([]string) error) {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		return set, set.Parse
	},
}

func TestFlagsSelectTheEngine(t *testing.T) {
	for _, c := range []struct {
		arguments []string
		engine    Engine
		retries   int
		err       string
	}{
		{nil, Local{}, 0, ""},
		{[]string{"--jobs=3", "--retries=2"}, Local{Jobs: 3}, 2, ""},
		{[]string{"--engine", "local"}, Local{}, 0, ""},
		{[]string{"--engine=slurm", "--sbatch=--partition=p", "--sbatch", "-t 30 --mem=2G", "--array-limit=9"},
			Slurm{Options: []string{"--partition=p", "-t", "30", "--mem=2G"}, ArrayLimit: 9}, 0, ""},
		{[]string{"--engine=pbs"}, nil, 0, `--engine is local or slurm, not "pbs"`},
		{[]string{"--jobs=-1"}, nil, 0, "--jobs, --retries and --array-limit are 0 or more"},
		{[]string{"--retries=-1"}, nil, 0, "--jobs, --retries and --array-limit are 0 or more"},
		{[]string{"--array-limit=9"}, nil, 0, "--array-limit is for --engine slurm; here --jobs limits the units that run at a time"},
		{[]string{"--sbatch=--mem=2G"}, nil, 0, "--sbatch is for --engine slurm"},
		{[]string{"--engine=slurm", "--jobs=2"}, nil, 0, "--jobs is for --engine local; with slurm, --array-limit limits the units that run at a time"},
		{[]string{"--engine=slurm", "--sbatch=--array=1-5"}, nil, 0, "--sbatch may not have --array, which is set here"},
		{[]string{"--engine=slurm", "--sbatch=-Jname"}, nil, 0, "--sbatch may not have -J, which is set here"},
		{[]string{"--engine=slurm", "--sbatch=-o file"}, nil, 0, "--sbatch may not have -o, which is set here"},
		{[]string{"--resume"}, nil, 0, "--resume: no campaign has run in "},
	} {
		for name, newSet := range flagSets {
			var f Flags
			set, parse := newSet()
			f.Add(set)
			require.NoError(t, parse(c.arguments), name)
			o := Options{Folder: t.TempDir()}
			err := f.Set(&o)
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				continue
			}
			require.NoError(t, err)
			assert.Equal(t, c.engine, o.Engine, c.arguments)
			assert.Equal(t, c.retries, o.Retries)
		}
	}
}

func TestResumeTakesTheFlagsOfTheLastRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "folder")
	run := func(arguments ...string) (Options, error) {
		var f Flags
		set, parse := flagSets["flag"]()
		f.Add(set)
		require.NoError(t, parse(arguments))
		o := Options{Folder: dir, Messages: io.Discard}
		if err := f.Set(&o); err != nil {
			return o, err
		}
		_, err := Run(t.Context(), Campaign{Kind: "nothing"}, o)
		require.NoError(t, err)
		return o, nil
	}
	slurm := Slurm{Options: []string{"--mem=2G"}, ArrayLimit: 9}
	for _, c := range []struct {
		arguments []string
		engine    Engine
		retries   int
	}{
		{[]string{"--engine=slurm", "--sbatch=--mem=2G", "--array-limit=9", "--retries=2"}, slurm, 2},
		{[]string{"--resume"}, slurm, 2},
		{[]string{"--resume", "--sbatch=--mem=4G", "--retries=1"}, Slurm{Options: []string{"--mem=4G"}, ArrayLimit: 9}, 1},
		{[]string{"--resume", "--array-limit=2"}, Slurm{Options: []string{"--mem=4G"}, ArrayLimit: 2}, 1},
		{[]string{"--resume", "--engine=local"}, Local{}, 1},
		{[]string{"--jobs=2"}, Local{Jobs: 2}, 0},
		{[]string{"--resume"}, Local{Jobs: 2}, 0},
	} {
		o, err := run(c.arguments...)
		require.NoError(t, err)
		assert.Equal(t, c.engine, o.Engine, c.arguments)
		assert.Equal(t, c.retries, o.Retries, c.arguments)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run.json"), []byte("{"), 0o666))
	_, err := run("--resume")
	require.ErrorContains(t, err, "--resume: "+filepath.Join(dir, "run.json")+": unexpected end of JSON input")
}
