"""Values of integer constant expressions, with gcc as the oracle."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from sema_support import gcc_errors, parse

from rex_build.base.diagnostics import InputError
from rex_build.c.sema import Sema
from rex_build.c.sema.ctype import C
from rex_build.c.sema.literals import narrow_bits

PRELUDE = (
    "typedef unsigned long size_t; enum e { A, B = 7, C }; struct s { char c; double d[4]; struct { int x, y; } p[2]; "
    "union { short h; long l; }; }; extern int array[12]; extern struct s object; extern const int k;"
)


def values(expressions: list[str]) -> list[int | None]:
    """What sema makes of each; errors count as None."""
    functions = "".join(f"void f{i}(void) {{ {e}; }}\n" for i, e in enumerate(expressions))
    unit = parse(f"{PRELUDE}\n{functions}")
    sema = Sema(unit.ast, unit.span_of)
    found: list[int | None] = []
    for i in range(len(expressions)):
        function = sema.functions[f"f{i}"]
        try:
            sema.analyse(function)
            found.append(sema.value(function.body.block_items[0]))
        except InputError:
            found.append(None)
    return found


def disagreements(expressions: list[str]) -> list[str]:
    lines = [PRELUDE]
    known: dict[int, str] = {}
    for e, value in zip(expressions, values(expressions), strict=True):
        if value is not None:
            known[len(lines) + 1] = f"{e}: sema says {value}"
            text = f"{value}LL" if abs(value) < 2**63 else f"{value}ULL"
            text = "(-9223372036854775807LL - 1)" if value == -(2**63) else text
            lines.append(f'_Static_assert(({e}) == {text}, "");')
    errors = gcc_errors("\n".join(lines))
    return [text for line, text in known.items() if "static assertion failed" in errors.get(line, "")]


CONSTANTS = [
    "1 + 2 * 3", "7 / -2", "-7 / 2", "-7 % 3", "7 % -3", "1u - 2",
    "-1 < 1u", "-1L < 1u", "0xffffffff + 1", "1 << 31", "~0u",
    "(unsigned char)300", "(signed char)200", "(_Bool)12", "(_Bool)0.5",
    "(int)2.9", "(int)-2.9", "(short)70000", "!5", "-(-3)",
    "1 ? 2 : 3", "0 ? 2 : 3", "0 && array", "1 || array", "A",
    "B + C", "sizeof(int)", "sizeof array", "sizeof(struct s)",
    "sizeof array / sizeof array[0]", "_Alignof(struct s)", "sizeof(char[3][5])",
    "sizeof object.d", "sizeof(object.p[1].y)",
    "offsetof(struct s, p[1].y)", "offsetof(struct s, l)", "(size_t)&((struct s *)0)->p[1].y",
    "'a'", "'\\xff'", "'\\377'",
    "L'\\xff'", "'ab'", "u'\\xffff'", "0777", "0b1101", 'sizeof "abc"',
    'sizeof L"abc"', 'sizeof "\\x41" "1"', "-1 >> 1",
    "-1 >> 1u", "0x8000000000000000", "sizeof(1 ? 1 : 1.0)", "__builtin_constant_p(3)", "__builtin_bswap32(1)",
    "_Generic(1.0, int: 3, double: 4)", "__builtin_choose_expr(1, 5, 6)", "(char *)8 - (char *)3", "sizeof(struct s *)",
    "(long)((char *)0 + 3)", 'sizeof u8"é"', 'sizeof "é"', "3 > 2 > 1", "1 == 1.0", "(int)1e3", "07", "5 ^ 3 & 6 | 8",
    "sizeof(int (*)[3])", "-9223372036854775807 - 1", "18446744073709551615u", "(unsigned)-1 / 2", "1u << 31 >> 31",
]  # fmt: skip


@pytest.mark.compile
def test_constants():
    assert None not in values(CONSTANTS)
    assert disagreements(CONSTANTS) == []


@pytest.mark.parametrize(
    "e", ["k", "array[0]", "1 / 0", "1.5", "&array", "(void *)0", '"abc"', "k ? 1 : 2", "0 || k", "k = 1"]
)
def test_not_integer_constants(e: str):
    assert values([e]) == [None]


LEAVES = [
    "0",
    "1",
    "2",
    "-1",
    "7u",
    "3L",
    "-5LL",
    "0xffffffffu",
    "A",
    "C",
    "'x'",
    "2147483647",
    "1.5",
    "2.0f",
    "sizeof(int)",
]
TYPES = ["int", "unsigned", "char", "unsigned char", "short", "long", "unsigned long", "_Bool", "double"]


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&", "||"]
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(operators), inner),
        st.builds("({}({}))".format, st.sampled_from("-~!+"), inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("(({})({}))".format, st.sampled_from(TYPES), inner),
    )


@pytest.mark.compile
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(st.lists(st.recursive(st.sampled_from(LEAVES), _compound, max_leaves=6), min_size=100, max_size=200))
def test_random_constants_agree_with_gcc(expressions: list[str]):
    assert disagreements(expressions) == []


@given(st.floats(width=64, allow_nan=False))
def test_halves_are_rounded_once(value: float):
    try:
        expected = struct.pack("<e", value)
    except OverflowError:
        expected = struct.pack("<e", math.copysign(math.inf, value))
    assert narrow_bits(value, C.HALF).to_bytes(2, "little") == expected


@given(st.floats(width=32, allow_nan=False), st.sampled_from([-1, 0, 1]))
def test_brain_floats_are_the_upper_halves_of_floats(value: float, beyond: int):
    """The nearest one, of two the even one; what a double has beyond a float decides too."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    assume(bits & 0x7F800000 != 0x7F800000)
    magnitude = abs(value) + beyond * math.ulp(abs(value) or 1e-40) / 4
    rest = (bits & 0xFFFF) + beyond / 4 - 0x8000
    up = rest > 0 or (rest == 0 and bits & 0x10000)
    assert narrow_bits(math.copysign(magnitude, value), C.BFLOAT) == (bits >> 16) + up
