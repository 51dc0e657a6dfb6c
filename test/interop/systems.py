# SPDX-License-Identifier: Apache-2.0
"""Programs at all nodes of a system, written from docs/endpoints.md only, with the models of cocotbext-axi on AXI4-Lite.

    systems.py FOLDER      (the output of a machine; its file machine.json says what the test needs)

Each word of each memory has one use, so that the rules of order say what every read may return:

- *own* words: one node writes them, and reads them back. A get is a fence, so it returns all earlier puts and adds.
- *set* words: one node puts a number at a set, then adds to a flag at it. Who sees the flag has the number.
- *sums*: all nodes add to them. In the end they have the sum.
- *races*: all nodes put into them. A read returns one of the words that were put.

All programs of a node run side by side on its bus.
"""

import json
import os
import random
import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Lock, RisingEdge, with_timeout
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from streams import pauses

OWN, MESSAGES, ADD, REGISTERS = 0, 2, 3, 1  # regions
BARRIER, EVENTS, ENABLE, ERRORS = 0x10, 0x14, 0x18, 0x1c
LONGEST = 20_000  # cycles of an access
ROUNDS = 60       # of each program
PLACES = 4        # own words of a node in each memory
MASK = 0xffffffff


class Axi4Lite:
    """The master of cocotbext-axi, whose channels pause at random."""

    def __init__(self, dut, n):
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, f"s_axi_node{n}"), dut.clk, dut.rst)
        for interface, channels in ((self.master.write_if, ("aw", "w", "b")), (self.master.read_if, ("ar", "r"))):
            for channel in channels:
                getattr(interface, f"{channel}_channel").set_pause_generator(pauses(f"{n} {channel}", 0.4))

    def strobes(self, draw):
        """The master writes bytes that follow one another."""
        first, behind = sorted(draw.sample(range(5), 2))
        return [first <= i < behind for i in range(4)]

    async def access(self, address, value, strobes):
        if value is None:
            read = await self.master.read(address, 4)
            return read.resp == AxiResp.OKAY, int.from_bytes(read.data, "little")
        first, count = strobes.index(True), sum(strobes)
        written = await self.master.write(address + first, value.to_bytes(4, "little")[first:first + count])
        assert written.resp in (AxiResp.OKAY, AxiResp.SLVERR)
        return written.resp == AxiResp.OKAY, None


class Wishbone:
    """A master of Wishbone B4 classic, which idles at random between accesses.

    It is ours: no wheel has one for cocotb 2, and tools/python installs wheels only.
    """

    def __init__(self, dut, n):
        self.dut, self.turn, self.idle, self.draw = dut, Lock(), pauses(f"wishbone {n}", 0.4), random.Random(n)
        for name in ("cyc", "stb", "we", "adr", "dat", "sel"):
            setattr(self, name, getattr(dut, f"wb_node{n}_{name}_i"))
            getattr(self, name).value = 0
        self.ack, self.err, self.read = (getattr(dut, f"wb_node{n}_{name}_o") for name in ("ack", "err", "dat"))

    def strobes(self, draw):
        return [draw.random() < 0.6 for _ in range(4)]

    async def access(self, address, value, strobes):
        async with self.turn:
            while next(self.idle):
                await RisingEdge(self.dut.clk)
            self.adr.value, self.we.value = address | self.draw.randrange(4), value is not None  # the lowest two bits are ignored
            self.dat.value, self.sel.value = value or 0, sum(s << i for i, s in enumerate(strobes))
            self.cyc.value = self.stb.value = 1
            await RisingEdge(self.dut.clk)
            while self.ack.value == 0 and self.err.value == 0:
                await RisingEdge(self.dut.clk)
            assert self.ack.value != self.err.value, "both ack and err"
            ok, read = self.ack.value == 1, self.read.value
            assert not ok or value is not None or read.is_resolvable, f"{self.read._name}: the word is unknown"
            self.stb.value = 0
            self.cyc.value = self.draw.randrange(2)  # B4 leaves cyc to the master between accesses
            await RisingEdge(self.dut.clk)
            return ok, int(read) if ok and value is None else None


def spliced(old, new, strobes):
    """The word after a write."""
    for i, s in enumerate(strobes):
        if s:
            old = old & ~(0xff << 8 * i) | new & 0xff << 8 * i
    return old


