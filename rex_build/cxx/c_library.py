"""Calls of functions of the C library that CUDA has as functions of the host only, such as ``strlen``.

The device library has them under other names. Memory stays CUDA's, as ``new`` and ``delete`` use it, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..c.source.library_functions import OTHERS
from .functions import Function
from .libclang import is_users
from .unit import Unit


def library_calls(unit: Unit, function: Function, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """(where a name begins and ends, the name in device code) for these functions, as a stretch names them."""
    named: dict[int, list[Any]] = {}
    for place, target in (*function.mentions.calls, *function.mentions.overloads):
        if start <= place < end and target.spelling in OTHERS:
            named.setdefault(place, []).append(target)
    for place, targets in named.items():
        name = targets[0].spelling
        match = re.compile(rf"(?:std\s*::\s*|::\s*(?:std\s*::\s*)?)?{name}\b").match(unit.text, place)
        if match is not None and all(_is_of_c(unit, target) for target in targets):
            yield match.start(), match.end(), f"::rex_c_{name}"


def _is_of_c(unit: Unit, target: Any) -> bool:
    """Whether a function is the C library's, or one that <cstring> defines in ``std`` by it."""
    parent = target.semantic_parent
    outside = parent is not None and parent.kind in (unit.kinds.TRANSLATION_UNIT, unit.kinds.LINKAGE_SPEC)
    of_std = parent is not None and parent.kind == unit.kinds.NAMESPACE and parent.spelling == "std"
    return target.kind == unit.kinds.FUNCTION_DECL and (outside or of_std) and not is_users(target)
