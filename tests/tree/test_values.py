"""Constant expressions have the values that the C compiler gives them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reading_c import read

from rex_build.tree import nodes as tree
from rex_build.tree.values import constant

pytestmark = pytest.mark.compile
TYPES = ("_Bool", "signed char", "unsigned short", "int", "unsigned", "long", "unsigned long")
OPERATORS = "+ - * / % << >> & | ^ < <= > >= == != && ||".split()  # noqa: SIM905
NUMBERS = ("0", "1", "2", "3", "7", "31", "255", "65535", "2147483647", "4294967295u", "9223372036854775807l", "5ul")


def expression(random: Random, depth: int) -> str:
    if depth == 0 or random.random() < 0.15:
        return random.choice(NUMBERS)
    inner = [expression(random, depth - 1) for _ in range(3)]
    match random.randrange(8):
        case 0:
            return f"({random.choice(TYPES)})({inner[0]})"
        case 1:
            return f"{random.choice('-~!')}({inner[0]})"
        case 2:
            return f"(({inner[0]}) ? ({inner[1]}) : ({inner[2]}))"
        case _:
            return f"({inner[0]}) {random.choice(OPERATORS)} ({inner[1]})"


@pytest.mark.parametrize("seed", range(3))
def test_random_expressions(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    count = 300
    lines = [f"{random.choice(TYPES)} f{n}(void) {{ return {expression(random, 3)}; }}\n" for n in range(count)]
    bodies = read(tmp_path, "".join(lines))
    known: dict[int, int] = {}
    for n in range(count):
        returned = next(node for node in tree.walk(bodies[f"f{n}"].statement) if isinstance(node, tree.Return))
        assert returned.value is not None
        if (value := constant(returned.value)) is not None:
            known[n] = value
    assert len(known) > count // 3
    source, program = tmp_path / "values.c", tmp_path / "values"
    shown = "".join(f'printf("%lld\\n", (long long)f{n}());\n' for n in known)
    functions = "".join(lines[n] for n in known)
    source.write_text(f"#include <stdio.h>\n{functions}int main(void) {{\n{shown}return 0;\n}}\n")
    subprocess.run(["gcc", "-w", source, "-o", program], check=True)
    said = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
    wrong = [n for n, value in zip(known, map(int, said), strict=True) if value != (known[n] + 2**63) % 2**64 - 2**63]
    assert [lines[n] for n in wrong] == []


@pytest.mark.parametrize("text", ["2147483647 + 1", "1 / 0", "1 << 32", "-2147483647 - 2", "f(3)", "1.5", "-1 << 3"])
def test_no_value(text: str, tmp_path: Path) -> None:
    body = read(tmp_path, f"int f(int n) {{ return n; }} double g(void) {{ return {text}; }}")["g"]
    returned = next(node for node in tree.walk(body.statement) if isinstance(node, tree.Return))
    assert returned.value is not None
    assert constant(returned.value) is None
