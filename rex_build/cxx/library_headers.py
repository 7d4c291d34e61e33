"""Headers of libraries that have regions. Where ``-isystem`` finds them, which build systems take for the headers of
installed packages, or where they say so by a pragma, they are headers of the system, which stay ``#include`` lines.
Their regions are the user's."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from ..base.records import replace
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import directive_pattern

SYSTEM_FOLDERS = ("-isystem", "-idirafter")
_OF_DEVICES = directive_pattern(r"(?:(?:begin[ \t]+)?declare[ \t]+(?:target|mapper)|target)\b")


def folders_of(flags: Sequence[str], options: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(the option, the folder) of the flags that name folders with headers by these options."""
    words = iter(flags)
    for word in words:
        for option in options:
            if word.startswith(option):
                yield option, word[len(option) :] or next(words, "")


def with_library_headers(pre: Preprocessed, flags: Sequence[str]) -> Preprocessed:
    """A unit in which headers with directives about devices are the user's, with all that stand in the same folder of
    an option, and with those that include them."""
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
