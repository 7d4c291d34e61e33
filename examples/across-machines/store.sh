#!/usr/bin/env bash
# Builds 40 units, or $UNITS, on two workers that share a store of lowered units and images behind nginx. Each worker has a
# cache of its own, as another machine has. First each builds one half of the units, at the same time, and then all of them:
# what the other one has made comes from the store. Debian's package is nginx; rex-build needs its extra `http`.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
mkdir -p "$work"/{store,1,2}
cp Makefile main.c unit.c "$work/1"
cp Makefile main.c unit.c "$work/2"
cd "$work"
chmod 755 .
port=${PORT:-36331}

[ "$(id -u)" != 0 ] || user="user root;"
cat >nginx.conf <<END
${user:-} daemon off; pid $work/nginx.pid;
events {}
http {
    access_log off; client_max_body_size 1g;
    client_body_temp_path $work/body; proxy_temp_path $work/proxy; fastcgi_temp_path $work/fastcgi;
    uwsgi_temp_path $work/uwsgi; scgi_temp_path $work/scgi;
    server {
        listen 127.0.0.1:$port;
        root $work/store;
        location / { dav_methods PUT; create_full_put_path on; }
    }
}
END
PATH=$PATH:/usr/sbin
nginx -c "$work/nginx.conf" -e "$work/error.log" &
trap 'kill $(jobs -p); wait; rm -rf "$work"' EXIT
sleep 1

export REX_BUILD_CACHE_REMOTE="http://127.0.0.1:$port|timeout=60" # not 5 s: this machine does the work of both
worker() { # NUMBER GOALS: what one machine does
    REX_BUILD_CACHE_DIR=$work/cache-$1 make --silent -j2 -C "$1" "${@:2}"
}
units=${UNITS:-40}
halves=("$(seq 1 $((units / 2)))" "$(seq $((units / 2 + 1)) "$units")")
worker 1 $(printf 'unit_%s.so ' ${halves[0]}) & first=$!
worker 2 $(printf 'unit_%s.so ' ${halves[1]})
wait "$first"
for n in 1 2; do
    worker $n application
    OMP_TARGET_OFFLOAD=MANDATORY "./$n/application"
    echo "worker $n: $(REX_BUILD_CACHE_DIR=$work/cache-$n rex-build cache stats | grep -E '^(hits|misses)' | tr -s ' ' | paste -sd,)"
done
