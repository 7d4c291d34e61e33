"""Writes the host file, which is the user's text with some lines replaced.

Edits are made in the preprocessed text, because constructs were found there. A line of the user's that an edit touches
is replaced as a whole by its preprocessed text with the edit applied. All other lines stay as the user wrote them, with
comments and macros. ``#line`` directives tell for every line where it comes from.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Sequence
from functools import cache

from ..base.diagnostics import SourceSpan, error_at, source_lines
from ..base.line_directives import line_directive
from ..base.names import identifiers
from ..base.patterns import regex
from ..base.records import dataclass
from ..c.source.preprocess import Preprocessed, line_directives, presumed_place
from ..c.source.tokens import LITERAL
from ..c.source.user_names import macros_in, macros_of_files
from .shield import again, header_texts, without

_HASH = r"\s*(?:#|%:)\s*"
_CONDITIONAL = regex(rf"{_HASH}(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b")
_QUOTED_INCLUDE = regex(rf'({_HASH}include\s*)"([^"]+)"')
_DEFINITION = regex(rf"{_HASH}(define|undef)\b")
_INCLUDE = regex(rf"{_HASH}include\b")
_ONCE = regex(rf"^{_HASH}pragma\s+once\b", re.MULTILINE)
_INCLUDED = regex(rf'^{_HASH}include(?:_next)?\s*(?:[<"]([^">\n]+)[">]|\w)')  # a macro may name the header
_OF_HEADERS = regex(rf"{_HASH}pragma\s+(?:once|GCC\s+(?:system_header|dependency))\b")
_NOISE = regex(rf"/\*.*?\*/|//(?:[^\\\n]|\\.)*|{LITERAL}", re.DOTALL)


@dataclass(frozen=True)
class Original:
    """A part of the preprocessed text that stays, with the ``edits`` inside it applied."""

    start: int
    end: int
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class Edit:
    """Replace [start, end) of the preprocessed text by ``pieces``, which are generated text or original text."""

    start: int
    end: int
    pieces: tuple[str | Original, ...]


@dataclass(frozen=False)
class _Range:
    """The lines ``first`` to ``last`` of a file, and the physical lines of preprocessed text that replace them."""

    inclusion: int
    first: int
    last: int
    low: int
    high: int
    edits: list[Edit]


class _Writer:
    """Collects the output, and knows as which line of the user's the compiler counts the next line."""

    def __init__(self, own_name: str, macros: frozenset[str]) -> None:
        self.lines: list[str] = []
        self.macros = macros
        self.own_name = own_name
        self.place: tuple[str, int] | None = None  # None means this file itself

    def generated(self, text: str) -> None:
        if self.place is not None:
            self.lines.append(line_directive(len(self.lines) + 2, self.own_name))
            self.place = None
        self.lines += text.split("\n")

    def original(self, text: str, file: str, line: int) -> None:
        """Write a line of the user's, which is number ``line`` of ``file``."""
        file, line = presumed_place(file, line)
        if self.place is not None and self.place[0] == file and 0 <= line - self.place[1] <= 2:
            self.lines += [""] * (line - self.place[1])
        elif self.place != (file, line):
            self.lines.append(line_directive(line, file))
        self.lines.append(text)
        self.place = (file, line + 1)

    def directive(self, text: str, file: str, line: int) -> None:
        """Write a ``#line`` directive of the user's."""
        self.lines.append(text)
        self.place = presumed_place(file, line + 1)


def host_text(
    pre: Preprocessed,
    edits: Sequence[Edit],
    own_name: str,
    head: str,
    tail: str,
    definitions: Callable[[], Preprocessed],
    macros: frozenset[str] = frozenset(),
) -> str:
    """The text of the host file.

    ``head`` and ``tail`` are generated text before and after the user's. ``definitions`` preprocesses the unit and
    keeps its ``#define`` lines. It is called only if a replaced line contains one. ``macros`` are those that there are
    before the first line.
    """
    ranges = [found for found in _line_ranges(pre, edits) if not _stays_in_header(pre, found)]
    brought = _inclusions_to_bring(pre, ranges)
    macros = macros | macros_of_files(pre) if ranges else macros
    if macros:  # what our own text defines stays, even if the user's defines it for compilers without OpenMP
        macros -= macros_in("\n".join([head, *header_texts(head)]))
    writer = _Writer(own_name, macros)
    writer.generated("\n".join([head, *_own_macros(pre)]))
    _write_file(pre, writer, 0, ranges, brought, definitions)
    writer.generated(tail)
    return "\n".join(writer.lines) + "\n"


