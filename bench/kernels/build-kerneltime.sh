#!/usr/bin/env bash
# Build the library that takes kernel times from the GPU (kerneltime.c).
#
#   bench/kernels/build-kerneltime.sh LIBRARY.so
set -euo pipefail

[ $# -eq 1 ] || { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2; exit 2; }
flags=()
for cuda in /usr/local/cuda /usr/local/cuda-13.0 /usr; do
    for folder in "$cuda" "$cuda/extras/CUPTI" "$cuda/targets/$(uname -m)-linux"; do
        flags+=("-I$folder/include" "-L$folder/lib64" "-L$folder/lib" "-Wl,-rpath,$folder/lib64:$folder/lib")
    done
done
exec gcc -O2 -shared -fPIC "$(dirname "${BASH_SOURCE[0]}")/kerneltime.c" -o "$1" "${flags[@]}" -lcupti
