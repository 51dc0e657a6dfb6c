# SPDX-License-Identifier: Apache-2.0
"""Random messages under random pauses, with the models of cocotbext-axi, and an eye on every AXI4-Stream.

    streams.py FOLDER      (the output of a machine; its file machine.json says what the test needs)

The models send and receive. They do not watch the rules of AXI4-Stream, so `watch` does: a valid word stays until it is
accepted, and does not change.
"""

import collections
import json
import os
import random
import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

MESSAGES = 16  # of each node


def pauses(seed, share):
    """The cycles in which a model pauses: a share of them, at random."""
    draw = random.Random(seed)
    while True:
        yield draw.random() < share


def lane(text, i, bits):
    """Lane i of a vector that is printed with its highest bit first."""
    return text[len(text) - (i + 1) * bits:len(text) - i * bits]


async def watch(dut, module, prefix, lanes, counts):
    """Watches the streams of a port of a module."""
    valid, ready, data = (getattr(module, f"{prefix}_{signal}") for signal in ("tvalid", "tready", "tdata"))
    bits = len(data) // lanes
    held = [None] * lanes
    while True:
        await RisingEdge(dut.clk)
        if dut.rst.value == 1:
            held = [None] * lanes
            continue
        valids, readies, words = str(valid.value), str(ready.value), str(data.value)
        for i in range(lanes):
            stream, word = f"{data._path}, lane {i}", lane(words, i, bits)
            assert lane(valids, i, 1) in "01", f"{stream}: tvalid is unknown"
            if held[i] is not None:
                assert lane(valids, i, 1) == "1", f"{stream}: tvalid drops before the word is accepted"
                assert word == held[i], f"{stream}: a word changes before it is accepted"
            held[i] = None
            if lane(valids, i, 1) == "1" and lane(readies, i, 1) != "1":
                held[i] = word
                counts[prefix] += 1


class Wishbone:
    """A master of Wishbone B4 classic, which idles at random between transfers."""

    def __init__(self, dut):
        self.dut, self.idle = dut, pauses("wishbone", 0.5)
        for signal in ("cyc", "stb", "we", "adr", "dat", "sel"):
            getattr(dut, f"wb_{signal}_i").value = 0

    async def transfer(self, address, value=None):
        dut = self.dut
        while next(self.idle):
            await RisingEdge(dut.clk)
        dut.wb_adr_i.value, dut.wb_sel_i.value, dut.wb_we_i.value = address, 0b1111, value is not None
        dut.wb_dat_i.value = value or 0
        dut.wb_cyc_i.value = dut.wb_stb_i.value = 1
        await RisingEdge(dut.clk)
        while dut.wb_ack_o.value != 1:
            assert dut.wb_err_o.value == 0, f"address {address:#x}: error"
            await RisingEdge(dut.clk)
        read = dut.wb_dat_o.value
        dut.wb_cyc_i.value = dut.wb_stb_i.value = 0
        await RisingEdge(dut.clk)
        return read

    async def write_dword(self, address, value):
        await self.transfer(address, value)

    async def read_dword(self, address):
        return int(await self.transfer(address))


def axi4lite(dut):
    """A master of AXI4-Lite whose channels pause at random."""
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.clk, dut.rst)
    for channel in ("aw", "w", "b"):
        getattr(master.write_if, f"{channel}_channel").set_pause_generator(pauses(channel, 0.5))
    for channel in ("ar", "r"):
        getattr(master.read_if, f"{channel}_channel").set_pause_generator(pauses(channel, 0.5))
    return master


async def configure(dut, machine, bus):
    """Writes the configuration and reads everything back."""
    for write in machine["writes"]:
        await bus.write_dword(write["Address"], write["Value"])
    while dut.configured.value != 1:
        await RisingEdge(dut.clk)
    for read in machine["reads"]:
        value = await bus.read_dword(read["Address"])
        assert value == read["Value"], f"{read['Register']} is {value:#x}, not {read['Value']:#x}"


@cocotb.test()
async def messages(dut):
    machine = json.loads(os.environ["HCGEN_MACHINE"])
    nodes, deliveries = machine["nodes"], machine["deliveries"]
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    for name in machine["idle"]:
        getattr(dut, name).value = 0
    bus = {"wishbone": Wishbone, "axi4lite": axi4lite, "": lambda _: None}[machine["bus"]](dut)

    def model(kind, name, share):
        stream = kind(AxiStreamBus.from_prefix(dut, name), dut.clk, dut.rst, byte_lanes=1)
        stream.set_pause_generator(pauses(name, share))
        return stream

    sources = [model(AxiStreamSource, f"s_axis_node{n}", 0.2) for n in range(nodes)]
    sinks = [[model(AxiStreamSink, name, 0.7) for name in names] for names in machine["receivers"]]
    stalls = collections.Counter()
    cocotb.start_soon(watch(dut, dut.network, "m_axis", nodes * deliveries, stalls))
    for n in range(nodes):
        cocotb.start_soon(watch(dut, getattr(dut.network, f"node{n}"), "m_axis_link", machine["links"], stalls))
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    if bus:
        await with_timeout(configure(dut, machine, bus), 1, "ms")

    draw, expected = random.Random(machine["name"]), [collections.Counter() for _ in range(nodes)]
    for n, source in enumerate(sources):
        for _ in range(MESSAGES):
            word, to = draw.getrandbits(machine["payload_bits"]), draw.choice(machine["destinations"])
            receivers = [r for r in (range(nodes) if to["node"] < 0 else [to["node"]]) if r != n]
            if not receivers:
                continue  # a message to its own node reaches nobody
            for r in receivers:
                expected[r][word] += 1
            await source.send(AxiStreamFrame([word], tdest=to["tdest"]))

    async def drained():
        while not all(source.empty() and source.idle() for source in sources):
            await RisingEdge(dut.clk)

    await with_timeout(drained(), 1, "ms")
    await ClockCycles(dut.clk, 500)
    for n, streams in enumerate(sinks):
        received = collections.Counter(w for s in streams for _ in range(s.count()) for w in s.recv_nowait().tdata)
        assert received == expected[n], f"node {n}: missing {expected[n] - received}, not sent {received - expected[n]}"
    assert sum(sum(e.values()) for e in expected) > nodes * MESSAGES / 2
    assert stalls["m_axis"] > 50 and stalls["m_axis_link"] > 50, f"too few stalls prove nothing: {stalls}"


if __name__ == "__main__":
    out = Path(sys.argv[1]).resolve()
    machine = (out / "machine.json").read_text()
    top = json.loads(machine)["name"] + "_streams"
    runner = get_runner("icarus")
    runner.build(
        sources=[out / name for name in (out / "filelist.f").read_text().split()] + [out / f"integration/{top}.v"],
        hdl_toplevel=top, build_args=["-g2005"], timescale=("1ns", "1ps"), build_dir=out / "build/streams", always=True,
    )
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    results = runner.test(
        test_module="streams", hdl_toplevel=top, build_dir=out / "build/streams",
        extra_env={"HCGEN_MACHINE": machine, "COCOTB_LOG_LEVEL": "WARNING"},
        results_xml=str(out / "build/streams/results.xml"),
    )
    tests, failed = get_results(results)
    sys.exit(0 if tests and not failed else 3)
