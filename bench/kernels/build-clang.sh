#!/usr/bin/env bash
# Build the benchmarks in C and C++ with clang's OpenMP offloading to NVPTX, on a machine without a GPU, for measuring elsewhere: OUT
# gets the programs, and in lib/ LLVM's offload runtime.
#
#   bench/kernels/build-clang.sh OUT [CUDA]
#
# CUDA is a toolkit (bin/ptxas, bin/nvlink, nvvm/libdevice, include/cuda.h) that this clang's runtime can load images of:
# CUDA 12 for LLVM 19 and 20, whose place in lib/ LLVM 22's libomptarget may take for images of CUDA 13. Without it clang
# looks for one. CLANG names the compiler (clang-19), ARCH the GPU (sm_90);
# CLANG_OFFLOAD_ROOT may name a folder into which the packages libomp-19-dev and libomp5-19 were unpacked instead of being
# installed.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
src=$here/src
. "$here/programs.sh"
out=${1:?} cuda=${2:-}
clang=${CLANG:-clang-19} arch=${ARCH:-sm_90}
version=$("$clang" -dumpversion)
version=${version%%.*}
llvm=${CLANG_OFFLOAD_ROOT:-}/usr/lib/llvm-$version/lib
flags=(-O3 -fopenmp "--offload-arch=$arch" ${cuda:+"--cuda-path=$cuda"}
    "--libomptarget-nvptx-bc-path=$llvm/libomptarget-nvptx-$arch.bc" -isystem "$llvm/clang/$version/include" "-L$llvm")
mkdir -p "$out/lib"
# Everything that the runtime loads, less what every Linux machine has of its own.
runtime=$llvm/libomptarget.so
cp -L "$runtime" "$out/lib/$(basename "$(readlink -f "$runtime")")"
ldd "$runtime" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | while read -r name path; do
    case $name in
        libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | libstdc++.so.* | libgcc_s.so.* | libz.so.*) ;;
        *) cp -L "$path" "$out/lib/$name" ;;
    esac
done

build() { # NAME SOURCE [FLAG]
    PATH=${cuda:+$cuda/bin:}$PATH "$clang" -std=gnu11 "${flags[@]}" "$src/$2.c" ${3:+"$3"} -s -o "$out/$1" -lm ||
        echo "$1 was not built"
}

build_cxx() { # NAME
    PATH=${cuda:+$cuda/bin:}$PATH "${clang/clang/clang++}" -std=gnu++17 "${flags[@]}" "$src/$1.cpp" -s -o "$out/$1" -lm ||
        echo "$1 was not built"
}

build_programs
build_cxx_programs
