"""Programs that mean what they meant, with names that generated code has for itself.

Works on the tokens of C, so that it takes part in nothing that rex-build itself gets wrong. A program is its files'
texts; every function here returns new texts.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "rex_build" / "include"

_TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)"
    r'|(?P<pragma>_Pragma\s*\(\s*(?:L?"(?:\\.|[^"\\])*"\s*)+\))'
    r'|(?P<text>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\')'
    r"|(?P<include>^[ \t]*#[ \t]*include\b[^\n]*)"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)"
    r"|(?P<word>[A-Za-z_]\w*)",
    re.DOTALL | re.MULTILINE,
)
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_ATTRIBUTE = re.compile(r"__attribute(?:__)?\s*(\()|\[\[|\b_?_?asm(?:__)?\b\s*(?:volatile|__volatile__)?\s*(\()")
_UNIT = re.compile(r"_[0-9a-f]{16}$|__[0-9a-f]{8}(_|$)")  # a digest of the unit, which no program can have by chance
_OTHER_PRAGMA = re.compile(r"""(?:#[ \t]*pragma\b|_Pragma[ \t]*\([ \t]*")[ \t]*(?![ \t]|omp\b)([^\n]*)""")
_MARKER = re.compile(r'^# \d+ "(?P<file>(?:\\.|[^"\\])*)"', re.MULTILINE)

# Names that C itself has a meaning for, GNU C's and those of newer standards among them.
_KEYWORDS = frozenset(
    """
    alignas alignof asm auto bool break case char const constexpr continue default do double else enum extern false
    float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert struct
    switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while
    main defined define undef ifdef ifndef elif endif include include_next pragma line error warning once omp linux unix
    i386 va_arg va_start va_end va_copy
    """.split()  # noqa: SIM905
)
# Its spellings of words that are reserved: a program that uses these for something else is not C.
_OF_GCC = frozenset(("__visibility__", "__used__", "__unused__", "__typeof__", "__restrict__", "__auto_type"))


def words(text: str) -> set[str]:
    """The identifiers and keywords of a text that is C, pragmas among them; not those in strings and comments."""
    found: set[str] = set()
    for match in _TOKEN.finditer(text):
        if match["word"]:
            found.add(match["word"])
        elif match["pragma"]:
            found.update(_WORD.findall(match["pragma"]))
    return found


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The text with names replaced wherever they are tokens, in pragmas and macros too."""

    def replacement(match: re.Match[str]) -> str:
        if match["word"]:
            return names.get(match["word"], match["word"])
        if match["pragma"]:
            return _WORD.sub(lambda word: names.get(word[0], word[0]), match["pragma"])
        return match[0]

    return _TOKEN.sub(replacement, text)


@cache
def openmp_words() -> frozenset[str]:
    """Every word in a string of the directives' tables. In a pragma, none of them can be told from a name."""
    found: set[str] = set()
    for path in (ROOT / "rex_build" / "directives").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.update(_WORD.findall(node.value))
    return frozenset(found)


def _attribute_words(text: str) -> set[str]:
    found: set[str] = set()
    for match in _ATTRIBUTE.finditer(text):
        depth, at = 0, match.end() - 1
        while at < len(text):
            depth += (text[at] in "([") - (text[at] in ")]")
            at += 1
            if depth == 0:
                break
        found.update(_WORD.findall(text[match.start() : at]))
    return found


class Vocabulary:
    """Which names of a program may be replaced, and which names it does not have.

    ``own`` are the identifiers that only its own files contain, in the order of the alphabet; ``known`` every word that
    its compilation sees, the names of macros among them. ``others`` are flags of other compilations.
    """

    def __init__(self, sources: Sequence[Path], cflags: Sequence[str], others: Sequence[str] = ()) -> None:
        texts = [source.read_text() for source in sources]
        here = {str(source) for source in sources}
        foreign: set[str] = set()
        headers: set[str] = set()
        for source, flags in product(sources, (("-fopenmp",), tuple(others))):  # the reference may include others
            command = ["gcc", *cflags, *flags, "-E", "-dD", str(source)]
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=True)
            for file, part in _by_file(done.stdout):
                if file not in here:
                    foreign.update(_WORD.findall(part))
                    headers.add(file)
        for header in headers:  # a header that is not the system's may use macros of the program
            if not header.startswith(("<", "/usr/")) and Path(header).is_file():  # else '#line' has named it
                foreign.update(_WORD.findall(Path(header).read_text()))
        mine = set().union(*map(words, texts))
        fixed = foreign | _KEYWORDS | openmp_words() | set().union(*map(_attribute_words, texts))
        fixed |= {word for text in texts for line in _OTHER_PRAGMA.findall(text) for word in _WORD.findall(line)}
        fixed |= {word for flag in (*cflags, *others) for word in re.findall(r"(?<=-D)\w+", flag)}
        fixed |= {word for text in texts for word in re.findall(r'"(\w+)"', text)}
        self.own = sorted(word for word in mine - fixed if not word.startswith(("_", "omp_", "rex_")))
        self.known = frozenset(mine | fixed)


