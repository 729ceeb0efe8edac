# shellcheck shell=sh
# What `./rig bench compose` needs beside the rest: an engine, the tool that makes a Debian, and Compose, which Debian
# 12 has no package of.

need_compose() {
  if have apt-get; then
    want=''
    have dockerd || have docker || want="$want docker.io"
    have debootstrap || want="$want debootstrap"
    if [ -n "$want" ]; then
      as_root true 2>/dev/null || die 1 "these system packages are missing and only root may install them: run \"sudo apt-get install -y$want\", then this again."
      say "installing from the system's packages:$want"
      quietly "apt-get update" as_root apt-get update -q || cannot_get "a container engine"
      # shellcheck disable=SC2086
      apt_install $want || cannot_get "a container engine"
    fi
  fi
  set -- "$root/packages/rig/compose/go.mod" "$root/packages/rig/compose/go.sum"
  if [ -x "$tools/bin/docker-compose" ] && stamped compose "$@"; then return 0; fi
  need_go || cannot_get "Go (to build Compose)"
  say "building Compose from its Go module (some minutes)"
  quietly "go build docker-compose" env CGO_ENABLED=0 go build -C "$root/packages/rig/compose" -trimpath -buildvcs=false -ldflags='-s -w' \
    -o "$tools/bin/docker-compose" github.com/docker/compose/v2/cmd || cannot_get "Compose"
  stamp compose "$@"
}
