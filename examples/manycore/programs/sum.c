// SPDX-License-Identifier: Apache-2.0
//
// The sum of a word of each node, at all nodes: first by messages that add, then by the collective network of the machine.

#include "manycore.h"

static volatile uint32_t total, added;  // by messages
static uint32_t network_total;
static uint32_t add_cycles, network_cycles;

void compute(void) {
  const uint32_t own = value(box_number()) << 16 | value(BOX_NODES + box_number());

  box_barrier();
  uint32_t begin = device->cycle;
  box_add(BOX_ALL, box_offset(&total), own);  // to all nodes but the own
  box_add(box_me(), box_offset(&total), own);
  box_add(BOX_ALL, box_offset(&added), 1);
  while (added != BOX_NODES - 1) {
  }
  box_barrier();
  add_cycles = device->cycle - begin;

  // When the barrier releases the nodes it interrupts node 0, and this interrupt starts the network.
  box_clear_events(BOX_EVENT_RELEASED);
  box_enable(BOX_EVENT_RELEASED);
  begin = device->cycle;
  device->sum = own;
  box_barrier();
  while (!device->summed) {
  }
  network_total = device->sum;
  network_cycles = device->cycle - begin;
  box_enable(0);
}

void report(void) {
  print_text("sum by add: ");
  print_decimal(add_cycles);
  print_text(" cycles\nsum by the network: ");
  print_decimal(network_cycles);
  print_text(" cycles\n");
  for (uint32_t n = 0; n < BOX_NODES; n++) {
    print_hex(box_get(box_node_of(n), box_offset(&total)), 8);
    print_byte(' ');
    print_hex(box_get(box_node_of(n), box_offset(&network_total)), 8);
    print_byte('\n');
  }
}
