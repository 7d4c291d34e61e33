#!/usr/bin/env bash
# Build the benchmarks with gcc's nvptx offloading, on a machine that has Debian's gcc-12-offload-nvptx, for measuring
# elsewhere: OUT gets the programs, and in lib/ the libgomp and its plugin that they need.
#
#   bench/kernels/build-gcc.sh OUT
#
# GCC_OFFLOAD_ROOT may name a folder into which the packages gcc-12-offload-nvptx, nvptx-tools and
# libgomp-plugin-nvptx1 were unpacked instead of being installed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
src=$here/src
. "$here/programs.sh"
out=${1:?}
base=${GCC_OFFLOAD_ROOT:-}/usr
parts=$base/lib/gcc/x86_64-linux-gnu/12
# A ptxas in the path would be asked to check code for GPUs that it no longer knows.
path=$base/bin:/usr/bin:/bin
mkdir -p "$out/lib"
cp -L "$base"/lib/x86_64-linux-gnu/libgomp-plugin-nvptx.so.1 /usr/lib/x86_64-linux-gnu/libgomp.so.1 "$out/lib"

build() { # NAME SOURCE [FLAG]
    PATH=$path OFFLOAD_TARGET_NAMES=nvptx-none COMPILER_PATH=$parts:$base/bin \
        gcc-12 -O3 -std=gnu11 -fopenmp -foffload=nvptx-none -foffload-options=-lm -foffload-options=-latomic "-B$parts/" "$src/$2.c" ${3:+"$3"} \
        -s -o "$out/$1" -lm || echo "$1 was not built"
}

build_programs
