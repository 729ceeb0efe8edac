#!/bin/sh
# Installs the Rigmark agent on this machine: downloads it from your Rigmark, checks it, enrolls, starts it.
# Nothing runs before the last line, so a download that was cut off does nothing.
set -eu

usage() {
  cat <<'TEXT'
install.sh --key KEY      install the agent, enroll this host with the key from the "add a host" page, start it
           --url URL      the address of the web app (filled in when the script comes from there)
           --name NAME    what the host is called; otherwise its host name
           --prefix DIR   where it goes; /usr/local unless given
           --no-service   do not make a user or a systemd service; say how to start it
           --state-dir D  with --no-service: where the agent keeps its state
           --replace      enroll anew, even where this host is enrolled already
           --allow-http   allow plain HTTP to another machine
           --dry-run      say what would be done and do nothing
           --yes          do not ask
install.sh --uninstall    remove the agent and its service; --purge also removes its state and its user,
                          and refuses a state folder that is not an agent's
TEXT
}

say() { printf '%s\n' "$*" >&2; }
die() {
  printf 'install.sh: %s\n' "$2" >&2
  exit "$1"
}
have() { command -v "$1" >/dev/null 2>&1; }

read_arguments() {
  url='@URL@' key='' name='' prefix=/usr/local state='' service=1 replace='' http='' dry=0 yes=0 remove=0 purge=0
  while [ $# -gt 0 ]; do
    case $1 in
      --url | --key | --name | --prefix | --state-dir) [ $# -ge 2 ] || die 2 "$1 needs a value." ;;
    esac
    case $1 in
      --url) url=$2 && shift ;;
      --key) key=$2 && shift ;;
      --name) name=$2 && shift ;;
      --prefix) prefix=$2 && shift ;;
      --state-dir) state=$2 && shift ;;
      --no-service) service=0 ;;
      --replace) replace=--replace ;;
      --allow-http) http=--allow-http ;;
      --dry-run) dry=1 ;;
      --yes | -y) yes=1 ;;
      --uninstall) remove=1 ;;
      --purge) purge=1 ;;
      --help | -h) usage && exit 0 ;;
      *) die 2 "there is no option $1; --help says what there is." ;;
    esac
    shift
  done
  case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
  prefix=${prefix%/}
  unit=/etc/systemd/system/rigmark.service
  environment=/etc/rigmark/environment
  if [ "$service" = 1 ] && [ -n "$state" ]; then die 2 "--state-dir goes with --no-service; the service keeps its state in /var/lib/rigmark."; fi
}

