#!/bin/sh
# Installs the Rigmark agent on this machine: downloads it from your Rigmark, checks it, enrolls, starts it.
# Nothing runs before the last line, so a download that was cut off does nothing.
set -eu

usage() {
  cat <<'TEXT'
install.sh                install the agent, enroll this host, start it
           --url URL      the address of the web app (filled in when the script comes from there)
           --key-file F   the key from the "add a host" page is in this file (-: on standard input); --key KEY gives it
                          here, where ps shows it; the line on the page gives it as RIGMARK_ENROLL_KEY
           --name NAME    what the host is called; otherwise its host name
           --user         for this user only, without root: in ~/.local, as a service of the user
           --prefix DIR   where it goes; /usr/local unless given
           --no-service   do not make a user or a service; say how to start it
           --state-dir D  with --no-service: where the agent keeps its state
           --no-prebuilt  without prebuilt servers
           --replace      enroll anew, even where this host is enrolled already
           --replace-key  accept releases that are signed with another key than the installed one, or not at all
           --allow-http   allow plain HTTP to another machine
           --dry-run      say what would be done and do nothing
           --yes          do not ask
install.sh --uninstall    remove the agent and its service; --purge also removes its state and its user,
                          and refuses a state folder that is not an agent's
TEXT
}

say() { printf '%s\n' "$*" >&2; }
# Said when it is sure to stay.
note() {
  notes="$notes$*
"
}
# die CODE SENTENCE [REASON]: the reason is for the page, where the sentence is of no use there.
die() {
  printf 'install.sh: %s\n' "$2" >&2
  reason=${3:-$2}
  if [ -n "$tmp" ]; then printf '%s' "$reason" >"$tmp/reason" 2>/dev/null || true; fi # where it is called in $(…), it ends that alone
  exit "$1"
}
have() { command -v "$1" >/dev/null 2>&1; }
# A path as a command that is pasted needs it.
quoted() {
  case $1 in
    *[!A-Za-z0-9/._+@-]*) printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf '%s' "$1" ;;
  esac
}
# must SENTENCE COMMAND…: where the command fails, the sentence has the last line of what it said, and all is taken back.
must() {
  failed=$1
  shift
  if [ "$dry" = 1 ]; then
    "$@"
    return
  fi
  "$@" 2>"$tmp/why" || die 1 "$failed ($(tail -n 1 "$tmp/why")); nothing was changed."
}

# The page "Add a host" shows each step as it happens. A report can only be lost: it takes seconds at most, and an app that
# was not reached twice is not asked again. The key is on curl's standard input, so no process list shows it.
may_report() {
  case $key in rgme_*[!A-Za-z0-9_-]*) return 0 ;; rgme_*) ;; *) return 0 ;; esac
  if [ "$dry" = 0 ] && have curl; then reports=2; fi
}
# report STATE [TEXT]: of the step under way.
report() {
  if [ "$reports" -le 0 ]; then return 0; fi
  tls='' said=$(printf '%s' "${2:-}" | LC_ALL=C tr '\000-\037\177' ' ' | LC_ALL=C sed 's/[\\"]/\\&/g') || return 0
  case $url in https://*) tls=1 ;; esac
  met=0
  printf 'header = "Authorization: Bearer %s"\n' "$key" |
    curl -K - ${tls:+--proto =https} -fsS -o /dev/null --connect-timeout 2 --max-time 3 -H 'Content-Type: application/json' \
      --data-binary "{\"step\":\"$step\",\"state\":\"$1\",\"text\":\"$said\"${host_id:+,\"host_id\":\"$host_id\"}}" \
      "$url/api/agent/v1/enroll/steps" >/dev/null 2>&1 || met=$?
  case $met in 0 | 22) ;; *) reports=$((reports - 1)) ;; esac # 22: it has responded, and refused
}
# passed TEXT NEXT
passed() {
  report "done" "$1"
  step=$2
}
# What is changed before the enrollment can be taken back: each step says how before it begins, the latest first.
ended() {
  set +e
  trap '' INT TERM HUP
  if [ "$1" != 0 ]; then
    for back in $undo; do $back >/dev/null 2>&1; done
    if [ -z "$reason" ] && [ -n "$tmp" ]; then reason=$(cat "$tmp/reason" 2>/dev/null) || true; fi
    if [ "$1" = 130 ]; then reason='the script was interrupted; run the same command again.'; fi
    report failed "${reason:-the script stopped; its last lines in the terminal of the host say why.}"
  fi
  if [ -n "$tmp" ]; then rm -rf "$tmp"; fi
}

