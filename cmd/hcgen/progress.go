// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows the progress of long work. It shows nothing unless messages go
// to a terminal.
type progress struct {
	console *console
	what    string
	bar     *progressbar.ProgressBar
}

func newProgress(c *console) *progress { return &progress{console: c} }

// show reports that done of total parts are complete.
func (p *progress) show(what string, done, total int) {
	if !p.console.terminal || total <= 0 {
		return
	}
	if p.bar == nil || p.what != what {
		p.clear()
		p.what = what
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.console.err),
			progressbar.OptionSetDescription(what),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetRenderBlankState(true),
			progressbar.OptionClearOnFinish())
	}
	// An error means that the terminal does not show the bar, which does not
	// affect the work.
	_ = p.bar.Set(min(done, total))
}

// clear removes the bar, so that other messages stand alone.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}
