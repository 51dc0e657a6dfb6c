// SPDX-License-Identifier: Apache-2.0
//
// Reads commands from stdin, one a line, and answers each with a line:
//
//   w ADDRESS DATA LANES   write; ok or err
//   r ADDRESS              read; the value or err
//   t CYCLES               let cycles pass; ok
//   d 0|1                  set drained; ok
//   e FORWARDED DROPPED    a cycle with these events, and one of each local kind; ok
//   p                      the outputs
//
// All numbers are hexadecimal. Compiled with -DWISHBONE or -DAXI4LITE.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "Vconfigured.h"
#include "bus.h"
#include "verilated.h"

int main(int argc, char** argv) {
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(1);
  context.commandArgs(argc, argv);
  Vconfigured top(&context);
  hc::ConfigurationBus<Vconfigured> bus(top, 1);
  const auto tick = [&] { bus.tick(); };
  top.drained = 1;
  top.idle = 0;
  top.accepted = top.delivered = 0;
  top.forwarded = top.dropped = 0;
  top.rst = 1;
  for (int i = 0; i < 3; ++i) tick();
  top.rst = 0;

  std::string command;
  while (std::cin >> command >> std::hex) {
    std::uint32_t a = 0, b = 0, lanes = 0;
    switch (command[0]) {
      case 'w':
        std::cin >> a >> b >> lanes;
        std::puts(bus.write(a, b, lanes) ? "ok" : "err");
        break;
      case 'r': {
        std::cin >> a;
        const bool ok = bus.read(a, &b);
        if (ok) {
          std::printf("%x\n", b);
        } else {
          std::puts("err");
        }
        break;
      }
      case 't':
        std::cin >> a;
        for (; a > 0; --a) tick();
        std::puts("ok");
        break;
      case 'd':
        std::cin >> a;
        top.drained = a != 0;
        std::puts("ok");
        break;
      case 'e':
        std::cin >> a >> b;
        top.forwarded = a;
        top.dropped = b;
        top.accepted = top.delivered = 1;
        tick();
        top.forwarded = top.dropped = 0;
        top.accepted = top.delivered = 0;
        std::puts("ok");
        break;
      case 'p':
        top.eval();
        std::printf("%x %x %x ", top.accepting, top.running, top.error);
        for (int i = 5; i >= 0; --i) std::printf("%08x", top.ports[i]);
        std::puts("");
        break;
      default: std::printf("unknown command %s\n", command.c_str()); return 1;
    }
  }
  top.final();
  return 0;
}
