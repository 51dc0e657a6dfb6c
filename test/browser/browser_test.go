// SPDX-License-Identifier: Apache-2.0

// Package browser tests the report of a machine (make report) in a real browser: Chromium
// without a window, driven over its debugging protocol.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/output"
	"github.com/hcgen/hcgen/internal/assemble"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// chromium is the browser in which all tests open their pages.
var chromium context.Context

func TestMain(m *testing.M) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		needs.Main(m, "chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.DisableGPU, chromedp.NoSandbox, chromedp.WSURLReadTimeout(2*time.Minute)) // root has no sandbox
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	var closed context.CancelFunc
	chromium, closed = chromedp.NewContext(allocator)
	if err := chromedp.Do(chromium); err != nil {
		fmt.Fprintln(os.Stderr, "error: chromium does not start:", err)
		os.Exit(1)
	}
	code := m.Run()
	closed()
	stop()
	os.Exit(code)
}

// generated writes the output of a machine and its report.
func generated(t *testing.T, description string) (p *plan.Plan, out string) {
	t.Helper()
	m, _, diags := machine.LoadBytes("machine.hcl", []byte(description), nil)
	require.False(t, diags.HasErrors(), diags.Error())
	p = plan.New(m)
	files, err := assemble.Files(p, assemble.Options{})
	require.NoError(t, err)
	out = filepath.Join(t.TempDir(), "out")
	meta := output.Meta{Version: "test", Machine: m.Name, ConfigHash: m.Hash}
	require.NoError(t, output.Write(t.Context(), out, files, meta, output.Options{}))
	report(t, out)
	return p, out
}

// report writes the report of an output folder.
func report(t *testing.T, out string) {
	t.Helper()
	text, err := exec.CommandContext(t.Context(), "make", "-C", out, "report").CombinedOutput()
	require.NoError(t, err, "%s", text)
}

// tab is a page in the browser, with its messages and requests.
type tab struct {
	context.Context
	t testing.TB

	mutex    sync.Mutex
	messages []string // of the console: errors, warnings and others
	requests []string // addresses
}

// open makes an empty page; its settings can be changed before load.
func open(t testing.TB) *tab {
	t.Helper()
	ctx, closed := chromedp.NewContext(chromium)
	t.Cleanup(closed)
	require.NoError(t, chromedp.Do(ctx))
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(stop)
	page := &tab{Context: ctx, t: t}
	require.NoError(t, chromedp.Listen(ctx, func(event any) {
		page.mutex.Lock()
		defer page.mutex.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			page.requests = append(page.requests, e.Request.URL)
		case *runtime.EventExceptionThrown:
			page.messages = append(page.messages, e.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			page.messages = append(page.messages, fmt.Sprint(e.Type, e.Args))
		case *log.EventEntryAdded:
			page.messages = append(page.messages, e.Entry.Text)
		}
	}))
	call(page, network.Enable, network.EnableParams{})
	call(page, log.Enable, cdp.Empty{})
	call(page, runtime.Enable, cdp.Empty{})
	return page
}

// load shows a file.
func (page *tab) load(path string) {
	page.t.Helper()
	page.run(chromedp.Navigate("file://" + path))
}

// reportOf is the path of the report of an output folder.
func reportOf(out string) string { return filepath.Join(out, "build", "report.html") }

func (page *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	page.t.Helper()
	require.NoError(page.t, chromedp.Do(page, steps...))
}

// call sends a command of the protocol.
func call[P, R any](page *tab, command cdp.Command[P, R], params P) R {
	page.t.Helper()
	result, err := chromedp.Call(page, command, params)
	require.NoError(page.t, err)
	return result
}

// do evaluates JavaScript for its effect.
func (page *tab) do(script string) {
	page.t.Helper()
	page.run(chromedp.Evaluate[chromedp.Void](script))
}

// ask evaluates an expression of JavaScript and stores its value.
func ask[T any](page *tab, expression string) T {
	page.t.Helper()
	answer, err := chromedp.Run(page, chromedp.Evaluate[T](expression))
	require.NoError(page.t, err)
	return answer
}

// heard returns messages and requests so far.
func (page *tab) heard() (messages, requests []string) {
	page.mutex.Lock()
	defer page.mutex.Unlock()
	return page.messages, page.requests
}

// dimensions describes a machine of rings written "4,1 5,2", dimension 1 first.
func dimensions(name, rings, more string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "machine %q {\n", name)
	for i, ring := range strings.Fields(rings) {
		m, rho, _ := strings.Cut(ring, ",")
		fmt.Fprintf(&b, "dimension \"d%d\" {\nm = %s\nrho = %s\n}\n", i+1, m, rho)
	}
	return b.String() + more + "}\n"
}
