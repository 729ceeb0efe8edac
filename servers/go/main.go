// SPDX-License-Identifier: MIT

// An HTTP server on Go's net/http, nothing else: http.Server, http.ServeContent, encoding/json, crypto/sha256.
//
//	go build -o /tmp/go-server . && /tmp/go-server --root /srv/files --port 8080 --workers 2
//
// SIGTERM or SIGINT: no new connections, responses under way are finished (at most 3 s), exit 0.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

const (
	drain = 3 * time.Second
	// At most 32 KiB in all. net/http adds 4 KiB to what it is told, and does not count what its buffer of 4 KiB already holds
	// of a head when it comes to read it: the first one of a connection may have 28 KiB, a later one up to 32.
	headLimit = 24 << 10
)

func main() {
	address := flag.String("address", "127.0.0.1", "numeric IPv4 or IPv6 address")
	port := flag.Uint("port", 8080, "TCP port")
	root := flag.String("root", "", "the folder whose files are served")
	workers := flag.Int("workers", 2, "threads that run Go code at the same time (GOMAXPROCS)")
	flag.Parse()
	if err := run(*address, *port, *root, *workers); err != nil {
		fmt.Fprintln(os.Stderr, "go:", err)
		os.Exit(1)
	}
}

func run(address string, port uint, rootName string, workers int) error {
	if _, err := netip.ParseAddr(address); err != nil {
		return fmt.Errorf("--address %s is not a numeric IPv4 or IPv6 address", address)
	}
	if workers < 1 || workers > 64 {
		return errors.New("--workers takes a number from 1 to 64")
	}
	if rootName == "" {
		return errors.New("--root is needed: the folder whose files are served")
	}
	root, err := os.OpenRoot(rootName)
	if err != nil {
		return fmt.Errorf("cannot open the root: %w", err)
	}
	runtime.GOMAXPROCS(workers)
	// Taken before the port is open, so that a signal right after the first response is not lost.
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	listener, err := net.Listen("tcp", net.JoinHostPort(address, strconv.FormatUint(uint64(port), 10)))
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:                      handler{files{root}},
		MaxHeaderBytes:               headLimit,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(io.Discard, "", 0),
	}
	fmt.Fprintf(os.Stderr, "go: %s, listening on %s with GOMAXPROCS=%d\n", runtime.Version(), listener.Addr(), workers)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-stop.Done():
	}
	limit, done := context.WithTimeout(context.Background(), drain)
	defer done()
	if server.Shutdown(limit) != nil {
		server.Close() // what is not finished by now is cut off, and looks so
	}
	return nil
}
