#!/usr/bin/env bash
# Builds 40 units, or $UNITS, with distcc and two workers on this machine. Host files and images of the cpu device are compiled
# by the workers. Lowering and linking stay here. Debian's package is distcc.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
cp Makefile main.c unit.c "$work"
cd "$work"
chmod 755 .
mkdir distcc

ports=(${PORTS:-36321 36322})
for port in "${ports[@]}"; do
    : >"worker-$port.log"
    chmod 666 "worker-$port.log" # as root, distccd becomes another user
    distccd --no-detach --daemon --listen 127.0.0.1 --port "$port" --allow 127.0.0.1 --jobs 2 \
        --log-file "$work/worker-$port.log" &
done
trap 'kill $(jobs -p); wait; rm -rf "$work"' EXIT
sleep 1

export DISTCC_DIR=$work/distcc DISTCC_FALLBACK=0 # what no worker compiles is an error
export DISTCC_HOSTS="127.0.0.1:${ports[0]}/2 127.0.0.1:${ports[1]}/2" REX_BUILD_CACHE=off
make --silent -j4 BEFORE=distcc application
OMP_TARGET_OFFLOAD=MANDATORY ./application
for port in "${ports[@]}"; do
    echo "worker $port: $(grep -c 'COMPILE_OK.* rose_' "worker-$port.log") host files," \
        "$(grep -c 'COMPILE_OK.* rex_lib_' "worker-$port.log") images"
done
