// SPDX-License-Identifier: Apache-2.0

//go:build unix

// The programs that replace the tools here are shell scripts.

package measure

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/campaign"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/synthesis"
)

// On another node of a cluster there may be another hcgen, or other tools.
func TestUnitOfOtherProgramsIsRefused(t *testing.T) {
	bin := t.TempDir()
	for _, tool := range Tools {
		require.NoError(t, os.WriteFile(filepath.Join(bin, tool), []byte("#!/bin/sh\necho "+tool+" 2\n"), 0o755))
	}
	t.Setenv("PATH", bin)
	q := &explore.Query{}
	units, err := Units(t.Context(), *q, listed(t, q, explore.Range{Low: 3, High: 3}, explore.AllDegrees),
		map[string]string{"yosys": "yosys 2", "nextpnr-ice40": "nextpnr-ice40 2"})
	require.NoError(t, err)
	for _, c := range []struct {
		change func(*task)
		fails  string
	}{
		{func(d *task) { d.Files = strings.Repeat("0", 64) }, "this program generates other files than the one that has started the campaign"},
		{func(d *task) { d.Tools = map[string]string{"yosys": "yosys 2", "nextpnr-ice40": "nextpnr-ice40 1"} }, "nextpnr-ice40 is nextpnr-ice40 2 here, and nextpnr-ice40 1 where the campaign runs"},
	} {
		d := units[0].Input.(task)
		c.change(&d)
		input, err := json.Marshal(d)
		require.NoError(t, err)
		_, err = Work(t.Context(), input)
		assert.EqualError(t, err, c.fails)
	}
}

// A router that does not fit has its LUT4, and no clock. The program that stands for nextpnr says so for every design.
func TestRouterThatDoesNotFitHasItsCells(t *testing.T) {
	needs.Tools(t, "yosys")
	bin := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" != --version ] || { echo '(Version 0.4)'; exit; }\necho 'Info: \t         ICESTORM_LC:  8001/ 7680   104%'\nexit 1\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "nextpnr-ice40"), []byte(script), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	q := &explore.Query{}
	list := listed(t, q, explore.Range{Low: 2, High: 2}, explore.AllDegrees)
	units, err := Units(t.Context(), *q, list, installed(t))
	require.NoError(t, err)
	r := worked(t, units[0])
	assert.JSONEq(t, `{"kind": "ICESTORM_LC", "used": 8001, "available": 7680}`, string(field(t, r.Result, "overflow")))
	require.NoError(t, Apply(*q, list, []campaign.Result{r}))
	assert.InDelta(t, 49, list[0].Router.LUT4, 20)
	assert.Equal(t, explore.Clock{}, list[0].Router.Clock)
}

func field(t *testing.T, object json.RawMessage, name string) json.RawMessage {
	t.Helper()
	var fields map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(object, &fields))
	return fields[name]
}

// An error of the tools is no result: the unit runs again another time.
func TestBrokenToolIsNoResult(t *testing.T) {
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "yosys"), []byte("#!/bin/sh\n[ \"$1\" = -V ] && echo Yosys 0.23 && exit\nexit 1\n"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "nextpnr-ice40"), []byte("#!/bin/sh\necho 0.4\n"), 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	q := &explore.Query{}
	units, err := Units(t.Context(), *q, listed(t, q, explore.Range{Low: 2, High: 2}, explore.AllDegrees), installed(t))
	require.NoError(t, err)
	input, err := json.Marshal(units[0].Input)
	require.NoError(t, err)
	_, err = Work(t.Context(), input)
	assert.ErrorIs(t, err, synthesis.ErrSynthesis)
}
