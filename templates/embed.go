// SPDX-License-Identifier: Apache-2.0

// Package templates holds the text templates of everything that is generated for
// a machine. They only lay out values that package gen has computed: there is no
// arithmetic and no naming in them.
package templates

import "embed"

// Files holds the templates, and the scripts that are copied as they stand.
//
//go:embed *.tmpl synth.sh prove.sh report
var Files embed.FS