class Node:
    """The programs of a node."""

    def __init__(self, bench, n, bus):
        self.bench, self.n, self.bus, self.draw = bench, n, bus, random.Random(f"{bench.name} {n}")
        self.errors = 0  # bits of ERRORS

    async def access(self, region, to, offset, value=None, strobes=(True,) * 4, ok=True):
        address = region << self.bench.region | to | offset
        what = f"node {self.n}: {'read' if value is None else 'write'} of {address:#x}"
        done, read = await with_timeout(self.bus.access(address, value, list(strobes)), LONGEST * 10, "ns")
        assert done == ok, f"{what}: {'a bus error' if ok else 'no bus error'}"
        return read

    async def register(self, offset, value=None):
        return await self.access(REGISTERS, 0, offset, value)

    async def own(self):
        """Puts, adds and gets in the words of this node."""
        draw, words = self.draw, [[0] * PLACES for _ in range(self.bench.nodes)]
        to = place = 0
        for _ in range(3 * ROUNDS):
            if draw.random() < 0.3:  # the next word
                to, place = draw.randrange(self.bench.nodes), draw.randrange(PLACES)
            offset, value, kind = self.bench.own(self.n, place), draw.getrandbits(32), draw.choice("pppagg")
            region = MESSAGES if to != self.n or draw.random() < 0.5 else OWN
            destination = self.bench.node(to) if region == MESSAGES else 0
            if kind == "p":
                strobes = self.bus.strobes(draw)
                await self.access(region, destination, offset, value, strobes)
                words[to][place] = spliced(words[to][place], value, strobes)
            elif kind == "a":
                await self.access(ADD, self.bench.node(to), offset, value)
                words[to][place] = words[to][place] + value & MASK
            else:
                read = await self.access(region, destination, offset)
                assert read == words[to][place], f"node {self.n}: own word {offset:#x} at node {to} is {read:#010x}, not {words[to][place]:#010x}"
        for to in range(self.bench.nodes):
            for place in range(PLACES):
                self.bench.final[to][self.bench.own(self.n, place)] = words[to][place]

    async def send(self):
        """Puts numbers at sets, then adds to flags there; adds to sums, puts into races, and rings doorbells."""
        draw, bench = self.draw, self.bench
        counts = [0] * bench.sets
        for _ in range(ROUNDS):
            i = draw.randrange(bench.sets)
            counts[i] += 1
            to, data = bench.set(self.n, i)
            await self.access(MESSAGES, to, data, counts[i])
            await self.access(ADD, to, data + 4, 1)
            single = bench.node(draw.randrange(bench.nodes))
            value, to = draw.getrandbits(32), draw.choice((single, bench.set(self.n, draw.randrange(bench.sets))[0]))
            for n in bench.receivers(self.n, to):
                bench.sums[n] = bench.sums[n] + value & MASK
            await self.access(ADD, to, bench.sum, value)
            value = draw.getrandbits(32)
            bench.races.add(value)
            await self.access(MESSAGES, draw.choice((single, to)), bench.race, value)
            value, strobes = 1 << draw.randrange(6), draw.choice(((True,) * 4, (False, False, True, False)))
            for n in bench.receivers(self.n, single) if strobes[0] else ():
                bench.doorbells[n] |= value
            await self.access(MESSAGES, single, bench.doorbell, value << 16 | value, strobes)
        for i in range(bench.sets):
            to, data = bench.set(self.n, i)
            for n in bench.receivers(self.n, to):
                bench.final[n][data] = bench.final[n][data + 4] = counts[i]

    async def watch(self):
        """Reads flags and numbers of all sets in the own memory, and the races; makes accesses that end with an error."""
        draw, bench = self.draw, self.bench
        for _ in range(ROUNDS):
            _, data = bench.set(draw.randrange(bench.nodes), draw.randrange(bench.sets))
            flag = await self.access(OWN, 0, data + 4)
            number = await self.access(OWN, 0, data)
            assert number >= flag, f"node {self.n}: the flag at {data + 4:#x} is {flag}, but the number is {number}"
            other = draw.randrange(bench.nodes)
            race = await self.access(MESSAGES, bench.node(other), bench.race)
            assert race in bench.races, f"node {self.n}: {race:#010x} was not put into the race of node {other}"
            bit, region, to, offset, value = draw.choice(bench.wrong)
            await self.access(region, to, offset, value, ok=False)
            self.errors |= 1 << bit
            assert await self.register(ERRORS) == self.errors

    async def arrive(self, barrier):
        """Arrives at a barrier, and waits."""
        self.bench.arrived[barrier] += 1
        await self.register(BARRIER, self.draw.getrandbits(32))
        while await self.register(BARRIER):
            pass
        assert self.bench.arrived[barrier] == self.bench.nodes, f"node {self.n} is released, but not all nodes have arrived"

    async def programs(self):
        bench = self.bench
        for offset, value in bench.registers(self.n).items():
            read = await self.register(offset)
            assert read == value, f"node {self.n}: register {offset:#x} is {read:#x}, not {value:#x}"
        await self.arrive(0)
        await with_all(self.own(), self.send(), self.watch())
        for to in range(bench.nodes):  # fences
            await self.access(MESSAGES, bench.node(to), 0)
        await self.arrive(1)

    async def end(self):
        bench, irq = self.bench, self.bench.irqs[self.n]
        for offset, value in bench.final[self.n].items():
            read = await self.access(OWN, 0, offset)
            assert read == value, f"node {self.n}: word {offset:#x} is {read:#010x} in the end, not {value:#010x}"
        assert await self.access(OWN, 0, bench.sum) == bench.sums[self.n], f"node {self.n}: the sum is wrong"
        assert await self.access(OWN, 0, bench.doorbell) == 0, f"node {self.n}: a doorbell wrote the memory"
        events = bench.doorbells[self.n] | 0x100
        assert await self.register(EVENTS) == events, f"node {self.n}: EVENTS is not {events:#x}"
        assert irq.value == 0
        await self.register(ENABLE, 0x100)
        assert irq.value == 1, f"node {self.n}: no interrupt"
        await self.register(EVENTS, 0x100)
        assert irq.value == 0, f"node {self.n}: the interrupt stays"
        assert await self.register(EVENTS) == bench.doorbells[self.n]
        await self.register(ERRORS, self.errors)
        assert await self.register(ERRORS) == 0


