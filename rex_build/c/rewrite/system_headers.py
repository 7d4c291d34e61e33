"""Leaves out what headers of the system declare and the unit does not reach.

Most of a unit's text are declarations of the C library that nothing uses. To parse them would take more time than all
other stages together. A declaration is reached if it may declare a word of the user's text, or of another declaration
that is reached. ``printf("%d", n)`` reaches the declaration of ``printf``, but not that of ``scanf``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, compress

from ...base.patterns import regex
from ...base.records import replace
from ..source.gnu_text import OMP_ATTRIBUTE
from ..source.preprocess import Preprocessed
from ..source.tokens import LITERAL, closing, directive_lines, directive_pattern, unclosed
from .rewriting import origins_of

_WORD = regex(r"[\w$]+")
# Words that can stand where a declared name does, as in ``int f(void)``.
_KEYWORDS = frozenset(
    (
        *("void", "char", "short", "int", "long", "float", "double", "signed", "unsigned"),
        *("const", "volatile", "restrict", "struct", "union", "enum", "return", "sizeof", "typedef"),
        *("extern", "static", "inline", "__restrict", "__extension__", "__attribute__", "__asm__"),
    )
)
# A name and what follows it: nothing if that is another word or ``*``, as behind the name of a type.
_NAME = regex(r"(?<![\w$])([^\W\d][\w$]*)\s*(__attribute|__asm|asm\b|[^\w$\s*]?)")
_NESTED = r"\([^(){};#]*(?:\([^(){};#]*(?:\([^(){};#]*\)[^(){};#]*)*\)[^(){};#]*)*\)"
_ATTRIBUTE = regex(rf"(?:__attribute__|__asm__)\s*{_NESTED}")
_RECORD = regex(r"(?:typedef\b|__extension__\b|\s)*(?:struct|union)\b[\w$\s]*\{")
_TAG = regex(r"\b(?:struct|union)\s+([\w$]+)\s*\{")
_SIMD = r"#[ \t]*pragma[ \t]+omp[ \t]+declare[ \t]+simd\b"
# A function's declaration: words and attributes, the name, its parameters, attributes. Nearly all look like this. A set
# of characters without classes is the fastest to compare with.
_WORDS = r"[A-Za-z0-9_* \t\n]*"
_FUNCTION = regex(
    rf"(?:{_SIMD}[^\n]*\s*)*(?!typedef\b)(?:{_WORDS}(?=\()(?:(?<=__attribute__)|(?<=__attribute__ )){_NESTED})*"
    rf"{_WORDS}[* \t\n](?!__attribute|__asm|asm\b|_*typeof|_Alignas\b)([A-Za-z0-9_]+)\s*"
    rf"(?!\(\s*[(*^])({_NESTED})(?:\s*{_ATTRIBUTE.pattern})*\s*([;{{])"
)
_DIRECTIVE = regex(rf"#(?![ \t]*pragma[ \t]+GCC\b|{_SIMD[1:]})")
# What can stand between declarations: space, and directives that do not belong to the next one.
_BETWEEN = regex(r"(?:\s+|#(?![ \t]*pragma[ \t]+omp\b)[^\n]*)*")
_PLAIN = regex(r"""[^;{}"'#]*""")
_SKIPPED = regex(rf"{LITERAL}|{_SIMD}[^\n]*")
_GOES_ON = regex(r"\s*[,;=\[(]")
_TAGGED = regex(r"\b(?:struct|union|enum)\b")
# A directive that says something about all declarations behind it, or an attribute that may be one.
_OPENING = directive_pattern("(?:begin|declare[ _]+target)")
_NAMED_LATER = ("printf",)  # calls of ``fprintf`` become calls of it
_DIRECTIVES = regex(r"^[ \t]*#[^\n]*", re.MULTILINE)


# (start, end, names): an extent of the text that can be left out, and the names that it may declare. It is one
# declaration, or several in a row that are hard to tell apart.
_Declaration = tuple[int, int, Sequence[str]]


def without_unreached(pre: Preprocessed) -> Preprocessed:
    """The unit without declarations from headers of the compiler and the C library that the rest does not reach."""
    text = pre.text
    declarations = list(_declarations(pre))
    declared: dict[str, list[_Declaration]] = {}
    rest = []
    at = 0
    for declaration in declarations:
        start, end, declares = declaration
        if at != start:
            rest.append(text[at:start])
        at = end
        for name in declares:
            if name in declared:
                declared[name].append(declaration)
            else:
                declared[name] = [declaration]
    words = {*_NAMED_LATER, *_WORD.findall(" ".join([*rest, text[at:]]))}
    reached: set[int] = set()
    while names := words & declared.keys():
        words = set()
        for start, end, _ in chain.from_iterable(map(declared.pop, names)):
            if start not in reached:
                reached.add(start)
                words.update(_WORD.findall(text, start, end))
    return _without(pre, [(start, end) for start, end, _ in declarations if start not in reached])