read_arguments() {
  url='@URL@' key_of_releases='@PUBLIC_KEY@'
  key=${RIGMARK_ENROLL_KEY:-} name='' prefix='' state='' service='' user=0 prebuilt=1 replace='' replace_key=0 http='' dry=0 yes=0 remove=0 purge=0
  unset RIGMARK_ENROLL_KEY # of all that is started here only the agent gets it
  while [ $# -gt 0 ]; do
    case $1 in
      --url | --key | --key-file | --name | --prefix | --state-dir) [ $# -ge 2 ] || die 2 "$1 needs a value." ;;
    esac
    case $1 in
      --url) url=$2 && shift ;;
      --key) key=$2 && shift ;;
      --key-file) read_key "$2" && shift ;;
      --name) name=$2 && shift ;;
      --prefix) prefix=$2 && shift ;;
      --state-dir) state=$2 && shift ;;
      --user) user=1 ;;
      --no-service) service=none ;;
      --no-prebuilt) prebuilt=0 ;;
      --replace) replace=--replace ;;
      --replace-key) replace_key=1 ;;
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
  if [ -z "$service" ] && [ -n "$state" ]; then die 2 "--state-dir goes with --no-service; a service's state has its own place."; fi
}
# Piped into sh, standard input is this script.
read_key() {
  if [ "$1" = - ]; then
    [ -f "$0" ] || die 2 "--key-file - reads standard input, which is the script here: save the script first, or name a file."
    IFS= read -r key || [ -n "$key" ] || die 2 "there is no key on standard input."
  else
    key=$(head -n 1 "$1" 2>/dev/null) || key=''
    [ -n "$key" ] || die 2 "there is no key in $1: put the key of the \"add a host\" page into it."
  fi
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

# What this machine is, and what is put where. Anything that the agent is not built for stops here.
detect() {
  os=$(uname -s)
  arch=$(uname -m)
  # An older Raspberry Pi OS has a 64-bit kernel below 32-bit programs, and Rosetta shows an Apple chip as Intel's.
  case $os-$arch in
    Linux-aarch64) if [ "$(getconf LONG_BIT 2>/dev/null)" = 32 ]; then arch=armv7l; fi ;;
    Darwin-x86_64) if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then arch=arm64; fi ;;
  esac
  case $os-$arch in
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-musl k6=linux-arm64 ;;
    Linux-x86_64 | Linux-amd64) target=x86_64-unknown-linux-musl k6=linux-amd64 ;;
    Linux-armv7l | Linux-armv8l) target=armv7-unknown-linux-gnueabihf k6=linux-arm ;;
    Linux-armv6l) die 77 "this is an ARMv6 processor ($arch) and the agent needs ARMv7 or newer: a Raspberry Pi 2, 3, 4, 5 or Zero 2." ;;
    Darwin-arm64) target=aarch64-apple-darwin k6=macos-arm64 ;;
    Darwin-x86_64) target=x86_64-apple-darwin k6=macos-amd64 ;;
    Linux-* | Darwin-*) die 77 "there is no agent for the processor $arch; there are aarch64, armv7 and x86_64." ;;
    *) die 77 "there is no agent for $os; these are Linux and macOS." ;;
  esac
  me=$(id -u) sudo=''
  if [ "$user" = 1 ] && [ "$me" = 0 ]; then die 2 "--user installs for one ordinary user: leave it out to install for the whole machine, or run this as that user."; fi
  if [ "$user" = 0 ] && [ "$me" != 0 ] && ! { [ "$service" = none ] && writable "${prefix:-/usr/local}"; }; then
    if have sudo; then
      sudo=sudo
    elif have doas; then
      sudo=doas
    elif have run0; then
      sudo=run0
    else
      user=1
      say "There is no sudo here, so the agent is for this user only (--user)."
    fi
  fi
  if [ "$user" = 1 ]; then default=$HOME/.local; else default=/usr/local; fi
  prefix=${prefix:-$default}
  case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
  prefix=${prefix%/}
  program=$prefix/bin/rigmark shared=$prefix/share/rigmark releases=$prefix/lib/rigmark unfinished=$prefix/lib/rigmark/unfinished
  if [ "$user" = 1 ] && ! writable "$prefix"; then die 1 "only root may install to $prefix, and there is no sudo: run this as root, or leave out --prefix."; fi
  if [ "$user" = 1 ]; then config=${XDG_CONFIG_HOME:-$HOME/.config}/rigmark; else config=/etc/rigmark; fi
  environment=$config/environment
  find_manager
  if [ -z "$state" ]; then
    if [ "$user" = 1 ] || { [ "$service" = none ] && [ "$me" != 0 ]; }; then
      state=${XDG_STATE_HOME:-$HOME/.local/state}/rigmark
    elif [ "$os" = Darwin ]; then
      state=$prefix/var/rigmark
    elif [ "$service" != none ] || [ "$prefix" = /usr/local ]; then
      state=/var/lib/rigmark
    else
      state=$prefix/var/lib/rigmark
    fi
  fi
  if [ "$os" = Darwin ]; then logs=$state/agent.log; fi
  if [ "$service" != none ]; then
    case $prefix$state$environment in *[!A-Za-z0-9/._+@-]*) die 2 "a service can only be made for paths of plain letters, digits and . _ + @ -, and $prefix or $state has others: name another --prefix, or add --no-service." ;; esac
  fi
}
# Sets what starts the service: systemd, launchd or none.
find_manager() {
  owner=rigmark label=dev.rigmark.agent asked=$service mine='' wants='' domain=system logs="journalctl -u rigmark"
  if [ "$os" = Darwin ]; then
    owner=_rigmark found=launchd
    if [ "$user" = 0 ]; then
      unit=/Library/LaunchDaemons/$label.plist
    else
      # Over SSH there is no desktop to belong to, and what was installed so stays so: launchd would run it twice.
      unit=$HOME/Library/LaunchAgents/$label.plist domain=gui/$me
      if grep -q '<string>Background<' "$unit" 2>/dev/null || ! launchctl print "$domain" >/dev/null 2>&1; then domain=user/$me; fi
    fi
  elif [ "$user" = 0 ]; then
    unit=/etc/systemd/system/rigmark.service wants=multi-user.target.wants found=systemd
    [ -d /run/systemd/system ] || found=none
  else
    unit=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/rigmark.service mine=--user logs="journalctl --user -u rigmark" wants=default.target.wants found=systemd
    if [ -z "${XDG_RUNTIME_DIR:-}" ] && [ -d "/run/user/$me" ]; then export XDG_RUNTIME_DIR="/run/user/$me"; fi
    systemctl --user show-environment >/dev/null 2>&1 || found=none
  fi
  if [ -z "$service" ] && [ "$found" = none ] && [ "$remove" = 0 ]; then say "This system does not run systemd${mine:+ for users}: the agent is installed without a service."; fi
  service=${service:-$found}
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

# A sudo that is there may still refuse this user: that is asked before anything is downloaded.
may_be_root() {
  if [ -z "$sudo" ] || [ "$dry" = 1 ]; then return 0; fi
  $sudo true || die 1 "$sudo does not let this user act as root, so nothing was changed: run this as a user who may, or add --user for an agent of this user's own."
}

# ask QUESTION: through the terminal, since stdin is this script. Without a terminal the command itself was the consent.
ask() {
  if [ "$yes" = 1 ] || [ "$dry" = 1 ] || ! (: </dev/tty) 2>/dev/null; then return 0; fi
  printf '%s [Y/n] ' "$1" >/dev/tty
  read -r reply </dev/tty || reply=n
  case $reply in '' | y | Y | yes | Yes) ;; *) reports=0 && die 1 "nothing was done." ;; esac
}

