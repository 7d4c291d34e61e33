"""Sizes, alignments, offsets and bit-field places, compared with what gcc does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sema_support import parse, run_c

from rex_build.base.diagnostics import InputError
from rex_build.c.sema import Sema
from rex_build.c.sema.ctype import (
    Array,
    C,
    CType,
    Field,
    Function,
    LayoutError,
    Pointer,
    Record,
    Scalar,
    Unsupported,
    alignof,
    declare,
    qualified,
    sizeof,
    strip,
)
from rex_build.c.sema.layout import sema_of
from rex_build.c.sema.type_questions import (
    Layout,
    as_vector,
    compatible,
    field,
    integer_promote,
    is_unsigned,
    usual_arithmetic,
)

BASES = ["char", "short", "int", "long", "long long", "float", "double", "long double", "_Bool", "unsigned char",
         "void *", "__int128", "_Float16", "float _Complex", "short _Complex", "enum e", "struct inner",
         "loose", "loose_inner", "strict_bytes", "quad"]  # fmt: skip
BIT_BASES = {
    "char": 8,
    "unsigned char": 8,
    "short": 16,
    "unsigned": 32,
    "int": 32,
    "long": 64,
    "_Bool": 1,
    "enum e": 32,
}
PRELUDE = """enum e { E0, E1 }; struct inner { char c; short s; };
typedef long loose __attribute__((aligned(2))); typedef struct inner loose_inner __attribute__((aligned(1)));
typedef struct { char c[16]; } strict_bytes __attribute__((aligned(16)));
typedef float quad __attribute__((vector_size(16), aligned(4)));
"""
# ~ stands for a declaration with the attribute, or without.
ATTRIBUTES = [
    "~ __attribute__((aligned(8)))",
    "~ __attribute__((aligned(sizeof(int))))",
    "~ __attribute__((__packed__))",
    "__attribute__((aligned(4), packed)) ~",
    "~ __attribute__((unused, aligned))",
    "~ __attribute__((deprecated))",
    "~ __attribute__((aligned(8))), @",
    "__attribute__((packed)) ~, @ __attribute__((aligned(2)))",
]
RECORD_ATTRIBUTES = [
    "",
    "",
    "__attribute__((packed))",
    "__attribute__((aligned(16)))",
    "__attribute__((packed, aligned(4)))",
]


@st.composite
def _member(draw: st.DrawFn, depth: int = 0) -> str:
    kinds = ["plain", "plain", "array", "bits", "bits", "bits", "aligned", "nested", "anonymous", "attribute"]
    kind = draw(st.sampled_from(kinds))
    if kind == "bits":
        base = draw(st.sampled_from(sorted(BIT_BASES)))
        width = draw(st.integers(0, BIT_BASES[base]))
        name = "" if width == 0 or draw(st.integers(0, 4)) == 0 else "@"
        return f"{base} {name} : {width};"
    if kind in ("nested", "anonymous") and depth < 2:
        inner = " ".join(draw(st.lists(_member(depth + 1), min_size=1, max_size=4)))
        word = draw(st.sampled_from(["struct", "union"]))
        attribute = draw(st.sampled_from(RECORD_ATTRIBUTES))
        return f"{word} {{ {inner} char @; }} {attribute} {'@' if kind == 'nested' else ''};"
    base = draw(st.sampled_from(BASES))
    if kind == "array":
        return f"{base} @[{draw(st.integers(1, 5))}];"
    if kind == "aligned":
        return f"_Alignas({draw(st.sampled_from([16, 32]))}) {base} @;"
    if kind == "attribute":
        return draw(st.sampled_from(ATTRIBUTES)).replace("~", f"{base.strip(' *')} @").replace("void", "int") + ";"
    return f"{base} @;"


@st.composite
def _records(draw: st.DrawFn) -> str:
    text = PRELUDE
    for nth in range(30):
        word = draw(st.sampled_from(["struct", "struct", "struct", "union"]))
        members = " ".join([*draw(st.lists(_member(), min_size=1, max_size=7)), "char @;"])
        while "@" in members:
            members = members.replace("@", f"m{text.count('m') + members.count('m')}", 1)
        before, after = (draw(st.sampled_from(RECORD_ATTRIBUTES)) for _ in range(2))
        text += f"{word} {before} r{nth} {{ {members} }} {after};\n"
    return text


def _all_fields(record: Record, prefix: str = "", base: int = 0) -> list[tuple[str, Field, int]]:
    """Named members with their paths and offsets from the outermost record, nested ones too."""
    found: list[tuple[str, Field, int]] = []
    for f in record.info.fields:
        path = f"{prefix}{f.name}" if f.name else prefix.rstrip(".")
        if f.name:
            found.append((path, f, base + f.offset))
        if isinstance(f.type, Record) and as_vector(f.type) is None:
            found += _all_fields(f.type, f"{path}." if f.name else prefix, base + f.offset)
    return found


def _probe(sema: Sema, text: str) -> tuple[str, list[str]]:
    """A program that prints sizes and places, and the lines sema expects of it."""
    code = ["#include <stdio.h>", "#include <stddef.h>", "#include <string.h>", text, "int main(void) {"]
    expected = []
    for nth in range(30):
        word = "union" if re.search(rf"\bunion [^{{;]*\br{nth} {{", text) else "struct"
        record = sema.resolve_type(sema._file_tags[f"r{nth}"])
        assert isinstance(record, Record)
        code.append(f'printf("r{nth} %zu %zu\\n", sizeof({word} r{nth}), _Alignof({word} r{nth}));')
        expected.append(f"r{nth} {sizeof(record)} {alignof(record)}")
        for path, f, offset in _all_fields(record):
            if f.bit_width is None:
                code.append(f'printf("r{nth}.{path} %zu\\n", offsetof({word} r{nth}, {path}));')
                expected.append(f"r{nth}.{path} {offset}")
                continue
            # Where does a 1 show up when only this bit-field's lowest bit is set?
            code.append(
                f"{{ {word} r{nth} x; memset(&x, 0, sizeof x); x.{path} = 1; unsigned char *p = (void *)&x;"
                f' size_t i = 0; while (!p[i]) ++i; printf("r{nth}.{path} %zu %d\\n", i, __builtin_ctz(p[i])); }}'
            )
            expected.append(f"r{nth}.{path} {offset} {f.bit_offset}")
    return "\n".join([*code, "return 0; }"]), expected


@pytest.mark.compile
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(text=_records())
def test_records_are_laid_out_as_gcc_does(tmp_path: Path, text: str):
    program, expected = _probe(sema_of(parse(text)), text)
    assert run_c(program, tmp_path).splitlines() == expected


# ---- attributes in every place of a declaration ----

_VALUES = ["packed", "aligned(2)", "aligned(8)", "aligned(32)", "aligned"]


@st.composite
def _list(draw: st.DrawFn) -> str:
    """Mostly nothing, or a list of attributes."""
    if draw(st.integers(0, 3)):
        return ""
    names = draw(st.lists(st.sampled_from([*_VALUES, "unused"]), min_size=1, max_size=2, unique=True))
    return f"__attribute__(({', '.join(names)}))"


@st.composite
def _declaration(draw: st.DrawFn, kind: str) -> str:
    """A declaration of names (``@``) with lists of attributes in the places where gcc reads them."""
    a = draw(st.lists(_list(), min_size=14, max_size=14))
    base = draw(st.sampled_from(["char", "int", "double", "struct t", "T", "record", "enum"]))
    if base == "record":
        base = f"struct {a[0]} {{ char c; int i {a[1]}; }} {a[2]}"
    elif base == "enum":
        base = f"enum {{ # }} {a[2]}"
    declarators = []
    for nth in range(draw(st.integers(1, 3))):
        shape = draw(
            st.sampled_from(["@", "@[2]", f"* {a[4 + nth]} @", f"* const {a[4 + nth]} * @", "(*@)[2]", "(*@)(int)"])
        )
        before = a[7 + nth] if nth and kind != "member" else ""
        declarators.append(f"{before} {shape} {a[10 + nth]}")
    word = "typedef" if kind == "typedef" else ""
    front, behind = (a[13], a[3]) if draw(st.booleans()) else ("", "")
    return f"{front} {word} {base} {draw(st.sampled_from(['', 'const']))} {behind} {', '.join(declarators)};"


@st.composite
def _unit(draw: st.DrawFn) -> str:
    text = "struct t { char c; short s; }; typedef long T;\n"
    for nth in range(40):
        kind = draw(st.sampled_from(["member", "typedef", "variable"]))
        declaration = draw(_declaration(kind))
        if kind == "member":
            declaration = f"struct r{nth} {{ char first; {declaration} char last; }};"
        while "@" in declaration:
            declaration = declaration.replace("@", f"{kind}{text.count('@')}_{nth}_{declaration.count('@')}", 1)
        text += declaration.replace("#", f"E{nth}") + "\n"
    return text


def _lines_of(sema: Sema, text: str) -> list[tuple[str, str]]:
    """What gcc has to print, and what our types say about it. Names that are refused are left out."""
    lines: list[tuple[str, str]] = []
    for name in re.findall(r"\b(?:variable|typedef)\d\w+", text):
        symbol = sema.file_symbol(name)
        assert symbol is not None
        if isinstance(symbol.type, Unsupported):
            continue
        if symbol.is_typedef:
            lines.append((f"sizeof({name}), _Alignof({name})", f"{sizeof(symbol.type)} {alignof(symbol.type)}"))
        else:
            assert symbol.node is not None
            align = sema.layout.of_declaration(symbol.node).align or alignof(symbol.type)
            lines.append((f"sizeof({name}), _Alignof({name})", f"{sizeof(symbol.type)} {align}"))
    for tag in re.findall(r"\bstruct (r\d+)", text):
        record = sema.resolve_type(sema._file_tags[tag])
        assert isinstance(record, Record)
        try:
            lines.append((f"sizeof(struct {tag}), _Alignof(struct {tag})", f"{sizeof(record)} {alignof(record)}"))
        except (LayoutError, InputError):
            continue
        for f in record.info.fields:
            lines.append((f"offsetof(struct {tag}, {f.name}), (size_t)0", f"{f.offset} 0"))
    return lines


@pytest.mark.compile
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(text=_unit())
def test_attributes_belong_to_what_gcc_gives_them_to(tmp_path: Path, text: str):
    lines = _lines_of(sema_of(parse(text)), text)
    assert len(lines) > 40
    prints = "".join(f'printf("%zu %zu\\n", {question});\n' for question, _ in lines)
    program = f"#include <stdio.h>\n#include <stddef.h>\n{text}int main(void) {{\n{prints}return 0; }}"
    printed = run_c(program, tmp_path).splitlines()
    assert dict(zip((q for q, _ in lines), printed, strict=True)) == dict(lines)


def _tag(text: str, tag: str, unnamed_members: bool = False) -> Record:
    unit = parse(text)
    sema = Sema(unit.ast, layout=lambda _: Layout(unnamed_members))
    record = sema.resolve_type(sema._file_tags[tag])
    assert isinstance(record, Record)
    return record


def test_flexible_array_member_adds_nothing():
    record = _tag("struct s { int n; char c; double tail[]; };", "s")
    assert sizeof(record) == 8
    tail = field(record, "tail")
    assert tail is not None
    assert (tail.offset, tail.type) == (8, Array(C.DOUBLE, None))


def test_members_of_anonymous_records_are_found_with_their_offset():
    record = _tag("struct s { int a; union { long l; struct { char c, d; }; }; };", "s")
    found = field(record, "d")
    assert found is not None
    assert (found.offset, found.type) == (9, C.CHAR)
    assert field(record, "missing") is None


def test_types_with_names_make_members_with_fms_extensions_only():
    text = "struct a { int x; }; typedef struct { short y; } t; struct s { char c; struct a; t; union u { long z; }; };"
    record = _tag(text, "s", unnamed_members=True)
    assert [f.offset if (f := field(record, name)) else None for name in "cxyz"] == [0, 4, 8, 16]
    record = _tag(text, "s")
    assert [field(record, name) is not None for name in "cxyz"] == [True, False, False, False]
    assert sizeof(record) == 1


def test_qualifiers_of_the_record_reach_its_members():
    record = _tag("struct s { int a[3]; };", "s")
    found = field(qualified(record, frozenset(["const"])), "a")
    assert found is not None
    assert declare(found.type, "a") == "const int a[3]"


def test_no_constant_size():
    record = _tag("struct s; struct s *p;", "s")
    for t in (record, Array(C.INT, None), Array(record, 3)):
        with pytest.raises(LayoutError):
            sizeof(t)


def test_forward_references_and_definitions_are_one_type():
    unit = parse("struct a { struct b *b; }; struct b { struct a a; }; struct b x; struct a *y;")
    sema = Sema(unit.ast)
    x, y = sema.file_symbol("x"), sema.file_symbol("y")
    assert x is not None
    assert y is not None
    a = field(x.type, "a")
    assert a is not None
    assert isinstance(y.type, Pointer)
    assert a.type == y.type.to
    b = field(a.type, "b")
    assert b is not None
    assert b.type == Pointer(x.type)


def test_enumerations_have_gccs_underlying_types(tmp_path: Path):
    texts = ["A", "A = -1, B", "A = 0xffffffff", "A = 0x100000000", "A = -1, B = 0xffffffff", "A = 2147483647"]
    for text in texts:
        unit = parse(f"enum e {{ {text} }} x;")
        symbol = Sema(unit.ast).file_symbol("x")
        assert symbol is not None
        ours = f"{sizeof(symbol.type)} {int(is_unsigned(integer_promote(symbol.type)))}"
        program = f"int printf(const char *, ...); int main(void) {{ enum e {{ {text} }} x = 0;"
        program += 'printf("%d %d", (int)sizeof x, (__typeof__(+x))-1 > 0); return 0; }'
        assert run_c(program, tmp_path) == ours


@pytest.mark.parametrize(
    ("t", "name", "text"),
    [
        (Array(Pointer(C.INT), 4), "a", "int *a[4]"),
        (Pointer(Array(qualified(C.DOUBLE, frozenset(["const"])), 10)), "m", "const double (*m)[10]"),
        (Pointer(C.CHAR, quals=frozenset(["const", "restrict"])), "s", "char *const restrict s"),
        (Pointer(C.CHAR, quals=frozenset(["const"])), "", "char *const"),
        (Pointer(Function(C.INT, (C.INT, C.DOUBLE))), "f", "int (*f)(int, double)"),
        (Function(Pointer(C.VOID), (Pointer(C.CHAR),), variadic=True), "f", "void *f(char *, ...)"),
        (Function(C.INT, ()), "f", "int f(void)"),
        (Function(C.INT, (), prototyped=False), "f", "int f()"),
        (Array(Array(C.INT, 3), 2), "a", "int a[2][3]"),
        (Pointer(Pointer(Array(C.INT, None))), "p", "int (**p)[]"),
        (Array(Pointer(Function(Pointer(Array(C.INT, 2)), ())), 3), "x", "int (*(*x[3])(void))[2]"),
        (Scalar("unsigned long", quals=frozenset(["volatile", "const"])), "", "const volatile unsigned long"),
    ],
)
def test_declare(t: CType, name: str, text: str):
    assert declare(t, name) == text


def test_conversions():
    assert usual_arithmetic(C.INT, C.UNSIGNED_INT) == C.UNSIGNED_INT
    assert usual_arithmetic(C.UNSIGNED_INT, C.LONG) == C.LONG
    assert usual_arithmetic(Scalar("long long"), Scalar("unsigned long")) == Scalar("unsigned long long")
    assert usual_arithmetic(C.SHORT, C.UNSIGNED_CHAR) == C.INT
    assert usual_arithmetic(Scalar("float _Complex"), C.DOUBLE) == Scalar("double _Complex")
    assert integer_promote(C.INT, 3) == C.INT
    assert integer_promote(C.UNSIGNED_INT, 31) == C.INT
    assert integer_promote(C.UNSIGNED_INT, 32) == C.UNSIGNED_INT


def test_alias_does_not_take_part_in_comparison():
    size_t = Scalar("unsigned long", alias="size_t")
    assert size_t == Scalar("unsigned long")
    assert hash(size_t) == hash(Scalar("unsigned long"))
    assert compatible(Pointer(size_t), Pointer(Scalar("unsigned long")))
    assert strip(qualified(size_t, frozenset(["const"]))).alias == "size_t"


DECLARATIONS = """
typedef struct { char c; int x; } late __attribute__((packed));
typedef struct { char c; int x; } __attribute__((packed)) early;
typedef struct { float x, y, z, w; } quad __attribute__((aligned(16)));
typedef struct __attribute__((aligned(2 * 8), packed)) { char c; int x; } both;
struct var { char c; } v __attribute__((aligned(16)));
typedef struct var var;
typedef struct { char c[9]; } __attribute__((aligned(010))) octal;
typedef enum { A0, B0 } __attribute__((packed)) tiny;
typedef enum __attribute__((packed)) { A1 = -1, B1 = 127 } negative;
typedef enum { A2 = -1, B2 = 128 } __attribute__((packed)) wider;
typedef enum { A3, B3 = 65535 } __attribute__((packed)) half;
typedef struct { tiny t; wider w; char c; } with_enums;
typedef struct { char c; enum { A4 } __attribute__((packed)) e; } with_enum_inside;
typedef struct { char c; int x __attribute__((aligned(16))), y; } several;
typedef struct { char c; __attribute__((aligned(8))) struct { char d; } in, in2; } specifier;
typedef union { max m; char c; } with_alignment_of_type;
typedef float strict[4] __attribute__((aligned(4 * sizeof(int))));
typedef struct { char c; strict s; const strict t; strict u[1]; struct var v; } with_strict;
typedef struct var strict_var __attribute__((aligned(64)));
typedef struct { char c; strict_var v; } with_strict_var;
typedef int loose __attribute__((aligned(1)));
typedef struct { char c; loose l; loose m[2]; double __attribute__((aligned(2))) d; } with_loose;
struct tagged { char c; double d; };
typedef struct { char c; int x __attribute__((deprecated(";{"))) __attribute__((aligned(64))); } after_text;
typedef struct __attribute__((aligned(4 * sizeof(struct tagged)))) around { char c; } around_keyword;
typedef struct tagged loose_struct __attribute__((aligned(2)));
typedef struct { char c; double d; } loose_untagged __attribute__((aligned(1)));
typedef long loose_row[3] __attribute__((aligned(4)));
typedef float loose_vector __attribute__((vector_size(16), aligned(4)));
typedef struct { char c; loose_struct s; char d; loose_untagged u; loose_row r; char e; loose_vector v[2]; } looser;
typedef struct { char c; loose_vector v; loose_untagged u; } __attribute__((packed)) with_packed_looser;
typedef union { char c[17]; loose_vector v; struct tagged t; } union_of_looser;
[[gnu::vector_size(16), gnu::aligned(4)]] typedef float in_brackets;
struct [[gnu::packed, deprecated("aligned(64)")]] packed_in_brackets { char c; int x; };
typedef struct packed_in_brackets packed_in_brackets;
typedef struct [[packed]] [[clang::packed]] { char c; [[maybe_unused]] int x; } unpacked;
typedef struct { char c; [[gnu::aligned(32)]] int x, y; int z [[__gnu__::__packed__]], w; } first_in_brackets;
typedef struct { char c; int x [[gnu::packed]] [[gnu::aligned(2)]] [3]; in_brackets v; } last_in_brackets;
typedef struct { char c; int x __attribute__((deprecated("packed"))), y; enum [[gnu::packed]] { B4 } e; } said_packed;
typedef struct { char c; _Atomic struct { short a, b; } p; _Atomic float _Complex z; } with_atomics;
typedef int vector __attribute__((__vector_size__(4 * sizeof(int))));
typedef struct { char c; vector v; double __attribute__((vector_size(16))) *p, d; } with_vectors;
typedef short bytes __attribute__((mode(QI)));
typedef unsigned long long word __attribute__((__mode__(__SI__)));
typedef struct { bytes b; word w __attribute__((mode(DI))); __attribute__((mode(HI))) int h, i; char c; } with_modes;
typedef struct { char c[sizeof(char __attribute__((vector_size(8)))) + sizeof(vector[2])]; } in_type_name;
"""


@pytest.mark.compile
def test_attributes_of_declarations_are_those_of_gcc(tmp_path: Path):
    prelude = "typedef long double max __attribute__((unused));\n"
    sema = sema_of(parse(prelude + DECLARATIONS))
    names = re.findall(r"(\w+)(?: __attribute__[^;}]*)?;$", DECLARATIONS, re.MULTILINE)
    types = {name: symbol.type for name in names if (symbol := sema.file_symbol(name)) and symbol.is_typedef}
    assert len(types) == 41
    lines = "\n".join(f'printf("{name} %zu %zu\\n", sizeof({name}), _Alignof({name}));' for name in types)
    program = f"#include <stdio.h>\n{prelude}{DECLARATIONS}int main(void) {{ {lines} return 0; }}"
    assert run_c(program, tmp_path).splitlines() == [f"{n} {sizeof(t)} {alignof(t)}" for n, t in types.items()]


@pytest.mark.parametrize(
    "declaration",
    [
        "typedef long double x __attribute__((vector_size(32)));",
        "typedef float x __attribute__((vector_size(12)));",
        "typedef int x __attribute__((mode(DF)));",
        "typedef float x __attribute__((mode(XF)));",
        "typedef int x __attribute__((mode(V4SI)));",
        "typedef char *x __attribute__((mode(SI)));",
        "typedef _Decimal64 x;",
    ],
)
def test_types_that_devices_lack_have_no_layout(declaration: str):
    symbol = sema_of(parse(declaration)).file_symbol("x")
    assert symbol is not None
    assert isinstance(symbol.type, Unsupported)
    with pytest.raises(LayoutError):
        sizeof(symbol.type)
