#!/usr/bin/env bash
# Set up and run everything: lint, types and all tests, programs executed on the cpu device.
#
#   tests/run.sh [PYTEST-ARGUMENTS...]      e.g.  tests/run.sh -k programs -x
#
# The virtual environment is .venv in the repository, or $REX_VENV.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../scripts/setup.sh
. "$root/scripts/setup.sh"
cd "$root"

# The cache's tests: compiler launchers, and servers for its second level.
# shellcheck disable=SC2034
extra_programs="ccache distcc nginx redis-server"
ensure_packages
venv=${REX_VENV:-$root/.venv}
ensure_venv "$venv"
# An editable installation follows changes of the code; new modules and CMake files need a new one.
installed=$(digest_of pyproject.toml CMakeLists.txt cmake meson; find rex_build -name '*.py' | sort)
ensure_installed "$venv" "$installed" --editable "$root[test]"
# The oldest Meson that is supported, beside the newest one in the environment.
[ -d "$venv/meson-1.0.1" ] || "$venv/bin/pip" install --quiet --no-deps --target "$venv/meson-1.0.1" meson==1.0.1 ||
    note "Meson 1.0.1 could not be installed; its tests are left out"
PATH=$venv/bin:$PATH

# All three have their say, also when one of them fails.
status=0
note "ruff"
ruff check . || status=1
note "mypy"
mypy --strict rex_build || status=1
note "pytest"
python -m pytest -q -n auto "$@" || status=1
exit $status
