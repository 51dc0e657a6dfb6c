// SPDX-License-Identifier: Apache-2.0

package integration

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/handover"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/internal/options"
	"github.com/hcgen/hcgen/plan"
)

// endpoints are machines whose nodes have endpoints: the attributes of the block, and m of dimensions named a, b, ..
var endpoints = map[string]struct {
	attributes string
	m          []int
}{
	"smallest": {"address_bits = 8", []int{2}},
	"three":    {"address_bits = 8\ngets = false", []int{3}},
	"ring":     {"address_bits = 9\nadds = false", []int{5}},
	"grid":     {"address_bits = 11", []int{2, 2}},
	"torus":    {"bus = \"axi4lite\"\ngets = false\nadds = false", []int{3, 5}},
	"four":     {"address_bits = 10", []int{3, 2, 5, 2}},
	"widest":   {"address_bits = 24", []int{2, 5}}, // 32 bits
}

// withEndpoints is the plan of a machine with these attributes of the endpoint block, and m by the names of its dimensions.
func withEndpoints(name, attributes string, dimensions []string, m []int) *plan.Plan {
	var b strings.Builder
	fmt.Fprintf(&b, "machine %q {\n", name)
	for i, d := range dimensions {
		fmt.Fprintf(&b, "dimension %q {\nm = %d\nrho = 1\n}\n", d, m[i])
	}
	fmt.Fprintf(&b, "endpoint {\n%s\n}\n}\n", attributes)
	return options.Described(b.String())
}

// written writes the C header of a machine into a folder of its own.
func written(t *testing.T, p *plan.Plan) folder {
	t.Helper()
	f := folder{p: p, path: t.TempDir()}
	for _, file := range handover.Software(p) {
		if file.Path != "registers/"+p.Name+".h" {
			continue
		}
		var b strings.Builder
		require.NoError(t, file.Content(&b))
		f.put(t, "machine.h", b.String())
		return f
	}
	t.Fatal("no C header")
	return f
}

func (f folder) put(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(f.path, name), []byte(text), 0o644))
}

func (f folder) text(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(f.path, name))
	require.NoError(t, err)
	return string(text)
}

// compiled runs a compiler, which must not say anything.
func (f folder) compiled(t *testing.T, words ...string) {
	t.Helper()
	needs.Tools(t, words[0])
	command := exec.Command(words[0], words[1:]...)
	command.Dir = f.path
	text, err := command.CombinedOutput()
	require.NoError(t, err, string(text))
	require.Empty(t, string(text))
}

var function = regexp.MustCompile(`(?m)^static inline \w+ (\w+)\((.*)\) \{$`)

// compilers of C and C++, for the host and for a processor of 32 bits.
var compilers = [][]string{
	{"gcc", "-std=c11"}, {"g++", "-std=c++11", "-x", "c++"}, {"riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32", "-std=c11"},
}

// compilable compiles a program without libraries that calls every function of the header with constants, and finds no
// symbol that a library would have to define.
func compilable(t *testing.T, f folder) {
	t.Helper()
	var calls strings.Builder
	for i, m := range function.FindAllStringSubmatch(f.text(t, "machine.h"), -1) {
		arguments := strings.TrimSuffix(strings.Repeat("1, ", strings.Count(m[2], ",")+1), ", ")
		switch m[2] {
		case "void":
			arguments = ""
		case "const volatile void *variable":
			arguments = "&flag"
		}
		fmt.Fprintf(&calls, "void call%d(void);\nvoid call%d(void) { (void)%s(%s); }\n", i, i, m[1], arguments)
	}
	f.put(t, "calls.c", "#include \"machine.h\"\n#include \"machine.h\"\nvolatile uint32_t flag;\n"+calls.String())
	for _, compiler := range compilers {
		t.Run(compiler[0], func(t *testing.T) {
			needs.Tools(t, compiler[0])
			for _, level := range []string{"-O0", "-O2", "-Os"} {
				f.compiled(t, append(slices.Clone(compiler), "-ffreestanding", "-Wall", "-Wextra", "-Wpedantic", "-Werror", level, "-c", "calls.c", "-o", "calls.o")...)
				undefined, err := exec.Command("nm", "--undefined-only", filepath.Join(f.path, "calls.o")).Output()
				require.NoError(t, err)
				assert.NotContains(t, string(undefined), " U ", "%s", level)
			}
		})
	}
}

func TestHeadersCompileWithoutLibraries(t *testing.T) {
	for name, m := range endpoints {
		t.Run(name, func(t *testing.T) { compilable(t, written(t, withEndpoints("box", m.attributes, letters(m.m), m.m))) })
	}
}

func letters(m []int) (names []string) {
	for i := range m {
		names = append(names, string(rune('a'+i)))
	}
	return names
}

// widthOf is ceil(log2 m).
func widthOf(m int) int { return len(strconv.FormatInt(int64(m-1), 2)) }

// mock is a program on the host that has an array in place of the bus, and what it must print.
type mock struct{ program, want strings.Builder }

