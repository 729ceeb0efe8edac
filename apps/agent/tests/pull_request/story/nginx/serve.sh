set -eu
cd "$1"
PATH=$PATH:/usr/sbin
user=
[ "$(id -u)" != 0 ] || user="user root;"
cat >nginx.conf <<END
$user
daemon off;
worker_processes 2;
pid nginx.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  server {
    listen $2;
    location = /plaintext { default_type text/plain; return 200 "Hello, World!"; }
    location = /users/7 { default_type application/json; return 200 '{"id":"7","name":"Ada"}'; }
  }
}
END
exec nginx -p . -c nginx.conf -e stderr
