"""The keywords of C23, with a compiler that has them; words like others for one that does not."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from execution import find_programs, rex_build, verify

from rex_build.base.diagnostics import ToolError
from rex_build.c.front_end import parse_unit
from rex_build.c.sema.layout import sema_of
from rex_build.c.source.preprocess import preprocess, read_preprocessed
from rex_build.c.syntax.parser import KNOWS_C23

pytestmark = pytest.mark.compile

_OLD = """
typedef enum { false, true } bool;
struct nullptr { bool alignas; };
int f(struct nullptr *constexpr)
{
    int alignof = constexpr->alignas == true, thread_local = 1;
#pragma omp target map(tofrom: alignof)
    alignof += thread_local;
    return alignof;
}
"""


def _compiler() -> str | None:
    """A compiler that knows the keywords, None where there is none."""
    for name in ("gcc", "gcc-15", "gcc-14", "gcc-13", "clang", "clang-19"):
        command = [name, "-std=gnu2x", "-fsyntax-only", "-x", "c", "-"]
        asked = "constexpr bool no = false; enum e : short { none };"
        if shutil.which(name) and subprocess.run(command, input=asked.encode(), capture_output=True).returncode == 0:
            return name
    return None


def test_keywords(device: str, arch: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = _compiler()
    if compiler is None or not KNOWS_C23:
        pytest.skip("no compiler here has the keywords of C23, or pycparser lacks them")
    monkeypatch.setenv("CC", compiler)
    (program,) = [p for p in find_programs() if p.name == "c/c23"]
    lowered = rex_build("lower", "--out-dir", tmp_path, *program.sources, "--", *program.cflags)
    assert lowered.status == 0, lowered.stderr
    assert "with_keywords__" in (tmp_path / "rex_lib_c23.cu").read_text()
    problem = verify(program, tmp_path, device, arch)
    if problem:
        pytest.fail(problem, pytrace=False)


def test_names_of_older_c(tmp_path: Path) -> None:
    source = tmp_path / "old.c"
    source.write_text(_OLD)
    pre = preprocess(source, ["-std=c11"], "gcc")
    assert not pre.c23
    sema = sema_of(parse_unit(pre))
    sema.analyse(sema.functions["f"])
    symbol = sema.file_symbol("true")
    assert symbol is not None
    assert symbol.value == 1


def test_an_old_pycparser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rex_build.c.syntax.parse.KNOWS_C23", False)
    pre = replace(read_preprocessed("_Bool f(void) { return ); }\n", "unit.c"), c23=True)
    with pytest.raises(ToolError, match="newer pycparser"):
        parse_unit(pre)