# What is asked for over TLS comes over TLS, wherever the response sends us. Busybox has a wget that cannot be told so.
fetch() {
  tls=''
  case $1 in https://*) tls=1 ;; esac
  if have curl; then
    curl ${tls:+--proto =https} -fsSL --retry 3 --connect-timeout 15 --speed-time 60 --speed-limit 100 -o "$2" "$1" 2>"$tmp/fetch.log" || fetch_failed "$1"
  elif have wget; then
    # GNU's: with -q it would not say why it failed, and by itself it tries for minutes.
    if wget --help 2>&1 | grep -q -e --max-redirect; then
      LC_ALL=C wget ${tls:+--max-redirect=0} -nv -t 4 -T 15 -O "$2" "$1" 2>"$tmp/fetch.log" || fetch_failed "$1"
    else
      wget -q -T 15 -O "$2" "$1" 2>"$tmp/fetch.log" || fetch_failed "$1"
    fi
  else
    die 1 "neither curl nor wget is here: install one of them, then run this again."
  fi
}
fetch_failed() {
  case $(cat "$tmp/fetch.log") in
    *"error: 404"* | *"404 Not Found"* | *"ERROR 404"* | *"response 404"*) die 1 "$1 is not there: the app has no agents to hand out yet. Where it runs, run ./rig release; then run this again." ;;
    *"(23)"* | *"No space left"*) die 1 "$1 could not be kept in $tmp, which seems to be full: make room there or set TMPDIR, then run this again." ;;
  esac
  why=$(tail -n 1 "$tmp/fetch.log")
  die 1 "$1 could not be downloaded (${why:-it was cut off}). Is the app running, and can this machine reach it?"
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
# get FILE: downloads it and checks it.
get() {
  wanted=$(awk -v f="$1" '$2 == f { print $1 }' "$tmp/SHA256SUMS")
  step=downloaded
  fetch "$url/dl/$1" "$tmp/$1"
  got=$(sha256 "$tmp/$1")
  step=verified
  [ "$got" = "$wanted" ] || die 1 "$1 is not what SHA256SUMS says (expected $wanted, got $got); nothing was installed." \
    "$1 is not what SHA256SUMS says; nothing was installed. Run the same command again; if this stays, the download is changed on its way to the host."
}
listed() { awk -v start="$1" -v end="$2" 'index($2, start) == 1 && substr($2, length($2) - length(end) + 1) == end { print $2 }' "$tmp/SHA256SUMS" | tail -n 1; }

# Who made SHA256SUMS: a key that came with the first installation counts for all later ones.
check_signature() {
  case $key_of_releases in RW*) ;; *) key_of_releases='' ;; esac # not filled in
  trusted=$(tail -n 1 "$shared/release.pub" 2>/dev/null) || trusted=''
  if [ "$replace_key" = 1 ]; then trusted=''; fi
  if [ -n "$trusted" ] && [ -n "$key_of_releases" ] && [ "$trusted" != "$key_of_releases" ]; then
    die 1 "$url signs with another key than the one of this installation, so nothing was changed; if its owner says that the key is new, add --replace-key."
  fi
  key_of_releases=${trusted:-$key_of_releases}
  [ -n "$key_of_releases" ] || return 0
  sums=$tmp/SHA256SUMS
  if ! (fetch "$url/dl/SHA256SUMS.minisig" "$sums.minisig") 2>"$tmp/why"; then
    grep -q 'is not there' "$tmp/why" || { cat "$tmp/why" >&2 && exit 1; }
    rm -f "$tmp/reason"
    [ -z "$trusted" ] || die 1 "the release of $url is not signed, and the installed one was, so nothing was changed; --replace-key accepts it."
    [ "$replace_key" = 1 ] || die 1 "the release of $url is not signed, and this script has the key of its releases, so nothing was changed; ask its owner, or accept it with --replace-key."
    key_of_releases=''
    return 0
  fi
  good=0
  if have minisign; then
    minisign -Vqm "$sums" -x "$sums.minisig" -P "$key_of_releases" >/dev/null 2>&1 || good=1
  elif [ -x "$program" ]; then
    "$program" internal check-signature "$sums" "$sums.minisig" "$key_of_releases" >/dev/null 2>&1 || good=$?
  else
    good=2
  fi
  case $good in
    0)
      say "The signature of the release is good."
      checked='both are good'
      ;;
    1) die 1 "the signature of SHA256SUMS is not by the key of $url, so nothing was changed; ask its owner." ;;
    *)
      [ -z "$trusted" ] || die 1 "the signature of SHA256SUMS cannot be checked here, so nothing was changed: install minisign, or add --replace-key."
      say "Only the checksums were checked: install minisign to check the signature, too."
      checked='the checksums are good; without minisign on this host the signature was not checked'
      ;;
  esac
}