def _own_macros(pre: Preprocessed) -> list[str]:
    """Lines that keep macros about the source what they are in the source, if its files have their names."""
    lines = [line for file in pre.files_with_names for line in source_lines(file) if "__" in line]
    found = []
    if any("__BASE_FILE__" in line for line in lines):
        found.append(line_directive(1, pre.main_file).replace("#line 1", "#define REX_BASE_FILE", 1))
    if any("__TIMESTAMP__" in line for line in lines):
        found.append(f'#define REX_TIMESTAMP "{time.asctime(time.localtime(os.stat(pre.main_file).st_mtime))}"')
    return [*found, '#include "rex_predefined.h"'] if found else []


def _stays_in_header(pre: Preprocessed, found: _Range) -> bool:
    """Whether a range is in a header that an option includes, and loses nothing but directives without effect.

    The host compiler gets that option too. Raises InputError if the host file would need another text of the header.
    """
    inclusion = found.inclusion
    while pre.inclusions[inclusion].parent > 0:
        inclusion = pre.inclusions[inclusion].parent
    if found.first and (inclusion == 0 or pre.inclusions[inclusion].line):
        return False
    for edit in found.edits:
        if edit.pieces:
            what = "a directive in a header that an option includes (-include) is not lowered"
            raise error_at(pre.span_at(*pre.place_at(edit.start)), what, "include the header in the source")
    return True


def _line_ranges(pre: Preprocessed, edits: Sequence[Edit]) -> list[_Range]:
    ranges: list[_Range] = []
    for edit in edits:
        low, high = pre.line_at(edit.start), pre.line_at(max(edit.start, edit.end - 1))
        found = _range(pre, low, high, [edit])
        while ranges and _overlap(ranges[-1], found):
            before = ranges.pop()
            lines = before.first, before.last, found.first, found.last
            same = before.inclusion == found.inclusion
            low, high = min(before.low, found.low), max(before.high, found.high)
            found = _range(pre, low, high, before.edits + found.edits, lines if same else ())
        ranges.append(found)
    return ranges


def _overlap(before: _Range, found: _Range) -> bool:
    return before.high >= found.low or (before.inclusion == found.inclusion and before.last >= found.first)


def _range(pre: Preprocessed, low: int, high: int, edits: list[Edit], lines: Sequence[int] = ()) -> _Range:
    """The range with physical lines ``low`` to ``high``, as ``lines`` of the innermost file that contains both.

    Files that it includes between them are part of the range.
    """
    inclusion = pre.origin_of(low)[0].inclusion
    while (last := _line_in(pre, high, inclusion)) is None:
        inclusion = pre.inclusions[inclusion].parent
    first = _line_in(pre, low, inclusion)
    assert first is not None
    length = len(source_lines(pre.inclusions[inclusion].file))
    if first > last or max((last, *lines)) > length:
        where = SourceSpan(pre.inclusions[inclusion].file, max(1, length))
        raise error_at(where, "which lines of this file are meant is not known, because of an unusual '#line'")
    found = _Range(inclusion, min((first, *lines)), max((last, *lines)), low, high, edits)
    _widen(pre, found)
    return found


def _line_in(pre: Preprocessed, physical: int, inclusion: int) -> int | None:
    """The line of an inclusion's file that is a physical line, or includes the file with it. None if there is none."""
    origin, line = pre.origin_of(physical)
    at = origin.inclusion
    while at > inclusion:
        at, line = pre.inclusions[at].parent, pre.inclusions[at].line
    return line if at == inclusion else None


def _widen(pre: Preprocessed, found: _Range) -> None:
    """Grow a range until it has whole macro calls, comments and conditional groups, and what its lines expand to."""
    file = pre.inclusions[found.inclusion].file
    lines, (bare, commented) = source_lines(file), _bare_lines(file)

    def goes_on(number: int) -> bool:
        """Whether the line begins in what the line before it has begun."""
        return lines[number - 2].endswith("\\") or number in commented

    while True:
        before = (found.first, found.last)
        while found.last < len(lines) and (
            goes_on(found.last + 1) or _open_parentheses(bare[found.first - 1 : found.last])
        ):
            found.last += 1
        while found.first > 1 and (goes_on(found.first) or _open_parentheses(bare[found.first - 1 : found.last], -1)):
            found.first -= 1
        _balance_conditionals(bare, found)
        if before == (found.first, found.last):
            break
    physical = found.low
    while physical > 1:
        if _is_blank(pre, physical - 1):
            physical -= 1
            continue
        line = _line_in(pre, physical - 1, found.inclusion)
        if line is None or line < found.first:
            break
        physical -= 1
        found.low = physical
    physical = found.high
    while physical < len(pre.line_starts):
        if _is_blank(pre, physical + 1):
            physical += 1
            continue
        line = _line_in(pre, physical + 1, found.inclusion)
        if line is None or line > found.last:
            break
        physical += 1
        found.high = physical


