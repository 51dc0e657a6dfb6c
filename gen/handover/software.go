// SPDX-License-Identifier: Apache-2.0

package handover

import (
	"github.com/hcgen/hcgen/gen/artifact"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/plan/registers"
)

// Software returns what programs at the bus of the machine need: descriptions of its registers.
func Software(p *plan.Plan) []artifact.File {
	if p.Programmable == nil {
		return nil
	}
	return registerFiles(registers.Programmable())
}

// registerFiles are the registers in all languages.
func registerFiles(m registers.Map) (files []artifact.File) {
	for _, f := range []struct{ extension, content string }{
		{".h", m.C()},
		{".vh", m.Verilog()},
		{".md", m.Markdown()},
		{".json", m.JSON()},
		{".rdl", m.RDL()},
	} {
		files = append(files, artifact.File{Path: "registers/" + m.File + f.extension, Role: artifact.Registers, Content: artifact.Text(f.content)})
	}
	return files
}
