"""Where each line of preprocessed text comes from, and where the characters of a directive stand in the user's file."""

from __future__ import annotations

from pathlib import Path

import pytest

from rex_build.base.diagnostics import InputError, ToolError
from rex_build.c.source.preprocess import (
    Preprocessed,
    device_macro_warnings,
    preprocess,
    presumed_place,
    read_preprocessed,
)

pytestmark = pytest.mark.compile


def run(folder: Path, text: str, *flags: str, **headers: str) -> Preprocessed:
    for name, content in headers.items():
        (folder / f"{name}.h").write_text(content)
    source = folder / "unit.c"
    source.write_text(text)
    return preprocess(source, flags, "gcc")


def line_with(pre: Preprocessed, mark: str) -> int:
    """The physical line (1-based) on which ``mark`` stands."""
    return pre.line_at(pre.text.index(mark))


def place(pre: Preprocessed, mark: str) -> tuple[str, int]:
    origin, line = pre.origin_of(line_with(pre, mark))
    return Path(origin.file).name, line


def test_lines_of_the_unit_and_of_its_headers(tmp_path: Path) -> None:
    header = "int in_header;" + 10 * "\n" + "int far;\n"
    pre = run(tmp_path, 'int a;\n#include "one.h"\nint b;\n\n\nint c;\n', one=header)
    assert place(pre, "int a") == ("unit.c", 1)
    assert place(pre, "in_header") == ("one.h", 1)
    assert place(pre, "far") == ("one.h", 11)
    assert place(pre, "int b") == ("unit.c", 3)
    assert place(pre, "int c") == ("unit.c", 6)


def test_inclusions_are_a_tree(tmp_path: Path) -> None:
    pre = run(
        tmp_path,
        'int a;\n#include "outer.h"\n#include "inner.h"\nint b;\n',
        outer='int o;\n#include "inner.h"\nint p;\n',
        inner="int MARK;\n#undef MARK\n",
    )
    names = [Path(i.file).name for i in pre.inclusions]
    assert [name for name in names if name != "stdc-predef.h"] == ["unit.c", "outer.h", "inner.h", "inner.h"]
    by_outer, by_unit = pre.inclusions[-2:]
    assert (names[by_outer.parent], by_outer.line) == ("outer.h", 2)
    assert (names[by_unit.parent], by_unit.line) == ("unit.c", 3)
    assert [Path(name).name for name in pre.includes if "predef" not in name] == ["unit.c", "outer.h", "inner.h"]
    assert place(pre, "int p") == ("outer.h", 3)


def test_system_headers_are_marked(tmp_path: Path) -> None:
    pre = run(tmp_path, "#include <stddef.h>\nint mine;\n")
    assert pre.origin_of(line_with(pre, "size_t"))[0].system
    assert not pre.origin_of(line_with(pre, "mine"))[0].system


def test_markers_keep_their_length() -> None:
    output = '# 1 "x.c"\nint a;\n# 7 "x.c"\nint b;\n'
    pre = read_preprocessed(output, "x.c")
    assert len(pre.text) == len(output)
    assert "#" not in pre.text
    assert pre.origin_of(4)[1] == 7


def test_names_with_quotes_and_spaces(tmp_path: Path) -> None:
    folder = tmp_path / 'a "quoted" folder'
    folder.mkdir()
    pre = run(folder, '#include "one.h"\nint a;\n', one="int b;\n")
    origin, line = pre.origin_of(line_with(pre, "int b"))
    assert (Path(origin.file), line) == (folder / "one.h", 1)


def test_line_directives_do_not_mislead(tmp_path: Path) -> None:
    """Places are physical lines of the real file; what the user renumbered is known beside that."""
    text = 'int a;\n#line 500 "grammar.y"\nint b;\nint c;\n#line 3\nint d;\n'
    pre = run(tmp_path, text)
    assert [place(pre, f"int {name}") for name in "abcd"] == [("unit.c", n) for n in (1, 3, 4, 6)]
    file = str(tmp_path / "unit.c")
    assert presumed_place(file, 1) == (file, 1)
    assert presumed_place(file, 4) == ("grammar.y", 501)
    assert presumed_place(file, 6) == ("grammar.y", 3)


