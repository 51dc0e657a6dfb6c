// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/hcgen/hcgen/internal/fpga"
)

// ofFamily is a default that belongs to the family of a synthesis block.
func ofFamily(value func(*fpga.Family) any) dependent {
	var each []string
	for _, f := range fpga.Families {
		each = append(each, fmt.Sprintf("`%q` of %s", value(f), f.Name))
	}
	return dependent{words(strings.Join(each, ", ")), func(_ *Machine, block any) any {
		if f := fpga.Named(block.(*Synthesis).Family); f != nil {
			return value(f)
		}
		return nil
	}}
}

// allDevices lists every device once.
func allDevices() (all []string) {
	for _, f := range fpga.Families {
		all = append(all, f.DeviceNames()...)
	}
	return all
}

// allPackages lists every package once.
func allPackages() (all []string) {
	for _, f := range fpga.Families {
		all = append(all, f.AllPackages()...)
	}
	return all
}

// synthesisBlocks reads the synthesis blocks.
func (l *loader) synthesisBlocks(blocks hcl.Blocks, m *Machine) {
	names := l.names("synthesis", true)
	for _, hb := range blocks {
		name, _ := names.take(hb)
		if m.Endpoint != nil && strings.EqualFold(name, "system") { // names become file names
			l.errorAt(hb.LabelRanges[0], "Reserved synthesis name",
				"The target synth-%s of make is that of the endpoints and their system: give this synthesis another name.", strings.ToLower(name))
		}
		m.Synthesis = append(m.Synthesis, l.synthesis(hb, name))
	}
}

func (l *loader) synthesis(hb *hcl.Block, name string) Synthesis {
	b := l.content(hb)
	s := Synthesis{Name: name}
	family := func() *fpga.Family { return fpga.Named(s.Family) } // nil after an error
	b.decode(&s, narrower{
		"device": func() kind {
			if f := family(); f != nil {
				return deviceOf{choice{names: f.DeviceNames()}, f}
			}
			return nil
		},
		"package": func() kind {
			if f := family(); f != nil && s.Device != "" {
				return packageOf{choice{names: f.Packages(s.Device)}, s.Device}
			}
			return nil
		},
	})
	if f := family(); f != nil && s.Device != "" && !b.given("package") && !slices.Contains(f.Packages(s.Device), f.Package) {
		l.errorAt(b.at("device"), "No package", "The default package %q does not exist for device %q: set package to %s.",
			f.Package, s.Device, listed(f.Packages(s.Device)))
	}
	return s
}

// deviceOf is the choice of the devices of a family.
type deviceOf struct {
	choice
	family *fpga.Family
}

func (d deviceOf) read(l *loader, name string, v cty.Value, e hcl.Expression) (any, bool) {
	if v.Type() == cty.String && !slices.Contains(d.names, v.AsString()) {
		for _, f := range fpga.Families {
			if slices.Contains(f.DeviceNames(), v.AsString()) {
				l.errorAt(e.Range(), "Device of another family", "Device %q is one of family %q, but this block has family %q: set family, or give %s.",
					v.AsString(), f.Name, d.family.Name, listed(d.names))
				return nil, false
			}
		}
	}
	return d.choice.read(l, name, v, e)
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
