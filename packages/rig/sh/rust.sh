# shellcheck shell=sh
# Rust: what is here when it is new enough and has the targets, or a rustup that adds them; else rustup from a Python
# package. Homebrew's Rust has no target but its own, and Homebrew's rustup leaves its cargo out of PATH.

rust_wanted=1.95.0

rust_is_good() {
  have cargo && have rustc || return 1
  at_least "$(rustc --version 2>/dev/null | awk '{ print $2 }')" "$rust_wanted"
}
has_target() { # the WebAssembly target is needed by packages/stats
  [ -d "$(rustc --print target-libdir --target "$1" 2>/dev/null || echo /nowhere)" ]
}

need_rust() { # need_rust [COMPONENT…]
  [ -d "${CARGO_HOME:-$HOME/.cargo}/bin" ] && PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
  for keg in /opt/homebrew/opt/rustup/bin /usr/local/opt/rustup/bin; do
    [ -x "$keg/cargo" ] && PATH="$PATH:$keg"
  done
  # rust-toolchain.toml says stable. Where rustup has another release only and no network, that one does.
  if ! rustc --version >/dev/null 2>&1 && default=$(cd / && rustup show active-toolchain 2>/dev/null); then
    export RUSTUP_TOOLCHAIN="${default%% *}"
  fi
  if [ -d "$tools/rust/cargo/bin" ] && ! rust_is_good; then use_own_rust; fi
  if ! rust_is_good; then
    have rustup || get_own_rust
    if ! rust_is_good; then
      say "installing the Rust toolchain $rust_wanted with rustup"
      quietly "rustup" rustup toolchain install "$rust_wanted" --profile minimal || cannot_get "Rust $rust_wanted"
      export RUSTUP_TOOLCHAIN="$rust_wanted"
      rust_is_good || die 1 "Rust $rust_wanted was installed and cargo is not found: put rustup's folder in PATH and run this again."
    fi
  fi
  need_targets wasm32-unknown-unknown
  for component in "$@"; do
    if "cargo-$component" --version >/dev/null 2>&1 || cargo "${component#rust}" --version >/dev/null 2>&1; then continue; fi
    say "installing the Rust component $component"
    have rustup || die 1 "Rust's $component is missing and there is no rustup to add it: install it, then run this again."
    quietly "rustup" rustup component add "$component" || cannot_get "the Rust component $component"
  done
}

get_own_rust() {
  if [ ! -x "$tools/rust/cargo/bin/cargo" ]; then
    need_python_tools rustup "rustup" puccinialin==0.1.14 || cannot_get "Rust"
    say "installing Rust into .rig/tools/rust"
    quietly "rustup" "$tools/rustup/bin/python" -m puccinialin --location "$tools/rust" || cannot_get "Rust"
  fi
  use_own_rust
}

use_own_rust() {
  export RUSTUP_HOME="$tools/rust/rustup" CARGO_HOME="$tools/rust/cargo" PATH="$tools/rust/cargo/bin:$PATH"
}

need_targets() {
  for target in "$@"; do
    has_target "$target" && continue
    is_of_rustup || get_own_rust
    has_target "$target" && continue
    say "installing the Rust target $target"
    quietly "rustup" rustup target add "$target" || cannot_get "the Rust target $target"
  done
}
# Or another Rust is first in PATH, to which no rustup adds anything.
is_of_rustup() {
  found=$(rustup which rustc 2>/dev/null) || return 1
  [ "$(cd "$(dirname "$found")" && pwd -P)" = "$(cd "$(rustc --print sysroot)/bin" && pwd -P)" ]
}
