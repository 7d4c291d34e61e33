"""The fast lexer gives the tokens of pycparser's own, and literals with any escape."""

from __future__ import annotations

import subprocess

import pytest
from pycparser.c_lexer import CLexer

from rex_build.c.syntax.lexer import FastLexer


def tokens(lexer_class: type[CLexer], text: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    lexer = lexer_class(lambda message, line, column: found.append((message, line, column)))
    lexer.input(text, "x.c")
    while token := lexer.token():
        found.append((token.type, token.value, token.lineno, token.column, token.filename))
    return found


@pytest.mark.parametrize(
    "text",
    [
        "int  a\t=\f1;\n\n\n   foo ( b , c ) ;\n",
        "wchar_t *s = L\"x\" u8\"y\" U'c' u'd' L'e';",
        "char *L, u8, U; f(L, u8); int Lx = Ly;",
        "x = a+++b; y = c->d.e; z = .5e+3f + 0x1p-3 + 'a' + '\\n';",
        "#pragma omp target map(to: a)\nint x;\n  # pragma once\nint y;",
        '#line 40 "other.h"\nint a;\n# 7 "third.h" 2\n\nint b;',
        "int $money, mon$ey; a = b ? c : d;",
        "int a\\u00e9, abc\\u00e9; f();",
        '_Static_assert(sizeof(int) == 4, "no"); _Alignas(8) int q[3] = {[0] = 1};',
        '[[nodiscard, gnu::pure(1, "(")]] int f(void); int a[2][2];',
        "a = b << 1 >> c <= d >= e == f != !g && h || ~i & j | k ^ l % m / n * -o + +p; q /= 2; r %= 3; s ^= t |= u;",
        "1 0 017 09 0x1fUL 0b101 42u 42ull 42LLU 7lu 1.f 1. .5L 2e3 2.5E-3f 1.5x 3e 0x 0x1.8p3 1'000 5i 1..2 1_a 8$",
        r"'a' '\n' '\0' '\123' '\x41' '\u00e9' 'ab' '' '\q' '\'' L'\\' '\8'",
        r'''"" "a\tb" "\x1b[0m" "\"" "\\" "é" "\q\9" L"a" "a\
b" """" u8""''',
        "x: :: y ?: z; a [ [b] ]; a[[b]]; c [0][1]; d->e.f...; g - -h; i-->j; # define k",
        "a <<= 1; b >>= 2; c ... d; <: :> <% %>",
        "\"unterminated\n int b; 'x\n @ ` int c;",
        "int a;\r\nint b;\r\n",
        "int a; /* no */ // comments\n",
        "",
        "   \n \n",
        "last",
    ],
)
def test_same_tokens(text: str) -> None:
    assert tokens(FastLexer, text) == tokens(CLexer, text)


def test_letters_of_every_script_make_names() -> None:
    names = ["bücher", "ψ", "été", "x2é"]
    found = tokens(FastLexer, f"int {', '.join(names)};")
    assert [value for kind, value, *_ in found if kind == "ID"] == names


@pytest.mark.parametrize("prefix", ["", "L", "u", "U", "u8"])
def test_a_backslash_may_stand_in_front_of_any_character(prefix: str) -> None:
    names = {"": "", "L": "W", "u": "U16", "U": "U32", "u8": "U8"}
    escapes = [f"\\{character}" for character in "%$()*#@ []{}|/<>+,:;`"]
    texts = [f'{prefix}"100\\%{"".join(escapes)}"', *(f"{prefix}'{escape}'" for escape in escapes)]
    found = tokens(FastLexer, f"f({', '.join(texts)});")
    assert [(kind, value) for kind, value, *_ in found if str(value).endswith(('"', "'"))] == [
        (f"{names[prefix]}{'STRING_LITERAL' if text.endswith(chr(34)) else 'CHAR_CONST'}", text) for text in texts
    ]


@pytest.mark.compile
def test_same_tokens_for_system_headers() -> None:
    source = "".join(f"#include <{name}.h>\n" for name in ("stdio", "stdlib", "math", "pthread")) + "int x;\n"
    text = subprocess.run(["cc", "-E", "-"], input=source, capture_output=True, text=True, check=True).stdout
    assert tokens(FastLexer, text) == tokens(CLexer, text)