install_files() {
  fetch "$url/dl/SHA256SUMS" "$tmp/SHA256SUMS"
  step=verified checked='the checksums are good; the releases of this app are not signed'
  check_signature
  step=downloaded
  agent=$(listed rigmark- "-$target.tar.gz")
  generator=$(listed k6- "-$k6.tar.gz")
  built=''
  if [ "$prebuilt" = 1 ]; then built=$(listed servers- "-$(echo "$target" | sed 's/musl$/gnu/').tar.gz"); fi
  [ -n "$agent" ] || die 1 "$url has no agent for $target: on its machine run ./rig release, then run this again."
  : >"$tmp/installed"
  for archive in $agent $generator $built; do awk -v f="$archive" '$2 == f' "$tmp/SHA256SUMS" >>"$tmp/installed"; done
  if [ -x "$program" ] && cmp -s "$tmp/installed" "$shared/installed"; then
    say "$agent is installed already."
    if [ "$dry" = 0 ]; then label "$releases"; fi
    step=installed in_place="$agent is in $prefix already"
    return 0
  fi
  if [ "$dry" = 1 ]; then
    say "would download and check: $agent $generator $built"
    say "would install: $program $shared $releases"
    return 0
  fi
  for archive in $agent $generator $built; do
    get "$archive"
    why=$(tar -xzf "$tmp/$archive" -C "$tmp" 2>&1) ||
      die 1 "$archive could not be unpacked ($(printf '%s\n' "$why" | head -n 1)): make room in $tmp or set TMPDIR, then run this again."
    rm -f "$tmp/$archive"
  done
  step=downloaded
  passed "$agent${generator:+, $generator}${built:+, $built}" verified
  passed "$checked" installed
  from=$tmp/${agent%.tar.gz} new=$releases/new
  undo="unstage $undo"
  stage 2>"$tmp/why" || die 1 "$prefix could not be written ($(tail -n 1 "$tmp/why")); nothing was changed. Make room there, or name another --prefix."
  step="agent-starts"
  "$new/bin/rigmark" --version >"$tmp/why" 2>&1 ||
    die 1 "$agent does not start on this machine ($(tail -n 1 "$tmp/why")); nothing was changed. If $prefix is mounted noexec, name another --prefix."
  passed "$(tail -n 1 "$tmp/why")" installed
}
# A release is whole in a folder of its own, which is not written into again: a measurement goes on with the files that it
# began with. Made beside what is there, so that a full disk is met before anything is replaced.
stage() {
  for folder in "$prefix/bin" "$releases" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
    "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d" "$(dirname "$state")" "$config" "${unit%/*}${wants:+/$wants}"; do
    made_for "$folder"
  done
  sort -u "$tmp/made" "$shared/made" >"$tmp/all" 2>/dev/null || cp "$tmp/made" "$tmp/all"
  root mkdir -p "$prefix/bin" "$prefix/share" "$releases" &&
    root rm -rf "$new" &&
    root mkdir "$new" &&
    root cp -R "$from/bin" "$from/share" "$new/" &&
    root cp "$tmp/installed" "$new/share/rigmark/installed" &&
    root cp "$tmp/all" "$new/share/rigmark/made" || return 1
  if [ -n "$key_of_releases" ]; then
    printf 'untrusted comment: the key of the releases of %s\n%s\n' "$url" "$key_of_releases" >"$tmp/release.pub"
    root cp "$tmp/release.pub" "$new/share/rigmark/release.pub" || return 1
  fi
  if [ -n "$built" ]; then root cp -R "$tmp/${built%.tar.gz}/share/rigmark/prebuilt" "$new/share/rigmark/" || return 1; fi
  if [ -n "$generator" ]; then root cp -R "$tmp/${generator%.tar.gz}/lib" "$new/" || return 1; fi
  root chmod -R u=rwX,go=rX "$new" || return 1
  label "$new"
}
# SELinux: what is copied has the label of the folder, and systemd starts only what has a program's.
label() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  root sh -c 'if command -v restorecon >/dev/null; then restorecon -R "$1" || true; fi' sh "$1" 2>/dev/null
}
unstage() { root rm -rf "$new"; }

