// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"syscall"
)

// Files below one folder: os.Root refuses every way out of it, symbolic links included. Nothing is cached; each request
// opens its file, and http.ServeContent sends it with sendfile where the system has it.
type files struct{ root *os.Root }

// Named here, since net/http would ask the host's own list of types or look into the file.
var types = map[string]string{
	".js": "text/javascript", ".html": "text/html", ".css": "text/css",
	".json": "application/json", ".txt": "text/plain", ".svg": "image/svg+xml",
}

func (f files) serve(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	// Non-blocking, because opening a pipe would wait for its writer.
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		fail(w, status(err))
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		fail(w, http.StatusNotFound)
		return
	}
	kind := types[path.Ext(name)]
	if kind == "" {
		kind = "application/octet-stream"
	}
	w.Header().Set("Content-Type", kind)
	http.ServeContent(w, r, name, info.ModTime(), file)
}

func status(err error) int {
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE), errors.Is(err, syscall.ENOMEM):
		return http.StatusServiceUnavailable
	case errors.Is(err, fs.ErrPermission):
		return http.StatusForbidden
	}
	return http.StatusNotFound
}