# The same as the agent asks of it later: what is downloaded is run, and over plain HTTP anybody on the way can change it.
check_address() {
  case $url in
    http://* | https://*) url=${url%/} ;;
    *) die 2 "--url is missing: the address of your Rigmark, such as https://rigmark.example" ;;
  esac
  authority=${url#*://}
  authority=${authority%%/*}
  case $authority in
    *@*) die 2 "$url has a name or a password in it; the address of your Rigmark has none." ;;
    *]) host=$authority ;;
    *) host=${authority%:*} ;;
  esac
  case $url in https://*) return 0 ;; esac
  case $host in
    localhost | "[::1]") return 0 ;;
    *[!0-9.]*) ;;
    127.*) return 0 ;;
  esac
  [ -n "$http" ] || die 2 "$url is plain HTTP to another machine, where anybody on the way can change what is installed; use https, or say --allow-http."
}

# What this machine is. Anything that the agent is not built for stops here.
detect() {
  os=$(uname -s)
  arch=$(uname -m)
  case $os in
    Linux) ;;
    Darwin) die 77 "there is no ready-made agent for macOS: in a clone of Rigmark run 'cargo build --release -p rigmark', then 'target/release/rigmark enroll --url URL --key KEY' and 'target/release/rigmark agent'." ;;
    *) die 77 "there is no agent for $os; these are Linux on aarch64 and x86_64." ;;
  esac
  case $arch in
    aarch64 | arm64) target=aarch64-unknown-linux-musl k6=linux-arm64 ;;
    x86_64 | amd64) target=x86_64-unknown-linux-musl k6=linux-amd64 ;;
    armv7l | armv6l) die 77 "this is a 32-bit ARM system ($arch) and the agent needs a 64-bit one; Raspberry Pi OS comes as 64-bit for the Pi 3 and later." ;;
    *) die 77 "there is no agent for the processor $arch; there are aarch64 and x86_64." ;;
  esac
  if [ "$service" = 1 ] && [ ! -d /run/systemd/system ]; then
    say "This system does not run systemd: the agent is installed without a service."
    service=0
  fi
  sudo=''
  if [ "$(id -u)" != 0 ]; then
    if [ "$service" = 0 ] && writable "$prefix"; then
      :
    elif have sudo; then
      sudo=sudo
    elif have doas; then
      sudo=doas
    elif have run0; then
      sudo=run0
    else
      die 1 "only root may install to $prefix, and there is no sudo: run this as root, or add --no-service --prefix \$HOME/.local"
    fi
  fi
  if [ -z "$state" ]; then
    if [ "$service" = 1 ] || [ "$prefix" = /usr/local ]; then state=/var/lib/rigmark; else state=$prefix/var/lib/rigmark; fi
    if [ "$service" = 0 ] && [ "$(id -u)" != 0 ]; then state=${XDG_STATE_HOME:-$HOME/.local/state}/rigmark; fi
  fi
}
writable() {
  at=$1
  while [ ! -e "$at" ]; do at=$(dirname "$at"); done
  [ -w "$at" ]
}

root() {
  if [ "$dry" = 1 ]; then
    say "would run: $*"
  elif [ -n "$sudo" ]; then
    $sudo "$@"
  else
    "$@"
  fi
}

# ask QUESTION: through the terminal, since stdin is this script. Without a terminal the command itself was the consent.
ask() {
  if [ "$yes" = 1 ] || [ "$dry" = 1 ] || ! (: </dev/tty) 2>/dev/null; then return 0; fi
  printf '%s [Y/n] ' "$1" >/dev/tty
  read -r reply </dev/tty || reply=n
  case $reply in '' | y | Y | yes | Yes) ;; *) die 1 "nothing was done." ;; esac
}

# What is asked for over TLS comes over TLS, wherever the response sends us. Busybox has a wget that cannot be told so.
fetch() {
  tls=''
  case $1 in https://*) tls=1 ;; esac
  if have curl; then
    curl ${tls:+--proto =https} -fsSL --retry 3 --connect-timeout 15 -o "$2" "$1" 2>"$tmp/fetch.log" || fetch_failed "$1"
  elif have wget; then
    if [ -n "$tls" ] && ! wget --help 2>&1 | grep -q -e --max-redirect; then tls=''; fi
    wget ${tls:+--max-redirect=0} -q -T 15 -O "$2" "$1" 2>"$tmp/fetch.log" || fetch_failed "$1"
  else
    die 1 "neither curl nor wget is here: install one of them, then run this again."
  fi
}
fetch_failed() {
  case $(cat "$tmp/fetch.log") in
    *"error: 404"* | *"404 Not Found"*) die 1 "$1 is not there: the app has no agents to hand out yet. Where it runs, run ./rig release; then run this again." ;;
  esac
  die 1 "$1 could not be downloaded ($(tail -n 1 "$tmp/fetch.log")). Is the app running, and can this machine reach it?"
}

sha256() {
  if have sha256sum; then
    sha256sum "$1" | cut -d' ' -f1
  elif have shasum; then
    shasum -a 256 "$1" | cut -d' ' -f1
  elif have openssl; then
    openssl dgst -sha256 "$1" | sed 's/.*= *//'
  else
    die 1 "there is no sha256sum, shasum or openssl, so the download cannot be checked; nothing was installed."
  fi
}
# The same of a file that only root may read.
installed_sha256() { if [ -r "$1" ]; then sha256 "$1"; else echo none; fi; }

# get FILE: downloads it unless this very content was installed before, and checks it.
get() {
  wanted=$(awk -v f="$1" '$2 == f { print $1 }' "$tmp/SHA256SUMS")
  fetch "$url/dl/$1" "$tmp/$1"
  found=$(sha256 "$tmp/$1")
  [ "$found" = "$wanted" ] || die 1 "$1 is not what SHA256SUMS says (expected $wanted, got $found); nothing was installed."
}
listed() { awk -v start="$1" -v end="$2" 'index($2, start) == 1 && substr($2, length($2) - length(end) + 1) == end { print $2 }' "$tmp/SHA256SUMS" | tail -n 1; }

install_files() {
  fetch "$url/dl/SHA256SUMS" "$tmp/SHA256SUMS"
  agent=$(listed rigmark- "-$target.tar.gz")
  generator=$(listed k6- "-$k6.tar.gz")
  [ -n "$agent" ] || die 1 "$url has no agent for $target: on its machine run ./rig release, then run this again."
  record=$prefix/share/rigmark/installed
  grep -E "  ($agent|$generator)\$" "$tmp/SHA256SUMS" >"$tmp/installed"
  if [ -x "$prefix/bin/rigmark" ] && cmp -s "$tmp/installed" "$record"; then
    say "$agent is installed already."
    return 0
  fi
  if [ "$dry" = 1 ]; then
    say "would download and check: $agent $generator"
    say "would install: $prefix/bin/rigmark $prefix/share/rigmark $prefix/lib/rigmark"
    return 0
  fi
  for archive in $agent $generator; do
    get "$archive"
    mkdir -p "$tmp/${archive%.tar.gz}"
    tar -xzf "$tmp/$archive" -C "$tmp" || die 1 "$archive could not be unpacked: is $tmp full?"
  done
  from=$tmp/${agent%.tar.gz}
  root mkdir -p "$prefix/bin" "$prefix/share" "$prefix/lib/rigmark"
  root rm -rf "$prefix/share/rigmark.new"
  root cp -R "$from/share/rigmark" "$prefix/share/rigmark.new"
  root cp "$tmp/installed" "$prefix/share/rigmark.new/installed"
  root chmod -R u=rwX,go=rX "$prefix/share/rigmark.new" "$prefix/lib/rigmark"
  put_program "$from/bin/rigmark" "$prefix/bin/rigmark"
  if [ -n "$generator" ]; then
    put_program "$tmp/${generator%.tar.gz}/lib/rigmark/k6" "$prefix/lib/rigmark/k6"
    root cp "$tmp/${generator%.tar.gz}"/lib/rigmark/k6-* "$prefix/lib/rigmark/"
  fi
  root rm -rf "$prefix/share/rigmark"
  root mv "$prefix/share/rigmark.new" "$prefix/share/rigmark"
  remove_terminal_files # a page of a command that is gone
  for part in man bash-completion zsh fish; do
    if [ -d "$from/share/$part" ]; then
      # shellcheck disable=SC2016 # that shell has the arguments
      root sh -c 'umask 022; cp -R "$1" "$2"' sh "$from/share/$part" "$prefix/share/"
    fi
  done
  changed=1
  say "Installed $agent to $prefix."
}
remove_terminal_files() {
  root rm -f "$prefix"/share/man/man1/rigmark.1 "$prefix"/share/man/man1/rigmark-*.1 \
    "$prefix/share/bash-completion/completions/rigmark" "$prefix/share/zsh/site-functions/_rigmark" \
    "$prefix/share/fish/vendor_completions.d/rigmark.fish"
}
put_program() { # beside, then over: a running program is never written into
  root cp "$1" "$2.new"
  root chmod 755 "$2.new"
  root mv -f "$2.new" "$2"
}

make_user() {
  if id rigmark >/dev/null 2>&1; then return 0; fi
  say "Making the system user rigmark."
  if have useradd; then
    root useradd --system --user-group --no-create-home --home-dir /var/lib/rigmark --shell /usr/sbin/nologin rigmark
  else
    root adduser -S -D -H -h /var/lib/rigmark -s /sbin/nologin rigmark
  fi
}

install_unit() {
  if [ "$dry" = 1 ]; then
    say "would write $unit, enable it and start it"
    return 0
  fi
  sed -e "s#/usr/local/bin/rigmark agent#$prefix/bin/rigmark agent${http:+ $http}#" \
    -e "s#/usr/local/share#$prefix/share#" "$prefix/share/rigmark/systemd/rigmark.service" >"$tmp/rigmark.service"
  if cmp -s "$tmp/rigmark.service" "$unit"; then return 0; fi
  root cp "$tmp/rigmark.service" "$unit"
  root chmod 644 "$unit"
  root systemctl daemon-reload
  changed=1
}

# The service reaches the app as this shell does: neither sudo nor systemd passes these on.
keep_environment() {
  if root test -e "$environment"; then return 0; fi
  env | grep -iE '^(HTTPS?_PROXY|NO_PROXY|SSL_CERT_(FILE|DIR))=.' >"$tmp/environment" || return 0
  if [ "$dry" = 1 ]; then
    say "would write the proxy and the certificates of this shell to $environment"
    return 0
  fi
  root mkdir -p "${environment%/*}"
  root install -m 600 "$tmp/environment" "$environment"
  changed=1
  say "Wrote the proxy and the certificates of this shell to $environment, for the service."
}

# Runs the agent as the one who owns its state, with the key on stdin and never in a process list.
as_owner() {
  if [ "$service" = 0 ]; then
    RIGMARK_STATE=$state RIGMARK_ENROLL_KEY=$key "$prefix/bin/rigmark" "$@"
    return
  fi
  # shellcheck disable=SC2016 # expanded by the inner shell
  printf '%s' "$key" | root sh -c 'RIGMARK_ENROLL_KEY=$(cat) RIGMARK_STATE=/var/lib/rigmark; export RIGMARK_ENROLL_KEY RIGMARK_STATE
    if [ -r /etc/rigmark/environment ]; then
      while IFS= read -r line; do
        case $line in HTTP*_PROXY=* | http*_proxy=* | NO_PROXY=* | no_proxy=* | SSL_CERT_*=*) export "$line" ;; esac
      done </etc/rigmark/environment
    fi
    if command -v runuser >/dev/null; then exec runuser -u rigmark -- "$@"; fi
    exec su -s /bin/sh -c "\"\$0\" \"\$@\"" rigmark "$@"' sh "$prefix/bin/rigmark" "$@"
}

