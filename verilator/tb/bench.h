// SPDX-License-Identifier: Apache-2.0
//
// Benches of a generated machine. A bench replays a golden trace (written by
// hcgen next to the RTL) on the Verilated design, compares every stream in
// every cycle, both ways, and ends with exit status 0 if nothing differs.
// A free run needs no trace and checks what must hold for any traffic (free_run.h).
// There are three: router_main.cpp for <machine>_router alone, driven at all its
// ports, network_main.cpp for <machine>_network, with its inner links, and
// array_main.cpp for one <machine>_router per node of the machine, wired in C++, on
// several threads.
//
// Everything here is the same for every machine but bench_config.h, which is
// generated. It must define, in namespace hc:
//
//   inline constexpr char kMachine[];         name of the machine, as in traces
//   inline constexpr char kConfigHash[];      config= of traces that belong to the RTL
//   inline constexpr unsigned kNodes;         N, 2 or more
//   inline constexpr unsigned kDegree;        ports of a router, 1 or more
//   inline constexpr unsigned kPorts;         ports of its module; from kDegree upwards they are silent
//   inline constexpr unsigned kPayloadBits;   1 or more
//   inline constexpr unsigned kWdBits;        1 or more
//   inline constexpr unsigned kWcBits;        1 or more
//   inline constexpr unsigned kSourceBits;    0 without a source id
//   inline constexpr bool kDestination;       messages have a destination
//   inline constexpr bool kLast;              messages have tlast
//   inline constexpr bool kBarrier;           routers have a barrier
//   inline constexpr unsigned kSpreadBits;    1 with destinations, else 0
//   inline constexpr unsigned kRouteBits;     of the route of a link, 0 without destinations
//   inline constexpr unsigned kTdestBits;     of tdest, 0 without destinations
//   inline constexpr unsigned kDigitsBits;    of node_digits, 0 without destinations
//   inline constexpr unsigned kDigitBits[];   of a digit in each dimension, dimension 1 first; 0 without destinations
//   inline constexpr bool kPerPort;           deliveries have a stream for each port
//   inline constexpr unsigned kDeliveries;    local outputs of a router: kDegree with kPerPort, else 1
//   inline constexpr Ring kRings[];           m and rho of each dimension, dimension 1 first
//
// and for a programmable router WISHBONE or AXI4LITE, a macro, and
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
// -O0 is the fastest way to a result for traces of some thousand cycles; for
// long ones OPT_FAST=-O1 takes half as long again to compile and runs three to
// four times as fast. Do not pass -O to -CFLAGS: it would slow the compilation
// of the parts that run once.

#ifndef HC_BENCH_H
#define HC_BENCH_H

#include <functional>
#include <memory>

#include "model.h"
#include "pool.h"
#include "streams.h"

namespace hc {

/// Makes the model in a context; node is the one the trace is about (router), pool
/// its threads (array).
using ModelMaker = std::function<std::unique_ptr<Model>(VerilatedContext& context, const StreamTable& table,
                                                        std::uint32_t node, Pool& pool)>;

/// The whole program. top is "router", "network" or "array". Returns the exit status.
int bench_main(int argc, char** argv, const char* top, const ModelMaker& make);

}  // namespace hc

#endif
