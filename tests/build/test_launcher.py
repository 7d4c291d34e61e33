"""The launcher, which passes files to the compiler without rex-build: it is never wrong, and quick where it matters."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from build_tool import ROOT
from scan_texts import CONCERN_THE_DEVICE, DO_NOT, REGION, WITH_FLAGS, words_of, write_headers

from rex_build.base.diagnostics import RexError
from rex_build.build import launcher
from rex_build.c.source.preprocess import preprocess
from rex_build.c.source.scan import concerns_device

pytestmark = pytest.mark.compile

IN_ENGLISH = {**os.environ, "LC_ALL": "C"}
ASKED = 42  # what rex-build ends with in these tests
Sure = Callable[..., bool]


@pytest.fixture
def sure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sure:
    """Whether the launcher passes a command line on without asking rex-build. ``text`` becomes unit.c."""
    bin_dir = tmp_path / "bin"
    bin_dir.mkdir()
    (bin_dir / "rex-build").write_text(f"#!/bin/sh\nexit {ASKED}\n")
    for name in ("rex-build", "rex-gcc"):
        (bin_dir / name).touch()
        (bin_dir / name).chmod(0o755)
    for name in ("CC", "CXX", "REX_CC", "REX_CXX", "CPATH", "C_INCLUDE_PATH"):
        monkeypatch.delenv(name, raising=False)
    for compiler in ("gcc", "g++"):
        launcher.prepare(shutil.which(compiler) or compiler)
    where = launcher.folder()
    assert where is not None
    monkeypatch.chdir(tmp_path)

    def is_sure(text: str, *flags: str, name: str = "rex-gcc", unit: str = "unit.c") -> bool:
        Path(unit).write_text(text)
        command = [where / "launcher", name, bin_dir / "rex-gcc", *flags, "-c", unit, "-o", os.devnull]
        return subprocess.run(command, capture_output=True).returncode != ASKED

    return is_sure


@pytest.mark.parametrize("text", CONCERN_THE_DEVICE)
def test_it_is_not_sure_of_what_concerns_the_device(sure: Sure, text: str) -> None:
    assert not sure(text, "-w")
    assert not sure(f'#include "unit.h"\n{text}')
    (Path("own.h")).write_text(text)
    assert not sure('#include "own.h"\n')
    assert not sure("#if 0\n#include <own.h>\n#endif\n", "-isystem", ".")


def test_the_mark_of_utf_8_is_no_name(sure: Sure) -> None:
    """A directive may follow it, which has the first line to itself."""
    for text in ('#include "own.h"\n', "#pragma omp target\n;"):
        Path("own.h").write_text(f"\ufeff{REGION}")
        assert not sure(f"\ufeff{text}")


@pytest.mark.parametrize(("text", "flags"), WITH_FLAGS)
def test_it_reads_flags_as_the_compiler_does(sure: Sure, tmp_path: Path, text: str, flags: str) -> None:
    write_headers(tmp_path)
    assert not sure(text, *words_of(flags))


@pytest.mark.parametrize(
    "text",
    [
        *(text for text in DO_NOT if "MORE" not in text and "omp target\n" not in text),
        "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n#include <pthread.h>\nint x; // it's \"so\n",
        "#define N 4\n#define M (N * 2)\n#pragma omp parallel for num_threads(M) schedule(static, N) \\\n shared(x)\n",
        "#pragma once\n#pragma GCC diagnostic push\n#pragma unroll\n#pragma STDC FENV_ACCESS on\n",
        '#define P _Pragma("omp parallel for")\n#define UNUSED tar##get\n',
        '#define P(x) _Pragma(#x)\nP(GCC diagnostic push)\n#pragma omp parallel\n_Pragma("GCC warning \\"omp\\"")',
        "#define CONFIG <limits.h>//\n#define ALIAS CONFIG\n#ifdef N\n#include N\n#endif\n#include ALIAS/**/\n",
        'char c = \'"\', *s = "/* \\" #pragma omp target [[omp::directive(target)]]";\n',
        "#define _(x) x\n/* #pragma omp target */ // _Pragma(x)\nint sequence, directive;\n",
    ],
)
def test_it_is_sure_of_usual_files(sure: Sure, text: str) -> None:
    flags = "-O3 -g -Wall -Wextra -std=gnu11 -march=native -fopenmp -DNDEBUG -DA(x)=x -I. -MD -MF deps -pthread"
    assert sure(text, *flags.split())
    assert sure(text, "-std=c++17", name="rex-g++")


MACRO = "#define P(x) _Pragma(#x)\n"
OTHER = {
    "arguments that become a directive": MACRO + "P(omp parallel)\n",
    "through another macro": MACRO + "#define Q(x) P(omp x)\nQ(parallel)\n",
    "pasted": MACRO + "#define Q P(o##mp parallel)\nQ\n",
    "pasted of three": MACRO + "#define Q(a, b, c) P(a##b##c parallel)\nQ(o, m, p)\n",
    "a header that a macro names": '#include HEADER\n#define HEADER "own.h"\n',
    "in angles": "#define HEADER <own.h>\n#include HEADER\n",
    "through two macros": '#define FIRST SECOND\n#define SECOND "own.h"\n#include FIRST\n',
    "a macro in the name": "#define HEADER <some.h>\n#define some own\n#include HEADER\n",
    "a macro of the compiler in the name": "#define HEADER <linux.h>\n#include HEADER\n",
    "the file itself": "#include __FILE__\n",
    "a function": '#define HEADER(x) "own.h"\n#include HEADER(1)\n',
}


@pytest.mark.parametrize("text", OTHER.values(), ids=OTHER)
def test_it_is_not_sure_of_what_macros_make(sure: Sure, text: str) -> None:
    Path("own.h").write_text("#pragma omp target\n")
    assert not sure(text, "-I.")
    Path("defines.h").write_text(text)
    assert not sure('#include "defines.h"\n', "-I.")


def test_a_large_part_of_the_system_s_headers_is_no_hindrance(sure: Sure) -> None:
    headers = "vector map string iostream thread algorithm cmath complex chrono regex"
    assert sure("".join(f"#include <{name}>\n" for name in headers.split()), name="rex-g++", unit="unit.cpp")


@pytest.mark.parametrize(
    "flags",
    [
        *("-omptargets=nvptx64", "-fopenmp-targets=nvptx64", "-foffload=disable", "-mp=gpu", "-Minfo", "-fplugin=x"),
        *("-openmp", "-h omp"),
        *("-fp-model=fast", "-ftz", "-gencode=arch=compute_80,code=sm_80", "-mkl=parallel", "-fimf-prec=low"),
        *("-m32", "-ansi", "-x c"),
        *("-S", "--param x", "@words", "-", "-Wp,-DX", "-I-", "-I=x", "--sysroot=x", "-B.", "-specs=x", "-iprefix x"),
        *("-std=c89", "-save-temps", "-Xpreprocessor -DX", "other.i", "other.f90", "other.o", "-nonsense", "other.cpp"),
    ],
)
def test_it_leaves_unusual_options_to_rex_build(sure: Sure, flags: str) -> None:
    assert not sure("int x;\n", *flags.split())


@pytest.mark.parametrize("variable", ["GCC_EXEC_PREFIX", "COMPILER_PATH", "REX_BUILD_CHAIN"])
def test_it_leaves_unusual_environments_to_rex_build(
    sure: Sure, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    assert sure("int x;\n")
    monkeypatch.setenv(variable, "/nowhere")
    assert not sure("int x;\n")


@pytest.mark.parametrize(
    ("variable", "unit"),
    [("CPATH", "unit.c"), ("CPATH", "unit.cpp"), ("C_INCLUDE_PATH", "unit.c"), ("CPLUS_INCLUDE_PATH", "unit.cpp")],
)
@pytest.mark.parametrize("value", ["more", "/nowhere:more", ":/nowhere", "more:"])
def test_it_reads_headers_in_folders_of_variables(
    sure: Sure, monkeypatch: pytest.MonkeyPatch, variable: str, unit: str, value: str
) -> None:
    """Modules of clusters set them."""
    name = "rex-g++" if unit.endswith("pp") else "rex-gcc"
    Path("more").mkdir()
    for folder in (".", "more"):
        Path(folder, "own.h").write_text("#pragma omp target\n")
    monkeypatch.setenv(variable, value)
    assert sure("#include <stdio.h>\n", name=name, unit=unit)
    assert not sure("#include <own.h>\n", name=name, unit=unit)
    Path("first").mkdir()
    Path("first", "own.h").write_text("int x;\n")
    assert sure("#include <own.h>\n", "-Ifirst", name=name, unit=unit) or value != "more"


def test_folders_of_variables_are_none_of_the_compiler_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for value in ("", str(tmp_path)):
        for variable in ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"):
            monkeypatch.setenv(variable, value)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cache{len(texts)}"))
        launcher.prepare(shutil.which("gcc") or "")
        where = launcher.folder()
        assert where is not None
        texts.append({known.name: known.read_text() for known in where.glob("*.c*")})
    assert texts[0] == texts[1] != {}


def test_scripts_have_the_launcher_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows none of their folders, but passes on commands that ask it only for options."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    script = tmp_path / "mycc"
    script.write_text('#!/bin/sh\nexec gcc "$@"\n')
    script.chmod(0o755)
    launcher.prepare(str(script))
    where = launcher.folder()
    assert where is not None
    command = [where / "launcher", "rex-cc", "rex-cc", "--options-in=/nowhere", "--", script, "--version"]
    assert b"Free Software" in subprocess.run(command, capture_output=True, check=True).stdout


def test_another_compiler_is_asked_anew(sure: Sure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders of headers are known for one state of one compiler, and for gcc itself only."""
    gcc = tmp_path / "bin" / "mygcc"
    gcc.symlink_to(shutil.which("gcc") or "")
    monkeypatch.setenv("REX_CC", str(gcc))
    assert not sure("int x;\n")
    launcher.prepare(str(gcc))
    assert sure("int x;\n")
    gcc.unlink()
    gcc.write_text('#!/bin/sh\nexec gcc "$@"\n')
    gcc.chmod(0o755)
    assert not sure("int x;\n")
    launcher.prepare(str(gcc))
    assert not sure("int x;\n")