enroll() {
  if [ "$service" = 1 ]; then # what root measured here before belongs to the service now
    root mkdir -p "$state"
    root chown -R rigmark:rigmark "$state"
    root chmod 700 "$state"
  fi
  if [ "$dry" = 0 ] && [ -z "$replace" ] && root test -e "$state/identity.json"; then
    say "This host is enrolled already; its enrollment is kept (--replace enrolls it anew)."
    return 0
  fi
  if [ -z "$key" ]; then
    say "No --key was given, so this host is not enrolled; the \"add a host\" page of $url makes one."
    return 0
  fi
  if [ "$dry" = 1 ]; then
    say "would enroll this host at $url"
    return 0
  fi
  set -- enroll --url "$url" $http $replace
  if [ -n "$name" ]; then set -- "$@" --name "$name"; fi
  enrolled=0
  as_owner "$@" >"$tmp/enrolled" || enrolled=1
  # How to start it by hand is said below, where there is no service.
  sed '/^Start the agent/d' "$tmp/enrolled" >&2
  [ "$enrolled" = 0 ] || die 1 "the agent is installed and this host is not enrolled, for the reason above. With a new key, run the same command again."
  changed=1
}

start() {
  if [ "$service" = 0 ]; then
    say "No service was made. To start the agent: RIGMARK_STATE=$state $prefix/bin/rigmark agent${http:+ $http}"
    return 0
  fi
  if [ "$dry" = 1 ]; then return 0; fi
  if ! root test -e "$state/identity.json"; then return 0; fi
  since=$(date +%s)
  if [ "$changed" = 1 ] || ! systemctl is-active --quiet rigmark; then
    root systemctl enable --quiet rigmark
    root systemctl restart rigmark
  else
    say "The agent is running and nothing has changed."
    return 0
  fi
  waited=0
  until root journalctl -u rigmark --since "@$since" -o cat --no-pager 2>/dev/null | grep -q '^Waiting for runs'; do
    if [ "$waited" -ge 30 ] || systemctl is-failed --quiet rigmark; then break; fi
    waited=$((waited + 1))
    sleep 1
  done
  if ! systemctl is-active --quiet rigmark; then
    root journalctl -u rigmark -n 5 --no-pager -o cat >&2 || true
    die 1 "the service does not stay up; the lines above say why, and journalctl -u rigmark has them all."
  fi
  if [ "$waited" -ge 30 ]; then
    say "The service runs and has not reached $url within 30 seconds; it keeps trying, and journalctl -u rigmark says what it meets."
  else
    say "The agent runs and waits for runs; the host's page (above) turns green."
  fi
}

