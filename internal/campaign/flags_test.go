// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"flag"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFlagsSetTheOptions(t *testing.T) {
	for _, c := range []struct {
		arguments []string
		options   Options
		err       string
	}{
		{nil, Options{}, ""},
		{[]string{"--jobs=3", "--shard=2/3"}, Options{Jobs: 3, Shard: Shard{2, 3}}, ""},
		{[]string{"--results"}, Options{Results: true}, ""},
		{[]string{"--jobs=-1"}, Options{}, "--jobs is -1, want 0 or more"},
		{[]string{"--shard=4/3"}, Options{}, `--shard: "4/3" is no shard: want I/N, with I from 1 to N, such as 2/3`},
		{[]string{"--shard=1/3", "--results"}, Options{}, "--results and --shard exclude each other, because --results reads the results of all shards"},
	} {
		var f Flags
		set := flag.NewFlagSet("", flag.ContinueOnError)
		set.SetOutput(io.Discard)
		f.Add(set)
		require.NoError(t, set.Parse(c.arguments))
		var o Options
		err := f.Set(&o)
		if c.err != "" {
			require.EqualError(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.options, o, c.arguments)
	}
}

func TestShardsAreFromOneToTheirNumber(t *testing.T) {
	for text, want := range map[string]Shard{"1/1": {1, 1}, "3/3": {3, 3}, "20/100": {20, 100}} {
		got, err := ParseShard(text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Equal(t, text, got.String())
	}
	for _, text := range []string{"", "1", "0/3", "4/3", "-1/3", "1/0", "0/0", "1/-1", "1/3/3", "a/b", "1/ 3", " 1/3", "1.5/3", "/3", "1/"} {
		_, err := ParseShard(text)
		assert.ErrorContains(t, err, "is no shard: want I/N", text)
	}
}
