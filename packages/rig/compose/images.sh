#!/bin/sh
# images.sh FOLDER NODE GO RUST: base images for `./rig bench compose`, where no image registry is needed: Debian by
# debootstrap, with Node, Go and Rust of this machine. DOCKER_HOST says which engine. Those that are there are kept.
set -eu
folder=$1 node=$2 go=$3 rust=$4
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
suite=bookworm
mirror=$(sh "$here/mirror.sh")

# These need no BuildKit, and the docker command alone has none. Compose brings its own.
docker buildx version >/dev/null 2>&1 || export DOCKER_BUILDKIT=0

is_there() { docker image inspect "rigmark-bench/$1" >/dev/null 2>&1; }

# from_stdin NAME FOLDER: an image of the Dockerfile on stdin.
from_stdin() {
  is_there "$1" && cat >/dev/null && return 0
  echo "making the base image $1" >&2
  mkdir -p "$2"
  docker build -q -t "rigmark-bench/$1" -f - "$2" >/dev/null
}

if ! is_there debian; then
  echo "making the base image debian" >&2
  rm -rf "$folder/debian"
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$folder/debian" "$mirror" >"$folder/debootstrap.log" 2>&1
  # What this machine trusts, images made here trust too.
  trusted=/etc/ssl/certs/ca-certificates.crt
  cp "$trusted" "$folder/debian$trusted"
  rm -rf "$folder/debian/var/cache/apt/archives" "$folder/debian/var/lib/apt/lists"
  mkdir -p "$folder/debian/var/cache/apt/archives/partial" "$folder/debian/var/lib/apt/lists/partial"
  tar -C "$folder/debian" --numeric-owner -c . |
    docker import --change "ENV NODE_EXTRA_CA_CERTS=$trusted PIP_CERT=$trusted" - rigmark-bench/debian >/dev/null
  rm -rf "$folder/debian"
fi

packages='apt-get update -q && apt-get install -q -y --no-install-recommends'

if ! is_there node; then
  mkdir -p "$folder/node/usr/local/bin" "$folder/node/usr/local/lib"
  cp "$node/bin/node" "$folder/node/usr/local/bin/node"
  cp -a "$node/lib/node_modules" "$folder/node/usr/local/lib/"
fi
from_stdin node "$folder/node" <<'TEXT'
FROM rigmark-bench/debian
COPY usr /usr
TEXT
rm -rf "$folder/node"

is_there go || { mkdir -p "$folder/go" && cp -a "$go" "$folder/go/go"; }
from_stdin go "$folder/go" <<'TEXT'
FROM rigmark-bench/debian
COPY go /usr/local/go
ENV PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
TEXT
rm -rf "$folder/go"

if ! is_there rust; then
  mkdir -p "$folder/rust"
  (cd "$rust" && tar -c --exclude=./share --exclude='./lib/rustlib/*apple*' --exclude='./lib/rustlib/*linux-gnueabihf*' .) |
    tar -C "$folder/rust" -x
fi
from_stdin rust "$folder/rust" <<TEXT
FROM rigmark-bench/debian
RUN $packages build-essential pkg-config python3 python3-venv
COPY . /usr/local/
TEXT
rm -rf "$folder/rust"

mkdir -p "$folder/postgres"
cp "$here/postgres.sh" "$folder/postgres/"
from_stdin postgres "$folder/postgres" <<TEXT
FROM rigmark-bench/debian
RUN $packages postgresql && install -d -o postgres -g postgres -m 1777 /var/lib/postgresql /var/run/postgresql
COPY postgres.sh /usr/local/bin/postgres.sh
USER postgres
ENTRYPOINT ["/usr/local/bin/postgres.sh"]
CMD ["postgres"]
TEXT

from_stdin nginx "$folder/postgres" <<TEXT
FROM rigmark-bench/debian
RUN $packages nginx
TEXT
rm -rf "$folder/postgres"

# A machine on which somebody runs the line of the page "add a host".
mkdir -p "$folder/host"
from_stdin host "$folder/host" <<TEXT
FROM rigmark-bench/debian
RUN $packages curl build-essential apache2-utils && useradd --create-home owner
TEXT
rm -rf "$folder/host"
