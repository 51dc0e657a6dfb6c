// SPDX-License-Identifier: Apache-2.0

package integration

import (
	"encoding/xml"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
)

// element is an element of XML.
type element struct {
	XMLName  xml.Name
	Children []element `xml:",any"`
	Text     string    `xml:",chardata"`
}

// all lists the elements at the end of a path.
func (e element) all(path ...string) (list []element) {
	if len(path) == 0 {
		return []element{e}
	}
	for _, c := range e.Children {
		if c.XMLName.Local == path[0] {
			list = append(list, c.all(path[1:]...)...)
		}
	}
	return list
}

// text is that of the only element at the end of a path, or empty if there is none.
func (e element) text(t *testing.T, path ...string) string {
	t.Helper()
	found := e.all(path...)
	if len(found) == 0 {
		return ""
	}
	require.Len(t, found, 1, strings.Join(path, "/"))
	return found[0].Text
}

// content is what IEEE 1685 lets the elements that the files use contain, in order, as a regular expression of names
// that end with a blank. Elements that the files do not use are left out. MODE stands for the words of a version.
var content = map[string]string{
	"component":              `vendor library name version (?:busInterfaces )?model fileSets `,
	"busInterfaces":          `(busInterface )+`,
	"busInterface":           `name busType abstractionTypes MODE `,
	"abstractionTypes":       `(abstractionType )+`,
	"abstractionType":        `abstractionRef portMaps `,
	"portMaps":               `(portMap )+`,
	"portMap":                `logicalPort physicalPort `,
	"logicalPort":            `name `,
	"physicalPort":           `name (partSelect )?`,
	"partSelect":             `range `,
	"range":                  `left right `,
	"model":                  `views instantiations ports `,
	"views":                  `(view )+`,
	"view":                   `name (envIdentifier )*componentInstantiationRef `,
	"instantiations":         `(componentInstantiation )+`,
	"componentInstantiation": `name language moduleName (fileSetRef )*`,
	"fileSetRef":             `localName `,
	"ports":                  `(port )+`,
	"port":                   `name (description )?wire `,
	"wire":                   `direction (vectors )?`,
	"vectors":                `(vector )+`,
	"vector":                 `left right `,
	"fileSets":               `(fileSet )+`,
	"fileSet":                `name (file )+`,
	"file":                   `name (fileType )+`,
}

// check compares an element and those in it with the content allowed.
func (e element) check(t *testing.T, space, mode string) {
	t.Helper()
	name := e.XMLName.Local
	assert.Equal(t, space, e.XMLName.Space, name)
	names := ""
	for _, c := range e.Children {
		names += c.XMLName.Local + " "
		c.check(t, space, mode)
	}
	assert.Regexp(t, "^"+strings.Replace(content[name], "MODE", "("+mode+")", 1)+"$", names, "content of %s", name)
}

// bits reads left and right of a range or vector.
func bits(t *testing.T, e element) (left, right int) {
	t.Helper()
	for name, value := range map[string]*int{"left": &left, "right": &right} {
		var err error
		*value, err = strconv.Atoi(e.text(t, name))
		require.NoError(t, err)
	}
	return left, right
}

var streamPort = regexp.MustCompile(`^([sm])_axis_(?:link_|local_)?(t[a-z]+)$`)

// The description has the elements of the standard in its order, the ports of the table, the files of the list, and
// each bit of a stream in one bus interface.
func TestIPXACTDescribesTheModule(t *testing.T) {
	each(t, false, func(t *testing.T, f folder) {
		for year, ends := range map[string][2]string{"2014": {"slave", "master"}, "2022": {"target", "initiator"}} {
			var root element
			require.NoError(t, xml.Unmarshal([]byte(f.read(t, f.file("."+year+".xml"))), &root))
			require.Equal(t, "component", root.XMLName.Local)
			root.check(t, "http://www.accellera.org/XMLSchema/IPXACT/1685-"+year, ends[0]+"|"+ends[1])

			top, wires := f.top()
			assert.Equal(t, top, root.text(t, "name"))
			assert.Equal(t, top, root.text(t, "model", "instantiations", "componentInstantiation", "moduleName"))
			var ports []string
			for _, port := range root.all("model", "ports", "port") {
				said := port.text(t, "wire", "direction") + " " + port.text(t, "name")
				for _, v := range port.all("wire", "vectors", "vector") {
					left, right := bits(t, v)
					said += fmt.Sprintf(" [%d:%d]", left, right)
				}
				ports = append(ports, said)
			}
			var want []string
			byName := map[string]plan.Wire{}
			unmapped := map[string]bool{} // bits of streams
			for _, w := range wires {
				said := map[bool]string{false: "in ", true: "out "}[w.Output] + w.Name
				if w.Vector {
					said += fmt.Sprintf(" [%d:0]", w.Width()-1)
				}
				want = append(want, said)
				byName[w.Name] = w
				for i := range w.Width() {
					unmapped[fmt.Sprintf("%s %d", w.Name, i)] = streamPort.MatchString(w.Name)
				}
			}
			assert.Equal(t, want, ports)

			names := map[string]bool{}
			for _, bus := range root.all("busInterfaces", "busInterface") {
				name := bus.text(t, "name")
				assert.False(t, names[name], "%s is there twice", name)
				names[name] = true
				end := ends[map[byte]int{'s': 0, 'm': 1}[name[0]]]
				assert.Len(t, bus.all(end), 1, "%s is a %s", name, end)
				for _, m := range bus.all("abstractionTypes", "abstractionType", "portMaps", "portMap") {
					port := m.text(t, "physicalPort", "name")
					parts := streamPort.FindStringSubmatch(port)
					require.NotNil(t, parts, port)
					assert.Equal(t, parts[1], name[:1])
					assert.Equal(t, strings.ToUpper(parts[2]), m.text(t, "logicalPort", "name"))
					w := byName[port]
					left, right := 0, 0
					selects := m.all("physicalPort", "partSelect", "range")
					require.Equal(t, w.Vector, len(selects) == 1, port)
					for _, s := range selects {
						left, right = bits(t, s)
					}
					assert.Equal(t, w.Bits, left-right+1, port)
					for i := right; i <= left; i++ {
						bit := fmt.Sprintf("%s %d", port, i)
						assert.True(t, unmapped[bit], "%s is mapped twice or not there", bit)
						unmapped[bit] = false
					}
				}
			}
			for bit, is := range unmapped {
				assert.False(t, is, "%s is in no bus interface", bit)
			}

			var files []string
			for _, file := range root.all("fileSets", "fileSet", "file") {
				files = append(files, filepath.Join("integration", file.text(t, "name")))
			}
			assert.Equal(t, f.rtl(t), files)
		}
	})
}
