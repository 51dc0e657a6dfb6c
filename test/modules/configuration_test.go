// SPDX-License-Identifier: Apache-2.0

package modules

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hdl"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/plan/registers"
	"github.com/hcgen/hcgen/verilator"
)

// Build-time limits of the design under test, those of the paper's prototype.
const (
	maxDimensions = 4
	maxNodes      = 15
	maxDegree     = 16
)

// configured is the configuration logic behind a bus, as a running program.
type configured struct {
	t       *testing.T
	in      io.WriteCloser
	out     *bufio.Scanner
	address map[string]int
}

// start compiles the design with one of its buses and runs it. faults are pairs of texts of the
// library and their replacements.
func start(t *testing.T, bus string, faults ...string) *configured {
	t.Helper()
	needs.Tools(t, "verilator")
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/configuration")))
	changed := len(faults) == 0
	for _, module := range hdl.Modules() {
		source, err := hdl.Source(module)
		require.NoError(t, err)
		text := strings.NewReplacer(faults...).Replace(source)
		changed = changed || text != source
		require.NoError(t, os.WriteFile(filepath.Join(dir, module+".v"), []byte(text), 0o644))
	}
	require.True(t, changed, "the fault is in no module")
	header, err := fs.ReadFile(verilator.Files, "bench.h")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bench.h"), header, 0o644))
	header, err = fs.ReadFile(verilator.Files, "bus.h")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bus.h"), header, 0o644))
	build := exec.Command("verilator", "-Wall", "--cc", "--exe", "--build", "-j", "2", "--x-assign", "unique", "--x-initial", "unique",
		"-CFLAGS", "-std=c++17 -Wall -Wextra -Werror -I.. -D"+strings.ToUpper(bus), "-MAKEFLAGS", "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0",
		"-y", ".", "--top-module", "configured_"+bus, "--prefix", "Vconfigured", "-Mdir", "build", "configured_"+bus+".v", "main.cpp")
	build.Dir = dir
	text, err := build.CombinedOutput()
	require.NoError(t, err, string(text))

	program := exec.Command(filepath.Join(dir, "build", "Vconfigured"))
	program.Stderr = os.Stderr
	in, err := program.StdinPipe()
	require.NoError(t, err)
	out, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	t.Cleanup(func() {
		in.Close()
		assert.NoError(t, program.Wait())
	})
	c := &configured{t: t, in: in, out: bufio.NewScanner(out), address: map[string]int{}}
	for _, r := range registers.Programmable().Registers {
		c.address[r.Name] = r.Offset
	}
	return c
}

// ask sends commands and returns their answers, a line each.
func (c *configured) ask(commands ...string) []string {
	c.t.Helper()
	go io.WriteString(c.in, strings.Join(commands, "\n")+"\n") //nolint:errcheck // the answer is missing then
	answers := make([]string, len(commands))
	for i := range answers {
		require.True(c.t, c.out.Scan(), "no answer to %q", commands[i])
		answers[i] = c.out.Text()
	}
	return answers
}

func (c *configured) writing(register string, i int, value uint32) string {
	return fmt.Sprintf("w %x %x f", c.address[register]+registers.Word*i, value)
}

func (c *configured) reading(register string, i int) string {
	return fmt.Sprintf("r %x", c.address[register]+registers.Word*i)
}

// field extracts a field from the value of a register.
func field(t *testing.T, register, name, value string) int {
	t.Helper()
	var v uint32
	_, err := fmt.Sscanf(value, "%x", &v)
	require.NoError(t, err, "%s: %q", register, value)
	for _, r := range registers.Programmable().Registers {
		for _, f := range r.Fields {
			if r.Name == register && f.Name == name {
				return int(v >> f.LSB & uint32(1<<f.Bits-1))
			}
		}
	}
	t.Fatalf("no field %s in %s", name, register)
	return 0
}

func (c *configured) get(register, name string, i int) int {
	c.t.Helper()
	return field(c.t, register, name, c.ask(c.reading(register, i))[0])
}

// raw holds the values that are written, legal or not.
type raw struct {
	rank, preference uint32
	m, rho           []uint32
}

func rawOf(p hypercycle.Preference, rings ...hypercycle.Dimension) raw {
	w := raw{rank: uint32(len(rings)), preference: uint32(p)}
	for _, d := range rings {
		w.m, w.rho = append(w.m, uint32(d.M)), append(w.rho, uint32(d.Rho))
	}
	return w
}

