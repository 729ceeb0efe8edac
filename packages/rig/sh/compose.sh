# shellcheck shell=sh
# What `./rig bench compose` needs beside the rest: an engine, the tool that makes a Debian, and Compose, which Debian
# 12 has no package of.

need_compose() {
  if have apt-get; then
    want=''
    # A client alone is enough where the engine runs elsewhere.
    have dockerd || have /usr/sbin/dockerd || docker info >/dev/null 2>&1 || want="$want docker.io"
    have debootstrap || want="$want debootstrap"
    units="docker.service docker.socket"
    have containerd || units="$units containerd.service"
    install_wanted "a container engine"
    # shellcheck disable=SC2086
    case $want in *docker.io*) leave_stopped "the container engine" $units ;; esac
  fi
  set -- "$root/packages/rig/compose/go.mod" "$root/packages/rig/compose/go.sum"
  if [ -x "$tools/bin/docker-compose" ] && stamped compose "$@"; then return 0; fi
  need_go || cannot_get "Go (to build Compose)"
  say "building Compose from its Go module (some minutes)"
  quietly "go build docker-compose" env CGO_ENABLED=0 go build -C "$root/packages/rig/compose" -trimpath -buildvcs=false -ldflags='-s -w' \
    -o "$tools/bin/docker-compose" github.com/docker/compose/v2/cmd || cannot_get "Compose"
  stamp compose "$@"
}