# What everybody uses are links by way of `current`, so one link is all that an update changes.
put_in_place() {
  if [ -z "$new" ]; then # an earlier update may have been ended before its restart
    if [ -e "$unfinished" ]; then changed=1 previous=$(cat "$unfinished" 2>/dev/null) || previous=''; fi
    return 0
  fi
  id=$(sha256 "$tmp/installed" | cut -c 1-12) n=1
  while [ -e "$releases/$id" ]; do n=$((n + 1)) id=${id%-*}-$n; done
  previous=$(readlink "$releases/current" 2>/dev/null) || previous=''
  # An installation of before the releases had folders of their own.
  for at in "$program" "$shared"; do if [ -e "$at" ] && [ ! -L "$at" ]; then previous=before; fi; done
  mark_unfinished
  undo="put_back $undo"
  must "the new release could not be put in place in $prefix" switch
  in_place="in $prefix"
  note "Installed $agent${built:+ and $built} to $prefix."
}
switch() {
  if [ "$previous" = before ]; then
    root rm -rf "$releases/before" && move "$prefix" "$releases/before" || return 1
  fi
  root mv "$new" "$releases/$id" &&
    point "$releases/current" "$id" &&
    point "$program" "$(above bin)/lib/rigmark/current/bin/rigmark" &&
    point "$shared" "$(above share)/lib/rigmark/current/share/rigmark" &&
    link_terminal_files
}
# There is a restart to come: where this run is killed before it, the next one does it.
mark_unfinished() {
  changed=1
  if [ "$service" = none ] || [ "$dry" = 1 ] || [ -e "$unfinished" ]; then return 0; fi
  undo="forget_unfinished $undo"
  # shellcheck disable=SC2016 # expanded by the inner shell
  must "$unfinished could not be written" root sh -c 'printf "%s\n" "$2" >"$1"' sh "$unfinished" "$previous"
}
forget_unfinished() { root rm -f "$unfinished"; }
put_back() {
  case $previous in
    '' | before)
      # shellcheck disable=SC2016 # expanded by the inner shell
      root sh -c 'cd "$1" || exit 1
        for link in bin/rigmark share/rigmark lib/rigmark/current share/man/man1/rigmark.1 share/man/man1/rigmark-*.1 \
          share/bash-completion/completions/rigmark share/zsh/site-functions/_rigmark share/fish/vendor_completions.d/rigmark.fish; do
          if [ -L "$link" ]; then rm -f "$link"; fi
        done' sh "$prefix" || return 1
      if [ "$previous" = before ]; then move "$releases/before" "$prefix" && root rm -rf "$releases/before"; fi
      ;;
    *) point "$releases/current" "$previous" && link_terminal_files || return 1 ;;
  esac
  root rm -rf "$releases/$id"
}
# point LINK TARGET: in one go, where the system's mv can.
point() {
  if [ "$(readlink "$1" 2>/dev/null)" = "$2" ]; then return 0; fi
  root rm -f "$1.new" && root ln -s "$2" "$1.new" || return 1
  if root mv -fT "$1.new" "$1" 2>/dev/null || root mv -fh "$1.new" "$1" 2>/dev/null; then return 0; fi
  root ln -sfn "$2" "$1" && root rm -f "$1.new"
}
# How a link in this folder names the prefix: a folder that is a link itself has another one above it.
above() { if [ -L "$prefix/$1" ]; then echo "$prefix"; else echo ..; fi; }
# move FROM TO
move() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  root sh -c 'umask 022
    cd "$1" || exit 1
    for file in bin/rigmark share/rigmark lib/rigmark/k6 lib/rigmark/k6-* share/man/man1/rigmark.1 share/man/man1/rigmark-*.1 \
      share/bash-completion/completions/rigmark share/zsh/site-functions/_rigmark share/fish/vendor_completions.d/rigmark.fish; do
      [ -e "$file" ] || continue
      mkdir -p "$2/${file%/*}" && mv "$file" "$2/$file" || exit 1
    done' sh "$1" "$2"
}
link_terminal_files() {
  # A page of a command that is gone goes, too.
  remove_terminal_files || return 1
  # shellcheck disable=SC2016 # expanded by the inner shell
  root sh -c 'umask 022
    cd "$1/lib/rigmark/current" || exit 1
    for file in share/man/man1/* share/bash-completion/*/* share/zsh/*/* share/fish/*/*; do
      [ -f "$file" ] || continue
      mkdir -p "$1/${file%/*}" && ln -sf "$1/lib/rigmark/current/$file" "$1/$file" || exit 1
    done' sh "$prefix"
}
# Notes each folder of this path that is not there yet: the removal takes it away again, if nothing else is in it then.
made_for() {
  at=$1
  while [ ! -e "$at" ]; do
    printf '%s\n' "$at" >>"$tmp/made"
    at=$(dirname "$at")
  done
}
unmake_folders() { remove_folders "$(cat "$tmp/made")"; }
remove_folders() {
  printf '%s\n' "$1" | sort -r | while IFS= read -r folder; do
    case $folder in /*) root rmdir "$folder" 2>/dev/null || true ;; esac
  done
}
remove_terminal_files() {
  root rm -f "$prefix"/share/man/man1/rigmark.1 "$prefix"/share/man/man1/rigmark-*.1 \
    "$prefix/share/bash-completion/completions/rigmark" "$prefix/share/zsh/site-functions/_rigmark" \
    "$prefix/share/fish/vendor_completions.d/rigmark.fish"
}

make_user() {
  if [ "$service" = none ] || [ "$user" = 1 ] || id "$owner" >/dev/null 2>&1; then return 0; fi
  undo="remove_user $undo"
  must "the system user $owner could not be made" add_user
  note "Made the system user $owner."
}
add_user() {
  if [ "$os" = Darwin ]; then
    number=300
    while dscl . -search /Users UniqueID $number | grep -q . || dscl . -search /Groups PrimaryGroupID $number | grep -q .; do number=$((number + 1)); done
    root dscl . -create "/Groups/$owner" PrimaryGroupID $number || return 1
    for property in "UniqueID $number" "PrimaryGroupID $number" "UserShell /usr/bin/false" "NFSHomeDirectory $state" "IsHidden 1"; do
      # shellcheck disable=SC2086 # two words
      root dscl . -create "/Users/$owner" $property || return 1
    done
  elif have useradd; then
    root useradd --system --user-group --no-create-home --home-dir /var/lib/rigmark --shell /usr/sbin/nologin "$owner"
  else
    root adduser -S -D -H -h /var/lib/rigmark -s /sbin/nologin "$owner"
  fi
}
remove_user() { # only one that was made here: a person may be called that, too
  if [ "$os" = Darwin ]; then
    id "$owner" >/dev/null 2>&1 || return 0
    root dscl . -delete "/Users/$owner"
    root dscl . -delete "/Groups/$owner"
  elif ! grep -q "^$owner:.*:/var/lib/rigmark:" /etc/passwd; then
    return 0
  elif have userdel; then
    root userdel "$owner"
  else
    root deluser "$owner"
  fi
}

install_unit() {
  if [ "$service" = none ]; then return 0; fi
  if [ "$dry" = 1 ]; then
    say "would write $unit, enable it and start it"
    return 0
  fi
  template=$shared/$service/rigmark.service
  if [ "$service" = launchd ]; then
    template=$shared/launchd/$label.plist paths=/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/go/bin home=$state
    if [ "$user" = 1 ]; then home=$HOME; fi
    session='/LimitLoadToSessionType/d' # without it: the desktop, or for a daemon the system
    case $domain in user/*) session='' ;; esac
    sed -e "$session" -e "s#@PROGRAM@#$program#" -e "s#@STATE@#$state#" -e "s#@HOME@#$home#" -e "s#@ENVIRONMENT@#$environment#" \
      -e "s#@PATH@#$home/.cargo/bin:$home/go/bin:$paths#" -e "s#\" agent<#\" agent${http:+ $http}<#" "$template" >"$tmp/unit" 2>/dev/null || true
  else
    sed -e "s#/usr/local/bin/rigmark agent#$program agent${http:+ $http}#" -e "s#/usr/local/share#$prefix/share#" "$template" >"$tmp/unit" 2>/dev/null || true
  fi
  [ -s "$tmp/unit" ] || die 1 "this release has no service for $os ($template is missing): on the app's machine run ./rig release, or add --no-service."
  if [ "$user" = 1 ]; then # no user of its own, and none of what only root's systemd does
    sed -e '/UserName/d' -e '/GroupName/d' -e '/^# From here to/,/^$/d' -e '/no clock of its own/d' -e '/network-online/d' "$tmp/unit" |
      sed -e "s#^Environment=RIGMARK_STATE=.*#Environment=RIGMARK_STATE=$state#" -e "s#/var/lib/rigmark#%h#g" \
        -e "s#^ExecStart=#EnvironmentFile=-$environment\\
ExecStart=#" -e 's#^\[Install\]#\
&#' -e 's#multi-user.target#default.target#' >"$tmp/unit.user"
    mv "$tmp/unit.user" "$tmp/unit"
  fi
  if [ "$service-$user" = systemd-0 ] && { [ ! -e /proc/self/ns/user ] || [ "$(cat /proc/sys/user/max_user_namespaces 2>/dev/null)" = 0 ]; }; then
    sed '/^PrivateUsers=/d' "$tmp/unit" >"$tmp/unit.plain" && mv "$tmp/unit.plain" "$tmp/unit"
    note "User namespaces are turned off here (user.max_user_namespaces): the service does without them, and its runs are labeled unsandboxed."
  fi
  if cmp -s "$tmp/unit" "$unit"; then return 0; fi
  made_for "${unit%/*}"
  if [ -e "$unit" ]; then cp "$unit" "$tmp/unit.before"; fi
  mark_unfinished
  undo="put_back_unit $undo"
  must "$unit could not be put in place" put_unit "$tmp/unit"
}
put_unit() {
  root mkdir -p "${unit%/*}" &&
    root cp "$1" "$unit.new" &&
    root chmod 644 "$unit.new" &&
    root mv -f "$unit.new" "$unit" || return 1
  if [ "$service" = systemd ]; then root systemctl $mine daemon-reload; fi
}
put_back_unit() {
  root rm -f "$unit.new"
  if [ -e "$tmp/unit.before" ]; then
    put_unit "$tmp/unit.before"
  else
    root rm -f "$unit"
    if [ "$service" = systemd ]; then root systemctl $mine daemon-reload; fi
  fi
}

# The service reaches the app as this shell does: neither sudo nor systemd passes these on.
# A certificate that it cannot read would stop it at each start, and what is in the file stays: so it is looked at first.
check_environment() {
  if [ "$service" = none ] || [ -e "$environment" ]; then return 0; fi
  if [ -n "${SSL_CERT_FILE:-}" ]; then check_readable SSL_CERT_FILE "$SSL_CERT_FILE"; fi
  left=${SSL_CERT_DIR:+$SSL_CERT_DIR:}
  while [ -n "$left" ]; do
    check_readable SSL_CERT_DIR "${left%%:*}"
    left=${left#*:}
  done
}
# check_readable NAME PATH
check_readable() {
  if readable "$2"; then return 0; fi
  path='an absolute path that you may read'
  if [ "$user" = 0 ]; then path='an absolute path outside of home folders and /tmp that everybody may read, such as a copy in /etc/ssl'; fi
  die 1 "$1 names $2, which the service cannot read, so nothing was changed: set it to $path, or unset it; then run this again."
}
# The system's service runs as a user of its own, for whom the unit hides home folders and both /tmp.
readable() {
  case $1 in /*) ;; *) return 1 ;; esac
  [ -r "$1" ] || return 1
  if [ "$user" = 1 ]; then return 0; fi
  at=$(readlink -f "$1" 2>/dev/null) || at=$1
  for path in "$1" "$at"; do
    case $service$path in systemd/home/* | systemd/root/* | systemd/run/user/* | systemd/tmp/* | systemd/var/tmp/*) return 1 ;; esac
  done
  wanted='???????r*'
  if [ -d "$at" ]; then wanted='???????r?[xt]*'; fi
  while :; do
    # A plus sign stands for rules that only the system can apply.
    # shellcheck disable=SC2254 # a pattern
    case $(ls -ldL "$at") in $wanted | ??????????+*) ;; *) return 1 ;; esac
    if [ "$at" = / ]; then return 0; fi
    at=$(dirname "$at") wanted='?????????[xt]*'
  done
}
keep_environment() {
  if [ "$service" = none ] || [ -e "$environment" ]; then return 0; fi
  env | grep -iE '^(HTTPS?_PROXY|NO_PROXY|SSL_CERT_(FILE|DIR))=.' >"$tmp/environment" || return 0
  if [ "$dry" = 1 ]; then
    say "would write the proxy and the certificates of this shell to $environment"
    return 0
  fi
  made_for "$config"
  mark_unfinished
  undo="forget_environment $undo"
  must "$environment could not be written" write_environment
  note "Wrote the proxy and the certificates of this shell to $environment, for the service."
}
write_environment() {
  root mkdir -p "$config" && root install -m 600 "$tmp/environment" "$environment" || return 1
  # There the agent's own shell reads it, not its manager.
  if [ "$service" = launchd ] && [ "$user" = 0 ]; then root chown "$owner" "$environment"; fi
}
forget_environment() { root rm -f "$environment"; }

# Runs the agent as the one who owns its state, with the key on stdin and never in a process list.
as_owner() {
  if [ "$service" = none ] || [ "$user" = 1 ]; then
    RIGMARK_STATE=$state RIGMARK_ENROLL_KEY=$key "$program" "$@"
    return
  fi
  # shellcheck disable=SC2016 # expanded by the inner shell
  printf '%s' "$key" | root sh -c 'owner=$1 RIGMARK_STATE=$2 environment=$3 RIGMARK_ENROLL_KEY=$(cat); export RIGMARK_ENROLL_KEY RIGMARK_STATE
    shift 3
    if [ -r "$environment" ]; then
      while IFS= read -r line; do
        case $line in HTTP*_PROXY=* | http*_proxy=* | NO_PROXY=* | no_proxy=* | SSL_CERT_*=*) export "$line" ;; esac
      done <"$environment"
    fi
    cd /
    if [ "$(uname -s)" = Darwin ]; then exec sudo -E -H -u "$owner" "$@"; fi
    if command -v runuser >/dev/null; then exec runuser -u "$owner" -- "$@"; fi
    exec su -s /bin/sh -c "\"\$0\" \"\$@\"" "$owner" "$@"' sh "$owner" "$state" "$environment" "$program" "$@"
}

# What root measured here before belongs to the service now.
give_state() {
  if [ "$service" = none ] || [ "$user" = 1 ]; then return 0; fi
  if [ "$dry" = 0 ] && ! $sudo test -e "$state"; then undo="unmake_state $undo"; fi
  must "make room in ${state%/*}, or let root write there, then run this again: $state could not be made for $owner" make_state
}
make_state() {
  root mkdir -p "$state" &&
    root chown -R "$owner:$owner" "$state" &&
    root chmod 700 "$state"
}
unmake_state() { root rmdir "$state"; }

enroll() {
  if [ "$dry" = 0 ] && [ -z "$replace" ] && root test -e "$state/identity.json"; then
    known_host
    at=$(root sed -n 's/.*"url" *: *"\([^"]*\)".*/\1/p' "$state/identity.json" 2>/dev/null) || at=''
    report skipped "this host is enrolled already${at:+ at $at}, and its enrollment is kept; to enroll it anew, run the command with --replace at its end."
    say "This host is enrolled already${at:+ at $at}; its enrollment is kept (--replace enrolls it anew)."
    return 0
  fi
  if [ -z "$key" ]; then
    say "No key was given, so this host is not enrolled; the \"add a host\" page of $url makes one."
    return 0
  fi
  if [ "$dry" = 1 ]; then
    say "would enroll this host at $url"
    return 0
  fi
  set -- enroll --url "$url" $http $replace
  if [ -n "$name" ]; then set -- "$@" --name "$name"; fi
  enrolled=0
  as_owner "$@" >"$tmp/enrolled" 2>"$tmp/refused" || enrolled=1
  # How to start it by hand is said below, where there is no service.
  sed '/^Start the agent/d' "$tmp/refused" "$tmp/enrolled" >&2
  reaches=''
  if [ "$service" != none ] && [ "$user" = 0 ] && [ -e "$environment" ]; then
    reaches=" If the proxy or a certificate is the reason, correct $environment first."
  fi
  [ "$enrolled" = 0 ] || die 1 "the agent is installed and this host is not enrolled, for the reason above. With a new key, run the same command again.$reaches" \
    "$(sed 's/^error: //' "$tmp/refused" | tail -n 1)$reaches"
  changed=1
  known_host
  report "done"
}
# Which host the key was used for: from here on only that host may report with it.
known_host() {
  if [ "$reports" -le 0 ]; then return 0; fi
  host_id=$(root sed -n 's/.*"host_id" *: *"\([0-9a-f-]*\)".*/\1/p' "$state/identity.json" 2>/dev/null) || host_id=''
}

