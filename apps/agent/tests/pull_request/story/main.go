// A server with two endpoints. It is told its port by the environment, as many are.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

type user struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// checksum is what each request costs.
func checksum(text string, rounds int) uint32 {
	sum := uint32(2463534242)
	for round := 0; round < rounds; round++ {
		for _, c := range text {
			sum ^= uint32(c) + sum<<13
			sum ^= sum >> 17
			sum ^= sum << 5
		}
	}
	return sum
}

const rounds = 3000

func showUser(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(user{ID: r.PathValue("id"), Name: "Ada"})
}

func greet(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("ETag", fmt.Sprintf("%08x", checksum("a greeting", rounds)))
	fmt.Fprint(w, "Hello, World!")
}

func main() {
	http.HandleFunc("GET /users/{id}", showUser)
	http.HandleFunc("GET /plaintext", greet)
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	server := &http.Server{Addr: "127.0.0.1:" + port}
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer cancel()
	go func() {
		<-stop.Done()
		server.Close()
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
