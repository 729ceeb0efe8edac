#!/bin/sh
# Measures base and head of a server side by side and keeps the result: here, or on the host of a workspace that RIGMARK_HOST
# names. Ends with the exit code of `rigmark run` or `rigmark wait`: 0 measured, 3 a --fail-on rule failed. Measuring here needs no
# secret, so that it may run on the code of a stranger; measuring there needs a token and runs no code here: see
# docs/pull-request.md.
#
# What to do is in the environment: RIGMARK_SERVER, RIGMARK_BASE, RIGMARK_SCENARIOS, and those of action.yml. Without RIGMARK_BASE
# the base is what the checkout was merged into, or else RIGMARK_EVENT_BASE: what the forge's event names.
set -eu

name=rigmark
here=$(dirname "$0")
# shellcheck source=deploy/action/rigmark.sh
. "$here/rigmark.sh"

server=${RIGMARK_SERVER:-} base=${RIGMARK_BASE:-} result=${RIGMARK_RESULT:-rigmark-result} host=${RIGMARK_HOST:-} head=${RIGMARK_HEAD:-}
[ -n "$server" ] || die 2 "server is missing: the folder with the server.toml, or with host the name of the server there."
[ -n "${RIGMARK_SCENARIOS:-}" ] || die 2 "scenarios is missing: name at least one."

# A job in a container is another user than the one who made the checkout.
if [ -z "$host" ] && ! why=$(git rev-parse --git-dir 2>&1); then
  die 1 "git does not work in this checkout ($(printf '%s' "$why" | head -n 1)); if it is another user's, run git config --global --add safe.directory \"\$PWD\" before."
fi

# Where HEAD is the merge of RIGMARK_HEAD, prints what that was merged into: the first parent, which a shallow clone names, too.
merged_into() {
  git cat-file commit HEAD 2>/dev/null | sed -n -e '/^$/q' -e 's/^parent //p' | {
    read -r first && read -r second && [ "$second" = "$head" ] && printf '%s\n' "$first"
  }
}
# A host measures the head itself, as no merge.
if [ -z "$base" ] && [ -z "$host" ]; then base=$(merged_into) || base=''; fi
[ -n "$base" ] || base=${RIGMARK_EVENT_BASE:-}
case $base in
  '' | 0000000000000000000000000000000000000000) die 2 "base is missing: the commit or branch to compare with; a first push has none." ;;
  -*) die 2 "$base is no commit and no branch." ;;
esac
if [ -n "$host" ]; then
  { [ -n "${RIGMARK_URL:-}" ] && [ -n "${RIGMARK_TOKEN:-}" ]; } || die 2 "url and token are missing: the host is one of a workspace there, and the token has the scope queue. A pull request from a fork gets no secrets."
  case $server in *[!a-z0-9._-]*) die 2 "server is $server, but with host it is the name of a server there." ;; esac
  case $head in '' | -*) die 2 "head is missing: the commit to measure." ;; esac
  # An empty one would be taken for a name.
  [ -n "${RIGMARK_WORKSPACE:-}" ] || unset RIGMARK_WORKSPACE
fi

find_rigmark

# A shallow checkout has the head alone. The branch of a name is what the forge has now. Of a host git is asked there.
if [ -z "$host" ] && ! git cat-file -e "$base^{commit}" 2>/dev/null; then
  if git fetch --quiet --no-tags --depth=1 origin "$base"; then
    base=FETCH_HEAD
  elif git cat-file -e "refs/remotes/origin/$base^{commit}" 2>/dev/null; then
    # Without credentials, such as in a private repository, there is what the checkout fetched.
    base=refs/remotes/origin/$base
  else
    die 1 "git has no $base and could not fetch it; check out with fetch-depth: 0, and name a branch as origin/BRANCH."
  fi
fi
if [ -z "$host" ]; then base=$(git rev-parse --verify "$base^{commit}"); fi

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
if [ -n "$host" ]; then
  # The rule is for `wait`; with too few blocks for a verdict it is refused here, before anything is queued.
  queued=$("$rigmark" queue "--host=$host" "--server=base=$server@$base" "--server=head=$server@$head" --baseline=base "$@" \
    ${RIGMARK_FAIL_ON:+"--fail-on=$RIGMARK_FAIL_ON"}) || exit
  printf '%s\n' "$queued" >&2
  # The address stands at the end of the line, and the run's id at the end of the address.
  run=${queued##*/}
  case $run in '' | *[!0-9a-f-]*) die 1 "rigmark queue did not say which run it queued; update rigmark." ;; esac
  printf '%s\n' "$run" >"$result/run"
  if [ -n "${GITHUB_OUTPUT:-}" ]; then printf 'run=%s\n' "$run" >>"$GITHUB_OUTPUT"; fi
  set -- "$run" --cancel-on-interrupt
fi
if [ -n "${RIGMARK_FAIL_ON:-}" ]; then set -- "$@" "--fail-on=$RIGMARK_FAIL_ON"; fi
if [ -n "$host" ]; then
  "$rigmark" wait "$@" "--out=$file" || code=$?
else
  "$rigmark" run "--server=base=$server@$base" "--server=head=$server" --baseline=base "$@" "--out=$file" || code=$?
fi

# A run that ended before it had a plan has records, and nothing to report.
if [ -f "$file" ] && ! "$rigmark" report "$file" --html "--out=$result/report.html"; then
  rm -f "$file"
  if [ "$code" = 0 ]; then code=1; fi
fi
if [ -f "$file" ]; then
  # Whoever comments compares it with the commit; alone it proves nothing.
  if [ -n "${RIGMARK_PULL_REQUEST:-}" ]; then printf '%s\n' "$RIGMARK_PULL_REQUEST" >"$result/pull-request"; fi
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    # The limit of a summary is 1 MiB.
    "$rigmark" report "$file" --md | head -c 1000000 >>"$GITHUB_STEP_SUMMARY"
  fi
  if [ -n "${GITHUB_OUTPUT:-}" ]; then printf 'result=%s\n' "$file" >>"$GITHUB_OUTPUT"; fi
fi
if [ -n "${GITHUB_OUTPUT:-}" ] && [ "$code" = 0 ]; then echo exit-code=0 >>"$GITHUB_OUTPUT"; fi
exit "$code"
