# shellcheck shell=sh
# What `./rig bench fresh-host` and `fresh-host-arm64` need beside the rest. Looked at first: the app takes minutes to build.

need_fresh_host() { # need_fresh_host BENCH
  [ "$(id -u)" = 0 ] || die 1 "only root can make a fresh host: run ./rig bench $1 as root."
  [ -e "$state/release/SHA256SUMS" ] || die 1 "there is no release to install from: run ./rig release first."
  want=''
  have debootstrap || want=" debootstrap"
  # Programs for a Pi start in a namespace with binary formats of its own, so the system's (binfmt-support) are not needed.
  case $1-$(uname -m) in
    fresh-host-arm64-x86_64) have qemu-aarch64-static || want="$want qemu-user-static" ;;
  esac
  if [ -n "$want" ] && ! have apt-get; then die 1 "what makes a fresh host is missing: install$want, then run this again."; fi
  install_wanted "what makes a fresh host"
}
