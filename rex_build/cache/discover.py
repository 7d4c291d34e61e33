"""Finds what a lowered unit depends on: the files that were read, and files that would be read if they existed.

A header that appears earlier on the search path, or one that ``__has_include`` asks for, changes what is compiled,
although no file that was read has changed. Therefore every ``#include`` in every file, active or not, is looked up here
as the compiler does it, and all places where its header was not found are recorded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .manifest import Base, Record
from .memo import Memo, read_file

_INCLUDE = re.compile(
    rb"^[ \t]*(?:#|%:|\?\?=)[ \t]*(include|include_next|import)\b[ \t]*(?:\"([^\"\n]*)\"|<([^>\n]*)>)", re.MULTILINE
)
# Every __has_include, with the header's name if it is written out. ``defined(__has_include)`` asks for no header.
_HAS_INCLUDE = re.compile(
    rb"(\bdefined[ \t]*\(?[ \t]*)?\b__has_include(_next)?\b[ \t]*(?:\([ \t]*(?:\"([^\"\n]*)\"|<([^>\n]*)>)[ \t]*\))?"
)
_HAS_INCLUDE_LINE = re.compile(
    rb"^[ \t]*(?:#|%:|\?\?=)[ \t]*(?:if|elif|define(?![ \t]+__has_include))\b.*?__has_include.*$", re.MULTILINE
)
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_TIME = re.compile(rb"\b__(?:DATE|TIME|TIMESTAMP)__\b")
_EMBED = re.compile(rb"\b__has_embed\b|^[ \t]*#[ \t]*embed\b", re.MULTILINE)
_FORCED = ("-include", "-imacros")


@dataclass(frozen=True)
class SearchPath:
    """The folders in which the compiler looks for headers.

    ``quote`` are searched for quoted names only, before ``bracket``, which are searched for all names. ``missing`` are
    named in flags but do not exist. ``doubled`` were left out because they are links to another folder of the list.
    """

    quote: tuple[str, ...]
    bracket: tuple[str, ...]
    missing: tuple[str, ...]
    doubled: tuple[str, ...]


@dataclass
class Dependencies:
    """What a unit depends on, under the names that the compiler uses.

    ``not_direct`` is empty, or says why a manifest cannot tell whether the unit is still up to date.
    """

    files: dict[str, bytes]
    present: set[str] = field(default_factory=set)
    absent: dict[str, set[str]] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    not_direct: str = ""

    def record(self, result: str, base: Base, bound: bool, memo: Memo) -> Record:
        strip = base.strip
        return Record(
            result,
            base.path if bound else "",
            [(strip(name), memo.file(name)) for name in self.files],
            sorted(strip(name) for name in self.present if name not in self.files),
            sorted((strip(folder), sorted(names)) for folder, names in self.absent.items()),
            sorted((strip(name), strip(target)) for name, target in self.links.items()),
        )


def search_path(command: Sequence[str], cflags: Sequence[str], language: str = "c") -> SearchPath | None:
    """The search path that the compiler reports for these flags, or None when it reports none."""
    import subprocess  # imported here because hits do not need it

    try:
        done = subprocess.run(
            [*command, *_without_forced(cflags), "-E", "-v", "-x", language, "/dev/null"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=60,
            env={**os.environ, "LC_ALL": "C"}, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    text = done.stderr.decode("utf-8", "surrogateescape")
    head, found, rest = text.partition('#include "..." search starts here:\n')
    quote, bracket_found, rest = rest.partition("#include <...> search starts here:\n")
    bracket, end_found, _ = rest.partition("End of search list.")
    # A path that is a file now may become a folder later. -I- changes the rules of the search.
    if not (found and bracket_found and end_found) or done.returncode or "not a directory" in text or "-I-" in cflags:
        return None
    missing = re.findall(r'^ignoring nonexistent directory "(.*)"$', head, re.MULTILINE)
    doubled = re.findall(r'^ignoring duplicate directory "(.*)"$', head, re.MULTILINE)
    return SearchPath(_folders(quote), _folders(bracket), tuple(missing), tuple(doubled))


def _folders(text: str) -> tuple[str, ...]:
    return tuple(line[1:] for line in text.splitlines() if line.startswith(" "))


def _without_forced(cflags: Sequence[str]) -> list[str]:
    out = []
    words = iter(cflags)
    for word in words:
        if word in _FORCED:
            next(words, None)
        elif not word.startswith(_FORCED):
            out.append(word)
    return out


def dependencies(
    files: Iterable[str], inclusions: Iterable[tuple[str, str]], cflags: Sequence[str], path: SearchPath | None
) -> Dependencies:
    """The dependencies of a unit that read ``files``, in this order.

    ``inclusions`` are pairs of a file and the file that included it, as far as they are known. Raises OSError when a
    file cannot be read any more.
    """
    found = Dependencies({name: read_file(name) for name in dict.fromkeys(files)})
    if path is None:
        found.not_direct = "the compiler's search path is unknown"
        return found
    looker = _Looker(path, found)
    for name, content in found.files.items():
        text = content.replace(b"\\\r\n", b"").replace(b"\\\n", b"")
        if _TIME.search(text):
            found.not_direct = f"{name} uses the time of compilation"
        if _EMBED.search(text):
            found.not_direct = f"{name} embeds files"
        _note_inclusions(text, os.path.dirname(name), looker, found)
    for name, parent in inclusions:
        looker.read(name, os.path.dirname(parent))
    flags = "\n".join(cflags).encode("utf-8", "surrogateescape")
    if _TIME.search(flags):
        found.not_direct = "a flag uses the time of compilation"
    if b"__has_include" in flags:
        found.not_direct = "__has_include in a flag"
    words = iter(cflags)
    for word in words:
        if word in _FORCED:
            looker.quoted(next(words, ""), "")
        elif word.startswith(_FORCED):
            looker.quoted(re.sub("^-(include|imacros)", "", word), "")
    for folder in path.missing:
        looker.note_absent(folder)
    found.links.update((folder, os.path.realpath(folder)) for folder in path.doubled)
    return found


def _note_inclusions(text: bytes, folder: str, looker: _Looker, found: Dependencies) -> None:
    for match in _INCLUDE.finditer(text):
        everywhere = match[1] == b"include_next"
        if match[2] is not None:
            looker.quoted(_name(match[2]), folder, everywhere)
        elif match[3] is not None:
            looker.bracketed(_name(match[3]), everywhere)
    if b"__has_include" not in text:
        return
    text = _COMMENT.sub(lambda found: found[0] if found[0][:1] in b"\"'" else b" ", text)
    for line in _HAS_INCLUDE_LINE.finditer(text):
        for match in _HAS_INCLUDE.finditer(line[0]):
            if match[1]:
                continue
            if match[3] is not None:
                looker.quoted(_name(match[3]), folder, bool(match[2]), wanted=True)
            elif match[4] is not None:
                looker.bracketed(_name(match[4]), bool(match[2]), wanted=True)
            else:
                found.not_direct = "__has_include of a macro"


def _name(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


class _Looker:
    """Looks for headers as the compiler does, and records where they were not found."""

    def __init__(self, path: SearchPath, found: Dependencies) -> None:
        self._path = path
        self._found = found
        self._done: set[tuple[str, str | None, bool, bool]] = set()
        self._exists: dict[str, bool] = {}

    def quoted(self, name: str, folder: str, everywhere: bool = False, *, wanted: bool = False) -> None:
        self._look(name, folder, everywhere, wanted)

    def bracketed(self, name: str, everywhere: bool = False, *, wanted: bool = False) -> None:
        self._look(name, None, everywhere, wanted)

    def read(self, name: str, parent: str) -> None:
        """Look up a file that the compiler has read, by every name under which it may have been included."""
        for folder in {*self._path.bracket, *self._path.quote, parent}:
            if folder and name.startswith(folder + "/"):
                self.quoted(name[len(folder) + 1 :], parent)

    def _look(self, name: str, folder: str | None, everywhere: bool, wanted: bool) -> None:
        request = (name, folder, everywhere, wanted)
        if request in self._done or not name:
            return
        self._done.add(request)
        if os.path.isabs(name):
            folders: tuple[str, ...] = ("",)
        elif folder is None:
            folders = self._path.bracket
        else:
            folders = (folder, *self._path.quote, *self._path.bracket)
        for place in folders:
            path = f"{place}/{name}" if place else name
            if os.path.isdir(path):
                self._found.not_direct = f"{path} is a folder: a header could appear unnoticed"
            elif not self._is_there(path):
                self.note_absent(path)
            else:
                if wanted:
                    self._found.present.add(path)
                if not everywhere:
                    break

    def _is_there(self, path: str) -> bool:
        known = self._exists.get(path)
        if known is None:
            known = self._exists[path] = os.access(path, os.F_OK)
        return known

    def note_absent(self, path: str) -> None:
        """Record the first part of the path that does not exist. Many missing names share one missing folder."""
        folder, _, name = path.rpartition("/")
        while folder and not self._is_there(folder):
            folder, _, name = folder.rpartition("/")
        if not folder and path.startswith("/"):
            folder = "/"
        if os.path.lexists(f"{folder}/{name}" if folder else name):
            # The target of a link can appear without any change in the folder that holds the link.
            self._found.not_direct = f"{path} is a link to nothing: a header could appear unnoticed"
        self._found.absent.setdefault(folder, set()).add(name)
