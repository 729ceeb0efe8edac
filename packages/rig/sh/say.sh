# shellcheck shell=sh
# How ./rig talks: one line a thing, on stderr; results alone go to stdout.

json=0
say() { printf 'rig: %s\n' "$*" >&2; }

# die STATUS SENTENCE…
die() {
  status=$1
  shift
  say "$*"
  if [ "$json" = 1 ]; then
    printf '{"error":{"code":"setup","message":"%s"}}\n' "$(printf '%s' "$*" | tr -d '\000-\037' | sed 's/[\\"]/\\&/g')"
  fi
  unlock_setup
  exit "$status"
}

have() { command -v "$1" >/dev/null 2>&1; }

# at_least VERSION WANTED: both like 1.95.0; what follows a dash or a plus is ignored.
at_least() {
  awk -v have="$1" -v want="$2" 'BEGIN {
    sub(/[-+].*/, "", have); n = split(want, w, "."); split(have, h, ".")
    for (i = 1; i <= n; i++) { if (h[i] + 0 > w[i] + 0) exit 0; if (h[i] + 0 < w[i] + 0) exit 1 }
    exit 0
  }'
}

# quietly WHAT COMMAND…: the command's output and how long it took go to the log; when it fails, its last words are in $last_words.
quietly() {
  what=$1
  shift
  printf '\n== %s: %s\n' "$what" "$*" >>"$state/log/setup.log"
  last="$state/log/last${job:-}.log"
  began=$(date +%s)
  outcome=0
  "$@" >"$last" 2>&1 || outcome=1
  { cat "$last" && printf '== %s took %s s\n' "$what" $(($(date +%s) - began)); } >>"$state/log/setup.log"
  [ "$outcome" = 1 ] || return 0
  last_words=$(grep -E '^ ?(E:|ERR|ERROR|error)|No space' "$last" | head -n 1)
  [ -n "$last_words" ] || last_words=$(grep -iE 'fail|unable|cannot|could not|error' "$last" | tail -n 1)
  [ -n "$last_words" ] || last_words=$(tail -n 1 "$last")
  last_words=$(printf '%s' "$last_words" | sed 's/^ *//' | cut -c1-200)
  return 1
}

# Where every failed download ends.
cannot_get() {
  die 1 "$1 could not be installed ($last_words). Check the network and the free disk space, then run it again; the whole story is in $state/log/setup.log."
}
