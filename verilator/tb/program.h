// SPDX-License-Identifier: Apache-2.0
//
// The frame of all benches: plusargs, the simulator, and the exit status.

#ifndef HC_PROGRAM_H
#define HC_PROGRAM_H

#include <functional>
#include <string>

#include <verilated.h>

#include "options.h"
#include "report.h"

namespace hc {

/// The exit status of a bench.
enum Exit { kEqual = 0, kFault = 1, kBadInput = 2, kDiffers = 3 };

/// The whole program: reads the plusargs and runs the bench. An exception becomes a message and an exit
/// status; a trace that cannot be replayed is an error of this suite in the JUnit report.
int bench_program(int argc, char** argv, const std::string& suite, const std::function<int(const Options&)>& run);

/// Prepares the simulator: registers start at random.
void prepare(VerilatedContext& context, const Options& options, int argc, char** argv);

/// Prints the closing line of a run, and before it whether the run stopped early.
void print_verdict(const Report& report, const std::string& summary);

}  // namespace hc

#endif
