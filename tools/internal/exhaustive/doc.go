// SPDX-License-Identifier: Apache-2.0

// Package exhaustive executes the broadcasts of every machine of the prototype's
// range: all 1,710,738 ordered tuples of up to 4 dimensions with 2 <= m <= 15,
// 1 <= rho <= floor(m/2) and a degree of at most 16, with all three preferences.
//
// What is executed are the constants of the plan, from which router and network
// are printed: which ports a message enters with which weight, where it goes on,
// which dimensions follow. A broadcast is executed message by message in the
// all-port model of the paper: a node sends in the step after the one in which it
// received. For each broadcast it is checked that
//
//   - each node but the source receives exactly once, the source never, and that
//     takes N - 1 messages;
//   - the last node receives in step D_1 + ... + D_r, the diameter, which no
//     broadcast can beat; with balanced every node receives in the step that is
//     its distance;
//   - each message goes over a link, to the port that leads back, so the parent of
//     a node is a neighbour;
//   - wc is 1..D_i in each message, the largest wc is the largest D_i, and the
//     fields wd and wc have the fewest bits that hold r and that.
//
// # What the expected tree is
//
// The tree of a product is determined by the trees of its rings. Let x be the
// digits of a node less those of the source, mod m. The source enters every
// dimension; a node that receives in dimension i goes on in it and enters all
// dimensions below i. So a message changes the digits from the highest dimension
// to the lowest, each along the tree of its ring, and never returns to a digit.
// Hence node x receives in step t_1(x_1) + ... + t_r(x_r), t_i(0) = 0, and on the
// port on which x_j receives in ring j, where j is the lowest dimension with x_j
// not 0; and if every ring serves each of its nodes once, so does the product.
// The checker does not rely on this: it executes all machines, and holds step and
// port of every node against it. So the argument itself is checked for each
// machine in the range.
//
// # What the distance is
//
// The distance of x is d_1(x_1) + ... + d_r(x_r), the sum of the distances in the
// rings: a link changes one digit, and d_i by 1 at most (checked for all links of
// the 56 rings), so no path is shorter; and the balanced broadcast, executed for
// every machine, reaches x over as many links. Beside this argument a breadth-first
// search over all links finds the same for each of the 94,277 machines up to the
// order of their dimensions. An order only renames the digits of the addresses, so
// distances need no search of the other orders; ports, trees and their execution
// do depend on it, so all orders are executed.
//
// # What is left to argument
//
// One source. No constant of a router depends on its node, and links move digits
// mod m, so adding a constant to the digits of all nodes turns the broadcast of one
// source into that of another. Machines with up to AllSources nodes are executed
// from each node nevertheless, larger ones from one node each, chosen at random
// with a fixed seed.
package exhaustive
