"""Objects of lowered units through the cache: each is as one that is made without it, whatever has changed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from cache_project import events
from execution import rex_build

pytestmark = pytest.mark.compile

UNIT = """\
#include "scale.h"
void scale(int n, float *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = x[i] * FACTOR;
}
float of_host(void) { return HOST; }
"""
HEADER = "#define FACTOR 2\n#define HOST 3\n"
ADDED = {
    "its own name": "const char *name(void) { return __BASE_FILE__; }\n",
    "length of its own name": "int name(void) { return sizeof __BASE_FILE__; }\n",
    "a file in assembly": '__asm__(".pushsection .rodata; .incbin \\"data\\"; .popsection");\n',
    "a warning": "static int unused;\n",
}


class Unit:
    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        for name, text in (("unit.c", UNIT), ("include/scale.h", HEADER), ("first/other.h", "")):
            self.write(name, text)
        monkeypatch.setenv("REX_DEVICES", "cpu")
        monkeypatch.setenv("REX_BUILD_CACHE_DIR", str(folder / "store"))
        self.compiler = ["gcc"]
        self.flags = [f"-I{folder}/first", f"-I{folder}/include", "-O1", "-fopenmp", "-Wall"]

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def made(self, *options: str, place: str = "build", **variables: str) -> tuple[bytes, bytes, str]:
        where = self.folder / place
        where.mkdir(exist_ok=True)
        source = str(self.folder / "unit.c")
        front = ["rex-cc", *options, "--", *self.compiler, *self.flags]
        done = rex_build(*front, "-MD", "-MF", "unit.d", "-c", source, "-o", "unit.o", cwd=where, env=variables)
        assert done.status == 0, done.stderr
        return (where / "unit.o").read_bytes(), (where / "unit.d").read_bytes(), done.stderr

    def build(self, *options: str, place: str = "build") -> bool:
        """Build the unit, and compare with what is made without the cache. Returns whether the object was stored."""
        time.sleep(0.03)  # a file written within one clock step of the start counts as changed meanwhile
        before = events().get("object hit")
        assert self.made(*options, place=place) == self.made(*options, place=place, REX_BUILD_CACHE="off")
        return events().get("object hit") != before


@pytest.fixture
def unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Unit:
    return Unit(tmp_path, monkeypatch)


def test_a_second_build_takes_the_object_in_any_folder(unit: Unit) -> None:
    assert not unit.build()
    assert unit.build()
    assert unit.build(place="another")
    unit.write("include/scale.h", HEADER)  # touched
    assert unit.build()


def test_what_an_object_is_made_of(unit: Unit) -> None:
    """Another object follows from each of these changes, and the first one is still there afterwards."""
    kept = ("--keep-in=kept", f"--keep-from={unit.folder}")
    unit.build(*kept)
    for header in (HEADER.replace("3", "4"), "/* HOST */\n" + HEADER):
        unit.write("include/scale.h", header)
        assert not unit.build(*kept)
    unit.write("include/scale.h", HEADER)
    for flag in ("-ffunction-sections", "-O2"):
        unit.flags.append(flag)
        assert not unit.build(*kept)
        unit.flags.pop()
    assert not unit.build(*kept, "--host-device-option=-fno-inline")
    assert unit.build(*kept)
    unit.write("first/scale.h", HEADER.replace("3", "5"))
    assert not unit.build(*kept)


def test_a_header_that_has_moved(unit: Unit) -> None:
    """The dependency file names it, and perhaps __FILE__ does."""
    unit.build()
    (unit.folder / "include/scale.h").rename(unit.folder / "first/scale.h")
    assert not unit.build()


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_relative_names_in_the_command(unit: Unit, suffix: str) -> None:
    """The folder ``src`` of the source is a word that all kinds of text have."""
    unit.write(f"src/unit.{suffix}", UNIT)
    compiler = "g++" if suffix == "cpp" else "gcc"
    for factor, hits in ((2, None), (2, 1), (3, 1), (3, 2)):
        unit.write("include/scale.h", HEADER.replace("2", str(factor)))
        command = ["rex-cc", "--", compiler, "-Iinclude", "-O1", "-c", f"src/unit.{suffix}", "-o", "unit.o"]
        assert rex_build(*command, cwd=unit.folder).status == 0
        assert events().get("image hit") == hits


@pytest.mark.parametrize("added", ADDED)
def test_what_is_made_again_each_time(unit: Unit, added: str) -> None:
    """What names its place or depends on what no key has, and what the compiler has something to say of."""
    unit.write("unit.c", UNIT + ADDED[added])
    for place, data in (("build", "one"), ("another", "two")):
        unit.write("first/data", data)
        assert not unit.build("--keep-in=kept", f"--keep-from={unit.folder}", place=place)


def test_a_program_in_front_of_the_compiler(unit: Unit) -> None:
    """It may have the compiler make another object each time."""
    unit.compiler = [str(unit.folder / "wrap"), "gcc"]
    for more in ("", " -ffunction-sections"):
        unit.write("wrap", f'#!/bin/sh\nexec "$@"{more}\n')
        (unit.folder / "wrap").chmod(0o755)
        assert not unit.build("--compiler=gcc")


def test_the_time_of_compilation(unit: Unit) -> None:
    unit.write("unit.c", UNIT + "const char *when(void) { return __TIME__; }\n")
    first = unit.made()
    time.sleep(1.1)
    assert unit.made() != first


@pytest.mark.parametrize("kept", ["--keep-in=kept", ""])
def test_debug_information_names_folders(unit: Unit, kept: str) -> None:
    """An object that names the folder in which it was made is found there only. A temporary one has no name in it."""
    unit.flags.append("-g")
    words = (kept, f"--keep-from={unit.folder}") if kept else ()
    assert not unit.build(*words)
    assert unit.build(*words)
    assert not unit.build(*words, place="another")
