// SPDX-License-Identifier: Apache-2.0

// Package report makes the page that sums up a machine and what was run on it.
package report

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"strings"
	text "text/template"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/draw"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/templates"
)

// networkID is the id of the picture within the page.
const networkID = "network"

// reportScripts are copied as they stand.
var reportScripts = []string{"report.sh", "html.awk", "page.awk", "timeline.awk", "results.awk"}

// role names the files of the report in the manifest.
const role = "report"

// settingsTemplate is a shell script that sets variables.
var settingsTemplate = text.Must(text.New("machine.sh.tmpl").Option("missingkey=error").ParseFS(templates.Files, "report/machine.sh.tmpl"))

// pageTemplate is parsed by html/template, which escapes every value for its place.
var pageTemplate = template.Must(template.New("page.html").Option("missingkey=error").Funcs(template.FuncMap{
	"put": putLine,
}).ParseFS(templates.Files, "report/page.html"))

// putLine is the line that report.sh replaces by a part; in the template itself it would
// be dropped as a comment.
func putLine(part string) template.HTML { return template.HTML("<!-- put: " + part + " -->") }

// Files are the page with all that is known before anything is run, and the scripts
// that put results into it.
func Files(p *plan.Plan) ([]output.File, error) {
	var files []output.File
	for _, name := range reportScripts {
		script, err := templates.Files.ReadFile("report/" + name)
		if err != nil {
			return nil, fmt.Errorf("embedded file: %w", err)
		}
		files = append(files, output.File{Path: "report/" + name, Role: role, Content: func(w io.Writer) error {
			_, err := w.Write(script)
			return err
		}})
	}
	return append(files,
		output.File{Path: "report/machine.sh", Role: role, Content: func(w io.Writer) error {
			return settingsTemplate.Execute(w, newReportSettings(p))
		}},
		output.File{Path: "report/page.html", Role: role, Content: func(w io.Writer) error {
			v, err := newPageView(p)
			if err != nil {
				return err
			}
			return pageTemplate.Execute(w, v)
		}},
	), nil
}

// reportSettings is what report.sh has to know of the machine.
type reportSettings struct {
	Header, Machine, ConfigHash string
	Dimensions                  string
	Ports, Deliveries           int
	Traces, Targets             string
}

func newReportSettings(p *plan.Plan) *reportSettings {
	s := &reportSettings{
		Header: p.Notice("#"), Machine: p.Name, ConfigHash: p.Machine.Hash,
		Ports: p.Degree, Deliveries: p.Deliveries,
	}
	var dimensions, targets []string
	for _, d := range p.Dims {
		dimensions = append(dimensions, fmt.Sprint(d.M))
	}
	nodes := 1 // in a trace of one router
	if p.Machine.Network {
		nodes = p.Nodes
	}
	traces := []string{plan.RouterTraffic + ":1"}
	for _, t := range p.Traffics() {
		traces = append(traces, fmt.Sprintf("%s:%d", t.Name, nodes))
	}
	for _, t := range p.Machine.Synthesis {
		targets = append(targets, t.Name)
	}
	s.Dimensions, s.Traces, s.Targets = strings.Join(dimensions, " "), strings.Join(traces, " "), strings.Join(targets, " ")
	return s
}

// pageView is everything the page prints.
type pageView struct {
	Name, Summary, Config string
	Header                template.HTML
	Style                 template.CSS
	Script                template.JS
	Rows                  []plan.Row
	Dimensions            []dimensionRow
	Ports                 []plan.PortFigures
	Diameter              int
	Status                string // of the whole broadcast
	Steps                 []stepView
	Picture               template.HTML // empty if the machine is too large for one
	TooLarge              string        // what it has too many of
	Source                string        // address of node 0
	Tree                  []treeRow     // like Data and Operations empty without a picture
	Data                  *playerData
	Operations            []operationRow
	Mutable               bool // make campaign WHAT=mutate takes it
}

// dimensionRow is a dimension with its number.
type dimensionRow struct {
	Index int
	plan.DimensionFigures
}

// stepView reports how many nodes a step reaches.
type stepView struct{ Step, Reached, Total int }