running() {
  case $service in
    systemd) systemctl $mine is-active --quiet rigmark ;;
    *) root launchctl print "$domain/$label" 2>/dev/null | grep -q 'state = running' ;;
  esac
}
# FOLDER KEPT COMMAND…: restarts the service, then removes the releases that nobody runs any more, and the mark that there
# is a restart to come. One that has become the current one meanwhile stays, and so does one that is being made.
# shellcheck disable=SC2016 # expanded by the inner shell
renew='cd "$1" || exit 1
  kept=$2 before=$(readlink current)
  shift 2
  "$@" || exit 1
  for old in *; do
    case $old in current* | new | linger | "$kept" | "$before" | "$(readlink current)") ;; *) rm -rf "$old" ;; esac
  done'
# What restarts the service, as words for a command.
restarts() {
  if [ "$service" = systemd ]; then
    "$@" sh -c "$renew" sh "$releases" "$kept" systemctl $mine restart rigmark
  else # it leaves its domain some time after bootout has returned
    # shellcheck disable=SC2016 # expanded by the inner shell
    "$@" sh -c "$renew" sh "$releases" "$kept" sh -c 'launchctl bootout "$1" 2>/dev/null; left=15; until why=$(launchctl bootstrap "$2" "$3" 2>&1); do left=$((left - 1)); [ $left -gt 0 ] || { printf "%s\n" "$why" >&2; exit 1; }; sleep 1; done' \
      sh "$domain/$label" "$domain" "$unit"
  fi
}
# started COMMAND…: where the command fails, nothing is taken back: the agent is in place, and the next try starts here.
started() {
  "$@" 2>"$tmp/why" ||
    die 1 "the agent is installed and $service does not start it ($(tr '\n' ' ' <"$tmp/why" | sed 's/ *$//')); when that is fixed, run the same command again."
}
# A measurement is never cut: the restart comes after it, now or later. An agent of before `when-idle` restarts at once.
restart() {
  case $service in
    systemd) started root systemctl $mine enable --quiet rigmark ;;
    *) started root launchctl enable "$domain/$label" ;;
  esac
  idle=0 later=0 kept=''
  if running; then restarts root "$program" internal when-idle --within 5 >/dev/null 2>&1 || idle=$?; else idle=2; fi
  case $idle in
    0) ;;
    3)
      say "The running measurement goes on with the agent of before; the new one starts when it has ended."
      later=1
      if [ "$service" = systemd ]; then
        if systemctl $mine is-active --quiet rigmark-restart; then return 0; fi
        if restarts root systemd-run $mine --quiet --collect --unit=rigmark-restart "$program" internal when-idle --within 86400 2>/dev/null; then return 0; fi
      fi
      restarts nohup $sudo "$program" internal when-idle --within 86400 >/dev/null 2>&1 </dev/null &
      ;;
    *)
      kept=$previous # somebody may measure with it by hand
      started restarts root
      ;;
  esac
}