def test_a_precompiled_header_without_its_text(sure: Sure, tmp_path: Path) -> None:
    (tmp_path / "all.h").write_text("int y;\n")
    subprocess.run(["gcc", "all.h"], check=True)
    assert sure('#include "all.h"\n')
    (tmp_path / "all.h").unlink()
    assert not sure('#include "all.h"\n')


PIECES = [
    *("#pragma omp ", "# pragma\tomp ", "%:pragma omp ", "#pragma ", "_Pragma", '("omp ', '") ', "(", ")", " ", "\n"),
    *("\n", "[[omp::directive(target)]]"),
    *("target", "parallel for", "tar", "get", "task", "detach(e)", " MORE", "OFF", "CAT(tar, get)"),
    *("ID(target)", "\\\n"),
    *("/* ", " */", "//", '"', "'", "\\", "#define MORE ", "#define OFF ", "##", "#", "#if 0\n", "#endif\n", "#else\n"),
    *('#include "h.h"\n', "#include <h.h>\n", "#include H\n", "CAT(_Prag, ma)", "P(omp target)", "P(GCC poison q)\n"),
    *("#define H <h.h>\n", '#define H "h.h"\n', "#define H G\n", "#define G <./h.h> //\n", "#define h g\n"),
    "CAT(o, mp)",
    *("P(", "P(o##mp target)\n", "#define Q(x) P(x target)\n", "Q(omp)\n", '_Pragma("GCC \\"")'),
    *("x", "1", "'0", 'R"(', ')"', "\r", "??=", "??/", "omp", "%:%:"),
]  # fmt: skip


