"""Macros of the user's files that change headers of the system. Device files include such headers behind text that is
preprocessed already, and so without these macros."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.spans import SourceSpan, source_lines
from ..c.source.preprocess import Preprocessed
from .libclang import language_flags, system_inclusions

# Names that begin with an underscore are the compiler's and its library's, which are set up for the device apart.
_DEFINED = regex(r"[ \t]*#[ \t]*define[ \t]+(?P<name>[A-Za-z]\w*)[ \t]*(?P<value>.*)")
_GUARD = regex(r"[ \t]*#[ \t]*ifndef[ \t]+(?P<name>\w+)")
_OPTION = regex(r"-D(?P<name>\w+)")
_QUESTION = regex(rb"^[ \t]*#[ \t]*(?:ifdef|ifndef|if|elif)\b(?P<asked>.*)$", re.MULTILINE)
_WORD = regex(rb"[A-Za-z]\w*")


def check_header_macros(pre: Preprocessed, cflags: Sequence[str]) -> None:
    """Raise InputError for a macro that stands in front of a header of the system which asks for it."""
    headers = system_inclusions(pre)
    of_options = {match["name"] for flag in language_flags(cflags) if (match := _OPTION.match(flag))}
    top: dict[int, int] = {}
    defined: dict[int, list[tuple[int, str, int]]] = {}
    for number, inclusion in enumerate(pre.inclusions):
        if number in headers:
            top[number] = number
        elif inclusion.parent in top:
            top[number] = top[inclusion.parent]
        elif found := [one for one in _macros(inclusion.file, number > 0) if one[1] not in of_options]:
            defined[number] = found
    if not defined:
        return
    names = {macro for found in defined.values() for _, macro, _ in found}
    asked: dict[str, frozenset[str]] = {}
    for number, outermost in top.items():
        name = pre.inclusions[number].file
        if name not in asked:
            asked[name] = _asked(name) & names
        for place, macro in _in_front(pre, outermost, defined) if asked[name] else ():
            if macro in asked[name]:
                message = f"{headers[outermost]} asks for the macro '{macro}', which device code would not have there"
                raise error_at(place, message, f"define it for the whole unit, with -D{macro}")


def _in_front(
    pre: Preprocessed, outermost: int, defined: dict[int, list[tuple[int, str, int]]]
) -> Iterator[tuple[SourceSpan, str]]:
    """The macros that are defined in front of an inclusion."""
    ends: dict[int, int] = {}
    number = outermost
    while number > 0:
        ends[pre.inclusions[number].parent] = pre.inclusions[number].line
        number = pre.inclusions[number].parent
    for file, found in defined.items():
        if file < outermost:
            for line, macro, column in found:
                if file not in ends or line < ends[file]:
                    yield SourceSpan(pre.inclusions[file].file, line, column, len(macro)), macro


def _macros(file: str, is_header: bool) -> Iterator[tuple[int, str, int]]:
    """(line, name, column) of the macros that a file defines, but for the one that guards a header."""
    guard = ""
    for number, line in enumerate(source_lines(file), 1):
        if is_header and not guard and (match := _GUARD.match(line)):
            guard = match["name"]
        elif (match := _DEFINED.match(line)) and (match["name"] != guard or match["value"]):
            yield number, match["name"], match.start("name") + 1


def _asked(file: str) -> frozenset[str]:
    """The names in a header's conditions. What ``assert`` asks for only matters where the user's text has it."""
    if file.endswith("/assert.h"):
        return frozenset()
    try:
        text = Path(file).read_bytes()
    except OSError:
        return frozenset()
    words = (word for match in _QUESTION.finditer(text) for word in _WORD.findall(match["asked"]))
    return frozenset(word.decode() for word in words)
