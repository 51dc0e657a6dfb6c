// SPDX-License-Identifier: Apache-2.0

// Package assemble collects the output folder of a machine: the files of package gen, the golden
// traces of the reference model, and the report.
package assemble

import (
	"io"

	"github.com/hcgen/hcgen/gen"
	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/internal/report"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/sim/collective"
	"github.com/hcgen/hcgen/sim/endpoint"
	"github.com/hcgen/hcgen/sim/traces"
)

// routerSeed is the seed of the traffic in golden/router.trace.
const routerSeed = 1

// Options are the settings that do not depend on the machine.
type Options struct {
	// Core is the vendor:library:name:version of the core for FuseSoC; empty means ::name:0.
	Core string

	// Progress, if not nil, is called at intervals while a long file is generated, with its name and
	// progress.
	Progress func(what string, done, total int)
}

// Files returns every file of the machine. Their contents are generated when they are written. The
// error is that of a collective network without a schedule, or of gen.Files.
func Files(p *plan.Plan, opts Options) ([]artifact.File, error) {
	return files(p, schedule.ForNetwork, opts)
}

// files is Files, with the finder of the schedules.
func files(p *plan.Plan, find plan.Finder, opts Options) ([]artifact.File, error) {
	networks, err := plan.Collectives(p.Machine, find)
	if err != nil {
		return nil, err
	}
	files, err := gen.Files(p, networks, opts.Core)
	if err != nil {
		return nil, err
	}
	for _, c := range networks {
		files = append(files, goldenCollective(p, c, opts.Progress))
	}
	if !p.Machine.NoRouters {
		files = append(files, golden(p, opts.Progress)...)
	}
	if p.HasSystemTrace() {
		files = append(files, goldenSystem(p, opts.Progress))
	}
	pages, err := report.Files(p, networks)
	return append(files, pages...), err
}

// goldenCollective makes the trace of a collective network.
func goldenCollective(p *plan.Plan, c *plan.Collective, show func(what string, done, total int)) artifact.File {
	return artifact.File{Path: plan.GoldenCollectivePath(c.Name), Role: artifact.Golden, Content: func(w io.Writer) error {
		return collective.Write(w, c, p.Machine.Hash, func(done, total int) {
			if show != nil {
				show(c.Name, done, total)
			}
		})
	}}
}

// goldenSystem makes the trace of the network with its endpoints.
func goldenSystem(p *plan.Plan, show func(what string, done, total int)) artifact.File {
	return artifact.File{Path: plan.GoldenPath(plan.SystemTraffic), Role: artifact.Golden, Content: func(w io.Writer) error {
		return endpoint.Write(w, p, func(done, total int) {
			if show != nil {
				show(plan.SystemTraffic, done, total)
			}
		})
	}}
}

// golden makes the trace of one router driven at all its ports, and a trace for each traffic: of the
// network, or of node 0 if there is no network top.
func golden(p *plan.Plan, show func(what string, done, total int)) []artifact.File {
	progress := func(what string) func(done, total int) {
		if show == nil {
			return nil
		}
		return func(done, total int) { show(what, done, total) }
	}
	trace := func(traffic string, write func(io.Writer) error) artifact.File {
		return artifact.File{Path: plan.GoldenPath(traffic), Role: artifact.Golden, Content: write}
	}
	files := []artifact.File{trace(plan.RouterTraffic, func(w io.Writer) error {
		return traces.WriteRouter(w, p, 0, routerSeed, progress(plan.RouterTraffic))
	})}
	write := traces.WriteNode
	if p.HasTrace() {
		write = traces.WriteNetwork
	}
	for _, t := range p.Traffics() {
		files = append(files, trace(t.Name, func(w io.Writer) error {
			_, err := write(w, p, t, progress(t.Name))
			return err
		}))
	}
	return files
}
