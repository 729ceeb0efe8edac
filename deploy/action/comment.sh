#!/bin/sh
# Writes a result to its pull request. Runs where there is a token, so all that it reads of the result is untrusted: which pull
# request it is about is a claim, and `rigmark comment` writes nothing unless the measured commit is that pull request's head.
#
# RIGMARK_RESULT is the folder with the result, RIGMARK_COMMIT the commit that the forge says was measured.
set -eu

name=rigmark
here=$(dirname "$0")
# shellcheck source=deploy/action/rigmark.sh
. "$here/rigmark.sh"

result=${RIGMARK_RESULT:-rigmark-result} commit=${RIGMARK_COMMIT:-} repository=${GITHUB_REPOSITORY:-}
[ -n "$commit" ] || die 2 "commit is missing: the one that the forge says was measured."
[ -n "$repository" ] || die 2 "GITHUB_REPOSITORY is missing: run this in a workflow."
if [ ! -f "$result/result.jsonl" ] || [ -L "$result/result.jsonl" ]; then
  say "There is no result in $result, so there is nothing to comment on."
  exit 0
fi
if [ ! -f "$result/pull-request" ] || [ -L "$result/pull-request" ]; then
  say "The result belongs to no pull request, so there is nothing to comment on."
  exit 0
fi
number=$(head -c 20 "$result/pull-request" | tr -d '\n')
case $number in
  '' | 0* | *[!0-9]* | ??????????*) die 1 "The result does not say which pull request it is about." ;;
esac

find_rigmark
report=${RIGMARK_REPORT:-}
# A report is an extra: without one the comment is written all the same.
if [ -z "$report" ] && [ -n "${RIGMARK_TOKEN:-}" ] && [ -n "${RIGMARK_URL:-}" ]; then
  if published=$("$rigmark" publish "$result/result.jsonl" --report); then
    report=$(printf '%s\n' "$published" | sed -n 's/^Report: //p' | head -n 1)
  else
    say "The result was not published, for the reason above; the comment has no link to a report."
  fi
fi
set -- "--result=$result/result.jsonl" "--repo=$repository" "--pr=$number" "--commit=$commit"
if [ -n "${RIGMARK_ONLY_ON:-}" ]; then set -- "$@" "--only-on=$RIGMARK_ONLY_ON"; fi
if [ -n "${RIGMARK_FAIL_ON:-}" ]; then set -- "$@" "--fail-on=$RIGMARK_FAIL_ON"; fi
if [ -n "$report" ]; then set -- "$@" "--report=$report"; fi
if [ -n "${RIGMARK_KEY:-}" ]; then set -- "$@" "--key=$RIGMARK_KEY"; fi
if [ -n "${RIGMARK_CHECK_NAME:-}" ]; then set -- "$@" "--check-name=$RIGMARK_CHECK_NAME"; fi
exec "$rigmark" comment "$@"
