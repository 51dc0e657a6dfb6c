// SPDX-License-Identifier: Apache-2.0
//
// The plusargs of the benches.

#ifndef HC_OPTIONS_H
#define HC_OPTIONS_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace hc {

struct Options {
  std::string golden;               // trace to replay; required except in a free run
  std::string waves;                // VCD file to write; "": none
  std::string junit;                // JUnit XML file to write; "": none
  std::string result;               // file to append the result to; "": none
  std::uint64_t max_mismatch = 10;  // differences after which the run stops
  std::uint32_t seed = 1;           // of registers without reset, and of inputs that must not matter
  bool require_stalls = false;      // fail unless every stream of the trace has stalled and transferred
  std::uint64_t free_run = 0;       // cycles without a trace; 0: no free run
  unsigned threads = 0;             // threads of the array bench; 0: one for each processor
  bool help = false;
};

/// A plusarg that is wrong, missing or unknown.
class OptionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the command line. Throws OptionError.
Options parse_options(int argc, char** argv);

/// The usage text; program is argv[0].
std::string usage(const std::string& program);

}  // namespace hc

#endif
