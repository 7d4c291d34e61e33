#!/usr/bin/env bash
# Build and run the test programs and the sample on a machine with an NVIDIA GPU, nvcc, gcc, cmake and ninja.
#
#   tests/gpu/run.sh RUNTIME.tar.xz [NAME...]
#
# RUNTIME.tar.xz holds LLVM's libomptarget and what it needs, for machines without LLVM; `-` takes the LLVM there is.
# NAMEs select the programs whose names contain one of them. Where no package index can be reached, REX_WHEELS is a
# folder of wheels (pycparser; jinja2 and filelock where they are missing). REX_ARCH (sm_90, ...) replaces the GPU's own
# architecture, REX_GPU_OUT the folder for what is built, JOBS the number of programs at a time.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../scripts/setup.sh
. "$root/scripts/setup.sh"
[ $# -ge 1 ] || { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2; exit 2; }
runtime=$1
shift

PATH=$PATH:/usr/local/cuda/bin
for tool in nvcc gcc g++ cmake ninja python3; do
    have "$tool" || give_up "$tool was not found"
done
out=${REX_GPU_OUT:-$(mktemp -d)}
mkdir -p "$out"

if [ "$runtime" != - ]; then
    [ -r "$runtime" ] || give_up "$runtime cannot be read"
    mkdir -p "$out/runtime"
    tar -C "$out/runtime" -xJf "$runtime"
    export REX_LLVM_ROOT=$out/runtime
    export LD_LIBRARY_PATH=$out/runtime${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi

# rex-build runs from this checkout; only what it imports may have to be fetched.
missing=()
python3 -c 'from pycparser.c_lexer import Token' 2>/dev/null || missing+=('pycparser>=3.11')
python3 -c 'import jinja2' 2>/dev/null || missing+=(jinja2)
python3 -c 'import filelock' 2>/dev/null || missing+=(filelock)
if [ ${#missing[@]} -gt 0 ]; then
    from=()
    [ -z "${REX_WHEELS:-}" ] || from=(--no-index --find-links "$REX_WHEELS")
    python3 -m pip install --quiet --disable-pip-version-check --target "$out/site" "${from[@]}" "${missing[@]}" ||
        give_up "pip could not install: ${missing[*]}" "REX_WHEELS may name a folder with their wheels"
    export PYTHONPATH=$out/site${PYTHONPATH:+:$PYTHONPATH}
fi
export PYTHONPATH=$root${PYTHONPATH:+:$PYTHONPATH}
export REX_BUILD_CACHE_DIR=$out/cache
status=0

note "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo 'no answer from nvidia-smi')"
python3 -m rex_build doctor || status=1

note "the test programs"
python3 "$root/tests/execution.py" --device cuda ${REX_ARCH:+--arch "$REX_ARCH"} --jobs "${JOBS:-$(nproc)}" \
    --out "$out/programs" "$@" || status=1

if [ $# -eq 0 ]; then
    note "the sample"
    {
        cmake -S "$root/sample_project" -B "$out/sample" -G Ninja -DSAMPLE_DEVICE=cuda \
            ${REX_ARCH:+-DCMAKE_CUDA_ARCHITECTURES="${REX_ARCH#sm_}"} \
            -DRexBuild_DIR="$(python3 -m rex_build --cmakedir)" &&
            cmake --build "$out/sample"
    } >"$out/sample.log" 2>&1 || { tail -n 40 "$out/sample.log"; status=1; }
    OMP_TARGET_OFFLOAD=MANDATORY "$out/sample/sample_project" || status=1
fi
[ $status -eq 0 ] && note "everything passed" || note "something failed; see above and $out"
exit $status
