// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
)

// routes says how messages travel in one ring: way[x][c] counts for copy c of offset x how
// often it travels by each port of the ring, in the order of hypercycle.Graph. If split is
// not nil, copy 0 of the antipode has no way: nodes of even digit send it clockwise by
// split[j] jumps of distance j, nodes of odd digit counterclockwise.
type routes struct {
	way   [][][]int32
	split []int
}

// balance routes the given number of copies of every offset of a ring so that the ports
// carry as nearly the same number of messages as possible. Every message goes the shorter
// way round. Messages to the antipode, unless a link leads there, take turns; if there is
// an odd number of copies, the last one goes clockwise, or with split both ways as routes
// says. The counterclockwise half mirrors the clockwise one. The search ends when no port
// carries more than the goal.
func balance(d hypercycle.Dimension, copies, goal int, split bool) *routes {
	r := &routes{way: make([][][]int32, d.M)}
	for x := 1; x < d.M; x++ {
		r.way[x] = make([][]int32, copies)
	}
	if d.D() == 1 {
		for x := 1; x < d.M; x++ {
			port := x - 1
			if x > d.Rho {
				port = d.Rho + d.M - x - 1
			}
			for c := range copies {
				r.way[x][c] = make([]int32, d.Degree())
				r.way[x][c][port] = 1
			}
		}
		return r
	}
	b := &balancer{rho: d.Rho, load: make([]int, d.Rho+1), round: d.Rho * (d.Rho + 1) / 2, goal: goal}
	for x := d.M / 2; x >= 1; x-- {
		n, odd := copies, 2*x == d.M && copies%2 == 1
		if 2*x == d.M {
			n = copies / 2
		}
		for range n {
			b.jobs = append(b.jobs, job{x: x, weight: 2})
		}
		if odd && split {
			b.jobs = append(b.jobs, job{x: x, weight: 1})
		} else if odd {
			b.jobs = append(b.jobs, job{x: x, weight: 2})
		}
	}
	b.run()
	next := make([]int, d.M) // copies that have a way, by offset
	if split {
		next[d.M/2] = 1
	}
	for _, j := range b.jobs {
		if j.weight == 1 {
			r.split = j.jumps
			continue
		}
		for _, mirrored := range []bool{false, true} {
			x := j.x
			if mirrored {
				x = d.M - x
			}
			if next[x] == copies {
				continue
			}
			way := make([]int32, d.Degree())
			for jump := 1; jump <= d.Rho; jump++ {
				port := jump - 1
				if mirrored {
					port += d.Rho
				}
				way[port] = int32(j.jumps[jump])
			}
			r.way[x][next[x]] = way
			next[x]++
		}
	}
	return r
}

// loads counts the messages of every port of the ring, without those of split.
func (r *routes) loads(degree int) []int {
	all := make([]int, degree)
	for _, copies := range r.way {
		for _, way := range copies {
			for p, n := range way {
				all[p] += int(n)
			}
		}
	}
	return all
}

// job is one message that travels clockwise by x.
type job struct {
	x      int
	weight int   // 2, or 1 if half of the nodes send it clockwise
	jumps  []int // [j] of distance j, 1..rho
}

// balancer distributes jobs over the jumps 1..rho: a local search for the smallest load of
// the busiest distance.
type balancer struct {
	rho    int
	round  int // 1 + 2 + .. + rho
	goal   int // load that none should exceed
	steep  bool
	jobs   []job
	load   []int // by distance, twice
	noise  []int // by distance: load that a kick pretends
	random uint64
	work   int
}

// maxWork bounds the search, in steps of the knapsack: about a tenth of a second.
const maxWork = 20_000_000

