// SPDX-License-Identifier: Apache-2.0

package traffic

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
