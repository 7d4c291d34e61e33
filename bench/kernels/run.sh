#!/usr/bin/env bash
# Measure the kernels that rex-build makes against hand-written CUDA and other compilers, on a machine with an NVIDIA GPU.
#
#   bench/kernels/run.sh RUNTIME.tar.xz|- OUT [measure.py's options and NAMEs]
#
# RUNTIME.tar.xz holds LLVM's libomptarget and what it needs, `-` takes the LLVM there is. OUT gets table.md and
# results.json. REX_WHEELS may name a folder of wheels (pycparser, jinja2, filelock) where they are missing and no package
# index can be reached.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[ $# -ge 2 ] || { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2; exit 2; }
runtime=$1 out=$2
shift 2
export PATH=$PATH:/usr/local/cuda/bin
mkdir -p "$out"
if [ "$runtime" != - ]; then
    mkdir -p "$out/runtime"
    tar -C "$out/runtime" -xJf "$runtime"
    export REX_LLVM_ROOT=$out/runtime LD_LIBRARY_PATH=$out/runtime${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
if [ -n "${REX_WHEELS:-}" ]; then
    for wheel in "$REX_WHEELS"/*.whl; do
        python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$out/site" "$wheel"
    done
    export PYTHONPATH=$out/site${PYTHONPATH:+:$PYTHONPATH}
fi
export PYTHONPATH=$root${PYTHONPATH:+:$PYTHONPATH} REX_CACHE_DIR=$out/cache
exec python3 "$root/bench/kernels/measure.py" --out "$out" "$@"