def _without(pre: Preprocessed, parts: Sequence[tuple[int, int]]) -> Preprocessed:
    """The unit without parts of its text, and without lines of headers in which nothing is left."""
    text = pre.text
    pieces: list[str] = []
    at = 0
    for start, end in _joined(parts):
        blank = "\n" * text.count("\n", start, end)
        width = end - max(start, text.rfind("\n", start, end) + 1)  # what follows keeps its column
        pieces += [text[at:start], blank, " " * width]
        at = end
    lines = "".join([*pieces, text[at:]]).split("\n")
    numbers: list[int] = []
    before = 1
    for first, last in _header_lines(pre):
        numbers += range(before, first)
        numbers += compress(range(first, last), map(str.strip, lines[first - 1 : last - 1]))
        before = last
    numbers += range(before, len(lines) + 1)
    kept = "\n".join([lines[number - 1] for number in numbers])
    return replace(pre, text=kept, origins=origins_of(pre, numbers))


def _joined(parts: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The extents, with those in one that follow each other."""
    first = behind = 0
    for start, end in parts:
        if start != behind:
            if behind:
                yield first, behind
            first = start
        behind = end
    if behind:
        yield first, behind


def _declarations(pre: Preprocessed) -> Iterator[_Declaration]:
    """Every declaration that can be left out, in order."""
    text = pre.text
    openings = (next(directive_lines(_OPENING, text), None), OMP_ATTRIBUTE.search(text))
    limit = min([len(text), *(opening.start() for opening in openings if opening is not None)])
    before = 0
    for first, last in _header_lines(pre):
        start = pre.line_starts[first - 1]
        end = pre.line_starts[last - 1] if last <= len(pre.line_starts) else len(text)
        if end > limit or not _is_complete(text, before, start):
            return
        before = start
        found = _declarations_in(text, start, end)
        yield from found
        before = found[-1][1] if found else before


def _header_lines(pre: Preprocessed) -> Iterator[tuple[int, int]]:
    """The lines from headers of the compiler and the C library: the first of each stretch, and the first behind it."""
    begin: int | None = None
    for origin in pre.origins:
        if origin.may_share_names and begin is not None:
            yield begin, origin.first
            begin = None
        elif not origin.may_share_names and begin is None:
            begin = origin.first
    if begin is not None:
        yield begin, len(pre.line_starts) + 1


def _is_complete(text: str, start: int, end: int) -> bool:
    """Whether the declarations in a stretch of the text all end there."""
    rest = _DIRECTIVES.sub("", text[start:end]).rstrip()
    return not rest or (rest[-1] in ";}" and not unclosed(text, start, end))


def _declarations_in(text: str, start: int, end: int) -> list[_Declaration]:
    """The declarations of a header that can be left out, up to the first that is hard to tell from the next."""
    at = start
    found: list[_Declaration] = []
    while True:
        between = _BETWEEN.match(text, at, end)
        assert between is not None
        first = between.end()
        begin = first if "#" in between[0] else at  # parts without anything between them are left out together
        function = _FUNCTION.match(text, first, end)
        if function is not None:
            name, parameters, mark = function.groups()
            stop = function.end() if mark == ";" else closing(text, function.start(3))
            inside = parameters[1:-1].strip()  # ``size_t (f);`` declares f
            names: tuple[str, ...] = (name,) if " " in inside or inside in _KEYWORDS else (name, inside)
        else:
            stop = _end(text, first, end)
            names = tuple([name for name in _names(text[first:stop]) if name not in _KEYWORDS])
        if not first < stop <= end:
            return found
        if text.find("#", first, stop) < 0 or not _DIRECTIVE.search(text, first, stop):  # it may be a target construct
            found.append((begin, stop, names))
        at = stop


def _names(text: str) -> list[str]:
    """The names that a declaration may declare. Members of a structure are none, but tags and enumerators are."""
    text = _ATTRIBUTE.sub(" ", text)
    if _RECORD.match(text) and "=" not in text and "enum" not in text:
        end = closing(text, text.index("{"))
        if "{" not in text[end:]:
            return [*_TAG.findall(text), *_names(text[end:])]
    return [name for name, mark in _NAME.findall(text) if mark]


def _end(text: str, start: int, end: int) -> int:
    """The offset behind the declaration at ``start``, or ``start`` if that is not found."""
    at = start
    while True:
        plain = _PLAIN.match(text, at, end)
        assert plain is not None
        at = plain.end()
        mark = text[at : at + 1]
        if mark == ";":
            return at + 1
        if mark == "{" and at > start:
            is_body = text[start:at].rstrip().endswith(")") and not _TAGGED.search(text, start, at)
            at = closing(text, at)
            if is_body and not _GOES_ON.match(text, at):
                return at
        elif skipped := _SKIPPED.match(text, at, end):
            at = skipped.end()
        else:
            return start
