#!/bin/sh
# Builds into the folder that is given: fetches the jars that pom.xml names, holds them against lock.sha256, compiles.
set -eu
out=$1
cd "$(dirname "$0")"

# The oldest Java that the code is written for, and the newest that its libraries are made for.
oldest=17
newest=25

fail() {
  echo "error: $1" >&2
  exit 1
}

for program in java javac; do
  said=$("$program" -version 2>&1) || fail "$program does not run here ($said); install a JDK from $oldest to $newest."
  # "javac 17.0.15" and 'openjdk version "17.0.15"'; Java 8 calls itself 1.8.
  version=$(printf '%s\n' "$said" | sed -n 's/^[^0-9]*\([0-9][0-9.]*\).*/\1/p' | head -n 1)
  major=${version#1.}
  major=${major%%.*}
  if ! [ "${major:-0}" -ge "$oldest" ] || ! [ "$major" -le "$newest" ]; then
    fail "$program is version ${version:-unknown}, and this server needs Java $oldest to $newest; install such a JDK and put it first in PATH."
  fi
done

plugin=org.apache.maven.plugins:maven-dependency-plugin:3.8.1
rm -rf "${out:?}/lib" "$out/classes"
mvn -q -B -C -Dstyle.color=never "$plugin:copy-dependencies" -DincludeScope=runtime -DoutputDirectory="$out/lib" ||
  fail "Maven could not fetch the jars that pom.xml names; check the network and Maven's settings, and read what it said above."

if command -v sha256sum >/dev/null; then sums=sha256sum; else sums="shasum -a 256"; fi
lock=$PWD/lock.sha256
(cd "$out/lib" && $sums -- *.jar) >"$out/fetched.sha256"
# Exactly these jars, to the byte: one more or one fewer is another program.
LC_ALL=C sort -k 2 "$out/fetched.sha256" | diff "$lock" - >&2 ||
  fail "what was fetched (>) is not what lock.sha256 names (<); empty Maven's cache of it and build again."

# shellcheck disable=SC2046
javac --release "$oldest" -parameters -d "$out/classes" -cp "$out/lib/*" $(find src -name '*.java')
