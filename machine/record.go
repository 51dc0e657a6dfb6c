// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
)

// recorder writes down what the loader asks of a description: which blocks and
// attributes it knows, and what values it accepts. So whatever describes the
// language, such as its JSON Schema, is made from the loader itself.
type recorder struct {
	blocks map[string]*recordedBlock // by type; rootBlock is the file
}

// recordedBlock is one type of block.
type recordedBlock struct {
	attributes []hcl.AttributeSchema
	blocks     []hcl.BlockHeaderSchema
	single     map[string]bool     // types of blocks of which there may be one
	values     map[string]accepted // by attribute
}

// accepted is what an attribute can be.
type accepted struct {
	integer   *bounds
	real      *interval
	boolean   bool
	oneOf     []string
	otherwise any // the default, if the attribute is not required
}

// record notes what values an attribute of the block can have.
func (b *block) record(name string, values accepted) {
	if b.recorded != nil {
		b.recorded.values[name] = values
	}
}

// block notes what can be in a block, and returns where more is noted. It does
// nothing without a recorder.
func (r *recorder) block(blockType string, attrs []hcl.AttributeSchema, blocks []hcl.BlockHeaderSchema) *recordedBlock {
	if r == nil {
		return nil
	}
	b := &recordedBlock{attributes: attrs, blocks: blocks, single: map[string]bool{}, values: map[string]accepted{}}
	r.blocks[blockType] = b
	return b
}

// complete is a description with every block, so that the loader asks for all
// that it knows of machines with this kind of router. The ring is the longest, because m
// limits rho. What the loader reads only if it is there is there.
func complete(kind string, longest int) string {
	send := ""
	if kind == kindSpecialized { // others have no destinations
		send = "send {\n from = [0]\n to = [\"*\"]\n}"
	}
	return fmt.Sprintf(`
machine "a" {
  network = false
  dimension "x" {
    m   = %d
    rho = 1
  }
  message {
    destination = %t
  }
  router {
    kind = %q
  }
}
traffic "a" {
  cycles = 1
  broadcast {
    sources = [[0]]
  }
  %s
  collective {
    operation = "broadcast"
  }
  random {
    rate = 1
  }
  stall {
    receivers = [[0]]
  }
}
synthesis "a" {}
variable "a" {
  default = 1
}
locals {}
`, longest, kind == kindSpecialized, kind, send)
}

// recorded loads complete descriptions and returns what the loader asked for: of a
// specialized router, and of a programmable one what it has besides.
func recorded() *recorder {
	all := recordedOf(complete(kindSpecialized, MaxRing))
	values := all.blocks["router"].values
	for name, accepted := range recordedOf(complete(kindProgrammable, MostRing)).blocks["router"].values {
		if _, ok := values[name]; !ok {
			values[name] = accepted
		}
	}
	return all
}

func recordedOf(description string) *recorder {
	l := newLoader("complete.hcl", []byte(description))
	l.recorder = &recorder{blocks: map[string]*recordedBlock{}}
	if l.load([]byte(description), nil) == nil {
		panic(fmt.Sprintf("machine: the complete description has mistakes: %v", l.diags))
	}
	return l.recorder
}
