// SPDX-License-Identifier: Apache-2.0
//
// Example of the generated header: the stand-in design, C_4<2> with one hop.

#ifndef HC_BENCH_CONFIG_H
#define HC_BENCH_CONFIG_H

#include "checks.h"

#define HC_NODES(WIRE) WIRE(0) WIRE(1) WIRE(2) WIRE(3)
#define HC_LINKS(WIRE) \
  WIRE(0, 0)           \
  WIRE(0, 1)           \
  WIRE(0, 2) WIRE(1, 0) WIRE(1, 1) WIRE(1, 2) WIRE(2, 0) WIRE(2, 1) WIRE(2, 2) WIRE(3, 0) WIRE(3, 1) WIRE(3, 2)
#define HC_FAR_LINKS(WIRE)

namespace hc {

inline constexpr char kMachine[] = "standin";
inline constexpr char kConfigHash[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
inline constexpr unsigned kNodes = 4;
inline constexpr unsigned kDegree = 3;
inline constexpr unsigned kPorts = 3;
inline constexpr unsigned kPayloadBits = 39;
inline constexpr unsigned kLead = 1;
inline constexpr unsigned kPaceBits = 2;
inline constexpr unsigned kLinkRegisters[] = {0, 0, 0};
inline constexpr unsigned kWdBits = 1;
inline constexpr unsigned kWcBits = 1;
inline constexpr unsigned kSourceBits = 2;
inline constexpr bool kDestination = false;
inline constexpr bool kLast = false;
inline constexpr unsigned kScopeBits = 0;
inline constexpr bool kBarrier = false;
inline constexpr bool kNodeErrors = false;
inline constexpr unsigned kSpreadBits = 0;
inline constexpr unsigned kRouteBits = 0;
inline constexpr unsigned kTdestBits = 0;
inline constexpr unsigned kDigitsBits = 0;
inline constexpr unsigned kDigitBits[] = {0};
inline constexpr bool kPerPort = false;
inline constexpr unsigned kDeliveries = 1;
inline constexpr Ring kRings[] = {{4, 2}};

}  // namespace hc

#endif