// value is an expression and its value.
func (m *mock) value(expression string, want int) {
	fmt.Fprintf(&m.program, "  printf(\"%s: %%lx\\n\", (unsigned long)%s);\n", expression, expression)
	fmt.Fprintf(&m.want, "%s: %x\n", expression, want)
}

// writes is a statement, and the bytes from an address on that it writes, lowest first.
func (m *mock) writes(statement string, address int, data ...byte) {
	fmt.Fprintf(&m.program, "  %s;\n  written(\"%s\");\n", statement, statement)
	fmt.Fprintf(&m.want, "%s:", statement)
	for i, b := range data {
		fmt.Fprintf(&m.want, " %x=%02x", address+i, b)
	}
	m.want.WriteString("\n")
}

// has sets a word at an address of the bus.
func (m *mock) has(address int, word uint32) {
	fmt.Fprintf(&m.program, "  *(volatile uint32_t *)(bus + 0x%x) = 0x%x;\n", address, word)
}

const mockHead = `#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static _Alignas(8) uint8_t bus[SIZE];
#define BOX_BASE ((uintptr_t)bus)
#include "machine.h"

// Prints all bytes that are not 0, and clears them.
static void written(const char *what) {
  printf("%s:", what);
  for (unsigned long i = 0; i < SIZE; i += 8) {
    if (*(const uint64_t *)(const void *)(bus + i) != 0) {
      for (unsigned long j = i; j < i + 8; j++) {
        if (bus[j] != 0) printf(" %lx=%02x", j, bus[j]);
        bus[j] = 0;
      }
    }
  }
  printf("\n");
}

// The barrier releases the node some time after it has arrived.
static void *release(void *unused) {
  volatile uint32_t *barrier = (volatile uint32_t *)(bus + BARRIER);
  while (*barrier != 1) {
  }
  for (volatile int i = 0; i < 100000; i++) {
  }
  *barrier = 0x80000000;
  return unused;
}

int main(void) {
  pthread_t thread;
`

