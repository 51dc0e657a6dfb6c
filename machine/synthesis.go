// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Defaults of a synthesis block. The package belongs to the device.
const (
	defaultDevice  = "hx8k"
	defaultPackage = "ct256"
)

// ice40Packages lists the packages in which nextpnr-ice40 0.4 knows each
// device. It was found by running, for every device option of
// nextpnr-ice40 --help and every package name in its database,
//
//	nextpnr-ice40 --DEVICE --package PACKAGE --json x.json --pack-only
//
// and looking for "Unsupported package". The 4k devices are the 8k die in
// other packages. The order is that of the help text.
var ice40Packages = []struct {
	device   string
	packages []string
}{
	{"lp384", []string{"cm36", "cm49", "qn32"}},
	{"lp1k", []string{"cb81", "cb121", "cb132", "cm36", "cm49", "cm81", "cm121", "qn84", "swg16tr", "tq144", "vq100"}},
	{"lp4k", []string{"bg121", "cb132", "cm81", "cm121", "cm225", "tq144"}},
	{"lp8k", []string{"bg121", "cb132", "cm81", "cm121", "cm225", "ct256"}},
	{"hx1k", []string{"cb81", "cb121", "cb132", "cm36", "cm49", "cm81", "cm121", "qn84", "swg16tr", "tq144", "vq100"}},
	{"hx4k", []string{"bg121", "cb132", "cm81", "cm121", "cm225", "tq144"}},
	{"hx8k", []string{"bg121", "cb132", "cm81", "cm121", "cm225", "ct256"}},
	{"up3k", []string{"sg48", "uwg30"}},
	{"up5k", []string{"sg48", "uwg30"}},
	{"u1k", []string{"sg48"}},
	{"u2k", []string{"sg48"}},
	{"u4k", []string{"sg48"}},
}

// Devices lists the devices that a synthesis block can name.
func Devices() []string {
	var names []string
	for _, d := range ice40Packages {
		names = append(names, d.device)
	}
	return names
}

// Packages lists the packages of a device; nil if there is no such device.
func Packages(device string) []string {
	for _, d := range ice40Packages {
		if d.device == device {
			return slices.Clone(d.packages)
		}
	}
	return nil
}

// allPackages lists every package once.
func allPackages() []string {
	var all []string
	for _, d := range ice40Packages {
		all = append(all, d.packages...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// synthesisBlocks reads the synthesis blocks.
func (l *loader) synthesisBlocks(blocks hcl.Blocks, m *Machine) {
	names := l.names("synthesis", true)
	for _, hb := range blocks {
		name, _ := names.take(hb)
		m.Synthesis = append(m.Synthesis, l.synthesis(hb, name))
	}
}

func (l *loader) synthesis(hb *hcl.Block, name string) Synthesis {
	b := l.content(hb)
	s := Synthesis{Name: name}
	b.decode(&s, narrower{"package": func() kind {
		if s.Device == "" {
			return nil
		}
		return packageOf{choice{names: Packages(s.Device)}, s.Device}
	}})
	if device := s.Device; device != "" && !b.given("package") && !slices.Contains(Packages(device), defaultPackage) {
		l.errorAt(b.at("device"), "No package", "The default package %q does not exist for device %q: set package to %s.",
			defaultPackage, device, listed(Packages(device)))
	}
	return s
}

// packageOf is the choice of the packages of a device.
type packageOf struct {
	choice
	device string
}

func (p packageOf) read(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	if v.Type() == cty.String && slices.Contains(allPackages(), v.AsString()) && !slices.Contains(p.names, v.AsString()) {
		l.errorAt(e.Range(), "Package not available", "Device %q does not come in package %q: give %s.", p.device, v.AsString(), listed(p.names))
		return nil, false
	}
	return p.choice.read(l, name, v, e)
}

// readSeeds reads placement seeds.
func readSeeds(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	list, ok := l.elements(v, e, e.Range(), name, "a list of whole numbers")
	if !ok {
		return nil, false
	}
	if len(list) == 0 || len(list) > MaxSeeds {
		l.errorAt(e.Range(), "Wrong number of seeds", "seeds has %s: give 1 to %d different whole numbers.", counted(len(list), "element"), MaxSeeds)
		return nil, false
	}
	var numbers []int
	for i, item := range list {
		what := fmt.Sprintf("seeds[%d]", i)
		n, valid := l.integer(item.value, item.at, what, seed)
		if j := slices.Index(numbers, int(n)); valid && j >= 0 {
			l.errorAt(item.at, "Duplicate seed", "%s is %d, and so is seeds[%d]: the same seed gives the same result. Remove one of them.", what, n, j)
		}
		if ok = ok && valid; !valid {
			n = -1 - int64(i) // equal to no legal seed
		}
		numbers = append(numbers, int(n))
	}
	return numbers, ok
}
