"""Leaves out what headers of the system declare and the unit does not reach.

Most of a unit's text are declarations of the C library that nothing uses. To parse them would take more time than all
other stages together. A declaration is reached if it may declare a word of the user's text, or of another declaration
that is reached. ``printf("%d", n)`` reaches the declaration of ``printf``, but not that of ``scanf``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...base.patterns import regex
from ...base.records import dataclass, replace
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
# A function's declaration: words and attributes, the name, its parameters, attributes. Nearly all look like this.
_FUNCTION = regex(
    rf"(?:{_SIMD}[^\n]*\s*)*(?!typedef\b)(?:[\w$\s*]*(?=\()(?:(?<=__attribute__)|(?<=__attribute__ )){_NESTED})*"
    rf"[\w$\s*]*[\s*](?!__attribute|__asm|asm\b|_*typeof|_Alignas\b)(?P<name>[\w$]+)\s*"
    rf"(?!\(\s*[(*^])(?P<parameters>{_NESTED})(?:\s*{_ATTRIBUTE.pattern})*\s*(?P<mark>[;{{])"
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


@dataclass(frozen=True)
class _Declaration:
    """An extent of the text that can be left out, and the names that it may declare.

    It is one declaration, or several in a row that are hard to tell apart.
    """

    start: int
    end: int
    names: tuple[str, ...]


def without_unreached(pre: Preprocessed) -> Preprocessed:
    """The unit without declarations from headers of the compiler and the C library that the rest does not reach."""
    text = pre.text
    declarations = list(_declarations(pre))
    declared: dict[str, list[_Declaration]] = {}
    rest = []
    at = 0
    for declaration in declarations:
        rest.append(text[at : declaration.start])
        at = declaration.end
        for name in declaration.names:
            declared.setdefault(name, []).append(declaration)
    words = [*_NAMED_LATER, *_WORD.findall(" ".join([*rest, text[at:]]))]
    reached: set[int] = set()
    while words:
        for declaration in declared.pop(words.pop(), ()):
            if declaration.start not in reached:
                reached.add(declaration.start)
                words += _WORD.findall(text, declaration.start, declaration.end)
    return _without(pre, [d for d in declarations if d.start not in reached])


def _without(pre: Preprocessed, parts: list[_Declaration]) -> Preprocessed:
    """The unit without parts of its text, and without lines of headers in which nothing is left."""
    text = pre.text
    pieces: list[str] = []
    at = 0
    for part in parts:
        blank = "\n" * text.count("\n", part.start, part.end)
        width = part.end - max(part.start, text.rfind("\n", part.start, part.end) + 1)  # what follows keeps its column
        pieces += [text[at : part.start], blank, " " * width]
        at = part.end
    lines = "".join([*pieces, text[at:]]).split("\n")
    numbers: list[int] = []
    before = 1
    for first, last in _header_lines(pre):
        numbers += range(before, first)
        numbers += [number for number in range(first, last) if lines[number - 1].strip()]
        before = last
    numbers += range(before, len(lines) + 1)
    kept = "\n".join([lines[number - 1] for number in numbers])
    return replace(pre, text=kept, origins=origins_of(pre, numbers))


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
        for declaration in _declarations_in(text, start, end):
            yield declaration
            before = declaration.end


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


def _declarations_in(text: str, start: int, end: int) -> Iterator[_Declaration]:
    """The declarations of a header that can be left out, up to the first that is hard to tell from the next."""
    at = start
    while True:
        between = _BETWEEN.match(text, at, end)
        assert between is not None
        at = between.end()
        function = _FUNCTION.match(text, at, end)
        if function is not None:
            stop = function.end() if function["mark"] == ";" else closing(text, function.start("mark"))
            found = [function["name"], function["parameters"][1:-1].strip()]  # ``size_t (f);`` declares f
        else:
            stop = _end(text, at, end)
            found = _names(text[at:stop])
        if not at < stop <= end:
            return
        if text.find("#", at, stop) < 0 or not _DIRECTIVE.search(text, at, stop):  # it may be a target construct
            yield _Declaration(at, stop, tuple(name for name in found if name not in _KEYWORDS))
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
