// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// compiled returns the schema, ready to validate with.
func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := JSONSchema()
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("hcgen.json", doc))
	schema, err := c.Compile("hcgen.json")
	require.NoError(t, err, "the schema itself is not valid")
	return schema
}

// validate checks a description in JSON against the schema.
func validate(t testing.TB, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	return schema.Validate(doc)
}

// jsonVariant converts a description from HCL to JSON. ok is false if the text
// has a syntax error.
func jsonVariant(t testing.TB, src []byte) (text []byte, ok bool) {
	t.Helper()
	l := newLoader("machine.hcl", src)
	if l.parse(src) == nil {
		return nil, false
	}
	file, _ := hclsyntax.ParseConfig(src, "machine.hcl", hcl.InitialPos)
	var b strings.Builder
	writeJSONBody(t, &b, src, file.Body.(*hclsyntax.Body), "")
	return []byte(b.String()), true
}

func writeJSONBody(t testing.TB, b *strings.Builder, src []byte, body *hclsyntax.Body, blockType string) {
	separator := "{"
	key := func(name string) {
		b.WriteString(separator + quoteJSON(t, name) + ": ")
		separator = ", "
	}
	for _, name := range sortedKeys(body.Attributes) {
		key(name)
		a := body.Attributes[name]
		asText := blockType == "variable" && name == "type" || name == "iterator"
		writeJSONValue(t, b, src, a.Expr, asText)
	}
	byType := map[string][]*hclsyntax.Block{}
	for _, block := range body.Blocks {
		byType[block.Type] = append(byType[block.Type], block)
	}
	for _, blockType := range sortedKeys(byType) {
		key(blockType)
		b.WriteString("[")
		for i, block := range byType[blockType] {
			if i > 0 {
				b.WriteString(", ")
			}
			for _, label := range block.Labels {
				b.WriteString("{" + quoteJSON(t, label) + ": ")
			}
			writeJSONBody(t, b, src, block.Body, blockType)
			b.WriteString(strings.Repeat("}", len(block.Labels)))
		}
		b.WriteString("]")
	}
	if separator == "{" {
		b.WriteString("{")
	}
	b.WriteString("}")
}

func writeJSONValue(t testing.TB, b *strings.Builder, src []byte, e hclsyntax.Expression, asText bool) {
	text := string(e.Range().SliceBytes(src))
	if tuple, ok := e.(*hclsyntax.TupleConsExpr); ok {
		b.WriteString("[")
		for i, x := range tuple.Exprs {
			if i > 0 {
				b.WriteString(", ")
			}
			writeJSONValue(t, b, src, x, false)
		}
		b.WriteString("]")
		return
	}
	v, diags := e.Value(nil)
	switch plain := !diags.HasErrors() && len(e.Variables()) == 0; {
	case asText:
		b.WriteString(quoteJSON(t, text))
	case plain && v.IsNull():
		b.WriteString("null")
	case plain && v.Type() == cty.Number && v.AsBigFloat().IsInf():
		b.WriteString(quoteJSON(t, "${"+text+"}"))
	case plain && v.Type() == cty.String:
		b.WriteString(quoteJSON(t, strings.NewReplacer("${", "$${", "%{", "%%{").Replace(v.AsString())))
	case plain && v.Type().IsPrimitiveType():
		data, err := ctyjson.Marshal(v, v.Type())
		require.NoError(t, err)
		b.Write(data)
	default:
		b.WriteString(quoteJSON(t, "${"+text+"}"))
	}
}

func quoteJSON(t testing.TB, s string) string {
	data, err := json.Marshal(s)
	require.NoError(t, err)
	return string(data)
}

// The schema accepts whatever the loader accepts: all examples and all good
// descriptions, as JSON. The JSON variant means the same as the HCL.
func TestSchemaAcceptsEveryGoodDescription(t *testing.T) {
	schema := compiled(t)
	for _, d := range append(examples(t), cases(t, good)...) {
		text := d.src
		if !IsJSON(d.file) {
			var ok bool
			text, ok = jsonVariant(t, d.src)
			require.True(t, ok, d.name)
			want, _, _ := d.load()
			got, files, diags := LoadBytes("machine.json", text, d.vars, withSchedules)
			require.NotNil(t, got, "%s:\n%s\n%s", d.name, text, rendered(t, files, diags))
			assert.Equal(t, want.Hash, got.Hash, d.name)
		}
		assert.NoError(t, validate(t, schema, text), "%s:\n%s", d.name, text)
	}
}

