# shellcheck shell=sh
# What can be typed. Wrong flags are refused before anything is installed.

usage() {
  cat <<'TEXT'
./rig up [--detach] [--json] [--port N] [--network | --no-network | --listen ADDRESS] [--no-demo]
                    install what is missing, start everything, run a first comparison, print the links;
                    then build k6 in the background. --json: one object with the links and the verdicts.
                    --network[=ADDRESS]: let other machines reach the app, make links with a private address of
                    this machine, build what hosts download; kept for later starts until --no-network
./rig down          stop what `up` and `dev` started; the data stays in .rig/
./rig backup FILE   write the database, the secrets and the release key into FILE (.tar.gz), also while the app runs
./rig restore FILE  put a backup in their place and move what was there to .rig/before-restore-TIME; first ./rig down
./rig dev [--port N]  app and agent from these sources, kept up to date with them; data of its own in .rig/dev/
                    unless DATABASE_URL is set
./rig test [--fast | --fresh]
                    every suite; ends with "N passed, N failed, N skipped". Suites for packages, release
                    archives and conformance are not rerun while their inputs are unchanged; --fresh reruns
                    them. --fast: quick checks and unit tests, for while you edit
./rig check         format, lint, types, boundaries, unused dependencies
./rig bench [NAME]  NAME is queue, live, idle, page or overhead (default: these five). Last line: JSON.
                    soak [--seconds N]: property tests with drawn seeds, for five minutes
                    live-hour [--minutes N]: memory of the app after an hour with 200 viewers
                    By name only: web (or its parts web-report, web-pages), loadgen, noisy, changes, pull-request,
                    fresh-host, fresh-host-arm64, small-host, compose; servers (an hour) or one size of response:
                    servers-1k, servers-1m, servers-10m;
                    method (two hours; goes on where it was interrupted) or one of its parts:
                    method-aa, method-permuted, method-ab, method-power, method-spread
./rig release [--keep] [TARGET…]
                    agents, prebuilt servers and k6 for every host that can be added, with checksums and their
                    signature, into .rig/release/. TARGET: only these, such as aarch64-unknown-linux-musl (a Pi);
                    --keep: keep the archives of other targets
./rig help          this

DATABASE_URL        use this PostgreSQL instead of the embedded one
BENCH_SHORT=1       smoke-test the method bench with a few small measurements
SIGN_UP             who may make an account: open, closed (default), or a domain such as example.org
TRUSTED_PROXIES     networks that your proxies connect from, such as 127.0.0.1 or 10.0.0.0/8
WEBHOOK_NETWORKS    private networks that webhooks of alerts may reach, such as 192.168.1.0/24 (default: none)
QUOTA_HOSTS …       what each workspace may have at most: "Settings of the app" in docs/install.md lists them all
PUBLIC_URL          base URL for links, if people reach the app at a different address

Exit codes: 0 done, 1 failed, 2 bad usage, 130 interrupted.
TEXT
}

bad_usage() {
  say "$1 ./rig help says what there is."
  exit 2
}

number_in() { # number_in VALUE MIN MAX
  case $1 in '' | *[!0-9]* | ??????*) return 1 ;; esac
  [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
}

check_arguments() {
  of=$1
  shift
  for argument in "$@"; do
    case $argument in -h | --help) usage && exit 0 ;; --json) json=1 ;; esac
  done
  case $of in
    up) check_up "$@" ;;
    dev) check_dev "$@" ;;
    bench) check_bench "$@" ;;
    backup | restore)
      [ $# -eq 1 ] || bad_usage "./rig $of takes one FILE."
      case $1 in '' | -*) bad_usage "./rig $of takes a FILE, not \"$1\"." ;; esac
      ;;
    release) # it knows its targets
      # Compilers get the folder's name among other words.
      case $root in *[[:space:]]*) die 1 "a release cannot be built in $root, since there is a space in this path: move Rigmark to a folder without one." ;; esac
      ;;
    test)
      [ $# -le 1 ] || bad_usage "./rig test takes one option at most."
      case ${1-} in '' | --fast | --fresh) ;; *) bad_usage "./rig test does not know \"$1\"." ;; esac
      ;;
    *) [ $# -eq 0 ] || bad_usage "./rig $of takes no arguments, and there is \"$1\"." ;;
  esac
}

check_up() {
  on='' off='' at=''
  while [ $# -gt 0 ]; do
    flag=${1%%=*}
    case $1 in
      --network | --network=?*) on=1 && shift && continue ;;
      --no-network) off=1 && shift && continue ;;
      --detach | --json | --no-demo) shift && continue ;;
      --port=* | --listen=*) value=${1#*=} && shift ;;
      --port | --listen)
        [ $# -ge 2 ] || bad_usage "$flag needs a value."
        value=$2
        shift 2
        ;;
      *) bad_usage "./rig up does not know \"$1\"." ;;
    esac
    case $flag in
      --port) number_in "$value" 1 65535 || bad_usage "--port takes a number from 1 to 65535, not \"$value\"." ;;
      --listen)
        at=1
        [ -n "$value" ] || bad_usage "--listen takes an address such as 0.0.0.0."
        ;;
    esac
  done
  case $on$off$at in
    '' | 1) ;;
    *) [ -z "$on" ] || bad_usage "--network listens on all addresses of this machine, so it goes neither with --listen nor with --no-network." ;;
  esac
}

check_dev() {
  case ${1-} in
    '') ;;
    --port=*)
      value=${1#*=}
      shift
      set -- --port "$value" "$@"
      ;;
    --port) [ $# -ge 2 ] || bad_usage "--port needs a value." ;;
    *) bad_usage "./rig dev does not know \"$1\"." ;;
  esac
  [ $# -le 2 ] || bad_usage "./rig dev does not know \"$3\"."
  [ $# -eq 0 ] || number_in "$2" 1 65535 || bad_usage "--port takes a number from 1 to 65535, not \"$2\"."
}

check_bench() {
  if [ "${1-}" = soak ]; then
    case $#${2-} in 1) return 0 ;; 3--seconds) number_in "$3" 1 86400 && return 0 ;; esac
    bad_usage "./rig bench soak takes --seconds and a number from 1 to 86400."
  fi
  if [ "${1-}" = live-hour ]; then
    case $#${2-} in 1) return 0 ;; 3--minutes) number_in "$3" 1 1440 && return 0 ;; esac
    bad_usage "./rig bench live-hour takes --minutes and a number from 1 to 1440."
  fi
  [ $# -le 1 ] || bad_usage "./rig bench takes one name at most."
  case ${1:-quick} in
    quick | queue | live | idle | page | overhead | web | web-report | web-pages | servers | loadgen | noisy | changes | method | pull-request | fresh-host | fresh-host-arm64 | small-host | compose) ;;
    method-aa | method-permuted | method-ab | method-power | method-spread) ;;
    servers-1k | servers-1m | servers-10m) ;;
    *) bad_usage "there is no bench \"$1\"; there are queue, live, idle, page, overhead, web, servers, loadgen, noisy, changes, method, pull-request, fresh-host, fresh-host-arm64, small-host, compose, live-hour and soak." ;;
  esac
}
