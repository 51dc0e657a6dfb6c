// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"maps"
	"slices"
	"strings"
	"time"
)

// entry is a file of an archive.
type entry struct {
	data       []byte
	executable bool
}

// mode is that of the file in an archive.
func (e entry) mode() int64 {
	if e.executable {
		return 0o755
	}
	return 0o644
}

// day stands for the time of every file: zip knows nothing earlier.
var day = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// archive packs the files into a folder of the given name, as users of the platform
// expect it: zip for Windows, else tar.gz. Order, times and owners are always the same.
func archive(platform, base string, content map[string]entry) (name string, data []byte, err error) {
	if strings.HasPrefix(platform, "windows/") {
		data, err = zipped(base, content)
		return base + ".zip", data, err
	}
	data, err = tarred(base, content)
	return base + ".tar.gz", data, err
}

func tarred(base string, content map[string]entry) ([]byte, error) {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(packed)
	for _, name := range slices.Sorted(maps.Keys(content)) {
		e := content[name]
		header := &tar.Header{Name: base + "/" + name, Mode: e.mode(), Size: int64(len(e.data)), ModTime: day, Format: tar.FormatPAX}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = packed.Close()
	return out.Bytes(), err
}

func zipped(base string, content map[string]entry) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(content)) {
		e := content[name]
		header := &zip.FileHeader{Name: base + "/" + name, Method: zip.Deflate, Modified: day}
		header.SetMode(0o644)
		if e.executable {
			header.SetMode(0o755)
		}
		f, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(e.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
