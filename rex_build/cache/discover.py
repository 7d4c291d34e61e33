"""Finds what a lowered unit depends on: the files that were read, and files that would be read if they existed.

A header that appears earlier on the search path, or one that ``__has_include`` asks for, changes what is compiled,
although no file that was read has changed. Therefore every ``#include`` in every file, active or not, is looked up here
as the compiler does it, and all places where its header was not found are recorded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence

from ..base.patterns import regex
from ..base.records import dataclass, field
from .flags import FORCED, SEARCHED, searched, short_options
from .manifest import Base, Record
from .memo import Memo, read_file

_GAP = rb"[ \t\f\v]*"
_HASH = _GAP + rb"(?:#|%:)" + _GAP
_INCLUDE = regex(
    _HASH + rb"(include|include_next|import)\b" + _GAP + rb"(?:\"([^\"\n]*)\"|<([^>\n]*)>|([^\s\"<]))"
)
_INCLUDING = (b"include", b"import")  # one of them is in each of these
_COMMENT_MARKS = (b"/*", b"*/", b"//")
_SPLICE = regex(rb"\\[ \t\f\v\r]*\n")
# A header for which __has_include asks.
_QUESTION = regex(
    rb"\b__has_include(_next)?(?:__)?" + _GAP + rb"\(" + _GAP + rb"(?:\"([^\"\n]*)\"|<([^>\n]*)>)" + _GAP + rb"\)"
)
# What asks for no header: ``defined(__has_include)``, and definitions of a macro of this name.
_NO_QUESTION = regex(
    rb"(?:\bdefined[ \t\f\v(]*|^" + _HASH + rb"(?:(?:el)?ifn?def|define|undef)\b" + _GAP + rb")"
    rb"__has_include\w*(?:\([^)]*\))?",
    re.MULTILINE,
)
# The folder of the file in which the macro is used counts.
_QUOTED_IN_A_MACRO = regex(_HASH + rb"define\b.*\b__has_include\w*" + _GAP + rb"\(" + _GAP + rb"\"")
_COMMENT = regex(rb"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_TIME = regex(rb"\b__(?:DATE|TIME|TIMESTAMP)__\b")
# Directives that read or compare files in other ways than inclusions do.
_EMBED = regex(
    rb"\b__has_embed\b|^" + _HASH + rb"(?:embed\b|pragma\b.*\b(?:pch_preprocess|include_alias|dependency|module)\b)"
    rb"|_Pragma\b.*\b(?:pch_preprocess|include_alias|dependency|module)\b",
    re.MULTILINE,
)
_EMBEDDING = (b"embed", b"pch_preprocess", b"include_alias", b"dependency", b"module")  # one of them is in all of these
_STRINGS = regex(rb"\"\s*\"")  # between two literals that are one
_READS = regex(rb"\.\s*inc(?:bin|lude)")
_ESCAPE = regex(rb"\\(?:x[0-9A-Fa-f]|[0-7])")
_ONCE = regex(rb"\bonce\b")
# Pieces of which a name that is asked for may be pasted together: what it begins with, underscores with what follows
# them, or all behind its underscores.
_PIECE = regex(rb"\b(__?(?:[hDT]\w*)?|has_\w+|(?:DATE|TIME|TIMESTAMP)__)(?=[\s,#%:]*(\w*))")
_WHOLE = {b"__has_include", b"__has_include__", b"__has_include_next", b"__has_include_next__", b"__has_embed"}
_WHOLE |= {b"__DATE__", b"__TIME__", b"__TIMESTAMP__"}
_PIECES = {name[:length] for name in _WHOLE for length in range(2, len(name))} - _WHOLE
_PIECES |= {name[lead:] for name in _WHOLE for lead in (1, 2)}


_FOLDERS = (b"CPATH", b"C_INCLUDE_PATH", b"CPLUS_INCLUDE_PATH")
# Flags whose folders the compiler puts behind a prefix or its root folder.
_COMPOSED = regex(r"-iwithprefix(?:before)?(.*)|(?:-I|-isystem|-iquote|-idirafter)?(?:=|\$SYSROOT)(.*)")


@dataclass(frozen=True)
class SearchPath:
    """The folders in which the compiler looks for headers.

    ``quote`` are searched for quoted names only, before ``bracket``, which are searched for all names. ``missing`` are
    named in flags but do not exist. ``doubled`` were left out because they are links to another folder of the list.
    All are absolute, or relative to the compiler's working directory.
    """

    quote: tuple[str, ...]
    bracket: tuple[str, ...]
    missing: tuple[str, ...]
    doubled: tuple[str, ...]


@dataclass(frozen=False)
class Dependencies:
    """What a unit depends on, under the names that the compiler uses.

    ``not_direct`` is empty, or says why a manifest cannot tell whether the unit is still up to date.
    """

    files: dict[str, bytes]
    present: set[str] = field(default_factory=set)
    absent: dict[str, set[str]] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    distinct: tuple[str, ...] = ()
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
            [strip(folder) for folder in self.distinct],
        )


def search_path(
    command: Sequence[str], language: str = "c", folder: str = "", without: Container[str] = ()
) -> SearchPath | None:
    """The search path that the compiler reports for ``command``, its words without a file. None if it reports none.

    The compiler runs in ``folder``, and ``without`` these variables of the environment. Names that it gives relative to
    the folder become absolute.
    """
    import subprocess  # imported here because hits do not need it

    try:
        done = subprocess.run(
            [*_without_forced(command), "-E", "-v", "-x", language, "/dev/null"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=60,
            env={**{name: value for name, value in os.environ.items() if name not in without}, "LC_ALL": "C"},
            check=False, cwd=folder or None,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    text = done.stderr.decode("utf-8", "surrogateescape")
    head, found, rest = text.partition('#include "..." search starts here:\n')
    quote, bracket_found, rest = rest.partition("#include <...> search starts here:\n")
    bracket, end_found, _ = rest.partition("End of search list.")
    # A path that is a file now may become a folder later. -I- changes the rules of the search.
    if not (found and bracket_found and end_found) or done.returncode or "not a directory" in text or "-I-" in command:
        return None
    missing = re.findall(r'^ignoring nonexistent directory "(.*)"$', head, re.MULTILINE)
    doubled = re.findall(r'^ignoring duplicate directory "(.*)"$', head, re.MULTILINE)
    lists = [[line[1:] for line in part.splitlines() if line.startswith(" ")] for part in (quote, bracket)]
    return SearchPath(*(tuple(os.path.join(folder, name) for name in names) for names in (*lists, missing, doubled)))


def _without_forced(words: Sequence[str]) -> list[str]:
    out = []
    rest = iter(short_options(words))
    for word in rest:
        if word in FORCED:
            next(rest, None)
        elif not word.startswith(FORCED):
            out.append(word)
    return out


def dependencies(
    files: Iterable[str],
    inclusions: Iterable[tuple[str, str]],
    words: Sequence[str],
    path: SearchPath | None,
    folder: str = "",
    unit: tuple[str, bytes] | None = None,
) -> Dependencies:
    """The dependencies of a unit that read ``files``, in this order.

    ``inclusions`` are pairs of a file and the file that included it, as far as they are known. ``words`` are the flags,
    with short options and without response files, and ``folder`` is where the compiler ran. ``unit`` has the path and
    text of a file that is part of the key and not among ``files``. Raises OSError when a file cannot be read any more.
    """
    found = Dependencies({name: read_file(name) for name in dict.fromkeys(files)})
    if path is None:
        found.not_direct = "the compiler's search path is unknown"
        return found
    looker = _Looker(path, found)
    texts = {**found.files, **dict([unit] if unit else [])}
    flags = b"\n".join(os.fsencode(word) for word in words)
    own = [flags]
    named = flags + b"\n".join(os.environb.get(name, b"") for name in _FOLDERS)
    # The compiler's folder stands in front of what a flag names relative to it.
    ends = _composed(words)
    libraries = tuple(
        f"{place}/"
        for place in path.bracket
        if os.fsencode(place.removeprefix(os.path.join(folder, ""))) not in named and not place.endswith(ends)
    )
    computed = []
    imports = False
    for name, content in texts.items():
        text = _SPLICE.sub(b"", content) if b"\\" in content else content
        if not name.startswith(libraries):
            own.append(text)
        if b"??/" in text or b"??=" in text:
            found.not_direct = f"{name} may have trigraphs: a header could appear unnoticed"
        if _asks_time(text):
            found.not_direct = f"{name} uses the time of compilation"
        if any(word in text for word in _EMBEDDING) and _EMBED.search(text):
            found.not_direct = f"{name} embeds files"
        place = os.path.dirname(name)
        kinds, commented = _note_inclusions(text, place, looker)
        asks = b"__has_include" in text
        if commented or asks or kinds:
            stripped = _COMMENT.sub(lambda found: found[0] if found[0][:1] in b"\"'" else b" ", text)
            kinds, _ = _note_inclusions(stripped, place, looker)
            imports = imports or b"import" in kinds
            if b"computed" in kinds:
                computed.append(place)
            if asks:
                _note_questions(stripped, place, looker, found)
    for name, parent in inclusions:
        looker.read(name, os.path.dirname(parent))
    for place in computed:
        for name in found.files:
            looker.read(name, place)
    if _asks_time(flags):
        found.not_direct = "a flag uses the time of compilation"
    if b"__has_include" in flags:
        found.not_direct = "__has_include in a flag"
    if any(map(_may_paste, own)):
        found.not_direct = "__has_include or a time may be pasted together"
    if any(map(_assembles_files, own)):
        found.not_direct = "assembly that reads files"
    rest = iter(words)
    for word in rest:
        if word.startswith(FORCED) and (option := searched(word)) in FORCED:
            looker.forced(word[len(option) :] or next(rest, ""), folder)
        elif word in SEARCHED:
            next(rest, None)
    _check_once(found, looker.seen, imports, bool(computed))
    for place in path.missing:
        looker.note_absent(place)
    places: dict[tuple[int, int], str] = {}
    for place in (*path.quote, *path.bracket, *path.doubled):
        state = os.stat(place or ".")
        first = places.setdefault((state.st_dev, state.st_ino), place)
        if first != place:  # two names of one folder, either of which may become another's
            found.links.update((name, os.path.realpath(name)) for name in (first, place))
    found.distinct = tuple(places.values())
    return found


def _composed(words: Sequence[str]) -> tuple[str, ...]:
    """How the folders end that flags name without their beginning."""
    ends = []
    rest = iter(words)
    for word in rest:
        if found := _COMPOSED.fullmatch(word):
            ends.append(found[1] or found[2] or next(rest, ""))
    return tuple(end for end in ends if end)


def _asks_time(text: bytes) -> bool:
    return any(name in text for name in (b"__DATE__", b"__TIME__", b"__TIMESTAMP__")) and bool(_TIME.search(text))


def _assembles_files(text: bytes) -> bool:
    """Whether assembly in a text without splices may read files, of which the compiler says nothing."""
    text = _STRINGS.sub(b"", text) if b"asm" in text else b""
    return _READS.search(text) is not None or _ESCAPE.search(text) is not None


def _note_inclusions(text: bytes, folder: str, looker: _Looker) -> tuple[set[bytes], bool]:
    """Look up all headers that a text names.

    Returns which of ``import`` and ``computed`` it has, and whether comments are between the parts of a directive, so
    that the text without them names other headers.
    """
    kinds = set()
    commented = False
    for at, line in _lines_with(_INCLUDING, text):
        match = _INCLUDE.match(line)
        commented = commented or b"*/" in line[:at]
        if match is None:
            continue
        commented = commented or any(mark in match[0] for mark in _COMMENT_MARKS)
        if match[1] == b"import":
            kinds.add(b"import")
        if match[4] is not None:
            kinds.add(b"computed")
        else:
            looker.look(match[2], match[3], folder, match[1] == b"include_next")
    return kinds, commented


def _lines_with(words: Iterable[bytes], text: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines of a text that have one of the words, each with where the word's last place in the line is."""
    for word in words:
        at = text.find(word)
        while at >= 0:
            start, end = text.rfind(b"\n", 0, at) + 1, text.find(b"\n", at)
            line = text[start:] if end < 0 else text[start:end]
            yield line.rfind(word), line
            at = text.find(word, start + len(line))