async def with_all(*programs):
    for task in [cocotb.start_soon(p) for p in programs]:
        await task


class Bench:
    """The machine, the use of each word, and what the words are in the end."""

    def __init__(self, dut, machine):
        self.name, self.nodes, self.dims = machine["name"], machine["nodes"], machine["dimensions"]
        a, r = machine["address_bits"], len(self.dims)
        bits = [max(1, (m - 1).bit_length()) for m, _ in self.dims]
        self.lows = [a + sum(bits[:i]) for i in range(r)]
        self.all = a + sum(bits)
        self.region, self.sets, self.bits = self.all + r, (1 << r) - 1, bits
        words = PLACES * self.nodes + 2 * self.nodes * self.sets
        self.sum, self.race, self.doorbell = 4 * words, 4 * words + 4, (1 << a) - 4
        assert self.race < self.doorbell, "the memory is too small for this test"
        draw = random.Random(self.name)
        self.fixed = [[[draw.randrange(m) for m, _ in self.dims] for _ in range(self.sets)] for _ in range(self.nodes)]
        self.final = [{4 * i: 0 for i in range(words)} for _ in range(self.nodes)]
        self.sums, self.doorbells, self.races, self.arrived = [0] * self.nodes, [0] * self.nodes, {0}, [0, 0]
        self.irqs = [getattr(dut, f"irq_node{n}") for n in range(self.nodes)]
        self.id = r | a << 8 | 3 << 16 | 1 << 24
        everywhere = (1 << r) - 1 << self.all
        self.wrong = [
            (0, OWN, 1 << self.lows[0], 0, None), (0, REGISTERS, everywhere, EVENTS, 1),
            (1, MESSAGES, everywhere, 0, None), (1, ADD, self.node(0), 0, None), (1, REGISTERS, 0, 0x24, None), (1, REGISTERS, 0, 0x04, 1),
        ]
        self.wrong += [(0, region, m << low, 0, 7) for (m, _), low, b in zip(self.dims, self.lows, bits) if m < 1 << b for region in (MESSAGES, ADD)]

    def digits(self, n):
        digits = []
        for m, _ in self.dims:
            digits.append(n % m)
            n //= m
        return digits

    def placed(self, digits):
        return sum(d << low for d, low in zip(digits, self.lows))

    def node(self, n):
        return self.placed(self.digits(n))

    def own(self, n, place):
        return 4 * (PLACES * n + place)

    def set(self, n, i):
        """Set i of node n, and the offset of its number. Bit d of i + 1: all digits of dimension d + 1."""
        return i + 1 << self.all | self.placed(self.fixed[n][i]), 4 * (PLACES * self.nodes + 2 * (self.sets * n + i))

    def receivers(self, n, to):
        spread, digits = to >> self.all, [to >> low & (1 << b) - 1 for low, b in zip(self.lows, self.bits)]
        found = [v for v in range(self.nodes) if all(spread >> i & 1 or d == digits[i] for i, d in enumerate(self.digits(v)))]
        return found if not spread else [v for v in found if v != n]

    def registers(self, n):
        known = {0x00: self.id, 0x04: n, 0x08: self.node(n) >> self.lows[0], 0x0c: self.nodes, BARRIER: 0, EVENTS: 0, ENABLE: 0, ERRORS: 0, 0x20: 0}
        return known | {0x40 + 4 * i: m | rho << 16 for i, (m, rho) in enumerate(self.dims)}


