// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strconv"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/explore"
	"github.com/hcgen/hcgen/internal/explore/measure"
)

// parseMeasure reads the number of routers to synthesize; 0 if none.
func parseMeasure(number, cache once) (int, error) {
	if !number.set {
		if cache.set {
			return 0, usage("add --measure NUMBER", "--cache needs --measure")
		}
		return 0, nil
	}
	n, err := strconv.Atoi(number.value)
	if err != nil || n < 1 || n > explore.MaxMachines {
		return 0, usage(fmt.Sprintf("write a number from 1 to %d", explore.MaxMachines), "--measure: %q is not a number of machines", number.value)
	}
	if !cache.set {
		return 0, usage("add --cache FOLDER, such as --cache measured", "--measure needs a folder for the results")
	}
	return n, nil
}

// bestFirst chooses a number of machines of a list: first those that no other machine beats, then the others,
// both in the order of the list.
func bestFirst(list []explore.Machine, most int) (chosen []*explore.Machine) {
	for _, best := range []bool{true, false} {
		for i := range list {
			if list[i].Best == best && len(chosen) < most {
				chosen = append(chosen, &list[i])
			}
		}
	}
	return chosen
}

// measureRouters synthesizes the routers of machines, for messages with destinations or not.
func measureRouters(ctx context.Context, c *console, list []*explore.Machine, cache string, destination bool) error {
	if len(list) == 0 {
		return nil
	}
	progress := newProgress(c)
	meter := measure.Meter{Cache: cache, Jobs: runtime.NumCPU(), Destination: destination, Done: func(done, total int) { progress.show("synthesis", done, total) }}
	var machines [][]hypercycle.Dimension
	for i := range list {
		machines = append(machines, list[i].Rings)
	}
	progress.show("synthesis", 0, len(list)) // before the first, which takes a while
	cells, err := meter.Routers(ctx, machines)
	progress.clear()
	switch pathErr := (*fs.PathError)(nil); {
	case errors.Is(err, context.Canceled):
		return failure{code: exitInterrupted, err: fmt.Errorf("interrupted; results so far are in %s", cache)}
	case errors.Is(err, measure.ErrNoYosys):
		return failure{code: exitTool, err: err, advice: "on Debian: apt-get install yosys"}
	case errors.Is(err, measure.ErrYosysFails):
		return failure{code: exitTool, err: err, advice: "on Debian: apt-get install --reinstall yosys"}
	case errors.As(err, &pathErr):
		return failure{code: exitUsage, err: fmt.Errorf("%s cannot be written: %w", cache, pathErr.Err),
			advice: "add --cache FOLDER, such as --cache measured"}
	case err != nil:
		return classify(err)
	}
	for i := range list {
		list[i].Measured = cells[i].LUT4
	}
	return nil
}
