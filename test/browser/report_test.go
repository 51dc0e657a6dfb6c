// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
)

// Machines that the tests share: rings with transfers, a grid of several steps, and a machine
// that is too large for a picture.
var (
	mixed = dimensions("mixed", "5,1 6,2", "router {\npreference = \"balanced\"\n}\n")
	large = dimensions("thousand", "11,1 11,2 11,3", "network = false\n")
)

// seen is the state of a broadcast on the page.
type seen struct {
	Status  string
	Reached []int    // nodes drawn as reached, the source not among them
	Now     []int    // nodes reached in this step
	Source  []int    // nodes drawn as the source
	Numbers []string // in each node: the step in which it received, if it has
	Links   []string // "from to" of links drawn as messages
	Steps   []string // by node: step, parent, port and state in the table
	Slider  string
}

const look = `(() => {
  const all = (what) => [...document.querySelectorAll("#network " + what)];
  const nodes = (what) => all(".node" + what).map(g => +g.dataset.node);
  return {
    Status: document.getElementById("status").textContent,
    Reached: nodes(".reached"), Now: nodes(".now"), Source: nodes(".source"),
    Numbers: all(".node .step").map(e => e.textContent),
    Links: all(".link.sent").map(g => {
      const ends = g.dataset.link.split(" "), visible = (c) => getComputedStyle(g.querySelector(c)).visibility === "visible";
      if (visible(".head") === visible(".tail")) return "no one way";
      return visible(".head") ? ends[0] + " " + ends[1] : ends[1] + " " + ends[0];
    }).sort(),
    Steps: [...document.querySelectorAll("#tree tbody tr")]
      .sort((a, b) => a.cells[0].textContent - b.cells[0].textContent)
      .map(r => [...r.cells].slice(2).map(c => c.textContent).join("|")),
    Slider: document.getElementById("step").getAttribute("aria-valuetext"),
  };
})()`

// want is the expected state, from the reference model.
func want(p *plan.Plan, source, step int) seen {
	s := seen{Reached: []int{}, Now: []int{}, Source: []int{source}, Numbers: make([]string, p.Nodes), Links: []string{}, Steps: make([]string, p.Nodes)}
	s.Numbers[source], s.Steps[source] = "0", "0|-|-|source"
	result := measure.Broadcast(p, source)
	for _, d := range result.Deliveries {
		q := p.Ports[d.Port]
		state := "not yet"
		if d.Step <= step {
			state = "reached"
			s.Reached = append(s.Reached, d.Node)
			s.Numbers[d.Node] = fmt.Sprint(d.Step)
			s.Links = append(s.Links, fmt.Sprintf("%d %d", d.Parent, d.Node))
			if d.Step == step {
				state = "reached now"
				s.Now = append(s.Now, d.Node)
			}
		}
		s.Steps[d.Node] = fmt.Sprintf("%d|%d|%d, %s %s %d|%s", d.Step, d.Parent, d.Port, p.Dims[q.Dimension-1].Name, q.Direction, q.Distance, state)
	}
	slices.Sort(s.Reached)
	slices.Sort(s.Now)
	slices.Sort(s.Links)
	what := fmt.Sprintf("%d nodes reached", len(s.Now))
	if len(s.Now) == 1 {
		what = "1 node reached"
	}
	if step == 0 {
		digits := fmt.Sprint(p.Machine.Graph.Digits(source))
		what = "the source is " + strings.ReplaceAll(strings.Trim(digits, "[]"), " ", ",")
	}
	s.Status = fmt.Sprintf("Step %d of %d: %s, %d of %d.", step, result.Steps, what, len(s.Reached)+1, p.Nodes)
	s.Slider = s.Status
	return s
}

