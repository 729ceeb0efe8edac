#!/bin/sh
# Measures base and head of a server side by side and keeps the result. Ends with the exit code of `rigmark run`: 0 measured, 3
# the gate is not met. It needs no secret, so that it may run on the code of a stranger: see docs/pull-request.md.
#
# What to do is in the environment: RIGMARK_SERVER, RIGMARK_BASE, RIGMARK_SCENARIOS, and those of action.yml.
set -eu

name=rigmark
here=$(dirname "$0")
# shellcheck source=deploy/action/rigmark.sh
. "$here/rigmark.sh"

server=${RIGMARK_SERVER:-} base=${RIGMARK_BASE:-} result=${RIGMARK_RESULT:-rigmark-result}
[ -n "$server" ] || die 2 "server is missing: the folder with the server.toml."
[ -n "${RIGMARK_SCENARIOS:-}" ] || die 2 "scenarios is missing: name at least one."
case $base in
  '' | 0000000000000000000000000000000000000000) die 2 "base is missing: the commit or branch to compare with; a first push has none." ;;
  -*) die 2 "$base is no commit and no branch." ;;
esac

find_rigmark

# A shallow checkout has the head alone. The branch of a name is what the forge has now.
if ! git cat-file -e "$base^{commit}" 2>/dev/null; then
  git fetch --quiet --no-tags --depth=1 origin "$base" || die 1 "git has no $base and could not fetch it; check base, or let the checkout fetch it (fetch-depth: 0)."
  base=$(git rev-parse --verify 'FETCH_HEAD^{commit}')
fi
base=$(git rev-parse --verify "$base^{commit}")

rm -rf "$result"
mkdir -p "$result"
file=$result/result.jsonl

# The arguments of one scenario, then of all others: words and lines of the inputs, never a shell's.
set --
set -f
for scenario in $RIGMARK_SCENARIOS; do set -- "$@" "--scenario=$scenario"; done
set +f
if [ -n "${RIGMARK_BLOCKS:-}" ]; then set -- "$@" "--repeats=$RIGMARK_BLOCKS"; fi
if [ -n "${RIGMARK_DURATION:-}" ]; then set -- "$@" "--duration=$RIGMARK_DURATION"; fi
if [ "${RIGMARK_QUICK:-false}" = true ]; then set -- "$@" --quick; fi
newline='
'
rest=${RIGMARK_ARGUMENTS:-}
while [ -n "$rest" ]; do
  line=${rest%%"$newline"*}
  case $rest in *"$newline"*) rest=${rest#*"$newline"} ;; *) rest='' ;; esac
  if [ -n "$line" ]; then set -- "$@" "$line"; fi
done

code=0
if [ -n "${RIGMARK_FAIL_ON:-}" ]; then set -- "$@" "--fail-on=$RIGMARK_FAIL_ON"; fi
"$rigmark" run "--server=base=$server@$base" "--server=head=$server" --baseline=base "$@" "--out=$file" || code=$?

if [ -f "$file" ]; then
  # Whoever comments compares it with the commit; alone it proves nothing.
  if [ -n "${RIGMARK_PULL_REQUEST:-}" ]; then printf '%s\n' "$RIGMARK_PULL_REQUEST" >"$result/pull-request"; fi
  "$rigmark" report "$file" --html "--out=$result/report.html"
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    # The limit of a summary is 1 MiB.
    "$rigmark" report "$file" --md | head -c 1000000 >>"$GITHUB_STEP_SUMMARY"
  fi
  if [ -n "${GITHUB_OUTPUT:-}" ]; then printf 'result=%s\n' "$file" >>"$GITHUB_OUTPUT"; fi
fi
if [ -n "${GITHUB_OUTPUT:-}" ] && [ "$code" = 0 ]; then echo exit-code=0 >>"$GITHUB_OUTPUT"; fi
exit "$code"