start() {
  step=service
  if [ "$service" = none ]; then
    by_hand="RIGMARK_STATE=$(quoted "$state") $(quoted "$program") agent${http:+ $http}"
    report skipped "no service was made; start the agent on the host: $by_hand"
    say "No service was made. To start the agent: $by_hand"
    keep_previous
    return 0
  fi
  if [ "$dry" = 1 ]; then return 0; fi
  if ! root test -e "$state/identity.json"; then
    keep_previous
    return 0
  fi
  since=$(date +%s)
  if [ "$changed" = 0 ] && running; then
    say "The agent is running and nothing has changed."
    report "done" "the agent is running and nothing has changed"
    return 0
  fi
  restart
  if [ "$later" = 1 ]; then
    report "done" "the running measurement goes on with the agent of before; the new one starts when it has ended"
    return 0
  fi
  # It greets before it has asked the app, which may not know this host any more: so it must stay up for five seconds.
  waited=0 up=0
  while [ "$up" -lt 5 ]; do
    if running && greeted; then up=$((up + 1)); else up=0; fi
    if [ "$up" = 0 ] && { [ "$waited" -ge 30 ] || { [ "$service" = systemd ] && systemctl $mine is-failed --quiet rigmark; }; }; then break; fi
    waited=$((waited + 1))
    sleep 1
  done
  if ! running; then
    log >"$tmp/log" 2>&1 || true
    cat "$tmp/log" >&2
    if [ "$service" = systemd ]; then
      # shellcheck disable=SC2086 # empty, or one word
      case $(systemctl $mine show -p ExecMainStatus --value rigmark 2>/dev/null) in
        4) die 1 "this host was removed from its workspace, and its enrollment was kept: to enroll it anew, run the command of the \"Add a host\" page with --replace at its end." ;;
        203) die 1 "systemd may not start $program: SELinux or a file system that is mounted noexec forbids it (ausearch -m avc says which)." ;;
        217 | 226) die 1 "systemd could not make the service's namespaces: set user.max_user_namespaces above 0, or in an LXC container turn on nesting." ;;
      esac
    fi
    die 1 "the service does not stay up; the lines above say why, and $logs has them all." \
      "the service does not stay up ($(tail -n 1 "$tmp/log")); on the host, $logs has all of it."
  fi
  if [ "$up" = 0 ]; then
    say "The service runs and has not said within 30 seconds that it waits for runs; it keeps trying, and $logs says what it meets."
    report "done" "it runs and has not reached this app within 30 seconds; it keeps trying, and on the host $logs says what it meets"
  else
    report "done" "$service keeps it running"
    say "The agent runs and waits for runs; the host's page (above) turns green."
  fi
}
# Nobody restarts what was started by hand, so its release stays until the next update.
keep_previous() {
  if [ -n "$previous" ]; then root sh -c "$renew" sh "$releases" "$previous" true; fi
}
# A user's journal may be kept nowhere; then it is enough that the service stays up.
greeted() {
  [ "$service-$user" != systemd-0 ] ||
    root journalctl -u rigmark --since "@$since" -o cat --no-pager 2>/dev/null | grep -q '^Waiting for runs'
}
log() {
  # shellcheck disable=SC2086 # a command of several words
  if [ "$service" = systemd ]; then root $logs -n 5 --no-pager -o cat; else root tail -n 5 "$logs"; fi
}

