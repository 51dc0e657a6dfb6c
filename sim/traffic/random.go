// SPDX-License-Identifier: Apache-2.0

package traffic

// golden is the increment of splitmix64 (2^64 divided by the golden ratio).
const golden = 0x9e3779b97f4a7c15

// mix is the output function of splitmix64: a bijection of 64 bits whose
// result looks random even for consecutive arguments.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// Purposes give different uses of a seed different random numbers.
const (
	purposePayload = iota + 1
	purposeOffer
	purposeStall
	purposeStimulus
	purposeArrive
	purposePattern
	purposePasses
)

// key derives the generator of one purpose from the seed of the traffic.
func key(seed uint64, purpose uint64) uint64 { return mix(mix(seed+golden) + purpose*golden) }

// draw returns the random number of a node in a cycle (or of a source and its
// message). It depends only on its arguments, so results do not depend on the
// order in which nodes are visited.
func draw(key uint64, node, cycle uint64) uint64 { return drawOf(nodeKey(key, node), cycle) }

// nodeKey is the part of draw that depends on the node, drawOf the rest.
func nodeKey(key, node uint64) uint64 { return mix(key + (node+1)*golden) }

func drawOf(nodeKey, cycle uint64) uint64 { return mix(nodeKey + (cycle+1)*golden) }

// nodeKeys returns the node keys of one purpose, by node.
func nodeKeys(seed, purpose uint64, nodes int) []uint64 {
	keys := make([]uint64, nodes)
	for v := range keys {
		keys[v] = nodeKey(key(seed, purpose), uint64(v))
	}
	return keys
}

// chance turns a probability into a threshold: draw() < threshold has that
// probability. always marks probabilities of 1 and above.
type chance struct {
	threshold uint64
	always    bool
}

func newChance(p float64) chance {
	if p >= 1 {
		return chance{always: true}
	}
	return chance{threshold: uint64(p*(1<<53)) << 11}
}

func (c chance) hit(random uint64) bool { return c.always || random < c.threshold }

// trafficSeed joins the name and the seed of a traffic block (FNV-1a of the
// name, offset by the seed), so that two blocks of a file differ in payload
// even if both have the default seed.
func trafficSeed(name string, seed int64) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * 0x100000001b3
	}
	return h + uint64(seed)*golden
}
