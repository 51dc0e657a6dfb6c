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

	"github.com/hcgen/hcgen/gen/artifact"
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

// Files are the page with all that is known of a machine and its collective networks before anything
// is run, and the scripts that put results into it.
func Files(p *plan.Plan, networks []*plan.Collective) ([]artifact.File, error) {
	var files []artifact.File
	for _, name := range reportScripts {
		script, err := templates.Files.ReadFile("report/" + name)
		if err != nil {
			return nil, fmt.Errorf("embedded file: %w", err)
		}
		files = append(files, artifact.File{Path: "report/" + name, Role: role, Content: func(w io.Writer) error {
			_, err := w.Write(script)
			return err
		}})
	}
	return append(files,
		artifact.File{Path: "report/machine.sh", Role: role, Content: func(w io.Writer) error {
			return settingsTemplate.Execute(w, newReportSettings(p))
		}},
		artifact.File{Path: "report/page.html", Role: role, Content: func(w io.Writer) error {
			v, err := newPageView(p, networks)
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
	Routers                     int // 1 if there are any
	Ports, Deliveries           int
	Traces, Networks, Targets   string
	Synthesized, Replayed       string // what is synthesized beside the router, and of this what has netlists that replay a trace
}

func newReportSettings(p *plan.Plan) *reportSettings {
	s := &reportSettings{
		Header: p.Notice("#"), Machine: p.Name, ConfigHash: p.Machine.Hash,
		Ports: p.Degree, Deliveries: p.Deliveries,
	}
	var dimensions, traces, networks, targets []string
	for _, d := range p.Dims {
		dimensions = append(dimensions, fmt.Sprint(d.M))
	}
	if !p.Machine.NoRouters {
		s.Routers = 1
		nodes := 1 // in a trace of one router
		if p.HasTrace() {
			nodes = p.Nodes
		}
		traces = append(traces, plan.RouterTraffic+":1")
		for _, t := range p.Traffics() {
			traces = append(traces, fmt.Sprintf("%s:%d", t.Name, nodes))
		}
	}
	for _, c := range p.Machine.Collectives {
		networks = append(networks, c.Name)
	}
	synthesized, replayed := networks, networks
	if p.Endpoint != nil {
		synthesized = append([]string{plan.SystemTraffic}, networks...)
	}
	if p.HasSystemTrace() {
		replayed = synthesized
	}
	for _, t := range p.Machine.Synthesis {
		targets = append(targets, t.Name)
	}
	s.Dimensions, s.Traces, s.Networks, s.Targets = strings.Join(dimensions, " "), strings.Join(traces, " "), strings.Join(networks, " "), strings.Join(targets, " ")
	s.Synthesized, s.Replayed = strings.Join(synthesized, " "), strings.Join(replayed, " ")
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
	Routers               bool
	Registers             bool          // links have a latency
	Networks              *networkTable // nil if there are none
	Steps                 []stepView    // of a broadcast by routers
	Picture               template.HTML // empty if the machine is too large for one
	TooLarge              string        // what it has too many of
	Tree                  []treeRow     // like First, Data and Operations empty without a picture
	First                 firstView
	Data                  *playerData
	Operations            []operationRow
}

// firstView is what the page shows of the first operation, behind its last step, without the script.
type firstView struct {
	What, Address, Status, By string
	Source, Steps             int
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
	Plays      []*play  `json:"plays"`
}

func newPageView(p *plan.Plan, networks []*plan.Collective) (*pageView, error) {
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
	v := &pageView{
		Name: p.Name, Config: p.Machine.Hash, Header: template.HTML("<!--\n" + p.Notice("") + "\n-->"), Style: template.CSS(style), Script: template.JS(script),
		Summary: fmt.Sprintf("%d nodes, %d links, degree %d, diameter %d", p.Nodes, g.Links(), p.Degree, g.Diameter()),
		Rows:    figures.Rows(), Ports: figures.Ports, Routers: !p.Machine.NoRouters,
		Registers: figures.Dimensions[0].Link != nil,
	}
	for i, d := range figures.Dimensions {
		v.Dimensions = append(v.Dimensions, dimensionRow{i + 1, d})
	}
	if v.Routers {
		v.broadcast(p)
	} else {
		v.Summary += "; no routers."
	}
	if len(networks) > 0 {
		v.Networks = newNetworkTable(networks)
	}
	var large *draw.TooLarge
	if errors.As(draw.PlayerFits(p), &large) {
		v.TooLarge = fmt.Sprintf("%d %s, more than %d", large.Has, large.What, large.Limit)
		return v, nil
	}
	return v, v.play(p, networks)
}

// broadcast adds what is known of broadcasts by routers.
func (v *pageView) broadcast(p *plan.Plan) {
	g := p.Machine.Graph
	tree := g.Broadcast(0, p.Machine.Preference)
	v.Summary += fmt.Sprintf(": every broadcast takes %d steps.", tree.Steps)
	if p.Destination != nil {
		v.Summary += fmt.Sprintf(" A message to one node takes its distance, on average %.4g.", g.AverageDistance())
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
}

// play adds the operations that are played, and the picture of the first.
func (v *pageView) play(p *plan.Plan, networks []*plan.Collective) error {
	plays, rows, err := newPlays(p, networks)
	if err != nil {
		return err
	}
	v.Operations = rows
	if len(plays) == 0 {
		return nil
	}
	first := plays[0]
	source := first.source()
	v.First = firstView{
		What: first.What, Address: draw.Address(p, source), Status: first.status(), By: first.By, Source: source, Steps: first.Steps,
	}
	picture, err := draw.Player(p, networkID, draw.Shown{
		Title:  fmt.Sprintf("%s %s in %s", first.What, v.First.Address, quantity(first.Steps, "step")),
		Source: source, Step: first.Items[0].Step, Moves: first.Items[0].moves(),
	})
	if err != nil {
		return err
	}
	v.Picture = template.HTML(picture)
	v.Data = &playerData{Plays: plays}
	styled := map[int]bool{}
	for _, play := range plays {
		if styled[play.Steps] {
			continue
		}
		within := ""
		if len(styled) > 0 {
			within = fmt.Sprintf("[data-steps=\"%d\"]", play.Steps)
		}
		v.Style += template.CSS(draw.StepStyle(within, play.Steps))
		styled[play.Steps] = true
	}
	for _, d := range p.Dims {
		v.Data.Dimensions = append(v.Data.Dimensions, d.M)
	}
	for i := range p.Ports {
		q := p.Ports[i]
		v.Data.Ports = append(v.Data.Ports, fmt.Sprintf("%d, %s %s %d", i, p.Dims[q.Dimension-1].Name, q.Direction, q.Distance))
	}
	shown := first.Items[0]
	for node := range p.Nodes {
		v.Data.Addresses = append(v.Data.Addresses, draw.Address(p, node))
		row := treeRow{Node: node, Address: draw.Address(p, node), Step: fmt.Sprint(shown.Step[node]), Parent: "-", Port: "-"}
		if shown.Parent[node] >= 0 {
			row.Parent, row.Port = fmt.Sprint(shown.Parent[node]), v.Data.Ports[shown.Port[node]]
		}
		v.Tree = append(v.Tree, row)
	}
	return nil
}

// quantity is "1 node" or "2 nodes".
func quantity(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
