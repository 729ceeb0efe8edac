// SPDX-License-Identifier: MIT

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"sync"
)

var pieces = sync.Pool{New: func() any { return new([64 << 10]byte) }}

// Hashed piece by piece, so memory does not depend on the length.
func upload(w http.ResponseWriter, r *http.Request) {
	piece := pieces.Get().(*[64 << 10]byte)
	defer pieces.Put(piece)
	hash := sha256.New()
	if _, err := io.CopyBuffer(hash, r.Body, piece[:]); err != nil {
		w.Header().Set("Connection", "close")
		fail(w, http.StatusBadRequest) // it ended early, or its chunks are none
		return
	}
	text(w, hex.EncodeToString(hash.Sum(nil)))
}
