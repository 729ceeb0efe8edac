# shellcheck shell=sh
# What `up` needs, at once where one thing waits for the network and another for a processor.

get_together() {
  (
    job=.node
    need_node
    need_packages
  ) &
  node_job=$!
  RIG_BUILD_AHEAD=''
  trap 'end_jobs; unlock_setup; exit 130' INT
  trap 'end_jobs; unlock_setup; exit 143' TERM
  trap 'end_jobs; unlock_setup' EXIT
  need_rust
  build_ahead &
  export RIG_BUILD_AHEAD=$!
  # What went wrong in the other job was said there.
  wait "$node_job" || exit 1
  trap unlock_setup EXIT
  need_node
  need_packages
}

end_jobs() { # in the background they do not hear Ctrl-C
  # shellcheck disable=SC2086
  kill "$node_job" $RIG_BUILD_AHEAD 2>/dev/null || true
}

# The same commands are called again later: they wait for these, and find everything made. Statistics first, since the
# web app contains them.
build_ahead() {
  cd "$root" || return 0
  exec >"$state/log/build-ahead.log" 2>&1
  cargo rustc --locked -p rigmark-stats --lib --crate-type cdylib --profile wasm --target wasm32-unknown-unknown || return 0
  exec cargo build --release --locked -p rigmark
}

# The background job of an earlier `up` builds what we are about to build ourselves.
end_later() {
  later=$(cat "$state/later.pid" 2>/dev/null) || return 0
  case $later in '' | *[!0-9]*) return 0 ;; esac
  # The number may be another program's by now.
  { tr '\0' ' ' <"/proc/$later/cmdline" || ps -o command= -p "$later"; } 2>/dev/null | grep -q 'main.ts later' || return 0
  kill -TERM "$later" 2>/dev/null || return 0
  waited=0
  while kill -0 "$later" 2>/dev/null && [ "$waited" -lt 10 ]; do
    waited=$((waited + 1))
    sleep 1
  done
}