def test_whatever_it_is_sure_of_has_nothing_to_lower(sure: Sure, tmp_path: Path) -> None:
    """Texts of random pieces. REX_LAUNCHER_TEXTS=20000 tries more of them."""
    dice = random.Random(int(os.environ.get("REX_LAUNCHER_SEED", "1")))
    macros = "#define CAT(a, b) a##b\n#define ID(x) x\n"
    more = "#define P(x) _Pragma(#x)\n"
    passed = 0
    for _ in range(int(os.environ.get("REX_LAUNCHER_TEXTS", "150"))):
        (tmp_path / "h.h").write_text("".join(dice.choices(PIECES, k=dice.randrange(6))))
        text = dice.choice(("", macros, macros + more)) + "".join(dice.choices(PIECES, k=dice.randrange(3, 14)))
        flags = ["-w", "-I.", *dice.choice(([], ["-DMORE=target"], ["-std=c11"], ["-DOFF=parallel"]))]
        flags.append("-fmax-include-depth=4")  # a header that includes itself twice is a text without end
        if not sure(text, *flags):
            continue
        try:
            pre = preprocess(tmp_path / "unit.c", flags, "gcc")
        except RexError:
            continue
        passed += 1
        if concerns_device(
            pre
        ):  # the text of an invalid program may look like a directive: gcc moves a stray # to a line
            syntax = subprocess.run(["gcc", *flags[1:], "-fsyntax-only", "unit.c"], capture_output=True, env=IN_ENGLISH)
            invalid = b"missing terminating" in syntax.stderr or b"stray '#" in syntax.stderr
            assert invalid, (text, (tmp_path / "h.h").read_text())
    assert passed > 10


def test_the_programs_name_this_launcher() -> None:
    """A wheel's scripts name the launcher by the digest of its source, as the module does."""
    assert "@DIGEST@/launcher" in (ROOT / "rex_build" / "build" / "in_place.sh").read_text()
    assert "SHA256 rex_build/build/launcher.c" in (ROOT / "CMakeLists.txt").read_text()
