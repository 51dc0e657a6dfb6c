// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"
)

// Shard is the share of units that a run has, the I-th of Of equal ones: every Of-th unit from the I-th on. The
// zero value has all units.
type Shard struct{ I, Of int }

// ParseShard reads a shard such as 2/3.
func ParseShard(text string) (Shard, error) {
	first, second, _ := strings.Cut(text, "/")
	i, errI := strconv.Atoi(first)
	n, errN := strconv.Atoi(second)
	if errI != nil || errN != nil || i < 1 || i > n {
		return Shard{}, fmt.Errorf("%q is no shard: want I/N, with I from 1 to N, such as 2/3", text)
	}
	return Shard{i, n}, nil
}

// String is the shard as ParseShard reads it.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.Of) }

// has reports whether the shard has the unit of a number.
func (s Shard) has(unit int) bool { return s.Of == 0 || unit%s.Of == s.I-1 }

// ErrResultsOfShard is the error of flags that ask for the results of a shard.
var ErrResultsOfShard = errors.New("--results and --shard exclude each other, because --results reads the results of all shards")

// Flags are the flags of a program of the project that runs campaigns.
type Flags struct {
	jobs    int
	shard   string
	results bool
}

// Add adds the flags to a set.
func (f *Flags) Add(set *flag.FlagSet) {
	set.IntVar(&f.jobs, "jobs", 0, "`number` of units that run at a time; 0: one for each processor")
	set.StringVar(&f.shard, "shard", "", "run only share `I/N` of the units; all shares may work in one folder at once")
	set.BoolVar(&f.results, "results", false, "print what is finished, and run nothing")
}

// Set sets the options. The error is a mistake in the flags.
func (f *Flags) Set(o *Options) (err error) {
	if f.jobs < 0 {
		return fmt.Errorf("--jobs is %d, want 0 or more", f.jobs)
	}
	if f.shard != "" {
		if o.Shard, err = ParseShard(f.shard); err != nil {
			return fmt.Errorf("--shard: %w", err)
		}
		if f.results {
			return ErrResultsOfShard
		}
	}
	o.Jobs, o.Results = f.jobs, f.results
	return nil
}
