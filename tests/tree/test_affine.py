"""Values as polynomials: what is known of a value must hold whenever the program computes it."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from interpreter import ARITHMETIC, Interpreter, wrapped
from reading_c import read

from rex_build.plan.constructs import Entity
from rex_build.tree import nodes as tree
from rex_build.tree.affine import Facts, Polynomial, number
from rex_build.tree.types import Integer

_TYPES = ("char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool")
_NAMES = tuple(f"v{number}" for number in range(len(_TYPES)))


def _expression(random: Random, depth: int) -> str:
    if depth == 0:
        return random.choice((*_NAMES, "3", "7u", "2l", "5ul", "'a'"))
    one, other = (_expression(random, depth - 1) for _ in range(2))
    match random.randrange(8):
        case 0 | 1 | 2:
            return f"({one} {random.choice('+-*')} {other})"
        case 3 | 4 | 5:
            return f"(({random.choice(_TYPES)}) {one})"
        case 6:
            return f"({random.choice('-~')}{one})"
    return f"({one} {random.choice(('<<', '>>', '/', '%', '&', '|', '^', '<', '=='))} {random.randrange(1, 6)})"


class _OverflowError(Exception):
    """Signed arithmetic overflows, which a right program's does not."""


class _Checked(Interpreter):
    def value(self, node: tree.Expression) -> Any:
        found = super().value(node)
        if isinstance(node, tree.Binary | tree.Unary) and isinstance(node.type, Integer) and node.type.signed:
            operands = [self.value(part) for part in tree.children(node)]
            whole = ARITHMETIC[node.operator](*operands) if isinstance(node, tree.Binary) else -operands[0]
            if whole != wrapped(whole, node.type):
                raise _OverflowError
        return found


def _facts(constant: set[Entity]) -> Facts:
    return Facts(constant, constant, (), lambda _: None, (), {}, {})


@pytest.mark.parametrize("seed", range(4))
def test_what_is_known_holds(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    texts = [_expression(random, random.choice((1, 2, 3))) for _ in range(150)]
    parameters = ", ".join(f"{kind} {name}" for kind, name in zip(_TYPES, _NAMES, strict=True))
    made = (f"long f{n}({parameters}) {{ return {text}; }}" for n, text in enumerate(texts))
    functions = read(tmp_path, "\n".join(made))
    known = 0
    for n, text in enumerate(texts):
        body = functions[f"f{n}"]
        (end,) = body.statement.statements
        assert isinstance(end, tree.Return)
        assert end.value is not None
        entities = [p.entity for p in body.parameters if p.entity is not None]
        found = _facts({*entities}).polynomial(end.value)
        if found is None or not found.atoms <= {*entities}:
            continue
        known += 1
        for _ in range(20):
            values = []
            for parameter in body.parameters:
                assert isinstance(parameter.type, Integer)
                values.append(wrapped(random.choice((random.randrange(-9, 10), random.randrange(300))), parameter.type))
            try:
                got = _Checked({}, lambda *_: None).call(body, values)
            except _OverflowError:
                continue
            means = found.with_values({e: number(v) for e, v in zip(entities, values, strict=True)}).terms
            expected = means.get(frozenset(), 0)
            assert (got - expected) % (1 << (found.bits or 200)) == 0, (text, values)
    assert known > 50


def _value(tmp_path: Path, text: str) -> Polynomial | None:
    body = read(tmp_path, f"long f(int i, unsigned u, long l) {{ return {text}; }}")["f"]
    (end,) = body.statement.statements
    assert isinstance(end, tree.Return)
    assert end.value is not None
    return _facts({p.entity for p in body.parameters if p.entity is not None}).polynomial(end.value)


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("i + l", None), ("i + u", 32), ("(unsigned char) i", 8), ("(short) l", 16), ("(int) l", 32), ("l + 1ul", 64),
        ("3u - 5u", None),
    ],
)  # fmt: skip
def test_the_width_at_which_a_value_wraps(tmp_path: Path, text: str, bits: int | None) -> None:
    found = _value(tmp_path, text)
    assert found is not None
    assert found.bits == bits


@pytest.mark.parametrize(
    ("text", "value"), [("3u - 5u", 2**32 - 2), ("(char) 200", -56), ("1 << 4", 16), ("2 < 3 ? 7 : i", 7)]
)
def test_numbers(tmp_path: Path, text: str, value: int) -> None:
    found = _value(tmp_path, text)
    assert found is not None
    assert found.constant == value