def _by_file(preprocessed: str) -> Iterator[tuple[str, str]]:
    markers = list(_MARKER.finditer(preprocessed))
    for marker, following in zip(markers, [*markers[1:], None], strict=True):
        yield marker["file"], preprocessed[marker.end() : following.start() if following else None]


def generated_names(generated: Iterable[str], known: Collection[str]) -> list[str]:
    """The names in generated texts that are not the program's: variables, functions, types, macros, labels."""
    found: set[str] = set()
    for text in generated:
        code = re.sub(r"^[ \t]*#[ \t]*(?:line|pragma GCC|include)[^\n]*", "", text, flags=re.MULTILINE)
        found |= words(code)
    names = sorted(name for name in found - set(known) if not name.startswith(("__builtin_", "__CUDA", "_Pragma")))
    return [name for name in names if not _UNIT.search(name) and name not in _OF_GCC]


@cache
def header_names(pattern: str) -> frozenset[str]:
    """Names of ours in the headers whose file names match."""
    found: set[str] = set()
    for path in filter(Path.is_file, INCLUDE.rglob(pattern)):
        found |= words(path.read_text())
    return frozenset(name for name in found if re.match(r"_*(rex|tgt|xomp)_", name, re.IGNORECASE))


def host_header_names() -> frozenset[str]:
    """Names of ours in the headers of host files."""
    return frozenset().union(*map(header_names, ("rex_kmp.h", "rex_host_*.h", "rex_interop.h", "rex_initial_device.h")))


def with_macros(text: str, names: Sequence[str]) -> str:
    """The text with macros of these names, every other one with parameters, ahead of all that it has itself."""
    values = [f"#define {name}{'(x, y)' if at % 2 else ''} + wrong +" for at, name in enumerate(names)]
    return "\n".join([*values, "#line 1", text])


# Bodies

_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+(?P<text>(?:\\\n|[^\n])*)\n", re.MULTILINE)
_LOOP = re.compile(r"\s*for\s*\(")
_OPENS = re.compile(r"\s*\{")
_WITH_BODIES = re.compile(r"\b(?:target|parallel|teams|for|distribute|loop|simd|task|single|masked|taskloop)\b")
_WITHOUT_BODIES = re.compile(r"\b(?:declare|end|atomic|update|enter|exit|sections|requires)\b")


def places_for_redeclarations(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """(place right behind the brace that opens the body of a construct, the names in its clauses) in order."""
    found = []
    for match in _PRAGMA.finditer(text):
        directive = re.sub(r"/\*.*?\*/|//.*", "", match["text"], flags=re.DOTALL)
        if not _WITH_BODIES.search(directive) or _WITHOUT_BODIES.match(directive):
            continue
        names = tuple(sorted(set(_WORD.findall(directive)) - openmp_words() - _KEYWORDS))
        place = _body(text, match.end())
        if names and place is not None:
            found.append((place, names))
    return found


def _body(text: str, at: int) -> int | None:
    """The place behind the brace that opens what a directive's loops repeat, or the block that it stands before."""
    while loop := _LOOP.match(text, at):
        depth, at = 1, loop.end()
        while at < len(text) and depth:
            depth += (text[at] == "(") - (text[at] == ")")
            at += 1
    opens = _OPENS.match(text, at)
    return opens.end() if opens else None


def redeclared(text: str, places: Sequence[tuple[int, str]]) -> str:
    """The text with the names declared again in blocks of their own at the beginning of bodies, as variables of another
    type that are changed and looked at. A wrong value ends the program."""
    for place, name in sorted(places, reverse=True):
        block = f" {{ short {name} = 7; {name} += 1; if ({name} != 8) *(volatile int *)0 = 0; }}"
        text = text[:place] + block + text[place:]
    return text