# Without this a user's services end when the user logs out.
linger() {
  if [ "$service-$user-$dry" != systemd-1-0 ]; then return 0; fi
  who=$(id -un)
  if [ "$(loginctl show-user "$who" -p Linger --value 2>/dev/null)" = yes ]; then return 0; fi
  if loginctl --no-ask-password enable-linger "$who" 2>/dev/null; then
    : >"$releases/linger"
  else
    say "The agent stops when you log out; to keep it running: sudo loginctl enable-linger $who"
  fi
}

hints() {
  missing=''
  have ab || [ -x /usr/sbin/ab ] || missing="$missing apache2-utils"
  have h2load || missing="$missing nghttp2-client"
  have wrk || missing="$missing wrk"
  have node || missing="$missing nodejs"
  have nginx || [ -x /usr/sbin/nginx ] || missing="$missing nginx"
  if [ ! -d "$shared/prebuilt" ]; then
    have cc || missing="$missing build-essential"
    missing="${missing:+$missing pkg-config libuv1-dev liburing-dev node-llhttp}"
  fi
  if [ -n "$missing" ] && have apt-get; then say "For more tools and servers: sudo apt-get install$missing"; fi
  say "What this host can do, and how to fix the rest: $(quoted "$program") doctor"
}

# Succeeds for the state of an agent: a folder that it made and marked, an empty one, or one of an agent before the mark,
# which has an identity and nothing that is not an agent's.
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
        agent.lock | agent.log | builds | calibration.json | enrolling.json | noise.json | refused | runs | spool | tuned.json | work) ;;
        *) exit 1 ;;
      esac
    done
    [ "$found" = 0 ] || [ "$ours" = 1 ]' sh "$1"
}

uninstall() {
  if [ ! -e "$program" ] && [ ! -e "$shared" ] && [ ! -e "$releases" ] && { [ "$purge" = 0 ] || [ ! -d "$state" ]; }; then
    say "The agent is not installed in $prefix."
    return 0
  fi
  may_be_root
  if [ "$purge" = 1 ] && $sudo test -e "$state" && ! is_state "$state"; then
    die 2 "$state is not the state of a Rigmark agent, or has other files in it, so nothing was removed; leave out --purge to remove the agent only."
  fi
  if [ "$service" = none ]; then say "An agent that was started by hand goes on running: stop it first."; fi
  ask "Remove the Rigmark agent from $prefix?"
  if [ "$asked" != none ]; then remove_service; fi
  if [ -e "$releases/linger" ]; then root loginctl --no-ask-password disable-linger "$(id -un)" 2>/dev/null || true; fi
  # The lock of the host, by one who holds it: while something is measured it stays.
  lock=/tmp/rigmark.lock
  if [ -d /dev/shm ]; then lock=/dev/shm/rigmark.lock; fi
  root "$program" internal when-idle --within 0 rm -f "${RIGMARK_LOCK:-$lock}" >/dev/null 2>&1 || true
  folders=$(cat "$shared/made" 2>/dev/null || true; $sudo cat "$state/made" 2>/dev/null || true)
  root rm -f "$program" "$program.new"
  root rm -rf "$shared" "$shared.new" "$shared.old" "$releases"
  remove_terminal_files
  if [ "$purge" = 1 ]; then
    root rm -rf "$state"
    if [ "$asked" != none ]; then
      root rm -f "$environment"
      if [ "$user" = 0 ]; then
        root rm -f /run/rigmark-tuned
        remove_user
      fi
      folders="$folders
$config"
    fi
  elif [ -d "$state" ]; then
    # For --purge later. The state is another user's, who may have put a link there: nothing is written through it.
    # shellcheck disable=SC2016 # expanded by the inner shell
    if [ "$dry" = 0 ] && $sudo test -f "$state/rigmark.state"; then
      printf '%s\n' "$folders" | root sh -c 'rm -f "$1" && set -C && cat >"$1"' sh "$state/made"
    fi
    say "Kept: $state (identity and unsent results); --purge removes it."
  fi
  remove_folders "$folders"
  say "Removed. In the app, revoke the host on its page."
}
remove_service() {
  if [ "$os" = Darwin ]; then
    if [ ! -e "$unit" ]; then return 0; fi
    root launchctl bootout "$domain/$label" 2>/dev/null || true
    root rm -f "$unit"
    return 0
  fi
  if [ -e "$unit" ]; then
    root systemctl $mine stop --quiet rigmark-restart 2>/dev/null || true
    root systemctl $mine disable --now --quiet rigmark || true
    root rm -f "$unit"
  fi
  if [ "$purge" = 1 ] && [ -d "$unit.d" ]; then
    root rm -f "$unit.d/allow-tune.conf" "$unit.d/allow-pmic.conf"
    root rmdir "$unit.d" 2>/dev/null || true
  fi
  if [ "$service" = systemd ]; then
    root systemctl $mine daemon-reload || true
    # One that had failed would stay listed, without its file.
    root systemctl $mine reset-failed rigmark 2>/dev/null || true
  fi
}

main() {
  umask 022
  tmp='' reason='' reports=0 step=started host_id='' in_place='' undo='' new='' previous='' notes=''
  read_arguments "$@"
  trap 'ended $?' EXIT
  trap 'exit 130' INT TERM HUP
  if [ "$remove" = 1 ]; then
    detect
    uninstall
    exit 0
  fi
  check_address
  may_report
  detect
  check_environment
  have tar || die 1 "tar is missing: install it, then run this again."
  changed=0
  tmp=$(mktemp -d) || die 1 "no temporary folder could be made: is the disk full?"
  : >"$tmp/made"
  ask "Install the Rigmark agent for $target from $url to $prefix?"
  may_be_root
  passed "$os on $arch" downloaded
  undo=unmake_folders
  install_files
  step=installed
  make_user
  put_in_place
  keep_environment
  install_unit
  give_state
  undo=''
  if [ "$dry" = 0 ]; then printf '%s' "$notes" >&2; fi
  passed "$in_place" enrolled
  enroll
  linger
  start
  reports=0
  hints
}

main "$@"
