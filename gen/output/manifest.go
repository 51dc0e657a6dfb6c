// SPDX-License-Identifier: Apache-2.0

package output

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
)

// manifestName is the path of the manifest in the output folder.
const manifestName = "manifest.json"

// manifest is the content of manifest.json. It holds no date, host or absolute
// path, so that the same input makes the same bytes.
type manifest struct {
	Version    string          `json:"hcgen_version"`
	Machine    string          `json:"machine"`
	ConfigHash string          `json:"config_hash"`
	Files      []manifestEntry `json:"files"` // sorted by path
}

// manifestEntry describes one generated file.
type manifestEntry struct {
	Path   string `json:"path"`
	Role   string `json:"role"`
	SHA256 string `json:"sha256"` // lower-case hex
}

// encode returns the bytes of manifest.json.
func (m *manifest) encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// readManifest returns the hashes of the files that hcgen wrote to root, by
// path. ok is false if there is no manifest or it is not one of hcgen's: then
// every file counts as the user's.
func readManifest(root string) (hashes map[string]string, raw []byte, ok bool) {
	m, raw, ok := decodeManifest(root)
	if !ok {
		return nil, nil, false
	}
	hashes = map[string]string{}
	for _, f := range m.Files {
		hashes[f.Path] = f.SHA256
	}
	return hashes, raw, true
}

// decodeManifest returns the manifest of root and its bytes. ok is false if there is none
// or it is not one of hcgen's.
func decodeManifest(root string) (m manifest, raw []byte, ok bool) {
	name := filepath.Join(root, manifestName)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return manifest{}, nil, false
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return manifest{}, nil, false
	}
	if err := json.Unmarshal(raw, &m); err != nil || m.Version == "" || m.Files == nil {
		return manifest{}, nil, false
	}
	for _, f := range m.Files {
		if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != 32 || !validPath(f.Path) {
			return manifest{}, nil, false
		}
	}
	return m, raw, true
}