hints() {
  missing=''
  have ab || [ -x /usr/sbin/ab ] || missing="$missing apache2-utils"
  have node || missing="$missing nodejs"
  have cc || missing="$missing build-essential"
  have nginx || [ -x /usr/sbin/nginx ] || missing="$missing nginx"
  if [ -n "$missing" ] && have apt-get; then
    say "For more tools and servers: sudo apt-get install$missing pkg-config libuv1-dev liburing-dev node-llhttp"
  fi
  say "What this host can do, and how to fix the rest: $prefix/bin/rigmark doctor"
}

# Succeeds for the state of an agent: a folder that it made and marked, an empty one, or one of an agent before the mark,
# which has an identity or a spool and nothing that is not an agent's.
is_state() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  $sudo sh -c 'cd "$1" 2>/dev/null || exit 1
    [ ! -f rigmark.state ] || exit 0
    found=0 ours=0
    for entry in * .[!.]*; do
      if [ ! -e "$entry" ] && [ ! -L "$entry" ]; then continue; fi
      found=1
      case $entry in
        identity.json) if grep -q "\"host_id\"" identity.json; then ours=1; fi ;;
        agent.lock | spool) ours=1 ;;
        builds | calibration.json | enrolling.json | noise.json | refused | runs | tuned.json | work) ;;
        *) exit 1 ;;
      esac
    done
    [ "$found" = 0 ] || [ "$ours" = 1 ]' sh "$1"
}

