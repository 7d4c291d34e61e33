"""Which types exist in device code."""

from __future__ import annotations

from .ctype import LONG_FLOATS, CType, Record, Scalar, Unsupported, alignof, sizeof

_LONG_NAMES = (*LONG_FLOATS, *(f"_Complex {name}" for name in LONG_FLOATS))
_REFUSED_COMPLEX = ("__int128 _Complex", "unsigned __int128 _Complex")


def refused_type(t: CType) -> str | None:
    """Why a type that is not derived from others cannot be used on the device, or None if it can."""
    if isinstance(t, Scalar) and (t.name.startswith("long double") or t.name in _REFUSED_COMPLEX):
        return f"'{t.alias if t.alias in _LONG_NAMES else t.name}' is not supported"
    if isinstance(t, Unsupported):
        return t.reason
    if "_Atomic" in t.quals and not is_lock_free(t):
        return f"'{t}', which no hardware changes at once, is not supported"
    if t.quals & {"__seg_fs", "__seg_gs"}:
        return "address spaces of the host ('__seg_fs', '__seg_gs') are not supported"
    return None


def is_lock_free(t: CType) -> bool:
    """Whether the hardware can read and write a ``t`` at once.

    For other atomic structures, compilers differ in size.
    """
    if isinstance(t, Record) and not t.info.is_complete:
        return True  # no object has this type yet, only pointers to it
    return sizeof(t) in (1, 2, 4, 8) and alignof(t) == sizeof(t)
