"""Wrong and right programs: each wrong one is found at its line, and none of the right ones is reported.

A comment ``// rex-expect: NAME`` stands on each line that is to be reported. ``(likely)`` behind the name says that
only -Wrex-all reports it. Everything else in these files is right.
"""

from __future__ import annotations

import re
from pathlib import Path

import cxx_pairs
import pytest

from rex_build.base.findings import NAMES, is_silenced
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_FOLDER = Path(__file__).parent
_FILES = sorted(_FOLDER.glob("*.c"))
_MORE = sorted([*(_FOLDER / "more").glob("*.c"), *(_FOLDER / "cxx").glob("*.cpp")])
_EXPECTED = re.compile(r"// rex-expect: ([\w-]+)( \(likely\))?")


@pytest.mark.compile
@pytest.mark.sampled(3)
@pytest.mark.parametrize("file", [*_FILES, *_MORE], ids=lambda file: file.name)
def test_findings(file: Path, tmp_path: Path) -> None:
    lines = enumerate(file.read_text().splitlines(), 1)
    expected = {(n, m[1], not m[2]) for n, line in lines for m in _EXPECTED.finditer(line)}
    lowered = lower_text(LowerRequest(file, tmp_path, ("-O2",), cc="g++" if file.suffix == ".cpp" else "gcc"))
    found = {(f.span.line, f.name, f.certain) for f in lowered.findings if not is_silenced(f)}
    told = [f"{f.span}: {f.name}: {f.message}" for f in lowered.findings]
    assert found == expected, "\n".join(told)
    assert not [message for message in told if "''" in message or "'?'" in message], "something without a name"


# The names of the check device's findings, and what is said of the same mistakes while a file is lowered.
_SAID = {
    "race": "dependence",
    "barrier": "barrier",
    "nowait": "nowait",
    "unmapped-access": "unmapped-pointer",
    "outside-section": "bounds",
    "section-too-long": "bounds",
    "released-access": "released",
    "device-memory-on-host": "device-pointer",
    "uninitialised-read": "unset",
    "stale-read-on-device": "stale",
    "stale-read-on-host": "stale",
    "dropped-result": "lost-result",
    "lost-host-write": "stale",
    "double-release": "double-release",
    "never-released": "leak",
    "freed-while-mapped": "leak",
}
# Of what these places point to, nothing is known, so it may be mapped, and it may have any size.
_UNKNOWN = {(kind, place) for kind in ("unmapped-access", "section-too-long") for place in ("vector", "unique_pointer")}


@pytest.mark.compile
def test_pairs_in_cxx(tmp_path: Path) -> None:
    """Each mistake is found in the places of C++ in which it stands, and nothing is said about its right twin."""
    pairs = [pair for turn in range(0, len(cxx_pairs.PLACES), 4) for pair in cxx_pairs.dealt(turn)]
    source = tmp_path / "pairs.cpp"
    source.write_text(cxx_pairs.program(pairs))
    marks = [n for n, line in enumerate(source.read_text().splitlines(), 1) if "rex-expect" in line]
    findings = lower_text(LowerRequest(source, tmp_path, ("-O2",), cc="g++")).findings
    found: set[tuple[str, str]] = set()
    shared = {("never-released", place) for place, (name, *_) in cxx_pairs.PLACES.items() if name.endswith("values")}
    expected = {pair for pair in pairs if pair not in _UNKNOWN | shared}  # other functions release members of this name
    wrong: set[int] = set()
    for (mistake, place), mark in zip(pairs, marks, strict=True):
        lines = cxx_pairs.MISTAKES[mistake][0].strip().splitlines()
        first = mark - next(n for n, line in enumerate(lines) if "rex-expect" in line)
        own = range(first, first + len(lines))
        wrong.update(own)
        if any(f.span.line in own and f.name == _SAID[mistake] for f in findings):
            found.add((mistake, place))
    assert found >= expected
    assert [f"{f.span}: {f.name}: {f.message}" for f in findings if f.span.line not in wrong] == []


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


@pytest.mark.compile
def test_variables_of_the_device(tmp_path: Path) -> None:
    """In a program that begins in this unit, both sides begin with one value of a ``declare target`` variable."""
    source = tmp_path / "unit.c"
    source.write_text(
        "int table[4] = {1, 2, 3, 4}, *place, linked;\n#pragma omp declare target to(table, place) link(linked)\n"
        "int main(void) {\n    int s = 0, here[2] = {1, 2};\n    table[2] = 10;\n    place = here;\n    linked = 1;\n"
        "#pragma omp target map(tofrom: s, linked) map(to: place[0:2])\n"
        "    s = table[2] + place[1] + linked;\n"
        "#pragma omp target update to(table)\n#pragma omp target map(tofrom: s)\n    s += table[2];\n"
        "#pragma omp target map(tofrom: table)\n    table[1] = 5;\n    return s + table[1];\n}\n"
    )
    found = lower_text(LowerRequest(source, tmp_path, (), cc="gcc")).findings
    assert [(f.span.line, f.name, f.certain, f.variable) for f in found] == [
        (9, "stale", True, "table"),
        (15, "stale", True, "table"),
    ]


@pytest.mark.compile
def test_long_regions(tmp_path: Path) -> None:
    """Of a very long region only the first part is checked. What the rest may do is not taken for not done."""
    source = tmp_path / "unit.c"
    source.write_text(
        "void f(int *a, int n, int m) {\n"
        "    int b[4], c[4];\n"
        "#pragma omp target data map(alloc: b, c)\n"
        "    {\n"
        "#pragma omp target map(to: a[0:n]) firstprivate(m)\n"
        "        {\n"
        f"            m = a[n];\n{'            a[0] += n;' * 3000}\n            a[0] = b[0] = m;\n"
        "        }\n"
        "#pragma omp target map(from: a[0:n])\n"
        "        a[0] = b[0] + c[0] + m;\n"
        "    }\n"
        "}\n"
    )
    found = lower_text(LowerRequest(source, tmp_path, (), cc="gcc")).findings
    assert [(f.name, f.variable) for f in found] == [("bounds", "a")]
