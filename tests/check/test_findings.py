"""Wrong and right programs: each wrong one is found at its line, and none of the right ones is reported.

A comment ``// rex-expect: NAME`` stands on each line that is to be reported. ``(likely)`` behind the name says that
only -Wrex-all reports it. Everything else in these files is right.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rex_build.base.findings import NAMES, is_silenced
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_FOLDER = Path(__file__).parent
_FILES = sorted(_FOLDER.glob("*.c"))
_EXPECTED = re.compile(r"// rex-expect: ([\w-]+)( \(likely\))?")


@pytest.mark.compile
@pytest.mark.parametrize("file", _FILES, ids=lambda file: file.stem)
def test_findings(file: Path, tmp_path: Path) -> None:
    lines = enumerate(file.read_text().splitlines(), 1)
    expected = {(n, m[1], not m[2]) for n, line in lines for m in _EXPECTED.finditer(line)}
    lowered = lower_text(LowerRequest(file, tmp_path, ("-O2",), cc="gcc"))
    found = {(f.span.line, f.name, f.certain) for f in lowered.findings if not is_silenced(f)}
    assert found == expected, "\n".join(f"{f.span}: {f.name}: {f.message}" for f in lowered.findings)


def test_pairs() -> None:
    """Every kind of finding has a file with wrong and right programs."""
    assert {file.stem for file in _FILES} == set(NAMES)


@pytest.mark.compile
def test_operands_that_are_no_values(tmp_path: Path) -> None:
    """The member in ``offsetof`` is no variable, and has no type."""
    source = tmp_path / "unit.c"
    source.write_text(
        "#include <stddef.h>\nstruct s { int a, b; };\nvoid f(long *x) {\n#pragma omp target map(from: x[0:1])\n"
        "    x[0] = offsetof(struct s, b);\n}\n"
    )
    assert lower_text(LowerRequest(source, tmp_path, (), cc="gcc")).findings == ()