@cocotb.test()
async def system(dut):
    machine = json.loads(os.environ["HCGEN_MACHINE"])
    bench = Bench(dut, machine)
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    model = {"wishbone": Wishbone, "axi4lite": Axi4Lite}[machine["bus"]]
    nodes = [Node(bench, n, model(dut, n)) for n in range(bench.nodes)]
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    await with_all(*(node.programs() for node in nodes))
    await with_all(*(node.end() for node in nodes))


def top(machine):
    """A module with the ports of each node by themselves, and the memories. What a memory does not promise is x."""
    name, nodes, words = machine["name"], machine["nodes"], machine["address_bits"] - 2
    ports, wires, connected, assigns = ["input wire clk", "input wire rst"], [], ["clk", "rst"], []
    for wire in machine["wires"]:  # packed by node
        packed, bits = wire["Name"], wire["Bits"]
        wires.append(f"wire [{nodes * bits - 1}:0] {packed};")
        connected.append(packed)
        if packed.startswith("mem_"):
            continue
        prefix, _, signal = packed.partition("_axi_" if machine["bus"] == "axi4lite" else "_")
        prefix = prefix + "_axi" * ("_axi_" in packed)
        for n in range(nodes):
            port = f"{prefix}_node{n}" + f"_{signal}" * (signal != "")
            ports.append(f"{'output' if wire['Output'] else 'input'} wire [{bits - 1}:0] {port}")
            lane = f"{packed}[{bits * n}+:{bits}]"
            assigns.append(f"assign {port} = {lane};" if wire["Output"] else f"assign {lane} = {port};")
    return f"""module {name}_systems (
    {", ".join(ports)}
);
    {" ".join(wires)}
    {" ".join(assigns)}
    {name}_system dut ({", ".join(f".{c}({c})" for c in connected)});

    genvar n;
    generate for (n = 0; n < {nodes}; n = n + 1) begin : memory
        reg [31:0] words [0:{(1 << words) - 1}];
        reg [31:0] read;
        wire [3:0] we = mem_we[4*n+:4];
        wire [{words - 1}:0] address = mem_addr[{words}*n+:{words}];
        integer i;
        assign mem_rdata[32*n+:32] = read;
        initial for (i = 0; i < {1 << words}; i = i + 1) words[i] = 32'd0;
        always @(posedge clk) begin
            read <= mem_en[n] && we == 4'd0 ? words[address] : 32'bx;
            for (i = 0; i < 4; i = i + 1)
                if (mem_en[n] && we[i]) words[address][8*i+:8] <= mem_wdata[32*n+8*i+:8];
        end
    end endgenerate
endmodule
"""


if __name__ == "__main__":
    out = Path(sys.argv[1]).resolve()
    text = (out / "machine.json").read_text()
    name = json.loads(text)["name"] + "_systems"
    (out / f"{name}.v").write_text(top(json.loads(text)))
    runner = get_runner("icarus")
    runner.build(
        sources=[out / name for name in (out / "filelist.f").read_text().split()] + [out / f"{name}.v"],
        hdl_toplevel=name, build_args=["-g2005"], timescale=("1ns", "1ps"), build_dir=out / "build/systems", always=True,
    )
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    results = runner.test(
        test_module="systems", hdl_toplevel=name, build_dir=out / "build/systems",
        extra_env={"HCGEN_MACHINE": text, "COCOTB_LOG_LEVEL": "WARNING"}, results_xml=str(out / "build/systems/results.xml"),
    )
    tests, failed = get_results(results)
    sys.exit(0 if tests and not failed else 3)