// Every function makes the access that the page describes, and the addresses are those of the nodes in the mathematics.
func TestFunctionsOfHeadersAccessTheBus(t *testing.T) {
	needs.Tools(t, "gcc")
	for name, machine := range endpoints {
		t.Run(name, func(t *testing.T) {
			p := withEndpoints("box", machine.attributes, letters(machine.m), machine.m)
			f := written(t, p)
			g, e := p.Machine.Graph, p.Machine.Endpoint

			// the fields of an address, from docs/endpoints.md
			lsb := make([]int, g.Rank())
			allLSB := e.AddressBits
			for i, d := range machine.m {
				lsb[i] = allLSB
				allLSB += widthOf(d)
			}
			region := allLSB + g.Rank()
			if region == 30 {
				return // no array is so large
			}
			destination := func(node int) (bits int) {
				for i := range machine.m {
					bits |= g.Digit(node, i+1) << lsb[i]
				}
				return bits
			}
			register := func(offset int) int { return 1<<region | offset }
			const node, digits, barrier, events, enable, errors = 0x04, 0x08, 0x10, 0x14, 0x18, 0x1c

			c := &mock{}
			fmt.Fprintf(&c.program, "#define SIZE 0x%xu\n#define BARRIER 0x%xu\n%s", 1<<(region+2), register(barrier), mockHead)
			c.value("BOX_NODES", g.Nodes())
			c.value("BOX_DIMENSIONS", g.Rank())
			c.value("BOX_MEMORY_BYTES", 1<<e.AddressBits)
			for i, name := range letters(machine.m) {
				c.value("BOX_"+strings.ToUpper(name), i+1)
				c.value(fmt.Sprintf("box_m(%d)", i+1), machine.m[i])
				c.value(fmt.Sprintf("box_digit_lsb(%d)", i+1), lsb[i])
				c.value(fmt.Sprintf("box_digit_mask(%d)", i+1), 1<<widthOf(machine.m[i])-1)
			}
			all := 0
			for i := range machine.m {
				all |= 1 << (allLSB + i)
			}
			c.value("BOX_ALL", all)
			for n := range g.Nodes() {
				c.value(fmt.Sprintf("box_node_of(%d)", n), destination(n))
				c.value(fmt.Sprintf("box_node(%s)", strings.Trim(strings.ReplaceAll(fmt.Sprint(g.Digits(n)), " ", ", "), "[]")), destination(n))
				c.has(register(node), uint32(n))
				c.has(register(digits), uint32(destination(n)>>e.AddressBits))
				c.value("box_number()", n)
				c.value("box_me()", destination(n))
				for i := range machine.m {
					c.value(fmt.Sprintf("box_digit(%d)", i+1), g.Digit(n, i+1))
					row := destination(n) - g.Digit(n, i+1)<<lsb[i] + 1<<(allLSB+i)
					c.value(fmt.Sprintf("box_spread(0x%x, %d)", destination(n), i+1), row)
					if n+1 < g.Nodes() && g.Digit(n, i+1) < machine.m[i]-1 { // a neighbour has the same row
						stride := 1
						for _, m := range machine.m[:i] {
							stride *= m
						}
						c.value(fmt.Sprintf("box_spread(0x%x, %d)", destination(n+stride), i+1), row)
					}
				}
			}
			c.has(register(node), 0)
			c.has(register(digits), 0)

			last := destination(g.Nodes() - 1)
			for _, to := range []int{0, last, all} {
				put, add, offset := 2<<region|to|0x7c, 3<<region|to|0x7c, 0x7c
				c.writes(fmt.Sprintf("box_put(0x%x, 0x%x, 0x44332211)", to, offset), put, 0x11, 0x22, 0x33, 0x44)
				c.writes(fmt.Sprintf("box_put_half(0x%x, 0x%x, 0x2211)", to, offset+2), put+2, 0x11, 0x22)
				c.writes(fmt.Sprintf("box_put_byte(0x%x, 0x%x, 0x11)", to, offset+3), put+3, 0x11)
				c.writes(fmt.Sprintf("box_ring(0x%x, 0x81)", to), 2<<region|to|(1<<e.AddressBits-4), 0x81)
				if e.Gets {
					c.has(put, 0x12345678)
					c.value(fmt.Sprintf("box_get(0x%x, 0x%x)", to, offset), 0x12345678)
					c.writes(fmt.Sprintf("box_fence(0x%x)", to), put, 0x78, 0x56, 0x34, 0x12)
				}
				if e.Adds {
					c.writes(fmt.Sprintf("box_add(0x%x, 0x%x, 0x44332211)", to, offset), add, 0x11, 0x22, 0x33, 0x44)
				}
			}
			c.writes("box_broadcast(0x10, 0x44332211)", 2<<region|all|0x10, 0x11, 0x22, 0x33, 0x44)
			c.value("box_offset(bus + 0x34)", 0x34)

			c.writes("box_arrive()", register(barrier), 1)
			c.value("box_waits()", 0)
			c.has(register(barrier), 0xffffffff)
			c.value("box_waits()", 1)
			c.has(register(barrier), 0)
			c.program.WriteString("  if (pthread_create(&thread, NULL, release, NULL) != 0) return 1;\n")
			c.writes("box_barrier()", register(barrier)+3, 0x80)
			c.program.WriteString("  if (pthread_join(thread, NULL) != 0) return 1;\n")

			c.has(register(events), 0x1a5)
			c.value("box_events()", 0x1a5)
			c.writes("box_clear_events(BOX_EVENT_RELEASED | 3)", register(events), 0x03, 0x01)
			c.writes("box_enable(BOX_EVENT_DOORBELLS)", register(enable), 0xff)
			c.has(register(errors), 5)
			c.value("box_errors()", 5)
			c.writes("box_clear_errors(BOX_ERROR_OUTSIDE | BOX_ERROR_DROPPED)", register(errors), 5)
			c.value("BOX_ERROR_UNSUPPORTED", 2)
			c.value("BOX_REGISTER_DIMENSION", register(0x40))

			c.program.WriteString("  return 0;\n}\n")
			f.put(t, "main.c", c.program.String())
			f.compiled(t, "gcc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread", "main.c", "-o", "main")
			got, err := exec.Command(filepath.Join(f.path, "main")).Output()
			require.NoError(t, err)
			assert.Equal(t, strings.Split(c.want.String(), "\n"), strings.Split(string(got), "\n"))

			header := f.text(t, "machine.h")
			internal := []string{"box_load", "box_store", "box_store_half", "box_store_byte"} // which the others call
			for _, m := range function.FindAllStringSubmatch(header, -1) {
				assert.Equal(t, slices.Contains(internal, m[1]), !strings.Contains(c.program.String(), m[1]+"("), "%s is called", m[1])
			}
			assert.Equal(t, e.Gets, strings.Contains(header, "box_get"))
			assert.Equal(t, e.Gets, strings.Contains(header, "box_fence"))
			assert.Equal(t, e.Adds, strings.Contains(header, "box_add"))
		})
	}
}

// Names of dimensions can be words of C, those of macros of the header, or differ in case only.
func TestNamesOfDimensionsAreNamesInC(t *testing.T) {
	dimensions := []string{"all", "ALL", "int", "nodes", "base", "x", "X", "endpoints_h"}
	p := withEndpoints("Int", "address_bits = 8", dimensions, slices.Repeat([]int{2}, len(dimensions)))
	f := written(t, p)
	got := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^#define (INT_\w+) +(\d+)u +// (\w+), 2 nodes$`).FindAllStringSubmatch(f.text(t, "machine.h"), -1) {
		got[m[1]] = m[2] + " " + m[3]
	}
	assert.Equal(t, map[string]string{
		"INT_ALL_": "1 all", "INT_ALL__": "2 ALL", "INT_INT": "3 int", "INT_NODES_": "4 nodes", "INT_BASE_": "5 base",
		"INT_X": "6 x", "INT_X_": "7 X", "INT_ENDPOINTS_H_": "8 endpoints_h",
	}, got)
	compilable(t, f)
}
