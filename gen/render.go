// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"io"
	"text/template"

	"github.com/hcgen/hcgen/templates"
)

var parsed = template.Must(template.New("").Option("missingkey=error").ParseFS(templates.Files, "*/*.tmpl"))

// render returns a writer of the named template filled with the view.
func render(name string, view any) func(io.Writer) error {
	return func(w io.Writer) error { return parsed.ExecuteTemplate(w, name, view) }
}
