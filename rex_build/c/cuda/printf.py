"""Rewrites formats of printf for CUDA's device function.

That function knows the length modifiers h, l and ll, but no widths or precisions from arguments, and no F. Source: CUDA
C++ Programming Guide 13.0, section 10.35.1; C11, 7.21.6.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...base.patterns import regex

_CONVERSION = regex(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|L)?(?P<kind>[a-zA-Z%])"
)
_NARROW = {
    "hh": ("signed char", "unsigned char"),
    "h": ("short", "unsigned short"),
}
_AS_LONG = ("j", "z", "t")


def device_format(
    literal: str, arguments: Sequence[str], constant: Callable[[int], int | None]
) -> tuple[str, list[str]]:
    """(format, arguments) that print the same with CUDA's printf, both as C++ text.

    ``literal`` is the text of the format with its quotes, and ``arguments`` are those after it. ``constant`` gives the
    value of an argument by its number, if it is an integer constant. Raises ValueError, with the reason, for a
    conversion that CUDA cannot do.
    """
    given = iter(range(len(arguments)))
    values: list[str] = []

    def number(text: str | None) -> int | None:
        if text != "*":
            return int(text or 0) if text is not None else None
        value = constant(next(given, -1))
        if value is None:
            raise ValueError("a width or precision that only the run knows is not supported by printf")
        return value

    def respelled(found: re.Match[str]) -> str:
        kind, flags, length = found["kind"], found["flags"], found["length"] or ""
        if kind == "%":
            return "%%"
        if kind not in "diouxXeEfFgGaAcsp" or (length == "l" and kind == "s"):
            raise ValueError(f"'%{length}{kind}' is not supported by printf")
        width, precision = number(found["width"]), number(found["precision"])
        if width is not None and width < 0:
            flags, width = flags + "-", -width
        at = next(given, None)
        if at is None:
            raise ValueError(f"'{found[0]}' has no argument")
        value = arguments[at]
        if length in _NARROW and kind in "diouxX":
            signed, unsigned = _NARROW[length]
            value = f"static_cast<{signed if kind in 'di' else unsigned}>({value})"
            length = ""
        elif length in _AS_LONG:
            length = "l"
        elif length == "L" or kind in "csp":
            length = ""
        values.append(value)
        digits = f".{precision}" if precision is not None and precision >= 0 else ""
        return f"%{flags}{'' if width is None else width}{digits}{length}{'f' if kind == 'F' else kind}"

    text = _CONVERSION.sub(respelled, literal)
    return text, [*values, *(arguments[at] for at in given)]
