# shellcheck shell=sh
# What `./rig bench compose` needs beside the rest: an engine, the tool that makes a Debian, and Compose, which Debian
# 12 has no package of.

need_compose() {
  if have apt-get; then
    want=''
    # A client alone is enough where the engine runs elsewhere.
    have dockerd || docker info >/dev/null 2>&1 || want="$want docker.io"
    have debootstrap || want="$want debootstrap"
    install_wanted "a container engine"
  fi
  set -- "$root/packages/rig/compose/go.mod" "$root/packages/rig/compose/go.sum"
  if [ -x "$tools/bin/docker-compose" ] && stamped compose "$@"; then return 0; fi
  need_go || cannot_get "Go (to build Compose)"
  say "building Compose from its Go module (some minutes)"
  quietly "go build docker-compose" env CGO_ENABLED=0 go build -C "$root/packages/rig/compose" -trimpath -buildvcs=false -ldflags='-s -w' \
    -o "$tools/bin/docker-compose" github.com/docker/compose/v2/cmd || cannot_get "Compose"
  stamp compose "$@"
}
