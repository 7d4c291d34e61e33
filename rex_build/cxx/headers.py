"""Headers of the system: which a device file includes, which have regions, so that they are the user's, and with which
macros of the user's they are read.

A device file includes those that declare a name which device code has. nvcc reads the headers of streams and containers
for longer than it compiles a kernel. The front end and device files include headers between text that is preprocessed
already, so they define the macros of the user's files that change them again in front of each header.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from ..base.diagnostics import InternalError, source_lines
from ..base.patterns import regex
from ..base.records import dataclass, field, replace
from ..c.source.library_functions import words
from ..c.source.preprocess import COMPILERS_OWN, Preprocessed
from ..c.source.tokens import LITERAL, directive_pattern, words_in
from .libclang import defined_by, language_flags, outermost_headers, system_inclusions

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
# Names that begin with an underscore are the compiler's and its library's, which are set up for the device apart.
_CHANGE = regex(r"^[ \t]*#[ \t]*(?P<what>define|undef|ifndef)[ \t]+(?P<name>\w+)(?P<value>.*)", re.MULTILINE)
_QUESTION = regex(rb"^[ \t]*#[ \t]*(?:ifdef|ifndef|if|elif)\b(?P<asked>(?:.*\\\n)*.*)$", re.MULTILINE)
_DEFINED = regex(rb"^[ \t]*#[ \t]*define[ \t]+\w+(?P<parameters>\([^)\n]*\))?(?P<asked>(?:.*\\\n)*.*)$", re.MULTILINE)
_WORD_OF_BYTES = regex(rb"[A-Za-z]\w*")


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


@dataclass(frozen=False)
class _Found:
    """What a unit's files define, and what its headers ask for."""

    top: Mapping[int, int]  # for each inclusion in a header of the system, the outermost one
    names: set[str] = field(default_factory=set)  # macros that the user's files define or undefine
    undefined: set[str] = field(default_factory=set)
    asked: dict[int, set[str]] = field(default_factory=dict)  # by outermost header: those in front that it asks for
    lasting: set[str] = field(default_factory=set)  # those that macros of headers name, which later headers may use


def with_header_macros(
    pre: Preprocessed, cflags: Sequence[str], definitions: Callable[[], Preprocessed]
) -> Preprocessed:
    """A unit whose inclusions of the system's headers have the macros of the user's files that these headers ask for.

    ``definitions`` preprocesses the unit with the lines that define macros left in it.
    """
    found = _found(pre)
    if not found.asked:
        return pre
    before, behind = _in_force(found, pre, definitions())
    of_options = dict(_of_options(cflags))
    device = {name: line for name, line in of_options.items() if name not in found.undefined}
    inclusions = list(pre.inclusions)
    for number, state in before.items():
        opening, own = [], set()
        for name in sorted(_needed(found, number, state)):
            wanted, there = state.get(name), device.get(name)
            unknown = name in of_options and name not in device
            if wanted == there and not unknown:
                continue
            if there is not None or unknown:
                opening.append(f"#undef {name}")
                device.pop(name, None)
            if wanted is not None:
                opening.append(wanted)
                own.add(name)
        after = behind[number]
        changed = {name for name in found.names if after.get(name) != state.get(name)}  # by the header
        own -= changed
        device = {name: line for name, line in device.items() if name not in own | changed}
        device |= {name: after[name] for name in changed if name in after}
        closing = tuple(f"#undef {name}" for name in sorted(own))
        inclusions[number] = replace(inclusions[number], before=tuple(opening), behind=closing)
    return replace(pre, inclusions=tuple(inclusions))


def _found(pre: Preprocessed) -> _Found:
    """What the user's files define, as far as it stands in front of a header of the system that asks for it."""
    headers = system_inclusions(pre)
    found = _Found(outermost_headers(pre, headers))
    changes: dict[int, list[tuple[int, str]]] = {}
    for number, inclusion in enumerate(pre.inclusions):
        if number not in found.top:
            for line, what, name in _changes(inclusion.file, number > 0):
                changes.setdefault(number, []).append((line, name))
                found.names.add(name)
                if what == "undef":
                    found.undefined.add(name)
    asked: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for number, outermost in found.top.items() if found.names else ():
        file = pre.inclusions[number].file
        if file not in asked:
            asked[file] = _asked(file, found.names)
        in_conditions, in_macros = asked[file]
        if in_conditions or in_macros:
            in_front = set(_in_front(pre, outermost, changes))
            if mine := in_front & (in_conditions | in_macros):
                found.asked.setdefault(outermost, set()).update(mine)
            found.lasting |= in_front & in_macros
    return found


