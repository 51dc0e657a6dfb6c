// SPDX-License-Identifier: Apache-2.0

#include "options.h"

namespace hc {

namespace {

std::uint64_t number(const std::string& name, const std::string& text, std::uint64_t low, std::uint64_t high) {
  const OptionError wrong("+" + name + "=" + text + ": wanted a number from " + std::to_string(low) + " to " +
                          std::to_string(high));
  if (text.empty()) throw wrong;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') throw wrong;
    value = 10 * value + static_cast<std::uint64_t>(c - '0');
    if (value > high) throw wrong;
  }
  if (value < low) throw wrong;
  return value;
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.compare(0, 11, "+verilator+") == 0) continue;  // Verilator's own
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const bool has_value = equals != std::string::npos;
    const std::string value = has_value ? argument.substr(equals + 1) : "";
    if (!has_value && name == "+require-stalls") {
      options.require_stalls = true;
    } else if (!has_value && name == "+help") {
      options.help = true;
    } else if (has_value && (name == "+golden" || name == "+trace" || name == "+junit" || name == "+result")) {
      if (value.empty()) throw OptionError(name + "= needs a file name");
      (name == "+golden"  ? options.golden
       : name == "+trace" ? options.waves
       : name == "+junit" ? options.junit
                          : options.result) = value;
    } else if (has_value && name == "+max-mismatch") {
      options.max_mismatch = number("max-mismatch", value, 1, 1000000000);
    } else if (has_value && name == "+seed") {
      options.seed = static_cast<std::uint32_t>(number("seed", value, 0, 1000000000));
    } else if (has_value && name == "+free-run") {
      options.free_run = number("free-run", value, 1, 1000000000000);
    } else if (has_value && name == "+threads") {
      options.threads = static_cast<unsigned>(number("threads", value, 1, 256));
    } else {
      throw OptionError("unknown argument " + argument);
    }
  }
  if (options.golden.empty() && options.free_run == 0 && !options.help) {
    throw OptionError("+golden= is missing: which trace?");
  }
  if (!options.golden.empty() && options.free_run > 0)
    throw OptionError("+free-run= replays no trace: +golden= is too much");
  return options;
}

std::string usage(const std::string& program) {
  return "usage: " + program +
         " +golden=FILE [+trace=FILE] [+junit=FILE] [+result=FILE] [+max-mismatch=N] [+seed=N]"
         " [+require-stalls] [+threads=N]\n"
         "       " +
         program +
         " +free-run=CYCLES [+junit=FILE] [+result=FILE] [+max-mismatch=N] [+seed=N] [+threads=N]\n"
         "  +golden=FILE      golden trace to replay and compare; - is standard input, FILE.gz is unpacked\n"
         "  +trace=FILE       write waves (VCD)\n"
         "  +junit=FILE       write a JUnit report (XML)\n"
         "  +result=FILE      append the result for the report of the machine\n"
         "  +max-mismatch=N   stop after N differences (10)\n"
         "  +seed=N           seed of random registers and inputs (1)\n"
         "  +require-stalls   fail if a stream of the trace never stalled or never transferred\n"
         "  +free-run=CYCLES  drive random traffic for CYCLES cycles instead of a trace: messages must arrive\n"
         "                    once and in order, and nodes have fair turns and bounded waits\n"
         "  +threads=N        of the array alone (one for each processor)\n"
         "exit status: 0 equal, 1 internal error, 2 bad arguments or trace, 3 the design differs\n";
}

}  // namespace hc
