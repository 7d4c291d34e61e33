"""Constants in directives have the values that C gives them, with gcc as the oracle; what is not constant stays."""

from __future__ import annotations

import random
import re
import subprocess

import pytest

from rex_build.base.diagnostics import InputError
from rex_build.c.sema.directive_constants import with_values
from rex_build.c.source.preprocess import read_preprocessed

UNIT = """\
enum { ONE = 1, N = 3 };
typedef struct { char c[24]; } rec;
static const int fixed = 3;
static int f(int n)
{
    enum { N = 5 };
    {
        int ONE = n;
        #pragma omp DIRECTIVE
        ++n;
    }
    return n;
}
"""


def directive(text: str, unit: str = UNIT) -> str:
    """What becomes of a directive: it comes last of its unit's directives."""
    found = with_values(read_preprocessed(f'# 1 "unit.c"\n{unit.replace("DIRECTIVE", text)}', "unit.c"))
    return re.findall(r"#pragma omp (.*)", found.text)[-1]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("metadirective when(user={condition(3 > 2 > 1)}: simd)", "metadirective when(user={condition(0)}: simd)"),
        ("metadirective when(user={condition(!1 + 1)}: simd)", "metadirective when(user={condition(1)}: simd)"),
        ("metadirective when(user={condition(N == 5)}: simd)", "metadirective when(user={condition(1)}: simd)"),
        ("metadirective when(user={condition(true)}: simd)", "metadirective when(user={condition(1)}: simd)"),
        ("metadirective when(user={condition(')' == 41)}: simd)", "metadirective when(user={condition(1)}: simd)"),
        (
            "metadirective when(user={condition(score(N + 1): N ? 0 : 1)}: for collapse(N - 3)) default(tile sizes(N))",
            "metadirective when(user={condition(score(6): 0)}: for collapse(2)) default(tile sizes(5))",
        ),
        ("for collapse(sizeof(rec) / 12) ordered(010)", "for collapse(2) ordered(8)"),
        ("tile sizes((short)65538, N, n)", "tile sizes(2, 5, n)"),
        ("interchange permutation(1 + 1, 1)", "interchange permutation(2, 1)"),
    ],
)
def test_constants_become_numbers(written: str, read: str) -> None:
    assert directive(written) == read


@pytest.mark.parametrize(
    "written",
    [
        "metadirective when(user={condition(ONE)}: simd)",  # a variable here
        "metadirective when(user={condition(fixed > 2)}: simd)",
        "metadirective when(user={condition(f(1))}: simd)",
        "metadirective when(user={condition(unheard_of)}: simd)",
        "metadirective when(user={condition(1)}: parallel if(condition(N)))",
        "for collapse(n)",
        "for collapse(2)",
        "tile sizes(n / 2)",
        "parallel num_threads(1 + 1)",
    ],
)
def test_others_stay(written: str) -> None:
    assert directive(written) == written


def test_at_file_scope() -> None:
    unit = "enum { N = 2 };\n#pragma omp DIRECTIVE\nint base(void);\n"
    text = "declare variant(two) match(user={condition(N == 2)})"
    assert directive(text, unit) == "declare variant(two) match(user={condition(1)})"


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("1 << -1", "'<<' shifts 'int' by -1 bits"),
        ("1 << 32", "'<<' shifts 'int' by 32 bits"),
        ("1l >> 99999999999", "'>>' shifts 'long' by 99999999999 bits"),
        ("1 / (N - 5)", "'/' divides by zero"),
        ("1 % 0", "'%' divides by zero"),
        ("2147483647 + N", "'+' overflows 'int'"),
        ("-(-2147483647 - 1)", "'-' overflows 'int'"),
        ("(-2147483647 - 1) % -1", "'%' overflows 'int'"),
        ("9223372036854775807 * 2", "'*' overflows 'long'"),
    ],
)
def test_what_c_leaves_undefined_is_refused(expression: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        directive(f"metadirective when(user={{condition({expression})}}: simd)")
    (found,) = caught.value.diagnostics
    assert found.message == f"'{expression}' in 'condition' has no value"
    assert found.notes == (f"{why}, which C leaves undefined",)


LITERALS = "0 1 2 3 7 31 63 -1 0u 1u 5U 2l -3L 4ul 9ULL 0x7fffffff 2147483648 0xffffffff 'a' '\\377' A B sizeof(long)"
BINARY = "+ - * / % << >> < > <= >= == != & | ^ && ||"
TYPES = "_Bool|char|signed char|unsigned char|short|unsigned short|int|unsigned|long|unsigned long"
ENUMERATORS = "enum { A = -2, B = 3000000000 };"


def expression(of: random.Random, depth: int) -> str:
    """A random expression, of which most have a value."""
    if depth == 0:
        return of.choice(LITERALS.split())
    kind = of.randrange(10)
    one, two = (expression(of, of.randrange(depth)) for _ in range(2))
    if kind < 6:
        return f"({one}) {of.choice(BINARY.split())} ({two})"
    if kind == 6:
        return f"({one}) {of.choice(BINARY.split())} {of.choice(LITERALS.split())}"
    if kind == 7:
        return f"{of.choice('-+~!')}({one})"
    if kind == 8:
        return f"({of.choice(TYPES.split('|'))})({one})"
    return f"({one}) ? ({two}) : ({expression(of, of.randrange(depth))})"


def values(expressions: list[str]) -> list[int | None]:
    """What each expression is read as, as a number; None where it is refused."""
    found: list[int | None] = []
    for text in expressions:
        try:
            pragma = directive(f"tile sizes({text})", f"{ENUMERATORS}\n#pragma omp DIRECTIVE\n")
        except InputError:
            found.append(None)
        else:
            found.append(int(pragma.removeprefix("tile sizes(").removesuffix(")")))
    return found


@pytest.mark.compile
@pytest.mark.parametrize("seed", range(3))
def test_random_constants_are_those_of_gcc(seed: int) -> None:
    """Values are gcc's, and refused is exactly what gcc warns of."""
    of = random.Random(seed)
    expressions = [expression(of, of.randrange(1, 5)) for _ in range(150)]
    read = values(expressions)
    lines = [ENUMERATORS]
    for text, value in zip(expressions, read, strict=True):
        number = 0 if value is None else value
        spelt = f"{number}ull" if number >= 0 else f"({number + 1}ll - 1)"
        known = "" if value is None else f" && (__int128)({text}) == (__int128){spelt}"
        lines.append(f'_Static_assert(!!({text}) + 1{known}, "");')
    command = ["gcc", "-fsyntax-only", "-Wall", "-x", "c", "-"]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    assert re.findall(r"^.*static assertion failed.*", done.stderr, re.MULTILINE) == []
    undefined = r"^<stdin>:(\d+):.*(?:overflow\]|-Wshift-count-(?:overflow|negative)\]|-Wdiv-by-zero\])$"
    warned = {expressions[int(line) - 2] for line in re.findall(undefined, done.stderr, re.MULTILINE)}
    refused = {text for text, value in zip(expressions, read, strict=True) if value is None}
    assert refused <= warned
    assert not [
        text for text in warned - refused if not re.search(r"[?]|&&|[|][|]", text)
    ]  # some operands do not count
    assert 0 < len(refused) < len(expressions) / 2