def _note_questions(text: bytes, folder: str, looker: _Looker, found: Dependencies) -> None:
    """Look up the headers for which ``__has_include`` asks in a text without comments."""

    def look_up(question: re.Match[bytes]) -> bytes:
        looker.look(question[2], question[3], folder, question[1] is not None, wanted=True)
        return b""

    rest = _QUESTION.sub(look_up, _NO_QUESTION.sub(b"", text))
    # A raw string may have what looks like the beginning of a comment.
    if b"__has_include" in rest or b'R"' in text or _QUOTED_IN_A_MACRO.search(text):
        found.not_direct = "__has_include of a macro"


def _may_paste(text: bytes) -> bool:
    """Whether a name that is asked for here may be pasted together of pieces in a text, by whatever macro."""
    pieces = _PIECE.findall(text)
    return any((piece if piece.strip(b"_") else behind and piece + behind) in _PIECES for piece, behind in pieces)


def _check_once(found: Dependencies, seen: set[str], imports: bool, computed: bool) -> None:
    """Find out whether some header may be left out because an equal one has been read (``#pragma once``, ``#import``).

    The compiler compares such headers by their time stamps, too.
    """
    if not imports and not any(map(_is_once, found.files.values())):
        return
    if computed:
        found.not_direct = "a computed inclusion beside headers that are read once: a header could appear unnoticed"
    sizes: dict[int, list[str]] = {}
    for name in dict.fromkeys((*found.files, *sorted(seen))):
        sizes.setdefault(os.stat(name).st_size, []).append(name)
    for names in sizes.values():
        known: set[bytes] = set()
        for name in names if len(names) > 1 else ():
            text = found.files[name] if name in found.files else read_file(name)
            if text in known and (imports or _is_once(text)):
                found.not_direct = f"{name} equals another header, and is read once"
            known.add(text)


