# shellcheck shell=sh
# Finds the program, for the scripts beside this file; they set `name`.

say() { printf '%s\n' "$*" >&2; }
die() {
  printf '%s: %s\n' "${name:-rigmark}" "$2" >&2
  exit "$1"
}

# Sets `rigmark`. What is on the PATH is taken; else it is installed from RIGMARK_URL into the runner's own folder, without a
# service and without enrolling.
find_rigmark() {
  if command -v rigmark >/dev/null 2>&1; then
    rigmark=rigmark
    return 0
  fi
  [ -n "${RIGMARK_URL:-}" ] || die 1 "rigmark is not on the PATH of this runner; install it there, or give the address of your Rigmark as url."
  prefix=${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:-$PWD/.rigmark}}/rigmark
  rigmark=$prefix/bin/rigmark
  mkdir -p "$prefix"
  installer=$prefix/install.sh
  # Whoever could change the script on its way would have the tokens.
  protocol='=https'
  case $RIGMARK_URL in http://127.0.0.1[:/]* | http://localhost[:/]*) protocol='=http,https' ;; esac
  curl -fsSL --proto "$protocol" --proto-redir "$protocol" --retry 3 --connect-timeout 15 -o "$installer" "${RIGMARK_URL%/}/install.sh" ||
    die 1 "${RIGMARK_URL%/}/install.sh could not be downloaded; check url, and that this runner reaches it."
  env -u RIGMARK_TOKEN -u RIGMARK_FORGE_TOKEN sh "$installer" --url "${RIGMARK_URL%/}" --prefix "$prefix" --no-service --yes >&2 || die 1 "rigmark could not be installed from $RIGMARK_URL, for the reason above."
}
