#!/bin/sh
# SPDX-License-Identifier: MIT
# launch.sh WORK_DIR ADDRESS PORT ROOT WORKERS SENDFILE NOPUSH     (the last two: 1 or 0)
# Writes a configuration that touches nothing outside WORK_DIR and becomes nginx (exec: signals reach it directly).
set -eu

if [ $# -ne 7 ]; then
	echo "usage: launch.sh WORK_DIR ADDRESS PORT ROOT WORKERS SENDFILE NOPUSH" >&2
	exit 2
fi
work=$1 address=$2 port=$3 root=$4 workers=$5
sendfile=off nopush=off
[ "$6" = 1 ] && sendfile=on
[ "$7" = 1 ] && nopush=on

command -v nginx >/dev/null 2>&1 || PATH=$PATH:/usr/sbin:/usr/local/sbin:/opt/homebrew/bin
nginx=$(command -v nginx) || { echo "nginx: not found; install the package nginx" >&2; exit 1; }
[ -d "$root" ] || { echo "nginx: the root $root is not a folder" >&2; exit 1; }

case $address in *:*) address="[$address]" ;; esac
case $root in /*) ;; *) root=$PWD/$root ;; esac

mkdir -p "$work/tmp"
# nginx would read `$` in a path as a variable; a link with a plain name needs no quoting.
ln -sfn "$root" "$work/root"

# Each worker its own listener, as the other servers here have it. Where SO_REUSEPORT does not spread the load (macOS)
# the workers share one.
reuseport=
[ "$(uname -s)" = Linux ] && reuseport=reuseport

# A master that is root would give its workers to `nobody`, who may not read the root.
user=
[ "$(id -u)" -eq 0 ] && user="user $(id -un) $(id -gn);"

ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
files=$(ulimit -n)
case $files in *[!0-9]*) files=65536 ;; esac
connections=$files
[ "$connections" -gt 16384 ] && connections=16384

cat >"$work/nginx.conf" <<END
$user
daemon off;
worker_processes $workers;
pid nginx.pid;
error_log stderr error;

events {
	worker_connections $connections;
	multi_accept on;
}

http {
	access_log off;
	client_body_temp_path tmp/body;
	proxy_temp_path tmp/proxy;
	fastcgi_temp_path tmp/fastcgi;
	uwsgi_temp_path tmp/uwsgi;
	scgi_temp_path tmp/scgi;

	types {
		text/javascript js;
		text/html html;
		text/css css;
		text/plain txt;
		application/json json;
	}
	default_type application/octet-stream;

	sendfile $sendfile;
	tcp_nopush $nopush;
	tcp_nodelay on;
	# Who reads slowly may take minutes until a socket has room again; a minute is the default.
	send_timeout 1d;
	keepalive_timeout 75s;
	keepalive_requests 1000000000;
	client_max_body_size 0;
	log_not_found off;

	# Errors are not cached, so that a new file is served at once; a changed one is seen after a second.
	open_file_cache max=1000 inactive=60s;
	open_file_cache_valid 1s;
	open_file_cache_min_uses 1;
	open_file_cache_errors off;

	map \$request_method \$refused {
		default 1;
		GET 0;
		HEAD 0;
	}

	server {
		listen $address:$port backlog=4096 $reuseport;
		root root;
		error_page 494 =431 @too_large;

		location = /plaintext {
			default_type text/plain;
			if (\$refused) {
				return 405;
			}
			return 200 "Hello, World!";
		}
		location @too_large {
			return 431 "Request Header Fields Too Large\n";
		}
	}
}
END

exec "$nginx" -p "$work" -c nginx.conf -e stderr
