"""Large programs: what is nested deeply is lowered, or refused with its place, and work grows as the program does.

Work is counted in calls of Python functions, which are as many in every run.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from shapes import DEEP, NESTED, UNITS, WIDE, unit

from rex_build.base.diagnostics import InputError
from rex_build.pipeline import lower_text
from rex_build.request import Lowered, LowerRequest

LEVELS = 2000
# Output of these has as many lines as levels, each of which every level around it copies.
COPIED = (
    "blocks", "ifs", "ifs with braces", "for loops", "while loops", "do loops", "switches", "statement expressions",
)  # fmt: skip


def lower(folder: Path, text: str, name: str = "unit.c") -> Lowered:
    source = folder / name
    source.write_text(text)
    return lower_text(LowerRequest(source, folder, ("-w", "-fopenmp"), cc="gcc"))


def work(folder: Path, text: str, name: str) -> int:
    """The calls of Python functions that it takes to lower a unit, once all modules are imported."""
    lower(folder, text, f"first_{name}")
    calls = 0

    def count(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal calls
        calls += event == "call"

    threading.setprofile(count)  # of the thread in which the passes run
    try:
        lower(folder, text, name)
    finally:
        threading.setprofile(None)
    return calls


@pytest.mark.parametrize("in_region", [False, True], ids=["host", "region"])
@pytest.mark.parametrize("shape", DEEP)
def test_deep_nesting_is_lowered(tmp_path: Path, shape: str, in_region: bool) -> None:
    levels = LEVELS // 10 if shape in COPIED or shape == "structures" else LEVELS
    lowered = lower(tmp_path, unit(DEEP[shape], levels, in_region))
    assert lowered.entries >= 1


@pytest.mark.parametrize("shape", ["parentheses", "blocks", "sums on the left"])
def test_nesting_that_is_too_deep_is_refused_with_its_place(tmp_path: Path, shape: str) -> None:
    text = unit(DEEP[shape], 50_000, in_region=True)
    with pytest.raises(InputError) as caught:
        lower(tmp_path, text)
    (error,) = caught.value.diagnostics
    assert error.message == "this is nested too deeply"
    assert error.span is not None
    assert error.span.file == str(tmp_path / "unit.c")
    assert 3 <= error.span.line < 9  # the region, or what is in it


@pytest.mark.parametrize("shape", NESTED)
def test_nested_directives_have_a_limit(tmp_path: Path, shape: str) -> None:
    make, most, message = NESTED[shape]
    lower(tmp_path, unit(make, most, in_region=True), "some.c")
    for more in (most + 1, LEVELS):
        with pytest.raises(InputError, match=message) as caught:
            lower(tmp_path, unit(make, more, in_region=True), f"{more}.c")
        assert caught.value.diagnostics[0].span is not None


@pytest.mark.parametrize("declarator", ["int {}p;", "int p{};"])
def test_a_type_has_a_limit_of_levels(tmp_path: Path, declarator: str) -> None:
    mark = "*" if "{}p" in declarator else "[1]"

    def text(levels: int) -> str:
        return unit(lambda n: ("", declarator.format(mark * n) + " x = sizeof p;"), levels, in_region=True)

    lower(tmp_path, text(150), "some.c")
    with pytest.raises(InputError, match="more than 200 pointers, arrays and functions"):
        lower(tmp_path, text(LEVELS), "many.c")


@pytest.mark.parametrize("in_region", [False, True], ids=["host", "region"])
@pytest.mark.parametrize("shape", WIDE)
def test_work_grows_as_programs_do(tmp_path: Path, shape: str, in_region: bool) -> None:
    none, some, more = (work(tmp_path, unit(WIDE[shape], n, in_region), f"{n}.c") for n in (1, 100, 400))
    assert more - none < 5 * (some - none) + 2000


@pytest.mark.parametrize("name", UNITS)
def test_work_grows_as_units_do(tmp_path: Path, name: str) -> None:
    none, some, more = (work(tmp_path, UNITS[name](n), f"{n}.c") for n in (1, 50, 200))
    assert more - none < 5 * (some - none) + 2000
