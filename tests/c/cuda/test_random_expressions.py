"""Random integer and pointer-free expressions have the same value as C and as the CUDA C++ printed for them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from cuda_support import device_unit, gxx, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

DECLARATIONS = """
struct bits {{ unsigned a : 3; signed b : 5; unsigned c : 31; _Bool d : 1; }};
enum e {{ NEGATIVE = -4, SMALL = 3 }};
enum f {{ POSITIVE = 5 }};
long f{n}(_Bool b, char c, unsigned char uc, short s, int i, unsigned u, long l, unsigned long ul, float x,
    struct bits t, enum e e, enum f g)
{{
    return {expression};
}}
"""
CALL = (
    "f{n}({b}, {v} * 3, {v} * 7, {v} * -9, {v} - 4, {v} * 11, -5L * {v}, {v} * 13ul, {v} * 0.5f, t, NEGATIVE, POSITIVE)"
)
LEAVES = st.sampled_from(
    """
    b c uc s i u l ul t.a t.b t.c t.d e g x SMALL NEGATIVE POSITIVE 0 1 -1 7u 'a' 3l 0xffffffffu 2147483647
    sizeof(i) 1.5f
    """.split()  # noqa: SIM905
)
INTEGER_TYPES = ["_Bool", "char", "unsigned char", "short", "int", "unsigned", "long", "unsigned long", "enum e"]


def _integer(expression: str) -> str:
    return f"(int)({expression})" if "x" in expression or "1.5f" in expression else expression


def _grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def binary(operator: str, a: str, b: str) -> str:
        return f"({a}) {operator} ({b})"

    return st.one_of(
        st.builds(binary, st.sampled_from(["+", "-", "*", "<", ">", "<=", ">=", "==", "!=", "&&", "||"]), inner, inner),
        st.builds(lambda o, a, b: binary(o, _integer(a), _integer(b)), st.sampled_from("&|^"), inner, inner),
        st.builds(lambda a, n: binary("<<", _integer(a), str(n)), inner, st.integers(0, 15)),
        st.builds(lambda a, n: binary(">>", _integer(a), str(n)), inner, st.integers(0, 15)),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("({})({})".format, st.sampled_from(INTEGER_TYPES), inner.map(_integer)),
        st.builds("!({})".format, inner),
        st.builds("-({})".format, inner),
        st.builds(lambda a: f"~({_integer(a)})", inner),
    ).map(lambda text: f"({text})")


EXPRESSIONS = st.recursive(LEAVES, _grow, max_leaves=12)


NO_OVERFLOW = ("-fsanitize=signed-integer-overflow,shift", "-fno-sanitize-recover=all")


@pytest.mark.compile
@pytest.mark.parametrize("wraps", [False, True], ids=["", "fwrapv"])
@settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(EXPRESSIONS, min_size=80, max_size=80))
def test_same_value(wraps: bool, expressions: list[str]) -> None:
    """With -fwrapv the printed text itself has nothing left that overflows."""
    head, *rest = DECLARATIONS.split("long f{n}", 1)
    functions = [f"long f{{n}}{rest[0]}".format(n=n, expression=f"(long)({e})") for n, e in enumerate(expressions)]
    code = head.format() + "".join(functions)
    calls = "".join(
        f"    for (int v = -3; v < 4; ++v) {{ struct bits t = {{(unsigned)v & 7u, v, "
        "(unsigned)v & 0x7fffffffu, v > 0}; "
        f'printf("{n} %d %ld\\n", v, {CALL.format(n=n, v="v", b="v > 0")}); }}\n'
        for n in range(len(expressions))
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        main = f"int main(void)\n{{\n{calls}    return 0;\n}}\n"
        (path / "c.c").write_text(f"#include <stdio.h>\n{code}{main}")
        done = run("gcc", "-std=gnu11", "-w", "-fwrapv", path / "c.c", "-o", path / "c")
        assert done.returncode == 0, done.stderr
        text, _ = device_unit(path, code, wraps=wraps)
        plain = main.replace("NEGATIVE", "-4").replace("POSITIVE", "5")
        done = gxx(path, text + plain, "-w", *(NO_OVERFLOW if wraps else ("-fwrapv",)), "-o", path / "cxx")
        assert done.returncode == 0, done.stderr
        assert run(path / "cxx").stdout.splitlines() == run(path / "c").stdout.splitlines()
