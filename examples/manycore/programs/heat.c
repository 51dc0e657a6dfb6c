// SPDX-License-Identifier: Apache-2.0
//
// The equation of heat on a closed surface, by Jacobi's method: in each step every point takes the mean of its four neighbours. A
// node has a block of points, and in each step puts the edges of its block into the memories of the four nodes around it.

#include "manycore.h"

enum { BLOCK = 2, STEPS = 10 };
#define SIZE (SIDE * BLOCK)
enum { NORTH, SOUTH, WEST, EAST, SIDES };

static uint32_t heat[BLOCK][BLOCK];

// What the neighbour at each side has put here: its edges of steps of both parities, and the number of its last step. A neighbour is
// at most one step ahead, because it needs the edge of this node for the next one.
static volatile uint32_t edge[2][SIDES][BLOCK];
static volatile uint32_t arrived[SIDES];

static uint32_t cycles;

void compute(void) {
  const uint32_t y = box_digit(BOX_Y), x = box_digit(BOX_X);
  const uint32_t around[SIDES] = {box_node((y + SIDE - 1) % SIDE, x), box_node((y + 1) % SIDE, x), box_node(y, (x + SIDE - 1) % SIDE),
                                  box_node(y, (x + 1) % SIDE)};
  for (uint32_t i = 0; i < BLOCK; i++)
    for (uint32_t j = 0; j < BLOCK; j++) heat[i][j] = value((y * BLOCK + i) * SIZE + x * BLOCK + j) << 8;

  box_barrier();
  const uint32_t begin = device->cycle;
  for (uint32_t step = 1; step <= STEPS; step++) {
    volatile uint32_t(*const in)[BLOCK] = edge[step & 1];
    for (int side = 0; side < SIDES; side++) {
      const int there = side ^ 1;  // at which side this node is, seen from that one
      for (int i = 0; i < BLOCK; i++) {
        const uint32_t own = side == NORTH   ? heat[0][i]
                             : side == SOUTH ? heat[BLOCK - 1][i]
                             : side == WEST  ? heat[i][0]
                                             : heat[i][BLOCK - 1];
        box_put(around[side], box_offset(&in[there][i]), own);
      }
      box_put(around[side], box_offset(&arrived[there]), step);
    }
    for (int side = 0; side < SIDES; side++)
      while (arrived[side] < step) {
      }
    uint32_t before[BLOCK];  // the row above, as it was
    for (int j = 0; j < BLOCK; j++) before[j] = in[NORTH][j];
    for (int i = 0; i < BLOCK; i++) {
      uint32_t left = in[WEST][i];
      for (int j = 0; j < BLOCK; j++) {
        const uint32_t here = heat[i][j];
        const uint32_t right = j < BLOCK - 1 ? heat[i][j + 1] : in[EAST][i];
        const uint32_t below = i < BLOCK - 1 ? heat[i + 1][j] : in[SOUTH][j];
        heat[i][j] = (before[j] + left + right + below) >> 2;
        before[j] = left = here;
      }
    }
  }
  box_barrier();
  cycles = device->cycle - begin;
}

void report(void) {
  print_text("heat: ");
  print_decimal(cycles);
  print_text(" cycles\n");
  for (uint32_t i = 0; i < SIZE; i++)
    for (uint32_t j = 0; j < SIZE; j++) {
      print_hex(box_get(box_node(i / BLOCK, j / BLOCK), box_offset(&heat[i % BLOCK][j % BLOCK])), 4);
      print_byte(j < SIZE - 1 ? ' ' : '\n');
    }
}
