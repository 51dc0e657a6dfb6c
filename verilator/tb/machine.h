// SPDX-License-Identifier: Apache-2.0
//
// Benches of a generated machine. A bench replays a golden trace, which hcgen
// writes next to the RTL, on the Verilated design. In every cycle each line of the trace
// must match its stream, and no other stream may be valid. A bench ends with exit status 0
// if nothing differs.
// A free run needs no trace: it checks properties that hold for any traffic.
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
//   inline constexpr unsigned kLead;          lead of the pace, 1 or more
//   inline constexpr unsigned kPaceBits;      bits of the pace
//   inline constexpr unsigned kLinkRegisters[];  registers of the link of each port
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
// for the chips of a machine the macro HC_CABLES(CABLE), which is CABLE(port) for each cable of a chip, and
//
//   inline constexpr ChipLink kChipLinks[];   links between chips, of each dimension
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
// tb/ (../../tb/bench.cpp ../../tb/checks.cpp ../../tb/configured.cpp ../../tb/machine.cpp ../../tb/replay.cpp
// ../../tb/trace.cpp); Verilator's make looks for them from -Mdir. The array is the router with
// array_main.cpp for router_main.cpp, -o Varray, -Mdir build/array, without
// --trace and with OPT_FAST=-O2.
//
// For traces of some thousand cycles, -O0 gives the fastest result. For long
// traces use OPT_FAST=-O1: compilation takes half as long again, and the bench runs
// three to four times as fast. Do not pass -O to -CFLAGS: it would slow the
// compilation of the parts that run once.

#ifndef HC_MACHINE_H
#define HC_MACHINE_H

#include <functional>
#include <memory>

#include "checks.h"
#include "model.h"

namespace hc {

/// Makes the model in a context. node is the node of the trace (router bench), and pool
/// has the threads of the model (array bench).
using ModelMaker = std::function<std::unique_ptr<Model>(VerilatedContext& context, const StreamTable& table,
                                                        std::uint32_t node, Pool& pool)>;

/// The whole program. top is "router", "network" or "array". Returns the exit status.
int bench_main(int argc, char** argv, const char* top, const ModelMaker& make);

// A free run drives a network without a trace under random load, and checks the properties that hold under every load.

/// The results and the cost of a free run.
struct FreeRun {
  std::uint64_t injections = 0;
  std::uint64_t deliveries = 0;
  std::uint64_t drain_cycles = 0;  // cycles after the load until the network was empty
  Times times;                     // times of messages when the load ends
  std::uint64_t wait_bound = 0;    // most injections of other nodes that the theorem allows during a wait
  double seconds = 0;  // of processor time under load, of all threads; elapsed time would depend on other processes
};

/// Resets the network and loads it with broadcasts for options.free_run cycles. In the first
/// half most nodes always offer a message, the others offer one at times, and all receivers
/// stall at random. In the second half a few nodes always offer a message; at times these nodes
/// change, one receiver stalls briefly, and another node offers a single message, which the
/// uninterrupted streams can pass for as long as the design permits. Finally the network drains.
/// Checks that
///
/// - every message is delivered to all other nodes once and unchanged, those of one node
///   in order, and nothing is dropped as malformed;
/// - the paces of neighbours differ by at most the lead, in every cycle;
/// - in the first half, numbers of injections of nodes that always offer differ by at most
///   kLead d + kFairSlack, d being their distance, in every cycle;
/// - while a node waits for its injection, all others inject at most the sum of
///   2 kLead d + kWaitSlack messages.
///
/// The time under way, and the injections of other nodes during this time, are not checked: they
/// are bounded, but no useful bound has been proved.
///
/// The report has a case for each property.
FreeRun free_run(Model& model, const StreamTable& table, const Options& options, Report& report);

/// Largest difference of the injections of two nodes, in messages, in addition to kLead times their distance.
constexpr std::uint64_t kFairSlack = 3;
/// Most injections of a node while another node waits, in messages, in addition to 2 kLead times their distance.
constexpr std::uint64_t kWaitSlack = 4;

}  // namespace hc

#endif
