// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/bits"
	"net/http"
	"strconv"
	"sync"
)

const (
	bodyLimit = 8 << 20
	keptLimit = 64 << 10 // larger buffers are not kept for the next request
)

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func jsonSum(w http.ResponseWriter, r *http.Request) {
	body := bodies.Get().(*bytes.Buffer)
	defer func() {
		if body.Cap() <= keptLimit {
			body.Reset()
			bodies.Put(body)
		}
	}()
	// Read as it comes: a length that was only announced takes no memory.
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, bodyLimit)); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			fail(w, http.StatusRequestEntityTooLarge)
			return
		}
		w.Header().Set("Connection", "close")
		fail(w, http.StatusBadRequest)
		return
	}
	total, ok := sumOf(body.Bytes())
	if !ok {
		fail(w, http.StatusBadRequest)
		return
	}
	text(w, "sum = "+strconv.FormatInt(total, 10))
}

// The sum of a JSON array of integers that fit 64 bits, if it fits them too.
func sumOf(body []byte) (int64, bool) {
	var numbers []int64
	if json.Unmarshal(body, &numbers) != nil {
		return 0, false
	}
	// null passes for an empty array and for 0. Texts do not pass, so an `n` can be nothing else.
	if bytes.IndexByte(body, 'n') >= 0 {
		return 0, false
	}
	// 128 bits, because a sum that fits may not fit on the way.
	var low, carry uint64
	var high int64
	for _, n := range numbers {
		low, carry = bits.Add64(low, uint64(n), 0)
		high += n>>63 + int64(carry)
	}
	return int64(low), high == int64(low)>>63
}