func TestBroadcastIsPlayedByKeyboardAndMouseAsTheModelSays(t *testing.T) {
	needs.Time(t)
	p, out := generated(t, mixed)
	page := open(t)
	page.load(reportOf(out))
	steps := p.Machine.Graph.Diameter()
	shows := func(source, step int, why string) {
		t.Helper()
		require.Equal(t, want(p, source, step), ask[seen](page, look), why)
	}
	press := func(keys string) { t.Helper(); page.run(chromedp.KeyEvent(keys)) }
	shows(0, steps, "at first the whole broadcast")

	page.run(chromedp.Focus(chromedp.CSS("#stage")))
	press(kb.Home)
	shows(0, 0, "Home")
	for step := 1; step <= steps; step++ {
		press(kb.ArrowRight)
		shows(0, step, "right")
	}
	press(kb.ArrowRight)
	shows(0, steps, "no further than the last")
	press(kb.ArrowLeft)
	shows(0, steps-1, "left")
	press(kb.End)
	shows(0, steps, "End")

	for _, c := range []struct {
		button string
		step   int
	}{{"#first", 0}, {"#back", 0}, {"#next", 1}, {"#next", 2}, {"#back", 1}, {"#last", steps}, {"#next", steps}} {
		page.run(chromedp.Click(chromedp.CSS(c.button)))
		shows(0, c.step, c.button)
	}
	press(kb.ArrowLeft)
	shows(0, steps-1, "left, with the focus on a button")

	page.run(chromedp.Focus(chromedp.CSS("#step")))
	press(kb.Home)
	shows(0, 0, "Home on the slider")
	press(kb.ArrowRight)
	shows(0, 1, "right on the slider")

	// any source, by mouse and by the list
	for _, source := range []int{7, p.Nodes - 1} {
		page.run(chromedp.Click(chromedp.CSS(fmt.Sprintf("#network [data-node='%d'] circle", source))))
		shows(source, 1, "a click on a node")
		assert.Equal(t, fmt.Sprint(source), ask[string](page, `document.getElementById("source").value`))
		assert.Equal(t, fmt.Sprintf("node %d, %d,%d", source, source/5, source%5), ask[string](page, `document.getElementById("tree-source").textContent`))
	}
	page.run(chromedp.Focus(chromedp.CSS("#source")))
	press(kb.Home)
	shows(0, 1, "the list of sources")
	for source := range p.Nodes {
		page.do(fmt.Sprintf(`(() => { const s = document.getElementById("source"); s.value = %d; s.dispatchEvent(new Event("change")) })()`, source))
		shows(source, 1, "every source")
	}

	// playing from the end restarts, and stops at the end
	page.run(chromedp.Focus(chromedp.CSS("#stage")))
	press(kb.End)
	press(" ")
	assert.Equal(t, "Pause", ask[string](page, `document.getElementById("play").textContent`))
	shows(p.Nodes-1, 0, "plays from the start")
	page.run(chromedp.Poll[chromedp.Void](fmt.Sprintf(`document.getElementById("step").value === "%d" && document.getElementById("play").textContent === "Play"`, steps)))
	shows(p.Nodes-1, steps, "to the end")
	press(" ")
	page.run(chromedp.Poll[chromedp.Void](`document.getElementById("step").value === "1"`), chromedp.Click(chromedp.CSS("#play")))
	assert.Equal(t, "Play", ask[string](page, `document.getElementById("play").textContent`), "a button that stops it")

	messages, requests := page.heard()
	assert.Empty(t, messages)
	assert.Equal(t, []string{"file://" + reportOf(out)}, requests, "only the page is loaded")
}

func TestPageAsksForNothingAndComplainsOfNothing(t *testing.T) {
	needs.Time(t)
	for name, description := range map[string]string{
		"large": large, "collective networks": dimensions("net", "4,1 3,1", "routers = false\n"+networks), "two nodes": dimensions("two", "2,1", ""),
		"programmable": dimensions("programmable", "4,1", "router {\nkind = \"programmable\"\n}\n"),
		"per port":     dimensions("ports", "3,1 4,2", "router {\ndelivery = \"per_port\"\nstages = 2\n}\n"),
	} {
		t.Run(name, func(t *testing.T) {
			_, out := generated(t, description)
			page := open(t)
			page.load(reportOf(out))
			messages, requests := page.heard()
			assert.Empty(t, messages)
			assert.Equal(t, []string{"file://" + reportOf(out)}, requests)
			assert.Equal(t, name != "large", ask[bool](page, `document.getElementById("network") !== null`))
		})
	}
}

// A resource from elsewhere, or an error in a script, is detected.
func TestRequestsAndErrorsAreHeard(t *testing.T) {
	needs.Time(t)
	_, out := generated(t, dimensions("two", "2,1", ""))
	good, err := os.ReadFile(reportOf(out))
	require.NoError(t, err)
	for name, change := range map[string][2]string{
		"an image":  {"</main>", "<img src=\"https://example.invalid/a.png\"></main>"},
		"a script":  {"</main>", "<script src=\"https://example.invalid/a.js\"></script></main>"},
		"a fault":   {"choose(chosen);\n})", "chose(chosen);\n})"},
		"a message": {"choose(chosen);\n})", "console.log(1);\n})"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(string(good), change[0]))
			bad := filepath.Join(t.TempDir(), "bad.html")
			require.NoError(t, os.WriteFile(bad, []byte(strings.Replace(string(good), change[0], change[1], 1)), 0o644))
			page := open(t)
			page.load(bad)
			messages, _ := page.heard()
			assert.NotEmpty(t, messages)
		})
	}
}

