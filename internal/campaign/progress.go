// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress shows how far a run is: a line that changes on a terminal, otherwise a line at intervals and one at the end.
type progress struct {
	lock     sync.Mutex
	out      io.Writer
	terminal bool
	label    string

	total, done, failed int // units; total includes the other two
	jobs                int // units that run at a time
	running             map[string]time.Time
	seconds             float64 // of all results that are done
	began, last         time.Time
	until               time.Time // after which no unit begins; zero: no limit
	width               int       // of the line on the terminal
}

// interval is the least time between two lines. It grows with the run, so that a long one does not fill its log.
const interval = 15 * time.Second

func newProgress(out io.Writer, label string) *progress {
	p := &progress{out: out, label: label, running: map[string]time.Time{}}
	if f, ok := out.(*os.File); ok {
		p.terminal = term.IsTerminal(int(f.Fd()))
	}
	return p
}

// had counts a result from before the run.
func (p *progress) had(r Result) {
	p.total++
	p.done++
	p.seconds += r.Seconds
}

// start shows the progress of further units until the function that it returns is called.
func (p *progress) start(units, jobs int, until time.Time) (end func()) {
	p.total += units
	p.jobs, p.until, p.began = jobs, until, time.Now()
	p.last = p.began
	kept := p.done
	ticker := time.NewTicker(time.Second)
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ticker.C:
				p.tick()
			case <-over:
				return
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(over)
		<-ended
		p.clear()
		if p.done > kept || p.failed > 0 {
			fmt.Fprintln(p.out, p.line(false))
		}
	}
}

// tick shows the line if it is time.
func (p *progress) tick() {
	p.lock.Lock()
	defer p.lock.Unlock()
	now := time.Now()
	switch {
	case p.terminal:
		line := p.line(true)
		fmt.Fprintf(p.out, "\r%-*s", p.width, line)
		p.width = len(line)
	case now.Sub(p.last) >= max(interval, now.Sub(p.began)/10):
		p.last = now
		fmt.Fprintln(p.out, p.line(true))
	}
}

// line is the state of the run, with an estimate of the time that is left.
func (p *progress) line(estimate bool) string {
	text := fmt.Sprintf("%s: %d of %s", p.label, p.done, plural(p.total, "unit", "units"))
	if p.failed > 0 {
		text += fmt.Sprintf(", %d failed", p.failed)
	}
	text += fmt.Sprintf(", %s", time.Since(p.began).Round(time.Second))
	if left := p.left().Round(time.Second); estimate && left > 0 {
		text += fmt.Sprintf(", about %s left", left)
	}
	return text
}

// left estimates the time that is left, from the mean time of the results: it shrinks as units run. 0: not known.
func (p *progress) left() time.Duration {
	if p.done == 0 {
		return 0
	}
	mean := time.Duration(p.seconds / float64(p.done) * float64(time.Second))
	all := mean * time.Duration(p.total-p.done-p.failed-len(p.running))
	longest := time.Duration(0)
	for _, began := range p.running {
		rest := max(0, mean-time.Since(began))
		all += rest
		longest = max(longest, rest)
	}
	left := max(longest, all/time.Duration(p.jobs))
	if !p.until.IsZero() {
		left = min(left, max(longest, time.Until(p.until)))
	}
	return left
}

// begin counts a unit that begins.
func (p *progress) begin(unit string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.running[unit] = time.Now()
}

// add counts a result.
func (p *progress) add(r Result) {
	p.lock.Lock()
	defer p.lock.Unlock()
	delete(p.running, r.Unit)
	p.done++
	p.seconds += r.Seconds
}

// fail counts a unit that has failed.
func (p *progress) fail(unit string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	delete(p.running, unit)
	p.failed++
}

// failure prints why a unit has no result.
func (p *progress) failure(f Failure) { p.say("%s failed: %s; see %s", f.Unit, f.Reason, f.Log) }

// say prints a line of its own.
func (p *progress) say(format string, values ...any) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.clear()
	fmt.Fprintf(p.out, p.label+": "+format+"\n", values...)
}

// clear removes the line on the terminal.
func (p *progress) clear() {
	if p.width > 0 {
		fmt.Fprintf(p.out, "\r%*s\r", p.width, "")
		p.width = 0
	}
}

// plural is a number with the word for one or for more.
func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