// treeRow is a node of the broadcast tree of node 0.
type treeRow struct {
	Node                        int
	Address, Step, Parent, Port string
}

// playerData is what the script of the page reads.
type playerData struct {
	Dimensions []int    `json:"dimensions"` // m of each, dimension 1 first
	Addresses  []string `json:"addresses"`
	Ports      []string `json:"ports"`
	Plays      []*play  `json:"plays"` // broadcast first
}

func newPageView(p *plan.Plan) (*pageView, error) {
	style, err := fs.ReadFile(templates.Files, "report/style.css")
	if err != nil {
		return nil, fmt.Errorf("embedded file: %w", err)
	}
	script, err := fs.ReadFile(templates.Files, "report/player.js")
	if err != nil {
		return nil, fmt.Errorf("embedded file: %w", err)
	}
	figures := p.Figures()
	g := p.Machine.Graph
	tree := g.Broadcast(0, p.Machine.Preference)
	v := &pageView{
		Name: p.Name, Config: p.Machine.Hash, Header: template.HTML("<!--\n" + p.Notice("") + "\n-->"), Style: template.CSS(style), Script: template.JS(script),
		Summary: fmt.Sprintf("%d nodes, %d links, degree %d, diameter %d: every broadcast takes %d steps.",
			p.Nodes, g.Links(), p.Degree, g.Diameter(), tree.Steps),
		Rows: figures.Rows(), Ports: figures.Ports, Diameter: g.Diameter(),
		Source:  draw.Address(p, 0),
		Mutable: p.Programmable == nil && p.Machine.Network,
	}
	if p.Destination != nil {
		v.Summary += fmt.Sprintf(" A message to one node takes its distance, on average %.4g.", g.AverageDistance())
	}
	for i, d := range figures.Dimensions {
		v.Dimensions = append(v.Dimensions, dimensionRow{i + 1, d})
	}
	v.Steps = make([]stepView, tree.Steps+1)
	for _, step := range tree.Step {
		v.Steps[step].Reached++
	}
	total := 0
	for step := range v.Steps {
		total += v.Steps[step].Reached
		v.Steps[step].Step, v.Steps[step].Total = step, total
	}
	last := v.Steps[tree.Steps]
	v.Status = fmt.Sprintf("Step %d of %d: %s reached, %d of %d.", last.Step, tree.Steps, quantity(last.Reached, "node"), last.Total, p.Nodes)

	picture, err := draw.Player(p, networkID)
	var large *draw.TooLarge
	switch {
	case errors.As(err, &large):
		v.TooLarge = fmt.Sprintf("%d %s, more than %d", large.Has, large.What, large.Limit)
		return v, nil
	case err != nil:
		return nil, err
	}
	v.Picture = template.HTML(picture)
	v.Data = &playerData{}
	if v.Data.Plays, v.Operations, err = newPlays(p); err != nil {
		return nil, err
	}
	v.Style += template.CSS(draw.StepStyle("", tree.Steps))
	styled := map[int]bool{tree.Steps: true}
	for _, play := range v.Data.Plays {
		if !styled[play.Steps] {
			styled[play.Steps] = true
			v.Style += template.CSS(draw.StepStyle(fmt.Sprintf("[data-steps=\"%d\"]", play.Steps), play.Steps))
		}
	}
	for _, d := range p.Dims {
		v.Data.Dimensions = append(v.Data.Dimensions, d.M)
	}
	for i := range p.Ports {
		q := p.Ports[i]
		v.Data.Ports = append(v.Data.Ports, fmt.Sprintf("%d, %s %s %d", i, p.Dims[q.Dimension-1].Name, q.Direction, q.Distance))
	}
	for node := range p.Nodes {
		v.Data.Addresses = append(v.Data.Addresses, draw.Address(p, node))
		row := treeRow{Node: node, Address: draw.Address(p, node), Step: fmt.Sprint(tree.Step[node]), Parent: "-", Port: "-"}
		if node != tree.Source {
			row.Parent, row.Port = fmt.Sprint(tree.Parent[node]), v.Data.Ports[tree.Port[node]]
		}
		v.Tree = append(v.Tree, row)
	}
	return v, nil
}

// quantity is "1 node" or "2 nodes".
func quantity(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
