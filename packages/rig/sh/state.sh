# shellcheck shell=sh
# The folder .rig: ours, private, with room on the disk, and one setup in it at a time.

open_state() {
  if ! mkdir -p "$state" 2>/dev/null; then
    [ -e "$state" ] && [ ! -d "$state" ] && die 1 "$state is not a folder: move it away, it is where rig keeps its state."
    [ "$(free_kb "$root")" = 0 ] && no_room
    die 1 "$state cannot be made: $root must be writable by $(id -un)."
  fi
  owner=$(stat_owner "$state")
  if [ "$owner" != "$(id -u)" ]; then
    die 1 "$state belongs to user $(name_of "$owner") and you are $(id -un): run ./rig as $(name_of "$owner"), or take the folder over with: sudo chown -R $(id -un) $state"
  fi
  umask 022
  if ! has_room; then # down writes and installs nothing then, and takes what is here
    [ "$command" = down ] || no_room
    return 0
  fi
  if ! { chmod 700 "$state" && mkdir -p "$state/log" "$state/stamps" "$tools/bin" && : >"$state/log/setup.log"; }; then
    die 1 "$state cannot be written: free some space, or give the folder to $(id -un)."
  fi
}

needed_mb() { if [ -e "$state/stamps/packages" ]; then echo 200; else echo 4000; fi; }
has_room() { [ "$(free_kb "$state")" -ge $(($(needed_mb) * 1000)) ]; }
no_room() {
  die 1 "the disk that holds $root has $(($(free_kb "$root") / 1000)) MB free, and this needs $(needed_mb) MB: free some space and run it again."
}

free_kb() { df -Pk "$1" | awk 'NR == 2 { print $4 }'; }
stat_owner() { stat -c %u "$1" 2>/dev/null || stat -f %u "$1"; }
name_of() { id -un "$1" 2>/dev/null || printf '%s' "$1"; }

# Two ./rig at once wait for each other while they install.
locked=0
lock_setup() {
  waited=0
  until mkdir "$state/setup.lock" 2>/dev/null; do
    holder=$(cat "$state/setup.lock/pid" 2>/dev/null || echo 0)
    if [ "$holder" != 0 ] && ! kill -0 "$holder" 2>/dev/null; then
      rm -rf "$state/setup.lock"
      continue
    fi
    [ "$waited" = 0 ] && say "another ./rig (process $holder) is installing; waiting for it."
    waited=$((waited + 1))
    [ "$waited" -lt 1800 ] || die 1 "another ./rig has been installing for half an hour; if none runs, remove $state/setup.lock."
    sleep 1
  done
  locked=1
  echo $$ >"$state/setup.lock/pid"
  trap 'unlock_setup; exit 130' INT
  trap 'unlock_setup; exit 143' TERM
  trap unlock_setup EXIT
}
unlock_setup() {
  [ "$locked" = 1 ] && rm -rf "$state/setup.lock"
  locked=0
}

# stamped NAME FILE…: true when NAME was last stamped with these very contents. stamp NAME FILE… does it.
contents() { cat "$@" 2>/dev/null | cksum; }
stamped() {
  name=$1
  shift
  [ -e "$state/stamps/$name" ] && [ "$(cat "$state/stamps/$name")" = "$(contents "$@")" ]
}
stamp() {
  name=$1
  shift
  contents "$@" >"$state/stamps/$name"
}
