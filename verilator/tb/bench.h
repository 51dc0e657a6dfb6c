// SPDX-License-Identifier: Apache-2.0
//
// Benches of a generated machine. A bench replays a golden trace, which hcgen
// writes next to the RTL, on the Verilated design. In every cycle each line of the trace
// must match its stream, and no other stream may be valid. A bench ends with exit status 0
// if nothing differs.
// A free run needs no trace: it checks properties that hold for any traffic (free_run.h).
// There are three benches: router_main.cpp for a single <machine>_router, which drives
// all its ports; network_main.cpp for <machine>_network, which also compares the links
// inside; and array_main.cpp for one <machine>_router per node, which are connected
// in C++ and run on several threads.
//
// All files are the same for every machine, except for bench_config.h, which is
// generated. It must define, in namespace hc:
//
//   inline constexpr char kMachine[];         name of the machine, as in traces
//   inline constexpr char kConfigHash[];      config= of traces that belong to the RTL
//   inline constexpr unsigned kNodes;         N, 2 or more
//   inline constexpr unsigned kDegree;        ports of a router of the machine, 1 or more
//   inline constexpr unsigned kPorts;         ports of the router module; those from kDegree upwards are silent
//   inline constexpr unsigned kPayloadBits;   bits of a payload, 1 or more
//   inline constexpr unsigned kWdBits;        bits of wd, 1 or more
//   inline constexpr unsigned kWcBits;        bits of wc, 1 or more
//   inline constexpr unsigned kSourceBits;    bits of the source id, 0 without one
//   inline constexpr bool kDestination;       messages have a destination
//   inline constexpr bool kLast;              messages have tlast
//   inline constexpr bool kBarrier;           routers have a barrier
//   inline constexpr unsigned kSpreadBits;    1 with destinations, else 0
//   inline constexpr unsigned kRouteBits;     bits of route on a link, 0 without destinations
//   inline constexpr unsigned kTdestBits;     bits of tdest, 0 without destinations
//   inline constexpr unsigned kDigitsBits;    bits of node_digits, 0 without destinations
//   inline constexpr unsigned kDigitBits[];   bits of a digit, dimension 1 first; 0 without destinations
//   inline constexpr bool kPerPort;           deliveries have a stream for each port
//   inline constexpr unsigned kDeliveries;    local outputs of a router: kDegree with kPerPort, else 1
//   inline constexpr Ring kRings[];           m and rho of each dimension, dimension 1 first
//
// and for a programmable router the macro WISHBONE or AXI4LITE, and
//
//   inline constexpr Write kWrites[];         the writes that configure it, in order
//   inline constexpr Register kRegisters[];   its registers and their values while it runs
//   inline constexpr Register kCounters[];    accepted, forwarded, delivered and dropped messages, from 0
//
// Both tops are Verilated with fixed names, so that no name of the machine
// appears in C++: --prefix Vrouter or Vnetwork, --l2-name bench. From the
// folder that holds rtl/, filelist.f and tb/, where build/ must exist:
//
//   verilator -Wall --cc --exe --build -j 2 --trace -O3
//     --x-assign unique --x-initial unique
//     -CFLAGS "-std=c++17" -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
//     --prefix Vrouter --l2-name bench --top-module <machine>_router
//     -Mdir build/router -f filelist.f ../../tb/router_main.cpp <sources>
//
// and the same with network for router and, before the sources, tb/network.vlt,
// which makes the inner wires readable. <sources> are the other .cpp files of
// tb/ (../../tb/bench.cpp ../../tb/destination.cpp ../../tb/free_run.cpp ../../tb/options.cpp ../../tb/pool.cpp
// ../../tb/program.cpp ../../tb/read_back.cpp ../../tb/reload.cpp ../../tb/replay.cpp ../../tb/report.cpp
// ../../tb/scoreboard.cpp ../../tb/streams.cpp ../../tb/topology.cpp ../../tb/trace_lines.cpp
// ../../tb/trace_reader.cpp ../../tb/under_way.cpp);
// Verilator's make looks for them from -Mdir. The array is the router with
// array_main.cpp for router_main.cpp, -o Varray, -Mdir build/array, without
// --trace and with OPT_FAST=-O2.
//
// For traces of some thousand cycles, -O0 gives the fastest result. For long
// traces use OPT_FAST=-O1: compilation takes half as long again, and the bench runs
// three to four times as fast. Do not pass -O to -CFLAGS: it would slow the
// compilation of the parts that run once.

#ifndef HC_BENCH_H
#define HC_BENCH_H

#include <functional>
#include <memory>

#include "model.h"
#include "pool.h"
#include "streams.h"

namespace hc {

/// Makes the model in a context. node is the node of the trace (router bench), and pool
/// has the threads of the model (array bench).
using ModelMaker = std::function<std::unique_ptr<Model>(VerilatedContext& context, const StreamTable& table,
                                                        std::uint32_t node, Pool& pool)>;

/// The whole program. top is "router", "network" or "array". Returns the exit status.
int bench_main(int argc, char** argv, const char* top, const ModelMaker& make);

}  // namespace hc

#endif