uninstall() {
  if [ ! -e "$prefix/bin/rigmark" ] && [ ! -e "$prefix/share/rigmark" ] && { [ "$purge" = 0 ] || [ ! -d "$state" ]; }; then
    say "The agent is not installed in $prefix."
    return 0
  fi
  if [ "$purge" = 1 ] && $sudo test -e "$state" && ! is_state "$state"; then
    die 2 "$state is not the state of a Rigmark agent, or has other files in it, so nothing was removed; leave out --purge to remove the agent only."
  fi
  ask "Remove the Rigmark agent from $prefix?"
  if [ -e "$unit" ]; then
    root systemctl disable --now --quiet rigmark || true
    root rm -f "$unit"
    root systemctl daemon-reload || true
  fi
  root rm -f "$prefix/bin/rigmark"
  root rm -rf "$prefix/share/rigmark" "$prefix/share/rigmark.new" "$prefix/lib/rigmark"
  remove_terminal_files
  if [ "$purge" = 1 ]; then
    root rm -rf "$state"
    if [ "$service" = 1 ]; then
      root rm -f "$environment"
      root rmdir "${environment%/*}" 2>/dev/null || true
    fi
    if [ "$service" = 1 ] && id rigmark >/dev/null 2>&1; then root userdel rigmark; fi
  elif [ -d "$state" ]; then
    say "Kept: $state (identity and unsent results); --purge removes it."
  fi
  if [ "$prefix" != /usr/local ] && [ "$dry" = 0 ]; then
    for dir in share/man/man1 share/man share/bash-completion/completions share/bash-completion share/zsh/site-functions \
      share/zsh share/fish/vendor_completions.d share/fish bin share lib var/lib var ''; do root rmdir "$prefix/$dir" 2>/dev/null || true; done
  fi
  say "Removed. In the app, revoke the host on its page."
}

main() {
  read_arguments "$@"
  detect
  if [ "$remove" = 1 ]; then
    uninstall
    exit 0
  fi
  check_address
  have tar || die 1 "tar is missing: install it, then run this again."
  changed=0
  tmp=$(mktemp -d) || die 1 "no temporary folder could be made: is the disk full?"
  trap 'rm -rf "$tmp"' EXIT
  trap 'exit 130' INT TERM
  ask "Install the Rigmark agent for $target from $url to $prefix?"
  install_files
  if [ "$service" = 1 ]; then
    make_user
    keep_environment
    install_unit
  fi
  enroll
  start
  hints
}

main "$@"