// run searches until the goal is met or maxWork is done.
func (b *balancer) run() {
	b.noise = make([]int, b.rho+1)
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
// nothing changes. In pass 0 hops cost the most, then loads near the goal.
func (b *balancer) improve(pass, last int) {
	for ; pass < last; pass++ {
		b.steep = pass > 0
		changed := pass == 0
		for i := range b.jobs {
			changed = b.again(i) || changed
		}
		if !changed {
			return
		}
	}
}

// again gives one job the cheapest jumps and reports whether they are others.
func (b *balancer) again(i int) bool {
	j := &b.jobs[i]
	old := j.jumps
	b.count(old, -j.weight)
	j.jumps = b.best(j.x, j.weight)
	b.count(j.jumps, j.weight)
	return !slices.Equal(old, j.jumps)
}

// kick gives some jobs other jumps. The sequence of kicks is always the same.
func (b *balancer) kick() {
	for d := range b.noise {
		b.noise[d] = int(b.next()%5) * 2
	}
	for range 1 + b.next()%4 {
		b.again(int(b.next() % uint64(len(b.jobs))))
	}
	clear(b.noise)
}

// next is a pseudorandom number (Knuth's MMIX generator, its upper half).
func (b *balancer) next() uint64 {
	b.random = b.random*6364136223846793005 + 1442695040888963407
	return b.random >> 33
}

// value is what is to be small: the load of the busiest distance, or the hops of a job.
func (b *balancer) value() int {
	most := 0
	for _, l := range b.load {
		most = max(most, ceil(l, 2))
	}
	for _, j := range b.jobs {
		hops := 0
		for _, n := range j.jumps {
			hops += n
		}
		most = max(most, hops)
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
		b.count(j.jumps, -j.weight)
		j.jumps = jumps[i]
		b.count(j.jumps, j.weight)
	}
}

func (b *balancer) count(jumps []int, weight int) {
	for j, n := range jumps {
		b.load[j] += weight * n
	}
}

// hop is the cost of one more jump at twice a load, of a job of some weight. Two jumps of
// half the nodes make the load of one.
func (b *balancer) hop(twice, weight int) int {
	if weight == 1 && twice%2 == 1 {
		return 1
	}
	load := ceil(twice, 2)
	if !b.steep {
		return 1<<32 + load
	}
	return 1 << (4 * min(max(0, load-b.goal+9), 12))
}

// best splits x into the cheapest jumps. What is more than a few rounds is one jump of each
// distance per round. Among the jumps of a job of half the nodes there is an odd one.
func (b *balancer) best(x, weight int) []int {
	jumps := make([]int, b.rho+1)
	if rounds := x/b.round - 2; rounds > 0 {
		for j := 1; j <= b.rho; j++ {
			jumps[j] = rounds
		}
		x -= rounds * b.round
	}
	if weight == 2 || jumps[1] > 0 {
		b.knapsack(x, weight, jumps)
		return jumps
	}
	var best []int
	least := 0
	for j := 1; j <= min(b.rho, x); j += 2 {
		with := slices.Clone(jumps)
		with[j]++
		cost := b.hop(b.load[j]+b.noise[j], weight) + b.knapsack(x-j, weight, with)
		if best == nil || cost < least {
			best, least = with, cost
		}
	}
	return best
}

// knapsack adds the cheapest jumps that make x to some jumps, and returns their cost. The
// cost of a distance rises with every jump.
func (b *balancer) knapsack(x, weight int, jumps []int) int {
	cost := make([]int, x+1) // of s in all by jumps of 1..j; for j = 1 there is one way
	take := make([][]int, b.rho+1)
	for j := 1; j <= b.rho; j++ {
		l := b.load[j] + b.noise[j] + weight*jumps[j]
		price := make([]int, x/j+1) // of n jumps
		for n := range x / j {
			price[n+1] = price[n] + b.hop(l+weight*n, weight)
		}
		take[j] = make([]int, x+1)
		for s := x; s >= 0; s-- {
			if j == 1 {
				cost[s], take[j][s] = price[s], s
				continue
			}
			b.work += s / j
			for n := 1; n*j <= s; n++ { // cost[s] is that of no jump so far
				if c := cost[s-n*j] + price[n]; c < cost[s] {
					cost[s], take[j][s] = c, n
				}
			}
		}
	}
	total, rest := cost[x], x
	for j := b.rho; j >= 1; j-- {
		n := take[j][rest]
		jumps[j] += n
		rest -= n * j
	}
	return total
}
