"""Macros of the user's files in front of headers of the system: device code gets the same text of these as host
code."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from execution import rex_build


def either(condition: str, name: str) -> str:
    """A function that gives 1 where the condition holds, and 2 elsewhere."""
    return f"#if {condition}\ninline int {name}() {{ return 1; }}\n#else\ninline int {name}() {{ return 2; }}\n#endif\n"


LIBRARY = {
    "scaled.hpp": "#ifndef SCALE\n#define SCALE 1\n#endif\ninline int scaled(int x) { return x * SCALE; }\n",
    "plain.hpp": "#pragma once\ninline int plain() { return PLAIN(3); }\n",
    "levels.hpp": "#define LEVEL_IS_HIGH (LEVEL > 2)\n",
    "chosen.hpp": either("LEVEL_IS_HIGH", "chosen"),
    "taken.hpp": "#ifdef TAKEN\n#undef TAKEN\ninline int taken() { return 1; }\n#endif\n",
    "left.hpp": either("defined TAKEN", "left"),
    "given.hpp": "#define GIVEN 1\n",
    "asking.hpp": either("defined GIVEN", "asking"),
    "option.hpp": either("OPTION == 4", "option"),
    "kept.hpp": either("KEPT == 5", "kept"),
    "off.hpp": either("defined OFF", "off"),
    "quiet.hpp": either("defined NDEBUG", "quiet"),
}
UNIT = """\
#define NDEBUG
#include <cassert>
#include <quiet.hpp>
#define FACTOR 7
#define SCALE FACTOR
#if 0
#define SCALE 9
#endif
#include "own.hpp"
#undef SCALE
#define PLAIN(x) ((x) * \\
    (x))
#include <plain.hpp>
#define LEVEL 3
#include <levels.hpp>
#include <chosen.hpp>
#define TAKEN
#include <taken.hpp>
#include <left.hpp>
#include <given.hpp>
#undef GIVEN
#include <asking.hpp>
#undef OPTION
#define OPTION 4
#include <option.hpp>
#ifndef KEPT
#define KEPT 6
#endif
#include <kept.hpp>
#define OFF
#undef OFF
#include <off.hpp>
#undef LEVEL
int main()
{
    int found[11] = {}, SCALE = 2, LEVEL = 5;
#pragma omp target map(tofrom: found)
    {
        const int all[] = {scaled(6), plain(), chosen(), taken(), left(), asking(), option(), kept(), off(), quiet()};
        for (int i = 0; i < 10; i++)
            found[i] = all[i];
        found[10] = SCALE + LEVEL;
    }
    const int host[] = {scaled(6), plain(), chosen(), taken(), left(), asking(), option(), kept(), off(), quiet(), 7};
    int wrong = 0;
    for (int i = 0; i < 11; i++)
        wrong += found[i] != host[i];
    return wrong;
}
"""


@pytest.mark.compile
def test_macros_in_front_of_headers(tmp_path: Path) -> None:
    """Headers get a macro that depends on another one, one with parameters, those that another header's macro names,
    those that headers take back or give, and those of options. None stays behind the header, as the text after it is
    preprocessed."""
    folder = tmp_path / "library"
    folder.mkdir()
    for name, text in LIBRARY.items():
        (folder / name).write_text(text)
    (tmp_path / "own.hpp").write_text("#ifndef OWN\n#define OWN\n#include <scaled.hpp>\n#endif\n")
    source, program, kept = tmp_path / "unit.cpp", tmp_path / "unit", tmp_path / "kept"
    source.write_text(UNIT)
    options = ("--device", "cpu", "--keep-dir", kept, "-o", program, source)
    outcome = rex_build("cc", *options, "--", "-isystem", folder, "-DOPTION=3", "-DKEPT=5", "-Wall", "-Wextra")
    assert (outcome.status, outcome.stderr) == (0, "")
    assert subprocess.run([program], env={**os.environ, "OMP_TARGET_OFFLOAD": "MANDATORY"}).returncode == 0
    (lines,) = [path.read_text().splitlines() for path in kept.glob("**/rex_lib_*.cu")]
    around = lines.index("#include <scaled.hpp>")
    assert {"#define FACTOR 7", "#define SCALE FACTOR"} <= set(lines[:around])
    assert {"#undef FACTOR", "#undef SCALE"} <= set(lines[around : around + 5])


def test_units_whose_macros_no_header_asks_for(tmp_path: Path) -> None:
    """A macro behind all headers, the guard of a header and one that no header names are not in the device file."""
    (tmp_path / "own.hpp").write_text("#ifndef OWN_HPP\n#define OWN_HPP\n#include <climits>\n#endif\n")
    (tmp_path / "unit.cpp").write_text(
        '#define TIMES 2\n#include "own.hpp"\n#define NDEBUG\nvoid f(int &x)\n{\n#pragma omp target map(x)\n'
        "    x *= TIMES;\n}\n"
    )
    outcome = rex_build("lower", tmp_path / "unit.cpp", "--out-dir", tmp_path / "out")
    assert outcome.status == 0, outcome.stderr
    text = (tmp_path / "out" / "rex_lib_unit.cu").read_text()
    assert not any(name in text for name in ("TIMES", "OWN_HPP", "NDEBUG"))
