// SPDX-License-Identifier: Apache-2.0
//
// Reads traces for FuzzTraceReader. The command line names the file. Each line of standard
// input is a command to read it as the trace of a router or of a network ("r" or "n"). The
// answer has the lines that were read, in the format of a trace, and then "ok", or "error "
// and the message.

#include <cstdio>
#include <string>

#include "bench_config.h"
#include "trace.h"

namespace {

std::string hex(const std::uint32_t* words, unsigned bits) {
  std::string text;
  for (unsigned digit = (bits + 3) / 4; digit-- > 0;) {
    text += "0123456789abcdef"[words[digit / 8] >> (4 * (digit % 8)) & 15];
  }
  return text;
}

void read(const char* path, const hc::StreamTable& table) {
  hc::TraceReader reader(path, table);
  std::printf("# hcgen-trace v1 machine=%s config=%s traffic=%s cycles=%llu\n", hc::kMachine, hc::kConfigHash,
              reader.traffic().c_str(), static_cast<unsigned long long>(reader.cycles()));
  for (; reader.more(); reader.next()) {
    const hc::TraceLine& line = reader.line();
    const hc::StreamName& name = table[line.stream];
    const std::uint32_t header[2] = {static_cast<std::uint32_t>(line.header),
                                     static_cast<std::uint32_t>(line.header >> 32)};
    std::printf("%llu %u %s %d %s %s\n", static_cast<unsigned long long>(line.cycle), line.node, name.text.c_str(),
                line.ready ? 1 : 0, name.header_bits > 0 ? hex(header, name.header_bits).c_str() : "-",
                name.payload_bits > 0 ? hex(line.payload.data(), name.payload_bits).c_str() : "-");
  }
}

}  // namespace

int main(int, char** argv) {
  const hc::StreamTable router(true);
  const hc::StreamTable network(false);
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c == '\n') continue;
    try {
      read(argv[1], c == 'r' ? router : network);
      std::puts("ok");
    } catch (const hc::TraceError& e) {
      std::printf("error %s\n", e.what());
    }
    std::putchar('\0');  // the end; no message holds it
    std::fflush(stdout);
  }
}
