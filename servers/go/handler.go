// SPDX-License-Identifier: MIT

package main

import (
	"io"
	"net/http"
)

// A switch instead of http.ServeMux, which redirects what it finds untidy (`//x`, `/a/../b`); the contract wants a response.
type handler struct{ files files }

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/plaintext":
		if reading(w, r) {
			text(w, "Hello, World!")
		}
	case "/json-sum":
		if posting(w, r) {
			jsonSum(w, r)
		}
	case "/upload":
		if posting(w, r) {
			upload(w, r)
		}
	default:
		if reading(w, r) {
			h.files.serve(w, r)
		}
	}
}

// Content-Length is set by net/http: the whole response stands in its buffer when the handler returns.
func text(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/plain")
	io.WriteString(w, body)
}

func reading(w http.ResponseWriter, r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead || refused(w, "GET, HEAD")
}

func posting(w http.ResponseWriter, r *http.Request) bool {
	return r.Method == http.MethodPost || refused(w, "POST")
}

func refused(w http.ResponseWriter, allowed string) bool {
	w.Header().Set("Allow", allowed)
	fail(w, http.StatusMethodNotAllowed)
	return false
}

func fail(w http.ResponseWriter, status int) {
	http.Error(w, http.StatusText(status), status)
}