def _is_blank(pre: Preprocessed, physical: int) -> bool:
    return not pre.text[pre.line_starts[physical - 1] : pre.line_end(physical)].strip()


@cache
def _bare_lines(file: str) -> tuple[list[str], frozenset[int]]:
    """The lines of a file without comments and literals, and the numbers of those that begin in a comment."""
    text = "\n".join(source_lines(file))
    commented: set[int] = set()
    number, at = 1, 0
    for match in _NOISE.finditer(text):
        within = match[0].count("\n")
        if within:
            number += text.count("\n", at, match.start())
            commented.update(range(number + 1, number + within + 1))
            number, at = number + within, match.end()
    return _NOISE.sub(lambda match: " " + "\n" * match[0].count("\n"), text).split("\n"), frozenset(commented)


def _open_parentheses(lines: Sequence[str], sign: int = 1) -> bool:
    """Whether parentheses are still open at the end. With ``sign`` -1, whether some were open before."""
    text = "\n".join(lines).replace("\\\n", " ")  # a directive ends with its last line
    text = "\n".join("" if line.lstrip().startswith(("#", "%:")) else line for line in text.split("\n"))
    return sign * (text.count("(") - text.count(")")) > 0


def _balance_conditionals(lines: Sequence[str], found: _Range) -> None:
    depth = lowest = 0
    for line in lines[found.first - 1 : found.last]:
        match = _CONDITIONAL.match(line)
        if not match:
            continue
        if match[1].startswith("if"):
            depth += 1
        elif match[1] == "endif":
            depth -= 1
            lowest = min(lowest, depth)
        else:
            lowest = min(lowest, depth - 1)
    need = -lowest
    while need > 0 and found.first > 1:
        found.first -= 1
        match = _CONDITIONAL.match(lines[found.first - 1])
        if match and match[1] == "endif":
            need += 1
        elif match and match[1].startswith("if"):
            need -= 1
    open_groups = depth - lowest
    while open_groups > 0 and found.last < len(lines):
        found.last += 1
        match = _CONDITIONAL.match(lines[found.last - 1])
        if match and match[1] == "endif":
            open_groups -= 1
        elif match and match[1].startswith("if"):
            open_groups += 1


def _inclusions_to_bring(pre: Preprocessed, ranges: Sequence[_Range]) -> frozenset[int]:
    """The inclusions whose text has to be in the host file, and those that lead to them.

    The host compiler does not know that it has read a header whose text is in the host file. So a header that includes
    it again, which ``#pragma once`` leaves without effect, must be in the host file, too.
    """
    brought: set[int] = set()
    wanted = [found.inclusion for found in ranges]
    while wanted:
        for reached in wanted:
            inclusion = reached
            while inclusion > 0:
                brought.add(inclusion)
                inclusion = pre.inclusions[inclusion].parent
        files = {pre.inclusions[i].file for i in brought}
        once = [file for file in files if _ONCE.search("\n".join(source_lines(file)))]
        others = set(range(1, len(pre.inclusions))) - brought if once else set()
        wanted = [i for i in others if any(_repeats(pre, i, number, once) for number in _includes_of(pre, i))]
    return frozenset(brought)


def _includes_of(pre: Preprocessed, inclusion: int) -> tuple[int, ...]:
    return _include_lines(pre.inclusions[inclusion].file)


@cache
def _include_lines(file: str) -> tuple[int, ...]:
    """The numbers of the lines of a file that include others."""
    lines = source_lines(file) if os.path.isfile(file) else []
    return tuple(number for number, line in enumerate(lines, 1) if _INCLUDED.match(line))


def _repeats(pre: Preprocessed, inclusion: int, number: int, once: Sequence[str]) -> bool:
    """Whether a line names one of some files that are read only ``once``, and read nothing."""
    match = _INCLUDED.match(source_lines(pre.inclusions[inclusion].file)[number - 1])
    folder = os.path.dirname(pre.inclusions[inclusion].file)
    if match is None or not (match[1] is None or _is_one_of(match[1], folder, once)):
        return False
    return not any(other.parent == inclusion and other.line == number for other in pre.inclusions)


def _is_one_of(name: str, folder: str, files: Sequence[str]) -> bool:
    """Whether a file of this folder includes one of some files by a name: the file with this name there, whatever
    leads to it, or else one whose path ends with the name."""
    beside = os.path.join(folder, name)
    if os.path.isfile(beside):
        return any(os.path.isfile(file) and os.path.samefile(file, beside) for file in files)
    ending = os.path.normpath(name)
    while ending.startswith("../"):
        ending = ending.removeprefix("../")
    return any(os.path.abspath(file).endswith(f"/{ending}") for file in files)