// contrasts lists texts, and meaningful lines and shapes, whose contrast to their background is too
// small for WCAG 2 AA, after the number of checked elements.
const contrasts = `(() => {
  const rgb = (c) => { const n = c.match(/[\d.]+/g).map(Number); return n.length > 3 && n[3] === 0 ? null : n.slice(0, 3); };
  const light = (c) => { const l = c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2]; };
  const contrast = (a, b) => { const x = light(a), y = light(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c) return c; } return [255, 255, 255]; };
  let looked = 0; const bad = [];
  const check = (e, colour, back, least) => { looked++; const c = contrast(rgb(colour), back);
    if (c < least) bad.push(e.tagName + "." + (e.getAttribute("class") || e.id) + " " + e.textContent.trim().slice(0, 20) + " " + c.toFixed(2)); };
  document.querySelectorAll("details").forEach(d => d.open = true);
  for (const e of document.body.querySelectorAll("*")) {
    if (!e.checkVisibility() || e.closest("script")) continue;
    const style = getComputedStyle(e);
    if (e.closest("svg")) {
      const circle = e.parentElement.querySelector(":scope > circle");
      if (e.tagName === "text") check(e, style.fill, circle ? rgb(getComputedStyle(circle).fill) : behind(e.closest("svg")), 4.5);
      else if (e.matches(".wire, circle, .inject, .deliver, .send")) check(e, style.stroke, behind(e.closest("svg")), 3);
      else if (e.matches(".head, .tail") && style.visibility === "visible") check(e, style.fill, behind(e.closest("svg")), 3);
      continue;
    }
    if ([...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) check(e, style.color, behind(e), 4.5);
    if (e.matches("button, select")) check(e, style.borderColor, behind(e.parentElement), 3);
  }
  return { looked, bad };
})()`

// results writes result files of flows into an output folder; HASH and SUM in them become those of the
// present files.
func results(t *testing.T, p *plan.Plan, out string, files map[string]string) {
	t.Helper()
	sum := exec.CommandContext(t.Context(), "sh", "-c", "cat $(cat filelist.f) | cksum")
	sum.Dir = out
	checksum, err := sum.Output()
	require.NoError(t, err)
	now := strings.NewReplacer("HASH", p.Machine.Hash, "SUM", strings.TrimSpace(string(checksum)))
	for path, text := range files {
		path = filepath.Join(out, "build", "results", path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(now.Replace(text)), 0o644))
	}
	report(t, out)
}

