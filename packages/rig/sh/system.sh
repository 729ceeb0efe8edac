# shellcheck shell=sh
# What comes from the system's own packages. The first list must be there; of the others, what cannot be had is
# said here and again, with the reason, in the host's catalogue. The second is what the first report compares.

must_debian="build-essential pkg-config python3"
first_debian="nginx liburing-dev"
servers_debian="$first_debian libuv1-dev libmimalloc-dev node-llhttp libnginx-mod-http-lua lua-cjson apache2-utils wrk nghttp2-client"
policy_file=/usr/sbin/policy-rc.d
# Where an nginx of the owner's may be, and where systemd looks for units.
nginx_places="/usr/sbin/nginx /etc/systemd/system/nginx.service /run/systemd/system/nginx.service /usr/local/lib/systemd/system/nginx.service"
servers_homebrew="pkgconf libuv mimalloc llhttp nginx wrk nghttp2"

need_system() {
  case $(uname -s) in
    Linux) if have apt-get; then need_debian "$@"; else need_commands; fi ;;
    Darwin) need_macos "$@" ;;
    *) die 77 "rig runs on Linux and macOS, and this is $(uname -s)." ;;
  esac
}

need_debian() {
  extra=''
  must=''
  for set in "$@"; do
    case $set in
      base)
        # shellcheck disable=SC2086
        must=$(not_installed $must_debian)
        { have node && have cargo; } || python3 -c "import ensurepip" 2>/dev/null || must="$must$(not_installed python3-venv)"
        ;;
      # Whoever has to type a password is asked once, so everything is installed then.
      first)
        now=$servers_debian
        may_install && now=$first_debian
        # shellcheck disable=SC2086
        extra="$extra$(not_installed $now)"
        ;;
      servers)
        # shellcheck disable=SC2086
        extra="$extra$(not_installed $servers_debian)"
        ;;
      browser) have chromium || have chromium-browser || have google-chrome || extra="$extra chromium" ;;
      qemu)
        have qemu-aarch64-static || extra="$extra qemu-user-static"
        have aarch64-linux-gnu-gcc || extra="$extra gcc-aarch64-linux-gnu"
        ;;
      lint) have shellcheck || extra="$extra shellcheck" ;;
      file) have file || extra="$extra file" ;;
      jvm) { have javac && have mvn; } || extra="$extra default-jdk-headless maven" ;;
    esac
  done
  want=$extra
  if [ -z "$must$want" ]; then return 0; fi
  if ! as_root true 2>/dev/null; then
    command="sudo apt-get install -y$must$want"
    [ -z "$must" ] || die 1 "these system packages are missing and only root may install them: run \"$command\", then this again."
    say "not installed, and only root may: run \"$command\" to have them; carrying on without."
    return 0
  fi
  say "installing from the system's packages:$must$want"
  nginx_is_theirs=0
  if has_nginx; then nginx_is_theirs=1; fi
  apt_update || say "the package lists could not be refreshed ($last_words); trying with the old ones."
  # shellcheck disable=SC2086
  if [ -n "$must" ]; then apt_install $must || cannot_get "the C toolchain"; fi
  # shellcheck disable=SC2086
  if [ -n "$want" ] && ! apt_install $want; then
    for package in $want; do
      apt_install "$package" || say "$package could not be installed ($last_words); carrying on without it."
    done
  fi
  case "$nginx_is_theirs$want" in 0*" nginx"*) leave_stopped nginx nginx ;; esac
}

# install_wanted WHAT: the packages in $want, without which the command cannot go on.
install_wanted() {
  if [ -z "$want" ]; then return 0; fi
  as_root true 2>/dev/null || die 1 "these system packages are missing and only root may install them: run \"sudo apt-get install -y$want\", then this again."
  say "installing from the system's packages:$want"
  apt_update || cannot_get "$1"
  # shellcheck disable=SC2086
  apt_install $want || cannot_get "$1"
}

# sudo drops the proxy that a shell has.
apt_update() {
  quietly "apt-get update" as_root env ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} apt-get update -q
}

# May system packages be installed without anybody being asked for a password?
may_install() {
  [ "$(id -u)" = 0 ] || { have sudo && sudo -n true 2>/dev/null; }
}

# Installed packages only: no service is started by us, nor at the next boot. dpkg that is ended in the middle leaves the
# system's packages broken, so Ctrl-C and ./rig down let it come to its end.
apt_install() {
  # shellcheck disable=SC2016
  quietly "apt-get install" as_root env ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} DEBIAN_FRONTEND=noninteractive policy="$policy_file" sh -c '
    trap "" HUP INT TERM
    ours=0
    if [ ! -e "$policy" ]; then
      ours=1
      printf "#!/bin/sh\nexit 101\n" >"$policy" && chmod 755 "$policy"
    fi
    apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
    outcome=$?
    [ "$ours" = 0 ] || rm -f "$policy"
    exit "$outcome"' apt-get "$@"
}
# An nginx that was not installed as Debian's package of that name: built by hand, or nginx-core. Its service is not ours.
# A unit below /lib alone is what a removed one left (nginx-common).
has_nginx() {
  have nginx && return 0
  for place in $nginx_places; do
    if [ -e "$place" ]; then return 0; fi
  done
  return 1
}
# leave_stopped WHAT UNIT…
leave_stopped() {
  installed=$1
  shift
  if have systemctl; then as_root systemctl disable "$@" >/dev/null 2>&1 || true; fi
  say "$installed is installed as a program; its service was left stopped."
}

not_installed() {
  for package in "$@"; do
    case $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) in
      installed) ;;
      *) printf ' %s' "$package" ;;
    esac
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif have sudo; then
    if [ -t 0 ]; then sudo "$@"; else sudo -n "$@"; fi
  elif have doas; then
    doas "$@"
  else
    return 1
  fi
}

need_macos() {
  xcode-select -p >/dev/null 2>&1 || die 1 "the C toolchain is missing: run \"xcode-select --install\", then this again."
  have brew || { say "Homebrew is not here, so libuv and nginx were not looked for; their servers will be marked as missing." && return 0; }
  want=''
  present=" $(brew list --formula -1 2>/dev/null | tr '\n' ' ') "
  for formula in $servers_homebrew; do
    case $present in *" $formula "*) ;; *) want="$want $formula" ;; esac
  done
  for set in "$@"; do
    case $set in lint) have shellcheck || want="$want shellcheck" ;; esac
  done
  [ -n "$want" ] || return 0
  say "installing with Homebrew:$want"
  for formula in $want; do
    quietly "brew install" brew install "$formula" || say "$formula could not be installed ($last_words); carrying on without it."
  done
}

need_commands() {
  for name in cc make pkg-config python3; do
    have "$name" || die 1 "$name is missing, and this system has neither apt-get nor Homebrew: install a C toolchain, make, pkg-config and Python 3 by its own means, then run this again."
  done
}
