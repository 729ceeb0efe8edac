#!/bin/sh
# Enrolls once with each key, then serves runs. The key comes from the environment or from a file: the web container leaves
# one for the first host. Where the host was removed, a new key makes it another one.
set -eu

identity=$RIGMARK_STATE/identity.json used=$RIGMARK_STATE/enrolled-with
key=${RIGMARK_ENROLL_KEY:-} file=${RIGMARK_ENROLL_KEY_FILE:-/keys/enroll}
unset RIGMARK_ENROLL_KEY
# What the web container leaves brings nobody back that was removed.
if [ -z "$key" ] && [ -r "$file" ] && { [ ! -e "$identity" ] || [ "$file" != /keys/enroll ]; }; then
  key=$(cat "$file")
fi
hash=$(printf '%s' "$key" | sha256sum)

enroll() {
  RIGMARK_ENROLL_KEY=$key rigmark enroll --url "$RIGMARK_URL" --allow-http "$@" || return 1
  printf '%s\n' "$hash" >"$used"
}

if [ ! -e "$identity" ]; then
  if [ -z "$key" ]; then
    echo "There is no enrollment key: make one on the \"add a host\" page and set RIGMARK_ENROLL_KEY or RIGMARK_ENROLL_KEY_FILE." >&2
    exit 2
  fi
  enroll
elif [ -n "$key" ] && [ "$hash" != "$(cat "$used" 2>/dev/null)" ]; then
  enroll --replace || echo "The enrollment of before is kept." >&2
fi
exec rigmark agent --allow-http
