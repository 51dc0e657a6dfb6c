// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
)

// object is a JSON object. It is encoded with its keys in order.
type object = map[string]any

// SchemaDialect is the version of JSON Schema that JSONSchema writes.
const SchemaDialect = "https://json-schema.org/draft/2020-12/schema"

// JSONSchema returns the JSON Schema of a description in HCL's JSON syntax,
// written as one object. It comes from the table of attributes, as the loader does.
//
// Every description that LoadBytes accepts is valid, unless its root is a list. The schema does not
// cover relations between values, except for attributes of programmable routers, and the results of
// dynamic blocks and templates.
func JSONSchema() ([]byte, error) {
	defs := object{"template": object{
		"description": "a template, such as ${var.payload_bits}",
		"type":        "string",
		"pattern":     "[$%]\\{",
	}}
	for _, t := range language {
		defs[t.title()] = t.schema()
	}
	delete(defs, rootBlock)
	defs["locals"] = object{"type": "object"}
	root := typeOf(rootBlock).schema()
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

// schema is the schema of the contents of a block.
func (t blockType) schema() object {
	properties := object{"//": object{"description": "a comment"}}
	if len(t.blocks) > 0 {
		properties[dynamicBlock] = object{"description": "blocks made by a loop", "type": []string{"object", "array"}}
	}
	schema := object{"type": "object", "properties": properties, "additionalProperties": false}
	var required []string
	never := object{} // in a specialized router
	for _, a := range t.attributes {
		properties[a.name] = a.schema()
		if a.otherwise == nil {
			required = append(required, a.name)
		}
		if a.when == withProgrammable {
			never[a.name] = false
		}
	}
	for _, name := range t.blocks {
		properties[name] = t.inner(name).property()
	}
	if required != nil {
		schema["required"] = required
	}
	if t.oneOf != nil {
		var anyOf []object
		for _, name := range t.oneOf {
			anyOf = append(anyOf, object{"required": []string{name}})
		}
		schema["anyOf"] = append(anyOf, object{"required": []string{dynamicBlock}}) // a dynamic block may make the required block
	}
	var either []object
	for _, name := range t.either {
		either = append(either, object{"required": []string{name}})
	}
	if either != nil {
		schema["oneOf"] = either
	}
	if len(never) > 0 {
		// Without a kind the router is specialized. The result of a template is unknown.
		schema["if"] = object{"properties": object{"kind": object{"const": kindSpecialized}}}
		schema["then"] = object{"properties": never}
	}
	return schema
}

// property is the schema of the blocks of a type inside another one.
func (t blockType) property() object {
	body := object{"$ref": "#/$defs/" + strings.ReplaceAll(t.title(), " ", "%20")}
	if !t.labelled {
		return several(body, t.single)
	}
	labelled := object{
		"type":                 "object",
		"propertyNames":        object{"pattern": labelPattern, "maxLength": MaxNameLength}, // keywords are many and left out
		"additionalProperties": several(body, t.single),
		"minProperties":        1,
	}
	if t.single {
		labelled["maxProperties"] = 1
	}
	return several(labelled, t.single)
}

// several is one block, or a list of blocks; the list of a single block has one
// element.
func several(block object, single bool) object {
	list := object{"type": "array", "items": block}
	if single {
		list["maxItems"] = 1
	}
	return object{"anyOf": []object{block, list}}
}

// labelPattern is identifierPattern without the underscores that simulators
// rename.
const labelPattern = "^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$"

// schema is the schema of an attribute.
func (a attribute) schema() object {
	schema := maps.Clone(a.kind.schema())
	schema["description"] = strings.ReplaceAll(a.meaning, "`", "")
	switch a.otherwise.(type) {
	case nil, words, dependent:
	default:
		schema["default"] = a.otherwise
	}
	return schema
}

// templateForm is a template that makes a value.
var templateForm = object{"$ref": "#/$defs/template"}

// templated is a value or a template.
func templated(value object) object {
	return object{"anyOf": []object{value, templateForm}}
}

// listOf is a list of at least one item.
func listOf(item object) object { return object{"type": "array", "items": item, "minItems": 1} }

// unique is a list of different items.
func unique(list object) object {
	list["uniqueItems"] = true
	return list
}

// atMost is a list of at most n items.
func atMost(n int, list object) object {
	list["maxItems"] = n
	return list
}
