#!/bin/sh
# Makes the secrets that are not there yet, once, each a file that only the services in need of it can read. The
# database's password is of this installation; nothing has a default one.
set -eu
umask 077

folder=/secrets
web=10001      # groups that may read: the web app's user,
database=10004 # and the one that docker-compose.yml puts PostgreSQL's into

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

# keep NAME GROUP TEXT: whole or not at all.
keep() {
  printf '%s\n' "$3" >"$folder/.$1.new"
  chown "0:$2" "$folder/.$1.new"
  chmod 0440 "$folder/.$1.new"
  mv "$folder/.$1.new" "$folder/$1"
  echo "made $1" >&2
}

[ -e "$folder/auth_secret" ] || keep auth_secret "$web" "$(random)"
if [ ! -e "$folder/database_url" ]; then
  [ -e "$folder/database_password" ] || keep database_password "$database" "$(random)"
  # A password of your own may need escapes in an address, so it comes with an address of your own.
  password=$(cat "$folder/database_password")
  case $password in
    *[!A-Za-z0-9._~-]*)
      echo "database_password has characters that an address cannot hold: write database_url beside it." >&2
      exit 1
      ;;
  esac
  keep database_url "$web" "postgresql://rigmark:$password@postgres:5432/rigmark"
fi
# Others may look into the folder, and see names only.
chmod 0755 "$folder"