def _needed(found: _Found, number: int, state: Mapping[str, str]) -> set[str]:
    """The macros that a header may need, with those that their own texts name."""
    needed = found.asked.get(number, set()) | found.lasting
    more = set(needed)
    while more:
        more = {word for name in more for word in words_in(state.get(name, ""))} & found.names - needed
        needed |= more
    return needed


def _in_front(pre: Preprocessed, outermost: int, changes: Mapping[int, list[tuple[int, str]]]) -> Iterator[str]:
    """The macros that files change in front of an inclusion."""
    ends: dict[int, int] = {}
    number = outermost
    while number > 0:
        ends[pre.inclusions[number].parent] = pre.inclusions[number].line
        number = pre.inclusions[number].parent
    for file, found in changes.items():
        if file < outermost:
            yield from (name for line, name in found if file not in ends or line < ends[file])


def _changes(file: str, is_header: bool) -> Iterator[tuple[int, str, str]]:
    """(line, ``define`` or ``undef``, name) of what a file says of macros, but for the one that guards a header."""
    guard = ""
    for number, line in enumerate(source_lines(file), 1):
        match = _CHANGE.match(line)
        if match is None:
            continue
        if match["what"] == "ifndef":
            guard = guard or (match["name"] if is_header else "")
        elif match["name"][0] != "_" and (match["name"] != guard or match["value"].strip()):
            yield number, match["what"], match["name"]


def _asked(file: str, names: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """(the names that a header's conditions have, those that its macros have). A header that is not the compiler's may
    also have names in its text.

    What ``assert`` asks for only matters where the user's text has it.
    """
    nothing: frozenset[str] = frozenset()
    if file.endswith("/assert.h"):
        return nothing, nothing
    try:
        text = Path(file).read_bytes()
    except OSError:
        return nothing, nothing
    conditions = {word for match in _QUESTION.finditer(text) for word in _WORD_OF_BYTES.findall(match["asked"])}
    if not file.startswith(COMPILERS_OWN):
        conditions |= {name.encode() for name in names}.intersection(_WORD_OF_BYTES.findall(text))
    macros: set[bytes] = set()
    for match in _DEFINED.finditer(text):
        parameters = _WORD_OF_BYTES.findall(match["parameters"] or b"")
        macros.update(word for word in _WORD_OF_BYTES.findall(match["asked"]) if word not in parameters)
    chosen = [frozenset(name for name in names if name.encode() in words) for words in (conditions, macros)]
    return chosen[0], chosen[1]


def _in_force(
    found: _Found, pre: Preprocessed, defined: Preprocessed
) -> tuple[dict[int, dict[str, str]], dict[int, dict[str, str]]]:
    """The lines that define the macros in force in front of each header of the system, and behind it."""
    if [one.file for one in defined.inclusions] != [one.file for one in pre.inclusions]:
        raise InternalError("the preprocessor includes other files when it prints definitions of macros")
    before: dict[int, dict[str, str]] = {}
    behind: dict[int, dict[str, str]] = {}
    now: dict[str, str] = {}
    for origin, start, end in defined.stretches:
        outermost = found.top.get(origin.inclusion)
        if outermost is not None:
            before.setdefault(outermost, dict(now))
        for match in _CHANGE.finditer(defined.text, start, end):
            if match["name"] not in found.names:
                continue
            if match["what"] == "define":
                now[match["name"]] = match[0].strip()
            else:
                now.pop(match["name"], None)
        if outermost is not None:
            behind[outermost] = dict(now)
    return before, behind


def _of_options(cflags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(name, the line that defines it) of the macros of options."""
    for flag in language_flags(cflags):
        if flag.startswith("-D") and flag[2:3].isalpha():
            yield defined_by(flag)
