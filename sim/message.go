// SPDX-License-Identifier: Apache-2.0

// Package sim is the cycle-accurate reference model of the broadcast router
// and of networks of such routers.
//
// It is written from docs/architecture.md and reads the plan (package plan),
// never emitted text. Golden traces compare it with the generated Verilog, cycle by cycle. The
// model of one cycle has two phases, as hardware has: every output is a function of the state and
// the inputs (Evaluate), then the clock edge changes the state (Step).
package sim

// Message is what a link carries. The payload itself is not moved: it is the
// deterministic bit string that belongs to (Source, Seq), see Payload.
type Message struct {
	Source uint32 // address of the node that injected it
	Seq    uint32 // its number among the injections of Source, from 0
	WC     uint32 // steps still to go in dimension WD, the one just made included; any encodable value on a link input
	WD     uint8  // dimension it travels in; any encodable value on a link input
	Spread bool   // with a destination: it is for all nodes of its ring in dimension WD
	Last   bool   // tlast
	Scope  uint32 // with deliver_destination: bit i-1 is 1 if the destination has all in dimension i; any value on a link input
	Route  uint64 // with a destination: the fields of all lower dimensions (docs/addressed-messages.md), at the local input of all
}

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

// Purposes keep the random numbers of one seed apart.
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
// message). It depends on its arguments alone, so results do not depend on the
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

// chance turns a probability into a threshold: draw() < threshold happens with
// that probability. Probabilities of 1 and above are told apart by always.
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

// Payload generates the payloads of a run. Word w (64 bits, w = 0 holds the
// lowest) of message n of source s is
//
//	mix(draw(key, s, n) + (w+1) * 0x9e3779b97f4a7c15),
//
// the w-th output of splitmix64 started at draw(key, s, n), and the bits above
// the payload width are cleared.
type Payload struct {
	key  uint64
	bits int
}

// NewPayload returns the generator of payloads of the given width (bits, 1 or
// more) for the traffic with this name and seed.
func NewPayload(name string, seed int64, width int) Payload {
	return Payload{key: key(trafficSeed(name, seed), purposePayload), bits: width}
}

// Word returns word w of the payload of message seq of source.
func (p Payload) Word(source, seq uint32, w int) uint64 {
	x := mix(draw(p.key, uint64(source), uint64(seq)) + uint64(w+1)*golden)
	if rest := p.bits - 64*w; rest < 64 {
		x &= 1<<rest - 1
	}
	return x
}

// append appends the payload as lower-case hex of fixed width.
func (p Payload) append(b []byte, source, seq uint32) []byte {
	digits := (p.bits + 3) / 4
	for w := (p.bits - 1) / 64; w >= 0; w-- {
		n := digits - 16*w
		b = appendHex(b, p.Word(source, seq, w), n)
		digits -= n
	}
	return b
}

// appendHex appends the lowest digits of x as lower-case hex.
func appendHex(b []byte, x uint64, digits int) []byte {
	for i := digits - 1; i >= 0; i-- {
		b = append(b, "0123456789abcdef"[x>>(4*i)&15])
	}
	return b
}
