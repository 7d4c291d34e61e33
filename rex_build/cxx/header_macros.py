"""Macros of the user's files that change headers of the system. The front end and device files include such headers
between text that is preprocessed already, so they define these macros again in front of each header."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..base.diagnostics import InternalError, source_lines
from ..base.patterns import regex
from ..base.records import dataclass, field, replace
from ..c.source.preprocess import COMPILERS_OWN, Preprocessed
from ..c.source.tokens import words_in
from .libclang import defined_by, language_flags, outermost_headers, system_inclusions

# Names that begin with an underscore are the compiler's and its library's, which are set up for the device apart.
_CHANGE = regex(
    r"^[ \t]*#[ \t]*(?P<what>define|undef|ifndef)[ \t]+(?P<name>\w+)(?P<value>.*)", re.MULTILINE
)
_QUESTION = regex(rb"^[ \t]*#[ \t]*(?:ifdef|ifndef|if|elif)\b(?P<asked>(?:.*\\\n)*.*)$", re.MULTILINE)
_DEFINED = regex(
    rb"^[ \t]*#[ \t]*define[ \t]+\w+(?P<parameters>\([^)\n]*\))?(?P<asked>(?:.*\\\n)*.*)$", re.MULTILINE
)
_WORD_OF_BYTES = regex(rb"[A-Za-z]\w*")


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
