// SPDX-License-Identifier: Apache-2.0

#include "manycore.h"

static volatile uint32_t faulty;  // at node 0: nodes with bits in ERRORS

int main(void) {
  compute();

  const uint32_t node0 = box_node(0, 0);
  if (box_errors()) box_add(node0, box_offset(&faulty), 1);
  box_fence(node0);
  box_barrier();
  if (box_number() != 0) return 0;

  report();
  if (faulty) {
    print_text("nodes with errors: ");
    print_decimal(faulty);
    print_byte('\n');
  }
  device->end = 1;
  return 0;
}

uint32_t value(uint32_t index) {
  uint32_t x = index + 0x9e3779b9;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x >> 11 & 0xff;
}

void print_byte(char c) {
  while (!device->text) {
  }
  device->text = c;
}

void print_text(const char *text) {
  while (*text) print_byte(*text++);
}

// Without leading zeros.
void print_decimal(uint32_t n) {
  static const uint32_t powers[] = {1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
  int started = 0;
  for (int i = 0; i < 10; i++) {
    char digit = '0';
    for (; n >= powers[i]; n -= powers[i]) digit++;
    started |= digit != '0' || i == 9;
    if (started) print_byte(digit);
  }
}

void print_hex(uint32_t n, int digits) {
  for (n <<= 32 - 4 * digits; digits > 0; n <<= 4, digits--) print_byte("0123456789abcdef"[n >> 28]);
}