def _is_once(text: bytes) -> bool:
    return b"once" in text and _ONCE.search(text) is not None


class _Looker:
    """Looks for headers as the compiler does, and records where they were not found."""

    def __init__(self, path: SearchPath, found: Dependencies) -> None:
        self._path = path
        self._found = found
        self._done: set[tuple[str, str | None, bool, bool]] = set()
        self._exists: dict[str, bool] = {}
        self._absent: set[str] = set()
        self.seen: set[str] = set()  # headers that exist, read or not

    def look(
        self, quoted: bytes | None, bracketed: bytes | None, folder: str, everywhere: bool, *, wanted: bool = False
    ) -> None:
        """Look up a header that a text names in quotes or in brackets."""
        name = ((bracketed if quoted is None else quoted) or b"").decode("utf-8", "surrogateescape")
        self._look(name, None if quoted is None else folder, everywhere, wanted)

    def forced(self, name: str, folder: str) -> None:
        """Look up a header that a flag includes. A precompiled one beside it would be read in its place."""
        for suffix in ("", ".gch", ".pch"):
            self._look(name + suffix, folder)
            if suffix and any(path.endswith(suffix) for path in self.seen):
                self._found.not_direct = f"{name} is precompiled: a header could appear unnoticed"

    def read(self, name: str, parent: str) -> None:
        """Look up a file that the compiler has read, by every name under which it may have been included."""
        for folder in {*self._path.bracket, *self._path.quote, parent}:
            if folder and name.startswith(folder + "/"):
                self._look(name[len(folder) + 1 :], parent)

    def _look(self, name: str, folder: str | None, everywhere: bool = False, wanted: bool = False) -> None:
        request = (name, folder, everywhere, wanted)
        if request in self._done or not name:
            return
        self._done.add(request)
        if os.path.isabs(name):
            folders: tuple[str, ...] = ("",)
        elif folder is None:
            # What follows the folder of the file that asks for the next one may be for quoted names only.
            folders = (*self._path.quote, *self._path.bracket) if everywhere else self._path.bracket
        else:
            folders = (folder, *self._path.quote, *self._path.bracket)
        for place in folders:
            path = f"{place}/{name}" if place else name
            if not self._is_there(path):
                self.note_absent(path)
            elif os.path.isdir(path):
                self._found.not_direct = f"{path} is a folder: a header could appear unnoticed"
            else:
                self.seen.add(path)
                # gcc names a header of the system by the target of a link, which says nothing about the link.
                if path not in self._found.files and (target := os.path.realpath(path)) != os.path.abspath(path):
                    self._found.links[path] = target
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
        if path in self._absent:
            return
        self._absent.add(path)
        folder, _, name = path.rpartition("/")
        while folder and not self._is_there(folder):
            folder, _, name = folder.rpartition("/")
        if not folder and path.startswith("/"):
            folder = "/"
        if os.path.lexists(f"{folder}/{name}" if folder else name):
            # The target of a link can appear without any change in the folder that holds the link.
            self._found.not_direct = f"{path} is a link to nothing: a header could appear unnoticed"
        self._found.absent.setdefault(folder, set()).add(name)
