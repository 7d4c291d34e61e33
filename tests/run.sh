#!/usr/bin/env bash
# Set up and run everything: lint, types and all tests, programs executed on the cpu device.
#
#   tests/run.sh [PYTEST-ARGUMENTS...]      e.g.  tests/run.sh -k programs -x
#
# Of tests with many cases each commit draws a sample, unless tests are named: --sample NAME draws that of a name, and --whole
# runs all. --costs says at the end where the processor time went.
#
# The virtual environment is .venv in the repository, or $REX_VENV.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../scripts/setup.sh
. "$root/scripts/setup.sh"
cd "$root"

# The cache's tests: compiler launchers, and servers for its second level. Differential tests: csmith, with its headers.
# What launches cost: valgrind. C23, and host files under another compiler: clang. Build tests: autotools, pkg-config for
# Meson, Python's headers for extension modules. Tools around a build: linters, a language server. Pages: a browser.
# shellcheck disable=SC2034
extra_programs="ccache sccache distcc nginx redis-server csmith valgrind clang-19 autoconf automake pkg-config patch"
extra_programs+=" clang-tidy-19 clangd-19 cppcheck iwyu"
have chromium || have google-chrome || extra_programs+=" chromium-headless-shell"
[ -x /usr/lib/llvm-19/bin/clang-offload-packager ] || extra_programs+=" clang-tools-19" # for clang's own offloading
[ -e /usr/include/csmith/csmith.h ] || extra_programs+=" libcsmith-dev"
compgen -G '/usr/include/python3*/Python.h' >/dev/null || extra_programs+=" python3-dev"
ensure_packages
venv=${REX_VENV:-$root/.venv}
ensure_venv "$venv"
# An editable installation follows changes of the code; new modules and CMake files need a new one.
installed=$(digest_of pyproject.toml CMakeLists.txt cmake meson; find rex_build -name '*.py' | sort)
ensure_installed "$venv" "$installed" --editable "$root[test,docs]"
# The oldest releases of CMake and Meson that are supported, beside the newest ones in the environment.
old() {
    [ -d "$venv/$1-$2" ] || "$venv/bin/pip" install --quiet --no-deps --target "$venv/$1-$2" "$1==$2" ||
        note "$1 $2 could not be installed; its tests are left out"
}
old meson 1.0.1
old cmake 3.23.3
PATH=$venv/bin:$PATH
note "CMake and Meson, newest and old: $(PYTHONPATH=tests python tests/build/build_tool.py)"

# All three have their say, also when one of them fails. mypy runs beside pytest, whose workers do not start at once.
status=0
note "ruff"
ruff check . || status=1
mypy --strict rex_build >"$venv/mypy.log" 2>&1 &
note "pytest"
# Tests wait for files, servers and clocks, a third of their time: one worker more than there are processors.
python -m pytest -q -n $(($(nproc) + 1)) --dist worksteal "$@" || status=1
wait $! || status=1
note "mypy"
cat "$venv/mypy.log"
exit $status
