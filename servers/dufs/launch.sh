#!/bin/sh
# SPDX-License-Identifier: MIT
# launch.sh DUFS ADDRESS PORT ROOT WORKERS
# Starts dufs read-only and waits for it. dufs has no handler for SIGTERM and would end with the signal; it takes SIGINT as
# the wish to end, with status 0.
set -eu

if [ $# -ne 5 ]; then
	echo "usage: launch.sh DUFS ADDRESS PORT ROOT WORKERS" >&2
	exit 2
fi
dufs=$1 address=$2 port=$3 root=$4 workers=$5
[ -d "$root" ] || { echo "dufs: the root $root is not a folder" >&2; exit 1; }
ulimit -n "$(ulimit -Hn)" 2>/dev/null || true

# Settings of whoever starts this must not change what is measured, or allow writing.
for name in $(env | sed -n 's/^\(DUFS_[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done

child=
stopping=
stop() {
	stopping=1
	# Again until it is gone: before its handler stands, the signal is ignored, as for every background process.
	while [ -n "$child" ] && kill -INT "$child" 2>/dev/null; do
		sleep 0.05
	done
}
trap stop TERM INT

# --render-index: a folder is its index.html or 404, never a page that lists it. No log of requests.
TOKIO_WORKER_THREADS=$workers "$dufs" --bind "$address" --port "$port" --render-index --log-format '' "$root" >/dev/null &
child=$!
[ -z "$stopping" ] || stop
status=0
wait "$child" || status=$?
[ -z "$stopping" ] || status=0
exit "$status"
