"""Atomic constructs between objects of different types: device code compiles wherever gcc takes the C."""

from __future__ import annotations

import subprocess
from itertools import product
from pathlib import Path

import pytest

from rex_build.base.paths import include_dir
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

ARITHMETIC = ("char", "unsigned", "long", "_Bool", "float", "double", "enum e", "__int128")
POINTERS = ("int *", "char *", "const char *", "void *", "struct s *", "int (*)(void)", "int **")
NUMBERS_FOR_POINTERS = ("char", "unsigned", "long")

# What gcc 12 takes, some of it with a warning.
PAIRS = [
    *product(ARITHMETIC, ARITHMETIC),
    *product(POINTERS, POINTERS),
    *product(NUMBERS_FOR_POINTERS, POINTERS),
    *product(POINTERS, NUMBERS_FOR_POINTERS),
    *product(("_Bool",), POINTERS),
]
FORMS = (
    "#pragma omp atomic read\nv = *x;",
    "#pragma omp atomic write\n*x = v;",
    "#pragma omp atomic write\n*x = 0;",
    "#pragma omp atomic write\n*x = (n, v);",
    "#pragma omp atomic capture\n{ v = *x; *x = w; }",
)
COUNTED = ("#pragma omp atomic capture\nv = (*x)++;", "#pragma omp atomic capture\nv = *x += 1;")
COMPARED = (
    "#pragma omp atomic compare\nif (*x == w) { *x = v; }",
    "#pragma omp atomic compare capture\n{ v = *x; if (*x == w) { *x = w; } }",
    "#pragma omp atomic compare\nif (*x < w) { *x = w; }",
)


def declared(t: str, name: str) -> str:
    return t.replace("(*)", f"(*{name})") if "(*)" in t else f"{t} {name}"


def forms(x: str, v: str) -> tuple[str, ...]:
    if x == "_Bool" and v in POINTERS:  # the other way is an error
        return FORMS[1:4]
    compared = COMPARED if x == v or (x in ARITHMETIC and v in ARITHMETIC) else COMPARED[:1]
    can_count = x not in ("_Bool", "int (*)(void)", "struct s *")
    return (*FORMS, *(COUNTED if can_count else ()), *compared)


def unit(pairs: list[tuple[str, str]]) -> str:
    text = "enum e { E };\nstruct s;\n"
    for number, (x, v) in enumerate(pairs):
        parameters = ", ".join((declared(x, "*x").replace("(**x)", "(**x)"), declared(v, "w")))
        statements = "\n".join(forms(x, v))
        text += (
            f"void f{number}({parameters}, int n)\n{{\n#pragma omp target map(tofrom: x[0:1])\n"
            f"{{\n{declared(v, 'v')} = w;\n{statements}\n}}\n}}\n"
        )
    return text


@pytest.mark.compile
def test_atomics_between_types_compile(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(unit(PAIRS))
    plain = source.read_text().replace(" capture", "").replace("#pragma omp atomic", "//")
    accepted = subprocess.run(
        ["gcc", "-w", "-fsyntax-only", "-x", "c", "-"], input=plain, capture_output=True, text=True, check=False
    )
    assert accepted.returncode == 0, accepted.stderr
    lowered = lower_text(LowerRequest(source, tmp_path, ("-w", "-fopenmp"), cc="gcc"))
    device = tmp_path / "unit.cu"
    device.write_text(lowered.device)
    command = ["g++", "-std=c++17", "-DREX_DEVICE_CPU", "-fopenmp", "-w", f"-I{include_dir()}", "-fsyntax-only"]
    command += ["-include", "cpu/rex_device.h", "-x", "c++"]
    done = subprocess.run([*command, str(device)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
