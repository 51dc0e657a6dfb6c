// SPDX-License-Identifier: Apache-2.0

package machine

// Delivery is the number of streams by which a router delivers messages to its node.
type Delivery int

const (
	// Merged is one stream; a tree arbiter selects among the links.
	Merged Delivery = iota
	// PerPort is a stream for each link.
	PerPort
)

// deliveryNames are the values of the delivery attribute, by Delivery.
var deliveryNames = []string{"merged", "per_port"}

// String returns the name of a Delivery in descriptions.
func (d Delivery) String() string { return deliveryNames[d] }