// load writes the machine and starts. Most machines are configured or rejected within 300
// cycles.
func (c *configured) load(w raw) {
	c.t.Helper()
	commands := []string{c.writing("RANK", 0, w.rank), c.writing("PREFERENCE", 0, w.preference)}
	for i := range w.m {
		commands = append(commands, c.writing("DIMENSION", i, w.rho[i]<<16|w.m[i]))
	}
	commands = append(commands, c.writing("CONTROL", 0, 1), fmt.Sprintf("t %x", 64*maxDimensions+40))
	for i, answer := range c.ask(commands...) {
		require.Equal(c.t, "ok", answer, commands[i])
	}
}

// checkMachine loads a legal machine and compares everything that depends on it.
func (c *configured) checkMachine(p hypercycle.Preference, rings ...hypercycle.Dimension) {
	c.t.Helper()
	want, got := c.machine(p, rings...)
	require.Equal(c.t, want, got, "%v %v", rings, p)
}

// machine loads a legal machine and returns everything that depends on it, as expected and as
// read.
func (c *configured) machine(p hypercycle.Preference, rings ...hypercycle.Dimension) (want, got []string) {
	t := c.t
	t.Helper()
	g, err := hypercycle.New(rings...)
	require.NoError(t, err)
	c.load(rawOf(p, rings...))

	var commands []string
	read := func(register string, i int, value int) {
		commands, want = append(commands, c.reading(register, i)), append(want, fmt.Sprintf("%x", value))
	}
	read("STATUS", 0, 1)
	read("DEGREE", 0, g.Degree())
	read("OTHERS", 0, g.Nodes()-1)
	read("STEPS", 0, g.Diameter())
	for i := range maxDimensions {
		if i >= len(rings) {
			read("CONSTANTS", i, 0)
			read("SIDES", i, 0)
			continue
		}
		d := rings[i]
		read("DIMENSION", i, d.Rho<<16|d.M)
		read("CONSTANTS", i, d.K()<<16|d.A()<<8|d.D())
		cw, ccw := d.Sides(p)
		read("SIDES", i, ccw.K<<24|ccw.Q<<16|cw.K<<8|cw.Q)
	}

	table := new(big.Int)
	weights := g.Weights(p)
	for i := maxDegree - 1; i >= 0; i-- {
		word := 0
		if i < g.Degree() {
			q := g.Ports()[i]
			d := rings[q.Dimension-1]
			flags := 0
			for bit, set := range []bool{q.Direction == hypercycle.CCW, q.Distance == 1, q.Distance == d.Rho} {
				if set {
					flags |= 1 << bit
				}
			}
			word = d.D()<<9 | weights[i]<<6 | flags<<3 | q.Dimension
		}
		table.Or(table.Lsh(table, 12), big.NewInt(int64(word)))
	}
	want = append(want, fmt.Sprintf("1 1 0 %048x", table))
	return want, c.ask(append(commands, "p")...)
}

// checkIllegal loads a machine that must be rejected.
func (c *configured) checkIllegal(w raw, code string, dimension int) {
	c.t.Helper()
	c.load(w)
	status := c.ask(c.reading("STATUS", 0))[0]
	want := slices.IndexFunc(registers.ErrorCodes(), func(e registers.Code) bool { return e.Name == code })
	require.GreaterOrEqual(c.t, want, 0)
	got := map[string]int{}
	for _, name := range []string{"done", "error", "busy", "code", "dimension"} {
		got[name] = field(c.t, "STATUS", name, status)
	}
	require.Equal(c.t, map[string]int{"done": 0, "error": 1, "busy": 0, "code": want, "dimension": dimension}, got, "%+v", w)
	require.Regexp(c.t, "^0 0 1 ", c.ask("p")[0], "the router must stay closed")
}

func preferences() []hypercycle.Preference {
	return []hypercycle.Preference{hypercycle.Clockwise, hypercycle.Counterclockwise, hypercycle.Balanced}
}

// drawn returns a random machine of the prototype's range.
func drawn(random *rand.Rand) []hypercycle.Dimension {
	for {
		var rings []hypercycle.Dimension
		degree := 0
		for range 1 + random.IntN(maxDimensions) {
			m := 2 + random.IntN(maxNodes-1)
			rings = append(rings, hypercycle.Dimension{M: m, Rho: 1 + random.IntN(m/2)})
			degree += rings[len(rings)-1].Degree()
		}
		if degree <= maxDegree {
			return rings
		}
	}
}

