// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a campaign is: a bar on a terminal, otherwise a line at intervals.
type progress struct {
	out         io.Writer
	kind        string
	total, kept int
	done        int
	failed      int
	start, last time.Time
	until       time.Time                // after which no unit begins; zero: no limit
	bar         *progressbar.ProgressBar // nil: not on a terminal
}

// interval is the time between two lines.
const interval = 15 * time.Second

// newProgress shows units until all have ended, or no further one begins.
func newProgress(out io.Writer, kind string, total, kept int, until time.Time) *progress {
	p := &progress{out: out, kind: kind, total: total, kept: kept, done: kept, start: time.Now(), last: time.Now(), until: until}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) && kept < total {
		p.bar = progressbar.NewOptions(total-kept,
			progressbar.OptionSetWriter(out),
			progressbar.OptionSetDescription(kind),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetRenderBlankState(true),
			progressbar.OptionSetPredictTime(until.IsZero()),
			progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish())
	}
	return p
}

// add shows that some units have a result, and that others have failed. Nothing follows the last unit.
func (p *progress) add(done, failed int) {
	p.done, p.failed = done, failed
	if p.bar != nil {
		_ = p.bar.Set(done - p.kept) // an error means that the terminal does not show it
		return
	}
	if now := time.Now(); now.Sub(p.last) >= interval && done+failed < p.total {
		p.last = now
		fmt.Fprintln(p.out, p)
	}
}

// String is the line of the progress, with an estimate of the time that is left.
func (p *progress) String() string {
	text := fmt.Sprintf("%s: %d of %s", p.kind, p.done, plural(p.total, "unit", "units"))
	if p.failed > 0 {
		text += fmt.Sprintf(", %d without a result", p.failed)
	}
	passed := time.Since(p.start)
	text += fmt.Sprintf(", %s", passed.Round(time.Second))
	if here := p.done - p.kept; here > 0 {
		left := passed / time.Duration(here) * time.Duration(p.total-p.done-p.failed)
		if !p.until.IsZero() {
			left = min(left, max(0, time.Until(p.until)))
		}
		text += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	return text
}

// say prints a line of its own.
func (p *progress) say(format string, values ...any) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintf(p.out, p.kind+": "+format+"\n", values...)
}

// end removes the bar.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// plural is a number with the word for one or for more.
func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