def _write_file(
    pre: Preprocessed,
    writer: _Writer,
    inclusion: int,
    ranges: Sequence[_Range],
    brought: frozenset[int],
    definitions: Callable[[], Preprocessed],
) -> None:
    file = pre.inclusions[inclusion].file
    lines = source_lines(file)
    mine = {r.first: r for r in ranges if r.inclusion == inclusion}
    children = {pre.inclusions[i].line: i for i in sorted(brought) if pre.inclusions[i].parent == inclusion}
    here = [pre.inclusions[i].file for i in brought]
    repeated = {n for n in _includes_of(pre, inclusion) if _repeats(pre, inclusion, n, here)} if here else set()
    renumbered = {at for at, _, _ in line_directives(file)}
    number = 1
    while number <= len(lines):
        found = mine.get(number)
        if found is not None:
            _write_physical(pre, writer, found)
            for line, text in _definitions_in(found, lines, definitions):
                writer.original(text, file, line)
            number = found.last + 1
        elif number in children:
            _write_file(pre, writer, children[number], ranges, brought, definitions)
            number += 1
        else:
            text = lines[number - 1] if number not in repeated else ""
            if inclusion > 0:
                text = "" if _OF_HEADERS.match(text) else _reached(text, file, pre.inclusions[0].file)
            if number in renumbered:
                writer.directive(text, file, number)
            else:
                writer.original(text, file, number)
            number += 1


def _reached(text: str, header: str, source: str) -> str:
    """An ``#include "..."`` of a header beside ``header``, rewritten for the folder of the source."""
    match = _QUOTED_INCLUDE.match(text)
    beside = os.path.join(os.path.dirname(header), match[2]) if match else ""
    if not match or not os.path.isfile(beside):
        return text
    return f'{match[1]}"{os.path.relpath(beside, os.path.dirname(source) or ".")}"{text[match.end() :]}'


def _definitions_in(
    found: _Range, lines: Sequence[str], definitions: Callable[[], Preprocessed]
) -> list[tuple[int, str]]:
    """The macro definitions within replaced lines, which the text after them may use."""
    if not any(_DEFINITION.match(line) or _INCLUDE.match(line) for line in lines[found.first - 1 : found.last]):
        return []
    pre = definitions()
    begin = max(o.first for o in pre.origins if o.inclusion == 0 and o.line <= 1)  # built-in macros come before it
    out = []
    ends = [*(origin.first for origin in pre.origins[1:]), len(pre.line_starts) + 1]
    for origin, end in zip(pre.origins, ends, strict=True):
        line = _line_in(pre, origin.first, found.inclusion)
        if line is None or origin.first < begin:
            continue
        for physical in range(origin.first, min(end, len(pre.line_starts) + 1)):
            there = line + physical - origin.first if origin.inclusion == found.inclusion else line
            if found.first <= there <= found.last:
                text = pre.text[pre.line_starts[physical - 1] : pre.line_end(physical)]
                if _DEFINITION.match(text):
                    out.append((there, text))
    return out


def _write_physical(pre: Preprocessed, writer: _Writer, found: _Range) -> None:
    start = pre.line_starts[found.low - 1]
    end = pre.line_end(found.high)
    # A name in this text is no macro, as a macro that names itself is replaced only once.
    names = sorted(writer.macros.intersection(identifiers(pre.text[start:end]))) if writer.macros else []
    if names:
        writer.generated("\n".join(without(names)))
    _write_original(pre, writer, Original(start, end, tuple(found.edits)))
    if names:
        writer.generated("\n".join(again(names)))


def _write_original(pre: Preprocessed, writer: _Writer, piece: Original) -> None:
    at = piece.start
    for edit in piece.edits:
        _write_lines(pre, writer, at, edit.start)
        for part in edit.pieces:
            if isinstance(part, Original):
                _write_original(pre, writer, part)
            elif part:
                writer.generated(part)
        at = edit.end
    _write_lines(pre, writer, at, piece.end)


def _write_lines(pre: Preprocessed, writer: _Writer, start: int, end: int) -> None:
    """Write preprocessed text line by line, without blank lines."""
    while start < end:
        physical = pre.line_at(start)
        stop = min(end, pre.line_end(physical))
        text = pre.text[start:stop]
        if text.strip():
            origin, line = pre.origin_of(physical)
            writer.original(text.rstrip(), origin.file, line)
        start = stop + 1 if stop < end else stop
