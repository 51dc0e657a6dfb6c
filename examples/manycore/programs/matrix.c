// SPDX-License-Identifier: Apache-2.0
//
// The product C = A B of two matrices by SUMMA. Node (y, x) holds the blocks A[y][x] and B[y][x] and computes C[y][x], the sum over
// k of A[y][k] B[k][x]. In step k the nodes of column k put their block of A into the memories of their row, and the nodes of row k
// put their block of B into the memories of their column.

#include "manycore.h"

enum { BLOCK = 2 };
#define SIZE (SIDE * BLOCK)

typedef uint32_t block[BLOCK][BLOCK];

static block a, b, c;                     // own
static volatile block row_a, column_b;    // received
static volatile uint32_t a_step, b_step;  // numbers of the blocks received
static uint32_t cycles;

// Puts a block into the memories of a set, and then the number of the step. A node that sees the number has the block.
static void spread(uint32_t set, block own, volatile block there, volatile uint32_t *step, uint32_t k) {
  for (int i = 0; i < BLOCK; i++)
    for (int j = 0; j < BLOCK; j++) box_put(set, box_offset(&there[i][j]), own[i][j]);
  box_put(set, box_offset(step), k);
}

static void multiply(volatile block a, volatile block b) {
  for (int i = 0; i < BLOCK; i++)
    for (int j = 0; j < BLOCK; j++)
      for (int k = 0; k < BLOCK; k++) c[i][j] += a[i][k] * b[k][j];
}

void compute(void) {
  const uint32_t y = box_digit(BOX_Y), x = box_digit(BOX_X);
  const uint32_t row = box_spread(box_me(), BOX_X), column = box_spread(box_me(), BOX_Y);
  for (uint32_t i = 0; i < BLOCK; i++)
    for (uint32_t j = 0; j < BLOCK; j++) {
      const uint32_t index = (y * BLOCK + i) * SIZE + x * BLOCK + j;
      a[i][j] = value(index);
      b[i][j] = value(SIZE * SIZE + index);
    }

  box_barrier();
  const uint32_t begin = device->cycle;
  for (uint32_t k = 0; k < SIDE; k++) {
    if (x == k) spread(row, a, row_a, &a_step, k + 1);
    if (y == k) spread(column, b, column_b, &b_step, k + 1);
    while (x != k && a_step != k + 1) {
    }
    while (y != k && b_step != k + 1) {
    }
    multiply(x == k ? a : row_a, y == k ? b : column_b);
    box_barrier();  // all nodes have used the blocks of this step
  }
  cycles = device->cycle - begin;
}

void report(void) {
  print_text("matrix: ");
  print_decimal(cycles);
  print_text(" cycles\n");
  for (uint32_t i = 0; i < SIZE; i++)
    for (uint32_t j = 0; j < SIZE; j++) {
      print_hex(box_get(box_node(i / BLOCK, j / BLOCK), box_offset(&c[i % BLOCK][j % BLOCK])), 5);
      print_byte(j < SIZE - 1 ? ' ' : '\n');
    }
}
