// SPDX-License-Identifier: Apache-2.0
//
// What the programs share. A program has two functions: compute, which runs at all nodes, and report, which then runs at node 0.

#ifndef MANYCORE_H
#define MANYCORE_H

#include <stdint.h>

#include "box.h"

#define SIDE box_m(BOX_X)  // nodes of a row and of a column

// The devices of a node beside its endpoint: rtl/manycore_node.v.
static volatile struct {
  uint32_t sum;     // write: the word that the network adds next; read: the sum
  uint32_t summed;  // 1: `sum` is the sum for the last word
  uint32_t cycle;
  uint32_t text;  // write: a byte; read: 1 if it would be accepted
  uint32_t end;
}* const device = (void*)0x80000000;

void compute(void);
void report(void);

// A number of 8 bits that depends on the index only. The bench computes the same.
uint32_t value(uint32_t index);

void print_byte(char c);
void print_text(const char* text);
void print_decimal(uint32_t n);
void print_hex(uint32_t n, int digits);

#endif
