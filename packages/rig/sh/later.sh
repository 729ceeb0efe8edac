#!/bin/sh
# What the first report does not need, after it: the other servers' system packages, and k6. `src/later.ts` runs this at
# low priority and holds it while something is measured.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd -P)
state="$root/.rig"
tools="$state/tools"
lib="$root/packages/rig/sh"
# shellcheck disable=SC2034
job=.later locked=0

# shellcheck source=packages/rig/sh/say.sh
. "$lib/say.sh"
# shellcheck source=packages/rig/sh/state.sh
. "$lib/state.sh"
# shellcheck source=packages/rig/sh/system.sh
. "$lib/system.sh"
# shellcheck source=packages/rig/sh/python.sh
. "$lib/python.sh"
# shellcheck source=packages/rig/sh/go.sh
. "$lib/go.sh"

export PATH="$tools/bin:$PATH"
may_install && need_system servers
need_k6
