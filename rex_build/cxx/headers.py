"""Headers of the system: which a device file includes, and which have regions, so that they are the user's.

A device file includes those that declare a name which device code has. nvcc reads the headers of streams and containers
for longer than it compiles a kernel.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from ..base.patterns import regex
from ..base.records import replace
from ..c.source.library_functions import words
from ..c.source.preprocess import COMPILERS_OWN, Preprocessed
from ..c.source.tokens import LITERAL, directive_pattern, words_in
from .libclang import outermost_headers, system_inclusions

_TEXT = regex(rf"{LITERAL}|^(?:[ \t]*(?:#|//)|\x01).*$", re.MULTILINE)  # without names
# What the language takes from headers without a name, and a name that the header declares.
_SILENT = {
    "bad_alloc": regex(r"\bnew\s*\("),
    "initializer_list": regex(r":\s*\{|\bauto\b[^;{}()=]*=\s*\{"),
}
# Words of the language, and the types that rex_cxx.h declares. Library names of one letter there are none.
_KEYWORDS = words(
    """
    alignas alignof asm auto bool break case catch char class const const_cast constexpr continue decltype default
    delete do double dynamic_cast else enum explicit export extern false final float for friend goto if inline int
    long mutable namespace new noexcept nullptr operator override private protected public register reinterpret_cast
    return short signed sizeof static static_assert static_cast struct switch template this throw true try typedef
    typename union unsigned using virtual void volatile while __restrict __restrict__ __attribute__ __inline__
    __extension__ std size_t ptrdiff_t nullptr_t
    """
)
SYSTEM_FOLDERS = ("-isystem", "-idirafter")
_OF_DEVICES = directive_pattern(r"(?:(?:begin[ \t]+)?declare[ \t]+(?:target|mapper)|target)\b")
_NO_WORD = "".join(chr(i) if chr(i).isalnum() or chr(i) == "_" else " " for i in range(128))
_INCLUSION = regex(
    r"^[ \t]*#[ \t]*(?:(?P<opens>if)(?P<how>n?def)?\b|(?P<other>el)|(?P<closes>endif)\b"
    r"|include[ \t]*[<\"](?P<name>[^>\"]+)[>\"])",
    re.MULTILINE,
)


def words_of(text: str) -> set[str]:
    """The names in preprocessed text that a header may declare."""
    plain = _TEXT.sub(" ", text)
    found = {word for word in words_in(plain) if len(word) > 1}
    found.update(name for name, pattern in _SILENT.items() if pattern.search(plain))
    found.update(name for mark, name in (("typeid", "type_info"), ("<=>", "strong_ordering")) if mark in plain)
    return {word for word in found - _KEYWORDS if not word.startswith("__builtin_")}


def needed_headers(pre: Preprocessed, words: Collection[str]) -> frozenset[int]:
    """The inclusions of the user's files whose headers declare one of the words.

    Every file that declares one is read. The first header that includes it need not be the one that does that: where
    a header behind it includes the file, too, and is needed anyway, that suffices.
    """
    headers = system_inclusions(pre)
    top = outermost_headers(pre, headers)
    declaring: dict[str, int] = {}  # files, with the headers that include them first
    wanted = frozenset(words)
    for origin, start, end in pre.stretches:
        if (outermost := top.get(origin.inclusion)) is None or pre.inclusions[origin.inclusion].file in declaring:
            continue
        text = pre.text[start:end]
        if any(_declares(text, name) for name in wanted.intersection(text.translate(_NO_WORD).split())):
            declaring[pre.inclusions[origin.inclusion].file] = outermost
    own = {n for n, one in enumerate(pre.inclusions) if one.before and n in headers}
    if any(not pre.inclusions[number].file.startswith(COMPILERS_OWN) for number in headers):
        return frozenset(headers)  # other headers may rely on those in front of them
    known = _by_ending(pre.includes)
    sizes = Counter(top.values())
    reach = {number: _included(pre.inclusions[number].file, known) for number in headers} if declaring else {}
    while missing := {
        file for file, first in declaring.items() if first not in own and not any(file in reach[n] for n in own)
    }:
        # The one that surely includes most of the missing files, of several the one that includes least besides.
        own.add(
            max(
                headers,
                key=lambda n: (
                    sum(declaring[file] == n or file in reach[n] for file in missing),
                    -sizes[n],
                    -n,
                ),
            )
        )
    return frozenset(own)


def _declares(text: str, name: str) -> bool:
    """Whether a text has a name where it may be declared: behind ``::`` or ``.`` it is used, but not in ``using``."""
    return re.search(rf"(?<![\w:.>]){name}\b|\busing\b[^;]*::\s*{name}\b", text) is not None


def _by_ending(files: Iterable[str]) -> dict[str, set[str]]:
    """Files by the ends of their paths, of one or two parts."""
    found: dict[str, set[str]] = {}
    for file in files:
        parts = file.split("/")
        for count in (1, 2):
            found.setdefault("/".join(parts[-count:]), set()).add(file)
    return found


def _included(file: str, known: Mapping[str, Collection[str]]) -> set[str]:
    """A header with those that it includes under no condition, as far as their names mean one file."""
    found: set[str] = set()
    open_files = [file]
    while open_files:
        if (one := open_files.pop()) not in found:
            found.add(one)
            named = (known.get(name, ()) for name in _unconditional(one))
            open_files += (path for paths in named if len(paths) == 1 for path in paths)
    return found


@cache
def _unconditional(file: str) -> tuple[str, ...]:
    """The names of the headers that a file includes outside of conditions, but for the one that guards it."""
    try:
        text = Path(file).read_text(encoding="latin-1")
    except OSError:
        return ()
    return tuple(_outside_conditions(re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)))


def _outside_conditions(text: str) -> Iterator[str]:
    depth, guards, is_first = 0, 0, True
    for match in _INCLUSION.finditer(text):
        if match["opens"]:
            guards += is_first and match["how"] == "ndef"
            depth += 1
        elif match["closes"]:
            depth -= 1
            guards = min(guards, depth)
        elif match["name"] and depth <= guards:
            yield match["name"]
        is_first = False


def folders_of(flags: Sequence[str], options: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(the option, the folder) of the flags that name folders with headers by these options."""
    words = iter(flags)
    for word in words:
        for option in options:
            if word.startswith(option):
                yield option, word[len(option) :] or next(words, "")


def with_library_headers(pre: Preprocessed, flags: Sequence[str]) -> Preprocessed:
    """A unit in which headers with directives about devices are the user's, with all that stand in the same folder of
    an option, and with those that include them.

    Where ``-isystem`` finds them, which build systems take for the headers of installed packages, or where they say so
    by a pragma, they would be headers of the system, which stay ``#include`` lines.
    """
    files = {
        origin.file
        for origin, start, end in pre.stretches
        if origin.system and _OF_DEVICES.search(pre.text, start, end)
    }
    if not files:
        return pre
    folders = (os.path.join(folder, "") for _, folder in folders_of(flags, ("-I", *SYSTEM_FOLDERS)) if folder)
    found = tuple(folder for folder in folders if any(file.startswith(folder) for file in files))
    own: set[int] = set()
    for number, inclusion in reversed([*enumerate(pre.inclusions)]):  # each stands behind the one that includes it
        if number in own or inclusion.file in files or inclusion.file.startswith(found):
            own |= {number, inclusion.parent}
    return replace(
        pre,
        origins=tuple(replace(o, system=False) if o.inclusion in own else o for o in pre.origins),
        inclusions=tuple(replace(one, system=False) if n in own else one for n, one in enumerate(pre.inclusions)),
    )
