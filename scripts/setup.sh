# Sourced by sample_project/run.sh and tests/run.sh: system packages and a private virtual environment.
# shellcheck shell=bash

note() { printf '== %s\n' "$*"; }

# End with exit status 3: the environment is at fault.
give_up() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    shift
    [ $# -eq 0 ] || printf '    %s\n' "$@" >&2
    exit 3
}

have() { command -v "$1" >/dev/null 2>&1; }

# Whether a shared library of this name pattern is where Debian's LLVM packages and the linker's cache have them.
have_library() {
    compgen -G "/usr/lib/llvm-*/lib/$1" >/dev/null || compgen -G "/usr/lib/x86_64-linux-gnu/$1" >/dev/null ||
        ldconfig -p 2>/dev/null | awk '{ print $1 }' | grep -q "^${1%\*}"
}

# The packages that are missing, one per line.
missing_packages() {
    local header='#include <stdio.h>'
    { have gcc && echo "$header" | gcc -xc -fsyntax-only - 2>/dev/null; } || printf '%s\n' gcc libc6-dev
    { have g++ && echo '#include <cstdio>' | g++ -xc++ -fsyntax-only - 2>/dev/null; } || echo g++
    have cmake || echo cmake
    have ninja || echo ninja-build
    have make || echo make
    have python3 || echo python3
    python3 -c 'import venv, ensurepip' 2>/dev/null || echo python3-venv
    have_library 'libomptarget.so*' || echo offload-runtime
    have_library 'libomp.so*' || echo libomp5-19
    # What only the caller needs: programs that are named as their packages are.
    local program
    for program in ${extra_programs:-}; do
        have "$program" || [ -x "/usr/sbin/$program" ] || echo "$program"
    done
}

# LLVM 22's offload runtime where the archive has it, else the oldest one that is known to work.
runtime_package() {
    if apt-cache show liboffload-22-dev >/dev/null 2>&1; then
        echo liboffload-22-dev
    else
        echo libomp-19-dev
    fi
}

# Install what is missing through apt, or say what to install and how.
ensure_packages() {
    local missing as_root=()
    mapfile -t missing < <(missing_packages)
    [ ${#missing[@]} -gt 0 ] || return 0
    if ! have apt-get; then
        give_up "these are missing, and there is no apt-get to install them: ${missing[*]}" \
            "offload-runtime stands for LLVM's libomptarget (22, or 19 for the cpu device)"
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if have sudo && sudo -n true 2>/dev/null; then
            as_root=(sudo)
        else
            give_up "system packages are missing; install them as root and run this again:" \
                "apt-get update && apt-get install ${missing[*]/offload-runtime/$(runtime_package)}"
        fi
    fi
    note "installing system packages: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq || note "apt-get update failed; going on with the package lists there are"
    mapfile -t missing < <(printf '%s\n' "${missing[@]/offload-runtime/$(runtime_package)}")
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -qq -y --no-install-recommends "${missing[@]}" \
        >/dev/null || give_up "apt-get could not install: ${missing[*]}"
}

# A virtual environment in $1.
ensure_venv() {
    [ -x "$1/bin/python" ] && [ -x "$1/bin/pip" ] && return 0
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
        give_up "Python 3.10 or newer is needed; python3 is $(python3 --version 2>&1)"
    note "creating a virtual environment in $1"
    python3 -m venv "$1" || give_up "could not create a virtual environment in $1"
}

# pip install into the virtual environment $1; the other arguments are pip's. Done only when `stamp` (a text that
# changes with what is to be installed) differs from the last time. Python compiles modules when they are first used.
ensure_installed() {
    local venv=$1 stamp=$2
    shift 2
    [ "$(cat "$venv/.installed" 2>/dev/null)" = "$stamp" ] && return 0
    note "installing into $venv: $*"
    rm -f "$venv/.installed"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-compile "$@" ||
        give_up "pip could not install: $*" "(a package index must be reachable for the first installation)"
    printf '%s\n' "$stamp" >"$venv/.installed"
}

# A digest of these files and of everything below these folders, names and contents.
digest_of() {
    find "$@" -type f -not -path '*/__pycache__/*' -print0 2>/dev/null | sort -z | xargs -0 sha256sum | sha256sum |
        cut -d' ' -f1
}
