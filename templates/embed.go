// SPDX-License-Identifier: Apache-2.0

// Package templates holds the text templates of everything that is generated for a machine, in
// folders by what they make. They only lay out values that package gen has computed: there is no
// arithmetic and no naming in them.
package templates

import "embed"

// Files holds the templates, and the scripts that are copied as they stand.
//
//go:embed rtl bench build synth/*.tmpl synth/synth.sh formal report integration software
var Files embed.FS
