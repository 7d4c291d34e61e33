"""Two checkouts with one store. They share entries, and every file name in their results is right."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from cache_project import UNIT, Project


@pytest.fixture
def other(tmp_path: Path, project: Project) -> Project:
    """The same files elsewhere, below a longer name."""
    return Project(tmp_path / "a second" / "checkout-of-it")


def test_a_second_checkout_hits(project: Project, other: Project) -> None:
    project.lower()
    assert other.lower() == "direct hit"
    host = (other.out / "rose_unit.c").read_text()
    assert f' "{other.root}/src/unit.c"' in host
    assert str(project.root) not in host + (other.out / "unit.d").read_text()
    assert str(other.root / "include/scale.h").replace(" ", "\\ ") in (other.out / "unit.d").read_text()


def test_a_checkout_named_through_a_link(project: Project, tmp_path: Path) -> None:
    project.lower()
    (tmp_path / "link").symlink_to(project.root)
    assert Project(tmp_path / "link").lower() == "direct hit"


def test_without_a_base_directory_nothing_is_shared(project: Project, other: Project) -> None:
    project.lower(base_dir=None)
    assert other.lower(base_dir=None).startswith("miss")
    assert other.lower(base_dir=None) == "direct hit"


@pytest.mark.parametrize(
    "text",
    [
        UNIT.replace("* FACTOR", "* FACTOR + (int)sizeof(__FILE__)"),
        UNIT + "const char *here = __FILE__;\n",
        UNIT.replace("* FACTOR", "* FACTOR + WHERE[0]").replace("void", "#define WHERE __FILE__\nvoid", 1),
    ],
)
def test_the_name_of_the_file_in_the_text(project: Project, other: Project, text: str) -> None:
    for checkout in (project, other):
        checkout.write("src/unit.c", text)
        assert checkout.lower().startswith("miss")
        assert checkout.lower() == "direct hit"


def test_a_literal_that_looks_like_the_base_directory(project: Project, other: Project) -> None:
    for checkout in (project, other):
        checkout.write("src/unit.c", UNIT + f'const char *data = "{project.root}/data";\n')
        checkout.lower()
    # The user's own text is unchanged in the second checkout, which lower() checks.
    assert other.lower() == "direct hit"


def test_definitions_with_the_base_directory_are_not_shared(project: Project, other: Project) -> None:
    text = UNIT.replace("* FACTOR", "* FACTOR + DATA[0]")
    for checkout in (project, other):
        checkout.write("src/unit.c", text)
        assert checkout.lower(f'-DDATA="{checkout.root}/data"').startswith("miss")


def test_a_short_base_directory_does_not_match_expressions(project: Project, tmp_path: Path) -> None:
    """``x/a`` in a program has nothing to do with a base directory ``/a``."""
    from rex_build.cache.manifest import Base
    from rex_build.cache.unit import UnitResult

    assert UnitResult({"host": b'#line 1 "/a/x.c"\ny = x/a;\n'}, 0, 0).pack(Base("/a"))[1]


def test_warnings_are_replayed_where_they_belong(project: Project, other: Project) -> None:
    """A region that is left to the host gives a warning. A hit repeats it with the place in its own checkout."""
    text = UNIT.replace("x[i] = x[i] * FACTOR;", '__asm__ volatile("nop");')
    for checkout, event in ((project, "miss: not seen before"), (other, "direct hit")):
        checkout.write("src/unit.c", text)
        assert checkout.lower(on_unsupported="host") == event
        from rex_build.pipeline import lower

        (warning, *_) = lower(checkout.request(on_unsupported="host")).diagnostics
        assert warning.severity == "warning"
        assert warning.span is not None
        assert warning.span.file == str(checkout.root / "src/unit.c")


def test_relative_names(project: Project, other: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    for checkout, event in ((project, "miss: not seen before"), (other, "direct hit")):
        monkeypatch.chdir(checkout.root)
        assert checkout.lower(source=Path("src/unit.c"), cflags=("-Iinclude",)) == event
        assert str(checkout.root / "include/scale.h").replace(" ", "\\ ") in (checkout.out / "unit.d").read_text()


@pytest.mark.parametrize("base", [True, False], ids=["with a base directory", "without"])
def test_relative_folders_of_the_system_in_cxx(
    project: Project, other: Project, base: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The device file includes headers of the system, and names their folder as a whole."""
    for checkout in (project, other):
        checkout.write("src/unit.cpp", UNIT.replace('"scale.h"', "<scale.h>"))
        monkeypatch.chdir(checkout.root)
        request = {"source": Path("src/unit.cpp"), "cc": "g++", "base_dir": checkout.root if base else None}
        for event in ("miss", "direct hit"):
            assert checkout.lower(cflags=("-isystem", "include"), **request).startswith(event)
            folder = shlex.quote(str(checkout.root / "include"))
            assert f"/* options: -isystem {folder} */" in (checkout.out / "rex_lib_unit.cu").read_text()
