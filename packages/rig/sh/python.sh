# shellcheck shell=sh
# Programs that travel as Python packages, each set in a folder of its own under .rig/tools.

# need_python_tools NAME TITLE PACKAGE…: on failure the reason is in $last_words.
need_python_tools() {
  venv="$tools/$1"
  title=$2
  shift 2
  # Its programs name this folder, so a clone that was moved needs new ones.
  if [ -e "$venv/packages" ] && [ "$(cat "$venv/packages")" = "$venv $*" ]; then return 0; fi
  say "installing $title into .rig/tools"
  rm -rf "$venv"
  if ! quietly "python venv" python3 -m venv "$venv"; then
    rm -rf "$venv"
    if have apt-get; then apt_install python3-venv || true; fi
    if ! quietly "python venv" python3 -m venv "$venv"; then
      last_words="Python's venv module is missing: install python3-venv"
      return 1
    fi
  fi
  if ! quietly "pip install" "$venv/bin/python" -m pip install -q --disable-pip-version-check "$@"; then
    # An old pip does not know the names of newer wheels.
    quietly "pip upgrade" "$venv/bin/python" -m pip install -q --upgrade pip &&
      quietly "pip install" "$venv/bin/python" -m pip install -q --disable-pip-version-check "$@" || return 1
  fi
  printf '%s' "$venv $*" >"$venv/packages"
}

need_zig() { # cross-compiles and links for musl, on Linux and macOS, without root
  need_python_tools zig "the cross compiler (zig)" cargo-zigbuild==0.24.0 ziglang==0.17.0 || return 1
  ln -sf "../zig/bin/cargo-zigbuild" "$tools/bin/cargo-zigbuild"
  need_targets aarch64-unknown-linux-musl x86_64-unknown-linux-musl
}

need_kubernetes() { # the schemas that deploy/kubernetes is checked against
  need_python_tools kubernetes "the schemas of Kubernetes" kubernetes-validate==1.37.0 ||
    say "no schemas of Kubernetes ($last_words): deploy/kubernetes will not be checked."
}