func TestConfiguration(t *testing.T) {
	needs.Time(t)
	for _, bus := range []string{"wishbone", "axi4lite"} {
		t.Run(bus, func(t *testing.T) {
			c := start(t, bus)

			// before anything is configured
			assert.Equal(t, maxDimensions, c.get("LIMITS", "max_dimensions", 0))
			assert.Equal(t, maxNodes, c.get("LIMITS", "max_nodes", 0))
			assert.Equal(t, maxDegree, c.get("LIMITS", "max_degree", 0))
			assert.Equal(t, registers.Programmable().Version, c.get("LIMITS", "version", 0))
			assert.Equal(t, []string{"0", "0", "0"}, c.ask(c.reading("STATUS", 0), c.reading("CONTROL", 0), c.reading("DEGREE", 0)))
			assert.Regexp(t, "^0 0 0 ", c.ask("p")[0])

			// every ring of the prototype, with every preference
			pairs := 0
			for m := 2; m <= maxNodes; m++ {
				for rho := 1; rho <= m/2; rho++ {
					pairs++
					for _, p := range preferences() {
						c.checkMachine(p, hypercycle.Dimension{M: m, Rho: rho})
					}
				}
			}
			assert.Equal(t, 56, pairs)

			// products of them, the largest included
			plain := hypercycle.Dimension{M: 15, Rho: 1}
			c.checkMachine(hypercycle.Balanced, plain, plain, plain, plain)
			long := hypercycle.Dimension{M: 15, Rho: 2}
			c.checkMachine(hypercycle.Clockwise, long, long, long, long)
			random := rand.New(rand.NewPCG(4, 1))
			for i := range 300 {
				c.checkMachine(preferences()[i%3], drawn(random)...)
			}

			illegal(t, c)
			accesses(t, c)
			counters(t, c)
		})
	}
}

// The bench detects a wrong constant, in the engine or on the way to the bus.
func TestConfigurationBenchFindsFaults(t *testing.T) {
	needs.Time(t)
	for _, f := range []struct{ name, from, to string }{
		{"a link too few with the larger weight", "distance <= k", "distance < k"},
		{"N is too small", "product_q + others + 1'b1", "product_q + others"},
		{"k is read in place of q", "sides[(i*4+2)*WC_BITS+:WC_BITS]", "sides[(i*4+3)*WC_BITS+:WC_BITS]"},
	} {
		t.Run(f.name, func(t *testing.T) {
			c := start(t, "wishbone", f.from, f.to)
			wrong := 0
			random := rand.New(rand.NewPCG(4, 1))
			for i := range 50 {
				if want, got := c.machine(preferences()[i%3], drawn(random)...); !slices.Equal(want, got) {
					wrong++
				}
			}
			assert.Positive(t, wrong)
			t.Log(wrong, "of 50 machines differ")
		})
	}
}

