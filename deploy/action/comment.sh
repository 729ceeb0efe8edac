#!/bin/sh
# Writes a result to its pull request. Runs where there is a token, so all that it reads of the result is untrusted: which pull
# request it is about is a claim, and `rigmark comment` writes nothing unless the measured commit is that pull request's head.
#
# RIGMARK_RESULT is the folder with the result, RIGMARK_COMMIT the commit that the forge says was measured. The result is a file
# (result.jsonl), or a run of the app at RIGMARK_URL whose id is in the file `run`; with both and a token it is the run, which is
# in the app already, so that nothing has to be published for a report.
set -eu

name=rigmark
here=$(dirname "$0")
# shellcheck source=deploy/action/rigmark.sh
. "$here/rigmark.sh"

result=${RIGMARK_RESULT:-rigmark-result} commit=${RIGMARK_COMMIT:-} repository=${GITHUB_REPOSITORY:-}
[ -n "$commit" ] || die 2 "commit is missing: the one that the forge says was measured."
[ -n "$repository" ] || die 2 "GITHUB_REPOSITORY is missing: run this in a workflow."

is_file() { [ -f "$1" ] && [ ! -L "$1" ]; }

# Sets `number`, the pull request of a result file.
find_number() {
  if ! is_file "$result/pull-request"; then
    say "The result belongs to no pull request, so there is nothing to comment on."
    exit 0
  fi
  number=$(head -c 20 "$result/pull-request" | tr -d '\n')
  case $number in
    '' | 0* | *[!0-9]* | ??????????*) die 1 "The result does not say which pull request it is about." ;;
  esac
}

# Sets `run`, the id of a run of the app.
find_run() {
  run=$(head -c 40 "$result/run" | tr -d '\n')
  printf '%s\n' "$run" | grep -Eqx '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' ||
    die 1 "The result does not say which run it is about."
  if [ -z "${RIGMARK_URL:-}" ] || [ -z "${RIGMARK_TOKEN:-}" ]; then
    die 2 "The result is a run of the app, and url or token is missing; give both, so that the run can be read."
  fi
}

by_file=false
if is_file "$result/result.jsonl"; then by_file=true; fi
if is_file "$result/run" && [ -n "${RIGMARK_URL:-}" ] && [ -n "${RIGMARK_TOKEN:-}" ]; then by_file=false; fi

report=${RIGMARK_REPORT:-}
if [ "$by_file" = true ]; then
  find_number
  if [ "$(wc -c <"$result/result.jsonl")" -gt 67108864 ]; then die 1 "The result is larger than 64 MiB, which is more than a pull request needs; nothing was read of it."; fi
  find_rigmark
  # A report is an extra: without one the comment is written all the same.
  if [ -z "$report" ] && [ -n "${RIGMARK_TOKEN:-}" ] && [ -n "${RIGMARK_URL:-}" ]; then
    # Nothing of a stranger is published that says it belongs to another commit.
    "$rigmark" comment "--result=$result/result.jsonl" "--pr=$number" "--repo=$repository" "--commit=$commit" --check-head
    if published=$("$rigmark" publish "$result/result.jsonl" --report); then
      report=$(printf '%s\n' "$published" | sed -n 's/^Report: //p' | head -n 1)
    else
      say "The result was not published, for the reason above; the comment has no link to a report."
    fi
  fi
  set -- "--result=$result/result.jsonl" "--pr=$number"
elif is_file "$result/run"; then
  find_run
  find_rigmark
  # Without --pr: then the run itself has to say which commit and pull request it is about, and no other run is written here.
  set -- "--run=$run"
  if [ -z "$report" ]; then set -- "$@" --make-report; fi
else
  say "There is no result in $result, so there is nothing to comment on."
  exit 0
fi

set -- "$@" "--repo=$repository" "--commit=$commit"
if [ -n "${RIGMARK_ONLY_ON:-}" ]; then set -- "$@" "--only-on=$RIGMARK_ONLY_ON"; fi
if [ -n "${RIGMARK_FAIL_ON:-}" ]; then set -- "$@" "--fail-on=$RIGMARK_FAIL_ON"; fi
if [ -n "$report" ]; then set -- "$@" "--report=$report"; fi
if [ -n "${RIGMARK_KEY:-}" ]; then set -- "$@" "--key=$RIGMARK_KEY"; fi
if [ -n "${RIGMARK_CHECK_NAME:-}" ]; then set -- "$@" "--check-name=$RIGMARK_CHECK_NAME"; fi
exec "$rigmark" comment "$@"
