"""Python's part of libclang has changed: what is used of it works with each version that is allowed."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from rex_build.base.diagnostics import ToolError
from rex_build.cxx import libclang

UNIT = """\
template <class T> T twice(T x) { return x + x; }
_Float16 h;
void f(int n, double *p)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; i++) p[i] = twice(p[i]);
#pragma omp target map(tofrom: h)
    h = h + (_Float16)1;
}
"""


class TypeKind(Enum):
    """As since version 19."""

    INVALID = 0
    UNEXPOSED = 1


class OlderTypeKind:
    """As up to version 18."""

    _kinds: list[object] = [None] * 64

    def __init__(self, value: int) -> None:
        self.value = value
        self._kinds[value] = self


def test_types_without_names() -> None:
    libclang._add_types(TypeKind)
    assert TypeKind(libclang.FLOAT16) is TypeKind(libclang.FLOAT16)
    assert TypeKind(libclang.FLOAT16).value == libclang.FLOAT16
    assert TypeKind(1) is TypeKind.UNEXPOSED
    with pytest.raises(ValueError, match="99"):
        TypeKind(99)
    libclang._add_types(OlderTypeKind)
    assert OlderTypeKind._kinds[libclang.FLOAT16] is not None


@pytest.mark.parametrize("version", [16, 22])
def test_other_versions_are_refused(version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libclang, "_version", lambda _: version)
    with pytest.raises(ToolError, match="libclang 18 or 19") as error:
        libclang.load.__wrapped__()
    assert f"has version {version};" in error.value.diagnostics[0].notes[0]


@pytest.mark.skipif(not Path("/usr/lib/python3/dist-packages/clang").is_dir(), reason="no python3-clang here")
def test_debians_version_reads_the_same(tmp_path: Path) -> None:
    import subprocess

    package = Path(libclang.__file__).parents[1]
    (tmp_path / "clang").symlink_to("/usr/lib/python3/dist-packages/clang")
    (tmp_path / "unit.cpp").write_text(UNIT)
    texts = []
    for path in ("", str(tmp_path)):
        command = [sys.executable, str(package), "lower", "unit.cpp", "--out-dir", "."]
        environment = {"PYTHONPATH": path, "PATH": "/usr/bin:/bin", "REX_BUILD_CACHE": "off"}
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False)
        if "are read with libclang" in done.stderr:
            pytest.skip("Debian's version is none that is allowed")
        assert done.returncode == 0, done.stderr
        texts.append((tmp_path / "rex_lib_unit.cu").read_text())
    assert texts[0] == texts[1]


def test_the_version_is_asked() -> None:
    cindex = libclang.load()
    assert libclang._version(cindex) in libclang._VERSIONS


def test_nodes_have_numbers_of_their_own(tmp_path: Path) -> None:
    """libclang's own have 32 bits: of two declarations with one number, one would be taken for the other."""
    source = tmp_path / "unit.cpp"
    source.write_text("#include <vector>\nint f(int a, int b) { int c = a + b, d = c; return c * d + f(a, b); }\n")
    cindex = libclang.load()
    seen: dict[int, Any] = {}
    for node in cindex.Index.create().parse(str(source)).cursor.walk_preorder():
        if node.kind.is_declaration() or node.kind.is_expression() or node.kind.is_statement():
            assert seen.setdefault(node.hash, node) == node
    assert len(seen) > 1000
    for node in [*seen.values()]:
        referenced = node.referenced if node.kind.name == "DECL_REF_EXPR" else None
        if referenced is not None:
            assert seen.setdefault(referenced.hash, referenced) == referenced
    assert max(seen) >= 1 << 32
