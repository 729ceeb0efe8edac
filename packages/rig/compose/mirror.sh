#!/bin/sh
# mirror.sh [FILE…]: the mirror of Debian that apt's sources of this machine name, for debootstrap; else Debian's own.
set -eu
if [ $# = 0 ]; then set -- /etc/apt/sources.list /etc/apt/sources.list.d/*; fi
mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] \)\{0,1\}\(http[^ ]*\) .*/\2/p' "$@" 2>/dev/null | grep '/debian/*$' | head -n 1)
echo "${mirror:-http://deb.debian.org/debian}"