func TestColoursCanBeReadInLightAndDark(t *testing.T) {
	needs.Time(t)
	// eight steps and more: every colour; a passed, a failed, an outdated and a broken check
	p, out := generated(t, dimensions("colours", "21,1", "")+"traffic \"storm\" {\ncycles = 100\nrandom {\nrate = 0.2\nseed = 1\n}\n}\n")
	results(t, p, out, map[string]string{
		"lint-verilator.tsv": "of\tHASH\tSUM\nresult\tfailed\n", "lint-yosys.tsv": "of\tHASH\tSUM\nresult\tpassed\n", "lint-icarus.tsv": "\n",
		"prove.tsv":      "of\tHASH\tSUM\nresult\tbounded\n",
		"synth-hx8k.tsv": "of\tother\tSUM\ntable\tClock\nhead\tseed\tMHz\nrow\t1\t90.5\nresult\tmissed\n",
	})
	for _, theme := range []string{"light", "dark"} {
		page := open(t)
		call(page, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		page.load(reportOf(out))
		for step := range 2 { // the whole broadcast, and none of it
			found := ask[struct {
				Looked int
				Bad    []string
			}](page, contrasts)
			assert.Greater(t, found.Looked, 200, theme)
			assert.Empty(t, found.Bad, "%s, %d", theme, step)
			page.run(chromedp.Click(chromedp.CSS("#first")))
		}
		assert.Equal(t, theme == "dark", ask[bool](page, `parseInt(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0]) < 128`), theme)
		assert.Equal(t, "0s", ask[string](page, `getComputedStyle(document.querySelector(".node circle")).transitionDuration`), "reduced motion")

		// the check detects a colour that is too pale
		for _, variable := range []string{"--soft", "--idle", "--pass"} {
			page.run(chromedp.Click(chromedp.CSS("#last")))
			page.do(`document.documentElement.style = "` + variable + `: ` + map[string]string{"light": "#a0a0a0", "dark": "#505050"}[theme] + `"`)
			assert.NotEmpty(t, ask[struct{ Bad []string }](page, contrasts).Bad, variable)
		}
	}
}

func TestPhoneNeedsNoSidewaysScrolling(t *testing.T) {
	needs.Time(t)
	_, out := generated(t, mixed+"traffic \"storm\" {\ncycles = 700\nrandom {\nrate = 0.2\nseed = 1\n}\n}\n")
	_, second := generated(t, dimensions("net", "4,1 3,1", networks))
	for _, path := range []string{reportOf(out), reportOf(second)} {
		page := open(t)
		call(page, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 360, Height: 740, DeviceScaleFactor: 2, Mobile: true})
		page.load(path)
		if path == reportOf(second) {
			page.set("operation", 1)
		}
		page.do(`document.querySelectorAll("details").forEach(d => d.open = true)`)
		assert.Equal(t, 360, ask[int](page, `window.innerWidth`))
		assert.LessOrEqual(t, ask[int](page, `document.documentElement.scrollWidth`), 360)
		assert.Empty(t, ask[[]string](page, `[...document.querySelectorAll("button, select, input, summary")].filter(e => {
			const r = e.getBoundingClientRect(); return r.width < 24 || r.height < 16 || r.left < 0 || r.right > 360;
		}).map(e => e.id || e.textContent)`), "controls that a finger can find")
		page.do(`document.querySelector("main").style.width = "400px"`)
		assert.Greater(t, ask[int](page, `document.documentElement.scrollWidth`), 360, "were it too wide, this would be found")
	}
}

// A narrow page shows all columns of the main tables and short traces completely; a wide page wraps no caption.
func TestTablesAndTracesFitThePage(t *testing.T) {
	needs.Time(t)
	_, out := generated(t, dimensions("fits", "4,1 4,1", "")+"traffic \"brief\" {\ncycles = 13\nbroadcast {\nsources = [[0, 0]]\n}\n}\n")
	page := open(t)
	call(page, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 400, Height: 740, DeviceScaleFactor: 1, Mobile: true})
	page.load(reportOf(out))
	const cut = `[...document.querySelectorAll(".scroll")].filter(e => e.scrollWidth > e.clientWidth).map(e => e.getAttribute("aria-label") || e.getAttribute("aria-labelledby"))`
	for _, name := range ask[[]string](page, cut) {
		assert.NotContains(t, []string{"Ports", "Dimensions", "Properties", "Checks", "Steps of operations", "trace-brief"}, name)
	}
	assert.Equal(t, 1, ask[int](page, `document.querySelectorAll("[aria-labelledby=trace-brief] svg.timeline").length`))
	page.do(`document.querySelectorAll(".scroll").forEach(e => e.style.width = "250px")`)
	assert.Contains(t, ask[[]string](page, cut), "Ports", "were it cut, this would be found")

	call(page, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1280, Height: 740, DeviceScaleFactor: 1})
	page.load(reportOf(out))
	folded := `[...document.querySelectorAll("caption")].filter(e => e.getBoundingClientRect().height > 36).map(e => e.textContent)`
	assert.Empty(t, ask[[]string](page, folded))
	page.do(`document.querySelectorAll("caption").forEach(e => e.style.whiteSpace = "normal")`)
	assert.Contains(t, ask[[]string](page, folded), "Nodes that a broadcast reaches in each step", "were one folded, this would be found")
}

