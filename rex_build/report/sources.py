"""The user's sources: where they are, and which loops they have."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath

from ..base.diagnostics import source_lines
from ..base.records import dataclass
from ..c.source.tokens import LITERAL, closing_paren, statement_end

_MOST_FILES = 50_000
_MOST_NEIGHBOURS = 300
_SUFFIXES = {".c", ".cc", ".cpp", ".cxx", ".C"}
_COMMENT = re.compile(rf"/\*.*?\*/|//[^\n]*|(?P<literal>{LITERAL})", re.DOTALL)
_ASSIGNED = re.compile(r"(?<![\w.>*])([A-Za-z_]\w*)\s*=(?!=)")
_SWAPPED = re.compile(r"\b(?:swap|exchange)\s*\([^()]*\)")
_LOOP = re.compile(r"\b(?:for|while|do)\b")


@dataclass(frozen=True)
class Source:
    """A source file. ``text`` is its text with blanks in place of comments and of literals' content."""

    path: Path
    lines: tuple[str, ...]
    text: str

    def has_directive(self, line: int) -> bool:
        """Whether a directive, or another place with a pragma, is in a line."""
        return 0 < line <= len(self.lines) and bool(re.search(r"omp|_Pragma", self.lines[line - 1]))

    def loop_around(self, line: int) -> tuple[int, int] | None:
        """(first line, last line) of the innermost loop around a line, or None."""
        inside = [loop for loop in self._loops() if loop[0] < line <= loop[1] or loop[0] == line == loop[1]]
        return max(inside, default=None)

    def loop_that_calls(self, function: str) -> tuple[int, int] | None:
        """(first line, last line) of the innermost loop with a call of a function, or None."""
        for call in re.finditer(rf"\b{re.escape(function)}\s*\(", self.text):
            if (loop := self.loop_around(self._line(call.start()))) is not None:
                return loop
        return None

    def exchanged_in(self, loop: tuple[int, int]) -> set[str]:
        """The pointers that get another value in the lines of a loop, such as two that change roles."""
        body = "\n".join(self.text.split("\n")[loop[0] - 1 : loop[1]])
        assigned = {match[1] for match in _ASSIGNED.finditer(body)}
        swapped = (match[0].partition("(")[2] for match in _SWAPPED.finditer(body))
        return assigned.union(*(re.findall(r"\w+", names) for names in swapped))

    def defines(self, function: str) -> bool:
        return self._definition(function) is not None

    def is_static(self, function: str) -> bool:
        """Whether only this file can call a function that it defines."""
        definition = self._definition(function)
        start = max(self.text.rfind(end, 0, definition.start()) for end in ";}#") if definition is not None else 0
        return definition is not None and bool(re.search(r"\bstatic\b", self.text[start + 1 : definition.start()]))

    def arguments_in_calls(self, function: str, caller: Source, loop: tuple[int, int]) -> list[dict[str, str]]:
        """What a function's parameters get in the lines of a caller that call it: one record for each kind of call."""
        definition = self._definition(function)
        if definition is None:
            return []
        names = [re.findall(r"\w+", parameter)[-1:] for parameter in definition[1].split(",")]
        found = []
        for call in re.finditer(rf"\b{re.escape(function)}\s*\(", caller.text):
            given = caller.text[call.end() : closing_paren(caller.text, call.end() - 1) - 1].split(",")
            if loop[0] <= caller._line(call.start()) <= loop[1] and len(given) == len(names):
                pairs = zip(names, given, strict=True)
                found.append({name[0]: " ".join(argument.split()) for name, argument in pairs if name})
        return found

    def _definition(self, function: str) -> re.Match[str] | None:
        return re.search(rf"\b{re.escape(function)}\s*\(([^()]*)\)\s*\{{", self.text)

    def _loops(self) -> Iterator[tuple[int, int]]:
        for match in _LOOP.finditer(self.text):
            head = match.end() if match[0] == "do" else closing_paren(self.text, match.end())
            if self.text[head:].lstrip().startswith(";"):
                continue  # the end of a do loop, or a loop without a body
            yield self._line(match.start()), self._line(max(match.start(), statement_end(self.text, match.start()) - 1))

    def _line(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1


def read_source(path: Path) -> Source:
    """A source file, with no lines if it cannot be read."""
    lines = source_lines(str(path))
    return Source(path, lines, _COMMENT.sub(_blank, "\n".join(lines)))


def _blank(match: re.Match[str]) -> str:
    return match[0] if match["literal"] else re.sub(r"[^\n]", " ", match[0])


def find_sources(wanted: Mapping[str, Collection[int]], folders: Sequence[Path]) -> dict[str, Source]:
    """The sources of the names that a program gives, with the lines in which they have directives.

    They are looked for in the folders and below them. Of several files with one name, that counts which has the most
    of the directives, and then the first.
    """
    found: dict[str, Source] = {}
    candidates: dict[str, list[Path]] = {}
    bases = {PurePath(name).name for name in wanted}
    for path in _files(folders):
        if path.name in bases:
            candidates.setdefault(path.name, []).append(path)
    for name, lines in wanted.items():
        parts = PurePath(name).parts
        named = [Path(name)] if PurePath(name).is_absolute() else []
        named += [path for path in candidates.get(parts[-1] if parts else "", ()) if path.parts[-len(parts) :] == parts]
        read = [source for source in map(read_source, dict.fromkeys(path.resolve() for path in named)) if source.lines]
        if read:
            found[name] = max(read, key=lambda source: sum(map(source.has_directive, lines)))
    return found


def with_neighbours(sources: Mapping[str, Source]) -> dict[str, Source]:
    """The sources, and others beside them, which may call what is in them."""
    found = dict(sources)
    known = {source.path for source in sources.values()}
    for folder in dict.fromkeys(path.parent for path in known):
        beside = sorted(path for path in folder.iterdir() if path.suffix in _SUFFIXES and path not in known)
        for path in beside[:_MOST_NEIGHBOURS]:
            if (source := read_source(path)).lines:
                found.setdefault(path.name, source)
    return found


def _files(folders: Sequence[Path]) -> Iterable[Path]:
    """The files of the folders, as far as these are not hidden. Very large trees are not searched to the end."""
    left = _MOST_FILES
    for folder in dict.fromkeys(path.resolve() for path in folders):
        for root, below, names in os.walk(folder):
            below[:] = sorted(name for name in below if not name.startswith("."))
            for name in sorted(names):
                yield Path(root, name)
            left -= len(names)
            if left < 0:
                return