// beyondSchema are the mistakes that the schema cannot see: relations between
// values, evaluated values, and repeated names.
var beyondSchema = strings.Fields(`
at_length at_number_too_late at_too_late broadcast_last_without_tlast broadcasts_of_broadcasts
broadcasts_without_destination collective_at_too_late collective_root_of_all_gather
collective_root_out_of_range collective_without_destinations
collectivenetwork_latency_without collectivenetwork_pipelined_without collectivenetwork_pipelined_vector collectivenetwork_pipelined_module collectivenetwork_name_of_a_device collectivenetwork_name_of_a_simulation collectivenetwork_name_of_a_traffic collectivenetwork_name_twice collectivenetwork_module_name collectivenetwork_module_operator collectivenetwork_operator_twice
collectivenetwork_operations_operator collectivenetwork_operations_pipelined collectivenetwork_operations_root
collectivenetwork_operations_schedule collectivenetwork_operations_vector collectivenetwork_operations_words
collectivenetwork_operator_without collectivenetwork_root_range collectivenetwork_root_without collectivenetwork_routers_message
collectivenetwork_module_generated collectivenetwork_module_keyword collectivenetwork_module_machine
collectivenetwork_routers_network collectivenetwork_routers_node_errors collectivenetwork_routers_none collectivenetwork_routers_router collectivenetwork_routers_traffic
collectivenetwork_schedule_cut collectivenetwork_schedule_folder collectivenetwork_schedule_missing
collectivenetwork_schedule_not_for_hardware collectivenetwork_schedule_of_another_machine
collectivenetwork_schedule_of_another_operation collectivenetwork_schedule_of_another_root
collectivenetwork_schedule_of_one_word collectivenetwork_schedule_of_too_many_steps collectivenetwork_schedule_unsound
collectivenetwork_chunk_of_default_word collectivenetwork_chunk_wide collectivenetwork_chunk_with_module collectivenetwork_chunk_without_reduction
collectivenetwork_too_large collectivenetwork_too_wide collectivenetwork_vectors_too_large collectivenetwork_words_without degree_31 degree_one_dimension dimension_duplicate
endpoint_address_too_wide endpoint_timeout_on_one_chip endpoint_timeout_too_short endpoint_clocks endpoint_default_address_too_wide endpoint_programmable endpoint_several_streams
endpoint_too_many_nodes endpoint_with_message endpoint_without_barrier endpoint_without_errors endpoint_without_network endpoint_without_routers
device_of_another_family package_of_ecp5_missing
for_each_bad_value for_each_null for_each_unknown_block function_arguments deliver_destination_of_broadcasts deliver_destination_programmable
function_domain function_range hot_digit_out_of_range hot_without_hotspot json_escape json_programmable json_sources json_template
json_template_syntax local_block local_cycle local_duplicate local_itself local_unknown
link_clocks_of_a_collective_network link_clocks_of_programmable_routers link_clocks_registers link_chips_beside_clocks link_chips_of_a_collective_network link_chips_of_programmable_routers link_chips_of_many_nodes link_chips_of_many_ports link_chips_registers link_chips_silence_too_short link_chips_flight_too_long_for_the_silence link_wires_flight link_registers_of_programmable_routers
m_huge_literal m_infinite machine_name_hc name_of_the_system
network_too_large node_errors_without_network package_missing package_wrong_device pattern_transpose_one_dimension
pattern_without_destination programmable_barrier
programmable_degree_below_dimensions programmable_degree_not_usable
programmable_degree_of_pairs programmable_delivery programmable_fifo_depth
programmable_ring_too_long programmable_stages
programmable_too_many_dimensions programmable_too_many_ports random_sources_digit_out_of_range reference_incomplete
rho_above_half_even rho_above_half_odd several_digits several_follow_up
several_sources_computed send_at_length send_at_too_late send_from_digit_out_of_range
send_last_without_tlast send_to_digit_out_of_range send_to_digits_few send_to_nobody
send_to_nobody_of_several send_without_destination share_without_hotspot sources_digit_out_of_range sources_digits_few sources_digits_many
stall_at_too_late stall_cycles_past_the_end stall_cycles_too_many stall_nearly_one stall_receivers_digit_out_of_range synthesis_case_collision synthesis_duplicate too_many_nodes
traffic_case_collision traffic_duplicate traffic_hc traffic_machine_too_large traffic_reserved_alone
traffic_reserved_array traffic_reserved_name unknown_function unknown_root
var_control_characters var_default_type var_duplicate var_dynamic var_in_default var_no_value
var_none_declared var_not_an_expression var_out_of_range var_reference_unknown var_undeclared
byte_order_mark several_unknown_references unknown_root_of_word var_is_a_name
var_unknown_type var_wrong_type
`)

// The schema rejects every other mistake.
func TestSchemaRejectsMistakes(t *testing.T) {
	schema := compiled(t)
	rejected, beyond := 0, []string{}
	for _, d := range cases(t, bad) {
		text := d.src
		if !IsJSON(d.file) {
			var ok bool
			if text, ok = jsonVariant(t, text); !ok {
				continue
			}
		} else if !json.Valid(text) {
			continue
		}
		err := validate(t, schema, text)
		if err == nil {
			beyond = append(beyond, d.name)
		} else {
			rejected++
		}
	}
	assert.ElementsMatch(t, beyondSchema, beyond, "mistakes that the schema does not see")
	assert.Greater(t, rejected, 80)
}

func TestSchemaKnowsWhatOnlyProgrammableRoutersHave(t *testing.T) {
	schema := compiled(t)
	for router, good := range map[string]bool{
		`{"kind": "programmable", "config_bus": "axi4lite"}`: true,
		`{"kind": "${var.kind}", "config_bus": "axi4lite"}`:  true,
		`{"kind": "specialized", "config_bus": "axi4lite"}`:  false,
		`{"config_bus": "axi4lite"}`:                         false,
		`{"kind": "specialized", "max_degree": 4}`:           false,
		`{"kind": "specialized"}`:                            true,
	} {
		text := `{"variable": {"kind": {"default": "programmable"}}, "machine": {"a": {"dimension": {"x": {"m": 4, "rho": 1}}, "router": ` + router + `}}}`
		assert.Equal(t, good, validate(t, schema, []byte(text)) == nil, router)
		_, _, diags := LoadBytes("machine.json", []byte(text), nil)
		assert.Equal(t, good, !diags.HasErrors(), "%s: the loader thinks otherwise", router)
	}
}
