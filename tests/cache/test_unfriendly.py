"""Inputs that try to get a wrong hit. Everything that changes the text has to change the outcome."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from cache_project import HEADER, UNIT, Project

from rex_build.pipeline import lower

HIT = "direct hit"


def test_imacros(project: Project) -> None:
    """The preprocessed text shows such a file only by what its macros expand to."""
    project.write("src/unit.c", UNIT.replace("* FACTOR", "* FACTOR + EXTRA"))
    project.write("include/extra.h", "#define EXTRA 1\n")
    flags = ("-imacros", f"{project.root}/include/extra.h")
    project.lower(*flags)
    project.write("include/extra.h", "#define EXTRA 2\n")
    assert project.lower(*flags) != HIT


@pytest.mark.parametrize("option", ["-include", "-imacros"])
def test_forced_headers_that_appear_earlier(
    project: Project, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler looks for such headers in the working directory first."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    project.write("src/unit.c", UNIT.replace("* FACTOR", "* FACTOR + EXTRA"))
    project.write("include/extra.h", "#define EXTRA 1\n")
    project.lower(option, "extra.h")
    assert project.lower(option, "extra.h") == HIT
    (tmp_path / "work/extra.h").write_text("#define EXTRA 2\n")
    assert project.lower(option, "extra.h") == "miss: has appeared"


@pytest.mark.parametrize("option", ["-I", "-isystem", "-iquote"])
def test_every_kind_of_search_path(project: Project, option: str) -> None:
    (project.root / "early").mkdir()
    flags = {"cflags": (option, f"{project.root}/early", option, f"{project.root}/include")}
    project.lower(**flags)
    assert project.lower(**flags) == HIT
    project.write("early/scale.h", "#define FACTOR 7\n")
    assert project.lower(**flags) == "miss: has appeared"


def test_another_sysroot(project: Project) -> None:
    for root, factor in (("one", 4), ("two", 5)):
        project.write(f"{root}/usr/include/scale.h", f"#define FACTOR {factor}\n")
        assert project.lower(cflags=(f"--sysroot={project.root}/{root}", "-I=/usr/include")).startswith("miss")
    project.write("one/usr/include/scale.h", "#define FACTOR 6\n")
    assert project.lower(cflags=(f"--sysroot={project.root}/one", "-I=/usr/include")).startswith("miss")


def test_response_files_within_response_files(project: Project) -> None:
    inner = project.write("inner.txt", "-DEXTRA=1\n")
    outer = project.write("outer.txt", f"@{inner}\n")
    project.write("src/unit.c", UNIT.replace("* FACTOR", "* FACTOR + EXTRA"))
    project.lower(f"@{outer}")
    project.write("inner.txt", "-DEXTRA=2\n")
    assert project.lower(f"@{outer}") != HIT


@pytest.mark.parametrize("how", ["flag", "pasted", "response"])
def test_the_time_of_compilation_in_disguise(project: Project, how: str) -> None:
    flags: tuple[str, ...] = ()
    text = UNIT + "const char *when = NOW;\n"
    if how == "flag":
        flags = ("-DNOW=__TIME__",)
    elif how == "response":
        flags = (f"@{project.write('flags.txt', '-DNOW=__TIME__')}",)
    else:
        text = "#define P(a, b) a##b\n#define Q(a, b) P(a, b)\n#define NOW Q(__TI, ME__)\n" + text
    project.write("src/unit.c", text)
    project.lower(*flags)
    time.sleep(1)
    assert project.lower(*flags) != HIT


@pytest.mark.parametrize(
    "condition",
    [
        '__has_include \\\n("extra.h")',
        '__has_include /* where */ ("extra.h")',
        "__has_include(NAME)",
        "HAS(NAME)",
        'HAS("extra.h")',
        'PASTED(__, ha, s_, inc, lude)("extra.h")',
        'PASTED(_, _, has_incl, u, de)("extra.h")',
        "defined(__has_include) && __has_include(NAME)",
        '__has_incl\\\nude("extra.h")',
        'defined __has_include && (__has_include("extra.h") || 0)',
    ],
)
def test_has_include_in_disguise(project: Project, condition: str) -> None:
    text = '#define NAME "extra.h"\n' + "#define HAS(x) __has_include(x)\n" * condition.startswith("HAS")
    text += "#define PASTED(a, b, c, d, e) a##b##c##d##e\n" * condition.startswith("PASTED")
    text += f"#if {condition}\n#define MORE 1\n#else\n#define MORE 0\n#endif\n"
    project.write("src/unit.c", text + UNIT.replace("* FACTOR", "* FACTOR + MORE"))
    project.lower()
    project.write("include/extra.h", "\n")
    assert project.lower() != HIT


def test_words_that_nothing_pastes_are_no_disguise(project: Project) -> None:
    """The letters of such a name are words of many units, each on its own line."""
    letters = "".join(f"extern int {letter};\n" for letter in dict.fromkeys("__has_include__DATE__"))
    project.write("src/unit.c", f"#define PASTED(a, b) a##b\n{letters}" + UNIT)
    project.lower()
    assert project.lower() == HIT


def test_has_include_in_a_flag(project: Project) -> None:
    text = '#if HAS("extra.h")\n#define MORE 1\n#else\n#define MORE 0\n#endif\n'
    project.write("src/unit.c", text + UNIT.replace("* FACTOR", "* FACTOR + MORE"))
    project.lower("-DHAS(x)=__has_include(x)")
    project.write("include/extra.h", "\n")
    assert project.lower("-DHAS(x)=__has_include(x)") != HIT


def test_what_has_include_found_becomes_a_folder(project: Project) -> None:
    text = '#if __has_include("extra.h")\n#define MORE 1\n#else\n#define MORE 0\n#endif\n'
    project.write("src/unit.c", text + UNIT.replace("* FACTOR", "* FACTOR + MORE"))
    project.write("include/extra.h", "\n")
    project.lower()
    (project.root / "include/extra.h").unlink()
    (project.root / "include/extra.h").mkdir()
    assert project.lower() != HIT


def test_a_folder_by_a_headers_name(project: Project) -> None:
    """The compiler skips such a folder and searches on."""
    (project.root / "early/scale.h").mkdir(parents=True)
    (project.root / "next").mkdir()
    flags = {"cflags": tuple(f"-I{project.root}/{name}" for name in ("early", "next", "include"))}
    project.lower(**flags)
    project.write("next/scale.h", "#define FACTOR 7\n")
    assert project.lower(**flags) != HIT
    (project.root / "early/scale.h").rmdir()
    project.write("early/scale.h", "#define FACTOR 8\n")
    assert project.lower(**flags) != HIT


def test_a_link_to_nothing_that_comes_to_lead_somewhere(project: Project) -> None:
    (project.root / "early").mkdir()
    (project.root / "early/scale.h").symlink_to(project.root / "elsewhere/scale.h")
    flags = {"cflags": (f"-I{project.root}/early", f"-I{project.root}/include")}
    project.lower(**flags)
    project.write("elsewhere/scale.h", "#define FACTOR 7\n")
    assert project.lower(**flags) != HIT


def test_a_file_where_an_include_folder_should_be(project: Project) -> None:
    project.write("early", "a file\n")
    flags = {"cflags": (f"-I{project.root}/early", f"-I{project.root}/include")}
    project.lower(**flags)
    (project.root / "early").unlink()
    project.write("early/scale.h", "#define FACTOR 7\n")
    assert project.lower(**flags) != HIT


def test_old_style_search_paths(project: Project) -> None:
    """With ``-I-``, the source's own folder is not searched."""
    project.write("src/scale.h", "#define FACTOR 9\n")
    (project.root / "early").mkdir()
    flags = {"cflags": (f"-I{project.root}/early", "-I-", f"-I{project.root}/include")}
    project.lower(**flags)
    project.write("early/scale.h", "#define FACTOR 7\n")
    assert project.lower(**flags) != HIT