def test_a_line_directive_with_the_number_of_an_earlier_line(tmp_path: Path) -> None:
    """The compiler prints a marker for line 7 where the function begins, as it does for the directive."""
    text = "#include <stdlib.h>\n#include <string.h>\n\n#define N 12\n#define M 4\n\nint main(void)\n{\n    int one;\n"
    pre = run(tmp_path, text + "#line 7\n    int two;\n}\n")
    assert [place(pre, words) for words in ("int main", "int one;", "int two;")] == [("unit.c", n) for n in (7, 9, 11)]


@pytest.mark.parametrize("name", ["<stdin>", "<built-in>", "<command-line>"])
def test_line_directives_with_names_that_the_compiler_uses(tmp_path: Path, name: str) -> None:
    pre = run(tmp_path, f'int a;\n#line 1\nint z;\n#line 1 "{name}"\nint b;\n%:line 2 "{name}"\nint c;\n')
    assert [place(pre, f"int {name}") for name in "azbc"] == [("unit.c", n) for n in (1, 3, 5, 7)]


def test_letters_in_names(tmp_path: Path) -> None:
    text = 'int gr\u00f6\\u00dfe;\nconst char *s = "\\u00e9 \\\\u00e9 <:";\n'
    pre = run(tmp_path, text + "#pragma omp target map(to: gr\u00f6\u00dfe)\n")
    assert "int gr\u00f6\u00dfe;" in pre.text
    assert '"\\u00e9 \\\\u00e9 <:"' in pre.text
    assert "map(to: gr\u00f6\u00dfe)" in pre.text


def test_separators_in_numbers() -> None:
    text = "char *s = \"1'0\", c = '1', d = '\\''; int e = 1'000, f = 0xA'b'c, g = 'a';\n"
    pre = read_preprocessed(f'# 1 "unit.c"\n{text}', "unit.c")
    assert pre.text.splitlines()[1] == "char *s = \"1'0\", c = '1', d = '\\''; int e = 1000 , f = 0xAbc  , g = 'a';"


def test_header_included_twice_with_line_directives(tmp_path: Path) -> None:
    pre = run(
        tmp_path,
        '#define NAME first\n#include "part.h"\n#undef NAME\n#define NAME second\n#include "part.h"\nint end;\n',
        part='#line 90 "other.c"\nint NAME;\n',
    )
    assert place(pre, "first") == ("part.h", 2)
    assert place(pre, "second") == ("part.h", 2)
    assert place(pre, "int end") == ("unit.c", 6)


def columns(pre: Preprocessed, text: str) -> list[tuple[int, int] | None]:
    """(line, column) in the user's file of each non-blank character of the pragma whose text after ``omp`` this is."""
    line = line_with(pre, "pragma omp")
    places = pre.pragma_places(line, text)
    assert len(places) == len(text)
    return [(p.line, p.column) if p else None for c, p in zip(text, places, strict=True) if not c.isspace()]


def directive_text(pre: Preprocessed) -> str:
    at = pre.text.index("omp", pre.text.index("#pragma")) + 3
    return pre.text[at : pre.text.index("\n", at)].strip()


def test_places_in_a_plain_pragma(tmp_path: Path) -> None:
    pre = run(tmp_path, "void f(void) {\n  #pragma  omp   target  map( to :x )\n  ;\n}\n")
    text = directive_text(pre)
    user = "  #pragma  omp   target  map( to :x )"
    expected = [(2, user.index("target") + 1 + i) for i in range(6)]
    assert columns(pre, text)[:6] == expected
    assert columns(pre, text)[text.replace(" ", "").index("x")] == (2, user.index("x") + 1)


def test_places_in_a_continued_pragma(tmp_path: Path) -> None:
    pre = run(tmp_path, "#pragma omp target \\\n    map(to: x) \\\n    /* why */ map(from: y)\nint a;\n")
    text = directive_text(pre)
    found = dict(zip(text.replace(" ", ""), columns(pre, text), strict=True))
    assert found["x"] == (2, 13)
    assert found["y"] == (3, 25)


def test_places_of_macros_in_clauses(tmp_path: Path) -> None:
    """What follows a macro in a clause is found again; what the macro made stands near it."""
    user = "#pragma omp target map(to: LIST) num_teams(COUNT) device(dev)"
    pre = run(tmp_path, f"#define LIST a, b, c\n#define COUNT (4 * 32)\n{user}\nint a;\n")
    text = directive_text(pre)
    assert "32" in text
    places = pre.pragma_places(line_with(pre, "pragma omp"), text)
    after = places[text.index("num_teams")]
    last = places[text.index("dev)")]
    assert after is not None
    assert last is not None
    assert (after.line, after.column) == (3, user.index("num_teams") + 1)
    assert (last.line, last.column) == (3, user.index("dev)") + 1)
    inside = places[text.index("32")]
    assert inside is not None
    assert inside.line == 3


