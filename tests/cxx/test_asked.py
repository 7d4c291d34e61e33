"""What a region asks the runtime is known from the functions that it names, and not from its text."""

from __future__ import annotations

from pathlib import Path

import pytest
from explained import transformations

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

pytestmark = pytest.mark.compile
_REGION = """
#include <omp.h>
#include <stdio.h>
{front}
void f(int *a, int n) {{
#pragma omp target teams distribute parallel for schedule(static)
  for (int i = 0; i < n; ++i) {{ {body} }}
}}
"""


def _once(tmp_path: Path, body: str, front: str = "", suffix: str = ".cpp") -> str:
    source = tmp_path / f"unit{suffix}"
    source.write_text(_REGION.format(body=body, front=front))
    return transformations(LowerRequest(source, tmp_path, no_opt=("stage",)))["once"]


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_a_string_that_looks_like_a_call_asks_nothing(tmp_path: Path, suffix: str) -> None:
    assert not _once(tmp_path, 'printf("omp_get_thread_num() %d", i); a[i] = i;', suffix=suffix).startswith("no, ")


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_a_call_asks(tmp_path: Path, suffix: str) -> None:
    assert _once(tmp_path, "a[i] = omp_get_thread_num();", suffix=suffix) == "no, the scheduler deals out chunks"


def test_a_call_in_a_closure_asks(tmp_path: Path) -> None:
    body = "auto which = [] { return omp_get_thread_num(); }; a[i] = which();"
    assert _once(tmp_path, body) == "no, the scheduler deals out chunks"


@pytest.mark.parametrize(
    ("call", "recursive"),
    [
        ("std::sort(a, a + n)", True),
        ("std::stable_sort(a, a + n)", True),
        ("std::partial_sort(a, a + 1, a + n)", False),
        ("a[i] = std::max(a[i], n)", False),
    ],
)
def test_a_function_of_the_library_that_calls_itself(tmp_path: Path, call: str, recursive: bool) -> None:
    source = tmp_path / "unit.cpp"
    source.write_text(_REGION.format(body=f"{call};", front="#include <algorithm>"))
    assert ("; recursive" in lower_text(LowerRequest(source, tmp_path)).host) == recursive