// Illegal machines alternate with legal ones, because the result for a machine must not
// depend on the previous machine.
func illegal(t *testing.T, c *configured) {
	legal := func() { c.checkMachine(hypercycle.Clockwise, hypercycle.Dimension{M: 4, Rho: 1}) }
	m := func(values ...uint32) []uint32 { return values }
	cases := []struct {
		w         raw
		code      string
		dimension int
	}{
		{raw{0, 0, m(4), m(1)}, "ERROR_RANK", 0},
		{raw{5, 0, m(2, 2, 2, 2), m(1, 1, 1, 1)}, "ERROR_RANK", 0},
		{raw{8, 0, m(4), m(1)}, "ERROR_RANK", 0},
		{raw{1 << 31, 0, m(4), m(1)}, "ERROR_RANK", 0},
		{raw{1, 3, m(4), m(1)}, "ERROR_PREFERENCE", 0},
		{raw{1, 4, m(4), m(1)}, "ERROR_PREFERENCE", 0},
		{raw{1, 1 << 31, m(4), m(1)}, "ERROR_PREFERENCE", 0},
		{raw{1, 0, m(0), m(1)}, "ERROR_M", 1},
		{raw{1, 0, m(1), m(1)}, "ERROR_M", 1},
		{raw{1, 0, m(16), m(1)}, "ERROR_M", 1},
		{raw{1, 0, m(20), m(1)}, "ERROR_M", 1}, // its low bits make a legal 4
		{raw{1, 0, m(0x8004), m(1)}, "ERROR_M", 1},
		{raw{1, 0, m(4), m(0)}, "ERROR_RHO", 1},
		{raw{1, 0, m(4), m(3)}, "ERROR_RHO", 1},
		{raw{1, 0, m(15), m(9)}, "ERROR_RHO", 1}, // its low bits make a legal 1
		{raw{1, 0, m(15), m(0x8001)}, "ERROR_RHO", 1},
		{raw{3, 0, m(2, 4, 3), m(1, 1, 2)}, "ERROR_RHO", 3},
		{raw{4, 0, m(15, 15, 15, 2), m(2, 2, 3, 0)}, "ERROR_RHO", 4},
		{raw{4, 2, m(15, 15, 15, 15), m(2, 2, 2, 3)}, "ERROR_DEGREE", 4},
		{raw{2, 0, m(15, 15), m(7, 2)}, "ERROR_DEGREE", 2},
		{raw{4, 0, m(15, 15, 15, 2), m(7, 1, 1, 1)}, "ERROR_DEGREE", 3},
	}
	for _, x := range cases {
		c.checkIllegal(x.w, x.code, x.dimension)
		legal()
	}
	for m := 2; m <= maxNodes; m++ {
		for rho := m/2 + 1; rho <= 7; rho++ {
			c.checkIllegal(raw{1, 0, []uint32{uint32(m)}, []uint32{uint32(rho)}}, "ERROR_RHO", 1)
			legal()
		}
	}
}

// The legal accesses of a bus, by state.
func accesses(t *testing.T, c *configured) {
	c.checkMachine(hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2})
	known := map[int]registers.Access{}
	for _, r := range registers.Programmable().Registers {
		for i := range maxDimensions {
			if i == 0 || r.PerDimension {
				known[r.Offset+registers.Word*i] = r.Access
			}
		}
	}
	for address := 0; address < 1<<registers.AddressBits; address += registers.Word {
		access, ok := known[address]
		got := c.ask(fmt.Sprintf("r %x", address), fmt.Sprintf("w %x 0 f", address), fmt.Sprintf("w %x ffffffff e", address))
		assert.Equal(t, ok, got[0] != "err", "read of 0x%02x", address)
		assert.Equal(t, ok && access != registers.ReadOnly, got[1] == "ok", "write to 0x%02x", address)
		assert.Equal(t, "err", got[2], "a write of three bytes to 0x%02x", address)
	}
	assert.Equal(t, []string{"0", "0", "1"}, c.ask(c.reading("RANK", 0), c.reading("DIMENSION", 0), c.reading("STATUS", 0)),
		"registers are written while the router works, and it goes on")

	// a start waits until the machine has drained; until then the router works but
	// accepts no message of its node, and the registers cannot be written
	c.checkMachine(hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2})
	before := c.ask("p")[0]
	got := c.ask("d 0", c.writing("CONTROL", 0, 0), "t 4", "p", c.writing("CONTROL", 0, 1), "t 200", c.reading("STATUS", 0),
		c.writing("RANK", 0, 2), c.writing("CONTROL", 0, 1), "p", "d 1", "t 80", "p", c.reading("RANK", 0))
	assert.Equal(t, before, got[3], "a 0 starts nothing")
	assert.Equal(t, "4", got[6], "busy")
	assert.Equal(t, []string{"err", "err"}, got[7:9])
	assert.Equal(t, "0"+before[1:], got[9], "running, not accepting")
	assert.Equal(t, before, got[12])
	assert.Equal(t, "1", got[13])
}

func counters(t *testing.T, c *configured) {
	c.checkMachine(hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2})
	read := func() []string {
		return c.ask("t 4", c.reading("ACCEPTED", 0), c.reading("FORWARDED", 0), c.reading("DELIVERED", 0), c.reading("DROPPED", 0))[1:]
	}
	assert.Equal(t, []string{"0", "0", "0", "0"}, read())
	c.ask("e ffff 8001", "e 1 0", "e 8000 0", "e 0 8000")
	assert.Equal(t, []string{"4", "12", "4", "3"}, read())
	c.checkMachine(hypercycle.Clockwise, hypercycle.Dimension{M: 6, Rho: 2})
	assert.Equal(t, []string{"0", "0", "0", "0"}, read(), "a new machine starts from 0")
}
