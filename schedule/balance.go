// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
)

// ring says how messages travel in one ring in which every node sends some copies of a
// message to every other. Listed are those that go clockwise, by the shorter way round; the
// others mirror them. Of the copies to the antipode, if that is no neighbour, every second
// one is listed, the odd one out included unless it is split.
type ring struct {
	jumps [][][]int // by offset, 1 to floor(m/2), and copy: the number of jumps of every distance, 1 to rho
	load  int       // messages of the busiest port
	hops  int       // of the longest way
}

// balance chooses jumps so that the ports of a ring carry as nearly the same number of
// messages as possible. The search ends when none carries more than the goal.
//
// With an odd number of copies to an antipode the last one is the odd one out. It may be split,
// see alternating.go: then split is what it loads the ports of either direction with, by
// distance. Otherwise split is nil.
func balance(d hypercycle.Dimension, copies, goal int, split []int) *ring {
	r := &ring{jumps: make([][][]int, d.M/2+1), load: copies, hops: 1}
	if d.D() == 1 {
		for x := 1; x <= d.Rho; x++ {
			jump := make([]int, d.Rho+1)
			jump[x] = 1
			r.jumps[x] = slices.Repeat([][]int{jump}, copies)
		}
		return r
	}
	b := &balancer{rho: d.Rho, load: make([]int, d.Rho+1), round: d.Rho * (d.Rho + 1) / 2, goal: goal}
	copy(b.load, split)
	for x := d.M / 2; x >= 1; x-- {
		n := copies
		if 2*x == d.M {
			n = copies / 2
			if split == nil {
				n = ceil(copies, 2)
			}
		}
		for range n {
			b.jobs = append(b.jobs, job{x: x})
		}
	}
	b.run()
	r.load = slices.Max(b.load)
	for _, j := range b.jobs {
		r.jumps[j.x] = append(r.jumps[j.x], j.jumps)
		r.hops = max(r.hops, sum(j.jumps))
	}
	return r
}

func sum(list []int) int {
	total := 0
	for _, n := range list {
		total += n
	}
	return total
}

// job is one message that travels clockwise by x.
type job struct {
	x     int
	jumps []int // by distance
}

// balancer distributes jobs over the jumps 1..rho: a local search for the smallest load of
// the busiest distance.
type balancer struct {
	rho    int
	round  int // 1 + 2 + .. + rho
	goal   int // load that none should exceed
	steep  bool
	jobs   []job
	load   []int // by distance
	noise  []int // by distance: load that a kick pretends
	random random
	work   int
	cost   []int   // of knapsack
	take   [][]int //
}

// maxWork bounds the search, in steps of the knapsack: about a tenth of a second.
const maxWork = 20_000_000

// run searches until the goal is met or maxWork is done.
func (b *balancer) run() {
	b.noise = make([]int, b.rho+1)
	b.take = make([][]int, b.rho+1)
	b.improve(0, 20)
	best, jumps := b.value(), b.jumps()
	for tries := 0; best > b.goal && b.work < maxWork && tries < 4000; tries++ {
		b.kick()
		b.improve(1, 3)
		if v := b.value(); v <= best {
			best, jumps = v, b.jumps()
			continue
		}
		b.restore(jumps)
	}
}

// improve gives every job the cheapest jumps at the loads that the others make, and again until
// the goal is met or nothing changes. In pass 0 hops cost the most, then loads near the goal.
func (b *balancer) improve(pass, last int) {
	for ; pass < last; pass++ {
		b.steep = pass > 0
		changed := pass == 0
		for i := range b.jobs {
			changed = b.again(i) || changed
		}
		if !changed || b.value() <= b.goal {
			return
		}
	}
}

// again gives one job the cheapest jumps and reports whether they are others.
func (b *balancer) again(i int) bool {
	j := &b.jobs[i]
	old := j.jumps
	b.count(old, -1)
	j.jumps = b.best(j.x)
	b.count(j.jumps, 1)
	return !slices.Equal(old, j.jumps)
}

// kick gives some jobs other jumps. The sequence of kicks is always the same.
func (b *balancer) kick() {
	for d := range b.noise {
		b.noise[d] = int(b.random.next() % 5)
	}
	for range 1 + b.random.next()%4 {
		b.again(int(b.random.next() % uint64(len(b.jobs))))
	}
	clear(b.noise)
}

// value is what is to be small: the load of the busiest distance, or the hops of a job.
func (b *balancer) value() int {
	most := slices.Max(b.load)
	for _, j := range b.jobs {
		most = max(most, sum(j.jumps))
	}
	return most
}

// jumps lists the jumps of all jobs.
func (b *balancer) jumps() [][]int {
	var all [][]int
	for _, j := range b.jobs {
		all = append(all, j.jumps)
	}
	return all
}

// restore is the inverse of jumps.
func (b *balancer) restore(jumps [][]int) {
	for i := range b.jobs {
		j := &b.jobs[i]
		b.count(j.jumps, -1)
		j.jumps = jumps[i]
		b.count(j.jumps, 1)
	}
}

func (b *balancer) count(jumps []int, times int) {
	for j, n := range jumps {
		b.load[j] += times * n
	}
}

// hop is the cost of one more jump at a load.
func (b *balancer) hop(load int) int {
	if !b.steep {
		return 1<<32 + load
	}
	return 1 << (4 * min(max(0, load-b.goal+9), 12))
}

// best splits x into the cheapest jumps. What is more than a few rounds is one jump of each
// distance per round.
func (b *balancer) best(x int) []int {
	jumps := make([]int, b.rho+1)
	if rounds := x/b.round - 1; rounds > 0 {
		for j := 1; j <= b.rho; j++ {
			jumps[j] = rounds
		}
		x -= rounds * b.round
	}
	b.knapsack(x, jumps)
	return jumps
}

// knapsack adds the cheapest jumps that make x to some jumps. The cost of a distance rises
// with every jump.
func (b *balancer) knapsack(x int, jumps []int) {
	b.cost = slices.Grow(b.cost[:0], x+1)[:x+1] // of s in all by jumps of 1..j; for j = 1 there is one way
	for j := 1; j <= b.rho; j++ {
		load := b.load[j] + b.noise[j] + jumps[j]
		b.take[j] = slices.Grow(b.take[j][:0], x+1)[:x+1]
		if j == 1 {
			price := 0
			for s := range b.cost {
				b.cost[s], b.take[j][s] = price, s
				price += b.hop(load + s)
			}
			continue
		}
		for s := x; s >= 0; s-- {
			b.work += s / j
			b.take[j][s] = 0
			price := 0
			for n := 1; n*j <= s; n++ { // cost[s] is that of no jump so far
				price += b.hop(load + n - 1)
				if c := b.cost[s-n*j] + price; c < b.cost[s] {
					b.cost[s], b.take[j][s] = c, n
				}
			}
		}
	}
	for j := b.rho; j >= 1; j-- {
		n := b.take[j][x]
		jumps[j] += n
		x -= n * j
	}
}
