"""What is left out of the headers of the system: never what the unit can reach, and otherwise nearly everything."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pycparser import c_ast

from rex_build.c.rewrite.system_headers import _declarations, without_unreached
from rex_build.c.source.gnu_text import normalise_gnu
from rex_build.c.source.preprocess import Preprocessed, preprocess, read_preprocessed
from rex_build.c.syntax.parse import parse
from rex_build.c.syntax.parser import GnuParser

pytestmark = pytest.mark.compile

HEADERS = (
    *("assert", "complex", "ctype", "dirent", "errno", "fcntl", "fenv", "float", "inttypes", "iso646"),
    *("limits", "locale", "math", "netdb", "omp", "pthread", "pwd", "sched", "semaphore", "setjmp"),
    *("signal", "stdalign", "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib"),
    *("stdnoreturn", "string", "strings", "sys/mman", "sys/resource", "sys/socket", "sys/stat"),
    *("sys/time", "sys/types", "sys/wait", "tgmath", "threads", "time", "uchar", "unistd", "wchar"),
    "wctype",
)
FLAGS = {
    "gcc": ("-D_GNU_SOURCE", "-O2", "-D_FORTIFY_SOURCE=2"),
    "gcc -std=c99": ("-std=c99",),
    "gcc -Ofast": ("-Ofast", "-D_GNU_SOURCE"),  # with ``declare simd`` before functions
    "clang-19": ("-D_GNU_SOURCE", "-O2"),
}


def from_system(header: str, user: str, file: str = "/usr/include/h.h") -> str:
    """What is left of a unit that includes a header of the system, without empty lines."""
    text = f'# 1 "u.c"\n# 1 "{file}" 1 3\n{header}\n# 2 "u.c" 2\n{user}\n'
    left = without_unreached(read_preprocessed(text, "u.c")).text
    return "\n".join(" ".join(line.split()) for line in left.split("\n") if line.strip())


@pytest.mark.parametrize(
    ("header", "user", "left"),
    [
        ("int f(int x);\nint g(int x);", "int a = f(1);", "int f(int x);"),
        ("int f(int x); int g(int x);", "int x = g(1);", "int g(int x);"),  # a parameter is no declaration
        ("typedef int t;\ntypedef t u;\nu *f(t *);\nint g(u *p, t x);", "u a;", "typedef int t;\ntypedef t u;"),
        ("typedef int (*t)(int);\ntypedef int (u);\ntypedef int v(int);", "t a; u b;",
         "typedef int (*t)(int);\ntypedef int (u);"),
        ("extern int (x);\nextern char *y, z[2];", "int *a = &x;", "extern int (x);"),
        ("extern char *y, z[2];", "char a = z[0];", "extern char *y, z[2];"),
        ("int f(int), g(int);", "int a = g(1);", "int f(int), g(int);"),
        ("void (*f(int))(int);\nint (g)(int);", "int a; g(2); f(a);", "void (*f(int))(int);\nint (g)(int);"),
        ("enum e { A, B = 2 };\nenum { C };", "int a = B;", "enum e { A, B = 2 };"),
        ("struct s;\nstruct s { int m; };\nstruct t { int n; };", "struct s *p;", "struct s;\nstruct s { int m; };"),
        ("struct s { struct in { int m; } i; };", "struct in a;", "struct s { struct in { int m; } i; };"),
        ("typedef struct __attribute__((packed)) { char c; } s;", "s a;",
         "typedef struct __attribute__((packed)) { char c; } s;"),
        ("struct s { int key; } a, *b;\nstruct t { int key; };", "int key = b->key;", "struct s { int key; } a, *b;"),
        ("struct s f(void) { struct s a = {0}; return a; }\nextern int x;", "int *a = &x;", "extern int x;"),
        ("static inline int f(void) { return h(); }\nint g(void);\nint h(void);", "int a = f();",
         "static inline int f(void) { return h(); }\nint h(void);"),
        ("int f(a) int a; { return a; }\nint g(void);", "", "int f(a) int a; { return a; }\nint g(void);"),
        ('int f(int) __asm__ ("" "g") __attribute__ ((__nonnull__ (1)));', "int a = f(1);",
         'int f(int) __asm__ ("" "g") __attribute__ ((__nonnull__ (1)));'),
        ("extern int __attribute__((weak)) f(int);", "int a = f(1);", "extern int __attribute__((weak)) f(int);"),
        ('extern __typeof(f) g __attribute__((alias("f")));', "int a = g(1);",
         'extern __typeof(f) g __attribute__((alias("f")));'),
        ("int printf(const char *, ...);\nint f(void);", "", "int printf(const char *, ...);"),
        ("#pragma omp declare simd\ndouble f(double);\ndouble g(double);", "double a = g(1);", "double g(double);"),
        ("#pragma omp declare simd\ndouble f(double);", "double a = f(1);",
         "#pragma omp declare simd\ndouble f(double);"),
        ("#pragma pack(push, 1)\nint f(void);\n#pragma pack(pop)", "", "#pragma pack(push, 1)\n#pragma pack(pop)"),
        ("int f(void);\n#pragma omp declare variant(f) match(construct={target})\nint g(void);\nint h(void);", "",
         "int f(void);\n#pragma omp declare variant(f) match(construct={target})\nint g(void);\nint h(void);"),
        ("static void f(int *p) {\n#pragma omp target\n*p = 1;\n}\nint g(void);", "",
         "static void f(int *p) {\n#pragma omp target\n*p = 1;\n}"),
    ],
)  # fmt: skip
def test_what_is_left(header: str, user: str, left: str) -> None:
    assert from_system(header, user) == f"{left}\n{user}".strip()


def test_only_headers_whose_names_are_known_to_be_harmless() -> None:
    """Generated names must differ from those in a header that ``-isystem`` found, whether they are reached or not."""
    assert from_system("int f(void);", "int a;", "/opt/library/h.h") == "int f(void);\nint a;"


@pytest.mark.parametrize(
    "before",
    ["struct s {", "int a[] = {", "int f(void)", "void f(void) {", "#pragma omp declare target",
     "#pragma omp begin declare target", "#pragma omp begin assumes no_openmp",
     "[[omp::directive(begin declare target)]];"],
)  # fmt: skip
def test_headers_inside_of_something_else_stay(before: str) -> None:
    text = f'# 1 "u.c"\n{before}\n# 1 "/usr/include/h.h" 1 3\nint f;\nint g;\n# 3 "u.c" 2\n'
    left = without_unreached(read_preprocessed(text, "u.c")).text
    assert "int f;\nint g;" in left


def test_places_stay(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("#include <stdio.h>\n\nint a;\n#include <math.h>\nint b; double c = sqrt(2);\n")
    pre = without_unreached(preprocess(source, (), "gcc"))
    for mark, line in (("int a", 3), ("int b", 5)):
        origin, number = pre.origin_of(pre.line_at(pre.text.index(mark)))
        assert (origin.file, number) == (str(source), line)
    origin, number = pre.origin_of(pre.line_at(pre.text.index(" sqrt ")))
    assert " sqrt," in Path(origin.file).read_text().splitlines()[number - 1].replace("(", " ")


@pytest.fixture(scope="module", params=FLAGS)
def everything(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Preprocessed:
    """A unit with all headers."""
    cc = request.param.split()[0]
    if not shutil.which(cc):
        pytest.skip(f"no {cc}")
    source = tmp_path_factory.mktemp("unit") / "unit.c"
    names = [name for name in HEADERS if cc == "gcc" or name != "omp"]  # clang's may not be there
    source.write_text("".join(f"#include <{name}.h>\n" for name in names))
    return preprocess(source, FLAGS[request.param], cc)


def declared(tree: c_ast.FileAST) -> Iterator[tuple[str, c_ast.Node]]:
    """Every name of file scope in the headers, with its node, as pycparser sees it."""
    for item in tree.ext:
        stack = [item]
        while stack:
            node = stack.pop()
            if isinstance(node, (c_ast.Struct, c_ast.Union, c_ast.Enum)) and node.name and any(True for _ in node):
                yield node.name, node
            if isinstance(node, c_ast.Enumerator):
                yield node.name, node
            if isinstance(node, c_ast.FuncDef):
                yield node.decl.name, node
            else:
                stack += [child for _, child in node.children()]
        if isinstance(item, (c_ast.Decl, c_ast.Typedef)) and item.name:
            yield item.name, item


def test_every_name_belongs_to_its_declaration(everything: Preprocessed) -> None:
    """The parser says what is declared where: the declaration there has the name, or is never left out."""
    parts = list(_declarations(everything))
    tree = GnuParser(everything.c23).parse(normalise_gnu(everything.text)[0])
    at = 0
    placed = sorted(
        (everything.line_starts[node.coord.line - 1] + node.coord.column - 1, name) for name, node in declared(tree)
    )
    assert len(placed) > 2000
    for offset, name in placed:
        while at < len(parts) and parts[at][1] <= offset:
            at += 1
        if at < len(parts) and parts[at][0] <= offset:
            start, end, names = parts[at]
            assert name in names, everything.text[start:end]
    covered = sum(end - start for start, end, _ in parts)
    assert covered > 0.9 * len("".join(re.split(r"\n\s*", everything.text))), "the search has ended early"


def test_a_unit_that_reaches_nothing_keeps_nothing(everything: Preprocessed) -> None:
    left = without_unreached(everything)
    words = set(re.findall(r"\w+", left.text))
    assert len(words) < 30, words
    assert parse(left)
