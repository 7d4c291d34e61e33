#!/usr/bin/env bash
# Set up, build and run the sample, on a fresh machine too.
#
#   run.sh [--device cpu|cuda] [--scale N]
#
# --device cpu (default): target regions run through LLVM's host plugin; --device cuda: on an NVIDIA GPU.
# What is built goes to sample_project/build, or to $REX_SAMPLE_BUILD.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
# shellcheck source=../scripts/setup.sh
. "$root/scripts/setup.sh"

device=cpu
scale=1
while [ $# -gt 0 ]; do
    case $1 in
        --device) device=${2:-}; shift ;;
        --device=*) device=${1#*=} ;;
        --scale) scale=${2:-}; shift ;;
        --scale=*) scale=${1#*=} ;;
        -h | --help) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; exit 0 ;;
        *) echo "run.sh: unknown argument $1 (try --help)" >&2; exit 2 ;;
    esac
    shift || { echo "run.sh: the last argument lacks its value" >&2; exit 2; }
done
case $device in
    cpu | cuda) ;;
    *) echo "run.sh: --device is cpu or cuda, not '$device'" >&2; exit 2 ;;
esac

ensure_packages
if [ "$device" = cuda ]; then
    PATH=$PATH:/usr/local/cuda/bin
    have nvcc || give_up "--device cuda needs nvcc, and it was not found" \
        "install NVIDIA's CUDA toolkit (developer.nvidia.com/cuda-downloads), or use --device cpu"
    [ -e /dev/nvidiactl ] || [ -e /dev/dxg ] || give_up "--device cuda needs an NVIDIA GPU and its driver" \
        "there is no /dev/nvidiactl here; --device cpu needs neither"
fi

build=${REX_SAMPLE_BUILD:-$here/build}
venv=$build/venv
out=$build/$device
mkdir -p "$build"
ensure_venv "$venv"
ensure_installed "$venv" "$(cd "$root" && digest_of pyproject.toml CMakeLists.txt rex_build cmake meson)" "$root"

note "configuring and building for the $device device"
cmake -S "$here" -B "$out" -G Ninja -DSAMPLE_DEVICE="$device" \
    -DRexBuild_DIR="$("$venv/bin/rex-build" --cmakedir)" >"$build/configure.log" 2>&1 ||
    { cat "$build/configure.log" >&2; give_up "configuring failed; rex-build doctor says:" \
        "$("$venv/bin/rex-build" doctor 2>&1 || true)"; }
cmake --build "$out"

note "running"
status=0
OMP_TARGET_OFFLOAD=${OMP_TARGET_OFFLOAD:-MANDATORY} "$out/sample_project" "$scale" || status=$?

# The verdict stays the last line of stdout; where to look goes to stderr.
{
    echo
    note "generated files to look at:"
    find "$out" \( -name 'rose_*.c' -o -name 'rex_lib_*.cu' -o -name 'register_cubin.cpp' \) | sort | sed 's/^/    /'
    note "what was decided for each region:  '$venv/bin/rex-build' explain '$here/src/heat.c' -- -I'$here/include'"
} >&2
exit $status