def test_a_folder_that_becomes_a_link(project: Project) -> None:
    project.lower()
    (project.root / "include").rename(project.root / "old")
    project.write("new/scale.h", "#define FACTOR 7\n")
    (project.root / "include").symlink_to("new")
    assert project.lower() == "miss: has changed"


def test_a_header_of_the_same_size_and_time(project: Project) -> None:
    """The header's times are set back. The memo compares the inode and ctime, which nobody can set back."""
    header = project.write("include/scale.h", HEADER)
    os.utime(header, (10**9, 10**9))
    time.sleep(2.1)
    project.lower()
    assert project.lower() == HIT
    header.write_text("#define FACTOR 3\n")
    os.utime(header, (10**9, 10**9))
    assert project.lower() == "miss: has changed"
    other = project.write("include/other.h", "#define FACTOR 4\n")
    os.utime(other, (10**9, 10**9))
    other.rename(header)
    assert project.lower() == "miss: has changed"


def test_a_new_header_in_a_folder_that_has_settled(project: Project) -> None:
    """The memo also compares the states of folders when it remembers that a record holds."""
    outside = project.root.parent / "outside"
    outside.mkdir()
    flags = {"cflags": (f"-I{outside}", f"-I{project.root}/include")}
    os.utime(outside, (10**9, 10**9))
    time.sleep(2.1)
    project.lower(**flags)
    assert project.lower(**flags) == HIT
    assert project.lower(**flags) == HIT
    (outside / "scale.h").write_text("#define FACTOR 7\n")
    os.utime(outside, (10**9, 10**9))
    assert project.lower(**flags) == "miss: has appeared"


def test_the_directory_of_relative_names(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same command line means something else in another folder."""
    for name, factor in (("one", 4), ("two", 5)):
        (tmp_path / name / "inc").mkdir(parents=True)
        (tmp_path / name / "inc/scale.h").write_text(f"#define FACTOR {factor}\n")
        (tmp_path / name / "unit.c").write_text(UNIT)
        monkeypatch.chdir(tmp_path / name)
        assert project.lower(source=Path("unit.c"), cflags=("-Iinc",), base_dir=None).startswith("miss")


def test_empty_parts_of_cpath(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty part means the working directory."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("CPATH", f":{project.root}/include")
    project.lower(cflags=())
    assert project.lower(cflags=()) == HIT
    (tmp_path / "work/scale.h").write_text("#define FACTOR 7\n")
    assert project.lower(cflags=()) == "miss: has appeared"


def test_warnings_of_the_preprocessor(project: Project, capfd: pytest.CaptureFixture[str]) -> None:
    project.write("include/scale.h", HEADER + "#warning old header\n")
    lower(project.request())
    first = capfd.readouterr().err
    time.sleep(0.05)
    lower(project.request())
    lower(project.request())
    assert capfd.readouterr().err == first * 2 or not first