def test_places_of_a_macro_with_words_of_later_clauses(tmp_path: Path) -> None:
    user = "#pragma omp target map(to: LIST) map(from: b)"
    pre = run(tmp_path, f"#define LIST a, b\n{user}\nint a;\n")
    text = directive_text(pre)
    place = pre.pragma_places(line_with(pre, "pragma omp"), text)[text.index("from")]
    assert place is not None
    assert place.column == user.index("from") + 1


def test_pragma_operator(tmp_path: Path) -> None:
    pre = run(tmp_path, '#define GO _Pragma("omp target map(to: x)")\nint a;\nGO\nint b;\n')
    assert "#pragma omp target map(to: x)" in pre.text
    assert place(pre, "#pragma omp") == ("unit.c", 3)
    assert place(pre, "int b") == ("unit.c", 4)


def test_span_points_at_the_token(tmp_path: Path) -> None:
    pre = run(tmp_path, "#define TYPE int\n    TYPE   wide_name = 3;\n")
    offset = pre.text.index("wide_name")
    line = pre.line_at(offset)
    span = pre.span_at(line, offset - pre.line_starts[line - 1] + 1)
    assert (span.line, span.column, span.length) == (2, 12, len("wide_name"))


def test_errors_name_the_users_line(tmp_path: Path) -> None:
    with pytest.raises(InputError) as missing:
        run(tmp_path, 'int a;\n#include "not_there.h"\n')
    (diagnostic,) = missing.value.diagnostics
    assert diagnostic.span is not None
    assert (Path(diagnostic.span.file).name, diagnostic.span.line) == ("unit.c", 2)
    with pytest.raises(InputError, match="told you so"):
        run(tmp_path, "#error told you so\n")


def test_compiler_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "unit.c").write_text("int a;\n")
    with pytest.raises(ToolError, match="no-such-cc"):
        preprocess(tmp_path / "unit.c", (), "no-such-cc")


def test_bytes_that_are_no_utf8_survive(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_bytes(b'const char *s = "caf\xe9";\n')
    pre = preprocess(source, (), "gcc")
    assert b'"caf\xe9"' in pre.text.encode("utf-8", "surrogateescape")


def test_macros_of_devices_are_warned_of(tmp_path: Path) -> None:
    text = '#include "one.h"\n#include "two.h"\n#ifdef __CUDACC__\n#elif defined X || defined(__NVPTX__)\n#endif\n'
    of_cuda = "#if defined __NVCC__ && !defined __CUDA_ARCH__\nint d;\n#endif\n"
    one = f"{of_cuda}#  ifndef __CUDA_ARCH__\n#define A 1 + \\\n 2\nint a;\n#  endif\n#ifdef __nvptx__\nint b;\n#endif"
    only_macros = "#ifdef __CUDA_ARCH__\n/* one */\n#ifdef X\n#define Y 1 + \\\n 2\n#endif\n#endif\nint c;\n"
    pre = run(tmp_path, text + "#pragma omp declare target\n", one=one, two=only_macros)
    found = [(Path(d.span.file).name, d.span.line, d.span.column) for d in device_macro_warnings(pre) if d.span]
    assert sorted(found) == [("one.h", 4, 11), ("unit.c", 4, 28)]


def test_macros_of_devices_in_system_headers_are_not(tmp_path: Path) -> None:
    system = tmp_path / "system"
    system.mkdir()
    (system / "one.h").write_text("#ifdef __CUDA_ARCH__\n#endif\n")
    pre = run(tmp_path, "#include <one.h>\nint a;\n", "-isystem", str(system))
    assert device_macro_warnings(pre) == ()


@pytest.mark.parametrize("flags", ["-g3", "-ggdb3", "-dD", "-P", "-CC", "-Wp,-dD,-P", "-Xpreprocessor -dD -O2"])
def test_flags_that_print_more_or_less(tmp_path: Path, flags: str) -> None:
    """With -g3, gcc prints definitions of macros as well, which would count in other texts for other compilers."""
    text = '#include "own.h"\n#define TWO 2\nint x = ONE + TWO; /* a comment */\n'
    headers = {"own": "#define ONE 1\n"}
    assert run(tmp_path, text, "-O1", "-g", *flags.split(), **headers).text.split() == ["int", "x", "=", "1", "+", "2;"]
