#!/bin/sh
# SPDX-License-Identifier: MIT
# launch.sh SERVER_DIR WORK_DIR ADDRESS PORT ROOT WORKERS
# Linux only. Writes a configuration that touches nothing outside WORK_DIR and becomes nginx (exec: signals reach it directly).
set -eu

if [ $# -ne 6 ]; then
	echo "usage: launch.sh SERVER_DIR WORK_DIR ADDRESS PORT ROOT WORKERS" >&2
	exit 2
fi
server=$1 work=$2 address=$3 port=$4 root=$5 workers=$6

command -v nginx >/dev/null 2>&1 || PATH=$PATH:/usr/sbin:/usr/local/sbin
nginx=$(command -v nginx) || { echo "nginx-lua: nginx was not found; sudo apt install nginx" >&2; exit 1; }
modules=$("$nginx" -V 2>&1 | tr ' ' '\n' | sed -n 's/^--modules-path=//p')
if ! [ -f "$modules/ngx_http_lua_module.so" ]; then
	echo "nginx-lua: the Lua module of nginx was not found; sudo apt install libnginx-mod-http-lua lua-cjson" >&2
	exit 1
fi
[ -d "$root" ] || { echo "nginx-lua: the root $root is not a folder" >&2; exit 1; }

listen=$address
case $address in *:*) listen="[$address]" ;; esac
case $root in /*) ;; *) root=$PWD/$root ;; esac
case $server in /*) ;; *) server=$PWD/$server ;; esac

mkdir -p "$work/tmp"
# nginx would read `$` in a path as a variable; a link with a plain name needs no quoting.
ln -sfn "$root" "$work/root"
ln -sfn "$server" "$work/lua"

# A master that is root would give its workers to `nobody`, who may not read the root.
user=
[ "$(id -u)" -eq 0 ] && user="user $(id -un) $(id -gn);"

ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
files=$(ulimit -n)
case $files in *[!0-9]*) files=65536 ;; esac
connections=$files
[ "$connections" -gt 16384 ] && connections=16384

cat >"$work/nginx.conf" <<END
load_module $modules/ndk_http_module.so;
load_module $modules/ngx_http_lua_module.so;
$user
daemon off;
worker_processes $workers;
pid nginx.pid;
error_log stderr error;

events {
	worker_connections $connections;
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

	lua_package_path '\$prefix/lua/?.lua;;';
	init_by_lua_block {
		-- error() would add where it was raised, in lines of their own.
		local function refuse(sentence)
			io.stderr:write("nginx-lua: ", sentence, "\n")
			os.exit(1)
		end
		local taken = require("port")("$address", $port)
		if taken then
			refuse(taken)
		end
		-- Loaded once, here, so that what is missing ends the start and not a request.
		local there
		there, json_sum = pcall(require, "sum")
		if not there then
			refuse(json_sum .. "; if it is cjson that is missing: sudo apt install lua-cjson")
		end
	}

	sendfile on;
	tcp_nopush on;
	tcp_nodelay on;
	# Who reads slowly may take minutes until a socket has room again; a minute is the default.
	send_timeout 1d;
	keepalive_timeout 75s;
	client_header_timeout 75s;
	keepalive_requests 1000000000;
	client_max_body_size 0;
	# Larger bodies go through a file in tmp/, so that a length that was only announced takes little memory.
	client_body_buffer_size 1m;
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
		listen $listen:$port backlog=4096 reuseport;
		root root;
		disable_symlinks on from=\$document_root;
		error_page 494 =431 @too_large;

		location = /plaintext {
			default_type text/plain;
			if (\$refused) {
				return 405;
			}
			return 200 "Hello, World!";
		}
		location = /json-sum {
			default_type text/plain;
			client_max_body_size 8m;
			content_by_lua_block { json_sum() }
		}
		location @too_large {
			return 431 "Request Header Fields Too Large\n";
		}
	}
}
END

exec "$nginx" -p "$work" -c nginx.conf -e stderr
