// SPDX-License-Identifier: Apache-2.0

package machine

// Delivery says by how many streams a router hands messages to its node.
type Delivery int

const (
	// Merged is one stream, for which a tree of arbiters selects among the links.
	Merged Delivery = iota
	// PerPort is a stream for each link.
	PerPort
)

// deliveryNames are the values of the delivery attribute, by Delivery.
var deliveryNames = []string{"merged", "per_port"}

// String returns the name of a Delivery in descriptions.
func (d Delivery) String() string { return deliveryNames[d] }