func TestScreenReadersHearNamesAndRoles(t *testing.T) {
	needs.Time(t)
	_, out := generated(t, mixed)
	page := open(t)
	page.load(reportOf(out))
	page.do(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	announced := map[string][]string{}
	var headings []string
	for _, n := range call(page, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if n.Ignored || n.Role == nil || n.Name == nil {
			continue
		}
		role, name := text(n.Role), text(n.Name)
		announced[role] = append(announced[role], name)
		for _, property := range n.Properties {
			switch {
			case role == "heading" && property.Name == accessibility.PropertyNameLevel:
				headings = append(headings, text(property.Value)+" "+name)
			case role == "status" && property.Name == accessibility.PropertyNameLive:
				assert.Equal(t, "polite", text(property.Value))
			}
		}
	}
	assert.Equal(t, []string{"First", "Back", "Play", "Next", "Last"}, announced["button"])
	assert.Equal(t, []string{"Step"}, announced["slider"])
	assert.Equal(t, []string{"Operation", "Node"}, announced["combobox"])
	assert.Equal(t, []string{"Sections"}, announced["navigation"])
	assert.Len(t, announced["main"], 1)
	assert.Len(t, announced["status"], 1)
	assert.Contains(t, announced["image"], "Broadcast from 0,0 in 4 steps")
	assert.Contains(t, announced["group"], "Steps of the operation")
	for _, caption := range []string{"Properties", "Dimensions, 1 is the last digit of an address", "Ports of every router", "Nodes that a broadcast reaches in each step",
		"Steps of operations, by all ports", "Broadcast from node 0, 0,0", "Checks, by target of make"} {
		assert.Contains(t, announced["table"], caption)
	}
	assert.NotContains(t, announced["table"], "")
	assert.NotContains(t, announced["image"], "")
	assert.NotEmpty(t, announced["rowheader"])
	assert.NotEmpty(t, announced["columnheader"])

	level := 0
	for i, h := range headings {
		now := int(h[0] - '0')
		assert.True(t, now <= level+1 && (i > 0 || now == 1) && (i == 0 || now > 1), "%v: %s", headings, h)
		level = now
	}
	assert.GreaterOrEqual(t, len(headings), 8)

	// the tab key visits all controls, in the order of the page
	page.load(reportOf(out))
	var stops []string
	for range 60 {
		page.run(chromedp.KeyEvent(kb.Tab))
		stops = append(stops, ask[string](page, `document.activeElement.id || document.activeElement.textContent.slice(0, 20)`))
		outline := ask[string](page, `getComputedStyle(document.activeElement).outlineStyle`)
		assert.NotEqual(t, "none", outline, "the focus is seen on %s", stops[len(stops)-1])
		if stops[len(stops)-1] == "stage" {
			break
		}
	}
	assert.Equal(t, "Skip to the report", stops[0])
	at := slices.Index(stops, "operation")
	require.Positive(t, at, stops)
	assert.Equal(t, []string{"operation", "first", "back", "play", "next", "last", "step", "source", "stage"}, stops[at:])
}

// text is a value of the accessibility tree.
func text(v *accessibility.Value) string { return strings.Trim(string(v.Value), `"`) }

func TestPageWithoutScriptsHasPropertiesTreeAndTables(t *testing.T) {
	needs.Time(t)
	p, out := generated(t, mixed)
	page := open(t)
	call(page, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	page.load(reportOf(out))
	assert.False(t, ask[bool](page, `document.getElementById("controls").checkVisibility()`), "no controls that do nothing")
	assert.True(t, ask[bool](page, `document.getElementById("network").checkVisibility()`))
	whole := want(p, 0, p.Machine.Graph.Diameter())
	shown := ask[seen](page, look)
	assert.Equal(t, whole.Reached, shown.Reached)
	assert.Equal(t, whole.Links, shown.Links)
	assert.Equal(t, whole.Numbers, shown.Numbers)
	assert.Equal(t, whole.Status, shown.Status)
	for node, row := range whole.Steps {
		cells := strings.Split(row, "|")
		assert.Equal(t, cells[:3], strings.Split(shown.Steps[node], "|")[:3])
	}
	rows := ask[[]string](page, `[...document.querySelectorAll(".words tr")].map(r => r.textContent.trim())`)
	for _, r := range p.Figures().Rows() {
		assert.Contains(t, rows, r.Name+r.Value)
	}
}

// Texts of results are escaped, whatever their content.
func TestHostileResultsAreText(t *testing.T) {
	needs.Time(t)
	const evil = `</td></table></script><script>window.broken=1</script><img src=x onerror=window.broken=2>&lt;b&gt;'`
	p, out := generated(t, dimensions("two", "2,1", ""))
	results(t, p, out, map[string]string{
		"lint-verilator.tsv": "of\tHASH\t" + evil + "\ntools\t" + evil + "\nresult\tpassed\t" + evil + "\n",
		"lint-yosys.tsv":     "result\t" + evil + "\ntools\t" + evil + "\n",
		"sim-alone.tsv":      "of\tHASH\tSUM\nresult\tfailed\t" + evil + "\n",
		"sim-router.tsv":     "of\t" + evil + "\tSUM\nresult\tbroken\t" + evil + "\n",
		"synth-hx8k.tsv":     "table\t" + evil + "\nhead\t" + evil + "\nrow\t" + evil + "\t" + evil + "\n" + evil + "\n",
		"prove.tsv":          "text\t" + evil + "\nwords\t" + evil + "\nhead\t" + evil + "\nrow\t" + evil + "\n",
	})
	require.NoError(t, os.WriteFile(filepath.Join(out, "golden", "alone.trace"), []byte("# hcgen-trace v1 config="+evil+" cycles="+evil+"\n"), 0o644))
	report(t, out)
	page := open(t)
	page.load(reportOf(out))
	assert.Equal(t, "undefined", ask[string](page, `typeof window.broken`))
	assert.Zero(t, ask[int](page, `document.querySelectorAll("img").length`))
	assert.Equal(t, 2, ask[int](page, `document.scripts.length`))
	assert.Equal(t, 7, ask[int](page, `document.querySelectorAll("h2").length`), "the page is whole")
	shown := ask[string](page, `document.querySelector("main").textContent`)
	assert.Contains(t, shown, evil)
	messages, _ := page.heard()
	assert.Empty(t, messages)
}

// broken lists the words that begin in one line and end in another one. The hash of a description is no word.
const broken = `(() => {
  document.querySelectorAll("details").forEach(d => d.open = true);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), bad = [];
  for (let t; (t = texts.nextNode());) {
    const e = t.parentElement;
    if (e.closest("script, svg, select, .hash") || !e.checkVisibility()) continue;
    for (const word of t.data.matchAll(/[\p{L}\p{N}_]+/gu)) {
      const r = document.createRange();
      r.setStart(t, word.index);
      r.setEnd(t, word.index + word[0].length);
      if (new Set([...r.getClientRects()].map(b => Math.round(b.top))).size > 1) bad.push(word[0]);
    }
  }
  return bad;
})()`

func TestNoWordBreaksOnAPhone(t *testing.T) {
	needs.Time(t)
	p, out := generated(t, dimensions("network_of_a_board", "4,1 4,1", networks)+"traffic \"storm\" {\ncycles = 100\nrandom {\nrate = 0.2\nseed = 1\n}\n}\n")
	results(t, p, out, map[string]string{
		"lint-verilator.tsv":     "of\tHASH\tSUM\ntools\tVerilator 5.006 2023-01-22 rev (Debian 5.006-3)\nresult\tpassed\t0 warnings\n",
		"sim-storm.tsv":          "of\tHASH\tSUM\ntools\tVerilator 5.006 2023-01-22\nresult\tpassed\t115 cycles, 123456 values compared, 31 transfers, 0 stalls, 0 expected header errors, 0 mismatches; under way: longest 5 cycles (source 0, from cycle 2), at most 0 injections meanwhile\n",
		"netlist-hx8k-storm.tsv": "of\tHASH\tSUM\ntools\tVerilator 5.006, Yosys 0.23\nresult\tbroken\tsee build/netlist/hx8k/network_of_a_board.log\n",
		"synth-hx8k.tsv":         "of\tHASH\tSUM\ntools\tYosys 0.23, nextpnr-ice40 0.4\ntable\tClock of the router, with the registers that stand for its pins\nhead\tseed\tMHz\nrow\t1\t96.14\nresult\tmissed\t96.14 MHz, the goal is 135\n",
		"prove.tsv":              "of\tHASH\tSUM\ntools\tYosys 0.23 git sha1 7ce5011c24b, Z3 version 4.8.12 - 64 bit\nwords\tTasks of the proof\nhead\ttask\tresult\tseconds\nrow\tinduction of continuations\tunbounded\t5\nresult\tbounded\tconnections compared, properties proved for runs of 20 cycles\n",
	})
	page := open(t)
	call(page, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 400, Height: 740, DeviceScaleFactor: 2, Mobile: true})
	page.load(reportOf(out))
	assert.Empty(t, ask[[]string](page, broken))
	assert.LessOrEqual(t, ask[int](page, `document.documentElement.scrollWidth`), 400)
	page.do(`document.querySelectorAll("td").forEach(e => { e.style.wordBreak = "break-all"; e.style.maxWidth = "2rem" })`)
	assert.NotEmpty(t, ask[[]string](page, broken), "were one broken, this would be found")
}
