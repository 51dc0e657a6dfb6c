// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// object is a JSON object. It is encoded with its keys in order.
type object = map[string]any

// SchemaDialect is the version of JSON Schema that JSONSchema writes.
const SchemaDialect = "https://json-schema.org/draft/2020-12/schema"

// JSONSchema returns the JSON Schema of a description in HCL's JSON syntax,
// written as one object. Blocks, attributes, ranges, legal values and defaults
// are those of the loader. meaning returns the description of an attribute of a block; it may return "".
//
// Every description that LoadBytes accepts is valid, unless its root is a list. The schema does not
// cover relations between values, except for attributes of programmable routers, and the results of
// dynamic blocks and templates.
func JSONSchema(meaning func(block, attribute string) string) ([]byte, error) {
	s := schemaWriter{recorded(), meaning}
	defs := object{"template": object{
		"description": "a template, such as ${var.payload_bits}",
		"type":        "string",
		"pattern":     "[$%]\\{",
	}}
	for blockType := range s.recorder.blocks {
		if blockType != rootBlock {
			defs[blockType] = s.body(blockType)
		}
	}
	defs[localsSchema.Type] = object{"type": "object"}
	root := s.body(rootBlock)
	root["$schema"] = SchemaDialect
	root["title"] = "Description of a machine for hcgen, in JSON"
	root["$defs"] = defs
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// schemaWriter makes schemas of what was recorded.
type schemaWriter struct {
	recorder *recorder
	meaning  func(block, attribute string) string
}

// requiredBlocks lists the blocks that a block must have one of. A dynamic block may
// make it.
var requiredBlocks = map[string][]string{
	rootBlock: {"machine"},
	"machine": {"dimension"},
	"traffic": {"broadcast", "send", "collective", "random"},
}

// body is the schema of what is in a block.
func (s schemaWriter) body(blockType string) object {
	b := s.recorder.blocks[blockType]
	properties := object{"//": object{"description": "a comment"}}
	if len(b.blocks) > 0 {
		properties[dynamicSchema.Type] = object{"description": "blocks made by a loop", "type": []string{"object", "array"}}
	}
	var required []string
	for _, a := range b.attributes {
		property := s.attribute(blockType, a.Name, b.values[a.Name])
		if text := s.meaning(blockType, a.Name); text != "" {
			property["description"] = text
		}
		properties[a.Name] = property
		if a.Required {
			delete(property, "default")
			required = append(required, a.Name)
		}
	}
	for _, sub := range b.blocks {
		body := object{"$ref": "#/$defs/" + sub.Type}
		if len(sub.LabelNames) == 0 {
			properties[sub.Type] = several(body, b.single[sub.Type])
			continue
		}
		labelled := object{
			"type":                 "object",
			"propertyNames":        object{"pattern": labelPattern, "maxLength": MaxNameLength}, // keywords are many and left out
			"additionalProperties": several(body, b.single[sub.Type]),
			"minProperties":        1,
		}
		if b.single[sub.Type] {
			labelled["maxProperties"] = 1
		}
		properties[sub.Type] = several(labelled, b.single[sub.Type])
	}
	schema := object{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		schema["required"] = required
	}
	if names := requiredBlocks[blockType]; names != nil {
		var anyOf []object
		for _, name := range append(slices.Clone(names), dynamicSchema.Type) {
			anyOf = append(anyOf, object{"required": []string{name}})
		}
		schema["anyOf"] = anyOf
	}
	if blockType == "router" {
		// Without a kind, too, the router is specialized. What a template makes is not known.
		never := object{}
		for _, name := range programmableOptions {
			never[name] = false
		}
		schema["if"] = object{"properties": object{"kind": object{"const": kindSpecialized}}}
		schema["then"] = object{"properties": never}
	}
	return schema
}

// several is one block, or a list of them; of those that are single the list has
// one element.
func several(one object, single bool) object {
	list := object{"type": "array", "items": one}
	if single {
		list["maxItems"] = 1
	}
	return object{"anyOf": []object{one, list}}
}

// labelPattern is identifierPattern without the underscores that simulators
// rename.
const labelPattern = "^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$"

// attribute is the schema of a value: the value, or a template that makes it.
func (s schemaWriter) attribute(blockType, name string, a accepted) object {
	if special := specialAttributes[blockType+"."+name]; special != nil {
		return special()
	}
	value := object{}
	switch {
	case a.integer != nil:
		value["type"], value["minimum"], value["maximum"] = "integer", a.integer.lo, a.integer.hi
	case a.real != nil:
		value["type"] = "number"
		lo, hi := "minimum", "maximum"
		if a.real.openLo {
			lo = "exclusiveMinimum"
		}
		if a.real.openHi {
			hi = "exclusiveMaximum"
		}
		value[lo], value[hi] = a.real.lo, a.real.hi
	case a.boolean:
		value["type"] = "boolean"
	case a.oneOf != nil:
		value["enum"] = a.oneOf
	default:
		panic(fmt.Sprintf("machine: it is not known what %s of a %s block can be", name, blockType))
	}
	schema := templated(value)
	if a.otherwise != nil {
		schema["default"] = a.otherwise
	}
	return schema
}

// templated is a value or a template.
func templated(value object) object {
	return object{"anyOf": []object{value, {"$ref": "#/$defs/template"}}}
}

// specialAttributes are those that the loader reads in ways of their own.
var specialAttributes = map[string]func() object{
	"synthesis.package": func() object {
		schema := templated(object{"enum": allPackages()})
		schema["default"] = defaultPackage
		return schema
	},
	"synthesis.seeds": func() object {
		schema := templated(object{"type": "array", "items": templated(whole(0, MaxPlacementSeed)),
			"minItems": 1, "maxItems": MaxSeeds, "uniqueItems": true})
		schema["default"] = defaultSeeds()
		return schema
	},
	"broadcast.sources": addressesSchema,
	"broadcast.at":      cyclesSchema,
	"send.from": func() object {
		return object{"anyOf": []object{addressSchema(), addressesSchema()}}
	},
	"send.to": func() object {
		digit := object{"anyOf": []object{whole(0, MaxRing-1), {"const": "*"}, {"$ref": "#/$defs/template"}}}
		return templated(object{"type": "array", "items": digit, "minItems": 1})
	},
	"send.at":              cyclesSchema,
	"random.sources":       differentSchema,
	"random.hot":           func() object { return templated(addressSchema()) },
	"stall.receivers":      differentSchema,
	"stall.at":             cycleSchema,
	"stall.cycles":         func() object { return templated(whole(1, MaxCycles)) }, // the default depends on the traffic
	"collective.at":        cycleSchema,
	"collective.root":      func() object { return templated(addressSchema()) },
	"random.pattern":       func() object { return templated(object{"enum": patternNames}) }, // the default depends on destinations
	"variable.type":        func() object { return object{"type": "string"} },
	"variable.default":     func() object { return object{"not": object{"type": "null"}} },
	"variable.description": func() object { return object{"type": "string"} },
}

// addressSchema is an address.
func addressSchema() object {
	return object{"type": "array", "items": templated(whole(0, MaxRing-1)), "minItems": 1}
}

// addressesSchema is one or more addresses.
func addressesSchema() object {
	return templated(object{"type": "array", "items": templated(addressSchema()), "minItems": 1})
}

// differentSchema is one or more different addresses.
func differentSchema() object {
	return templated(object{"type": "array", "items": templated(addressSchema()), "minItems": 1, "uniqueItems": true})
}

// cycleSchema is a cycle of the traffic.
func cycleSchema() object {
	schema := templated(whole(0, MaxCycles-1))
	schema["default"] = 0
	return schema
}

// cyclesSchema is when scheduled messages are offered.
func cyclesSchema() object {
	cycle := whole(0, MaxCycles-1)
	schema := object{"anyOf": []object{cycle, {"type": "array", "items": templated(cycle)}, {"$ref": "#/$defs/template"}}}
	schema["default"] = 0
	return schema
}

// whole is a whole number in a range.
func whole(lo, hi int64) object {
	return object{"type": "integer", "minimum": lo, "maximum": hi}
}
