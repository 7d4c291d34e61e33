"""What the plan takes from a front end as it is: pieces of the user's code, variables and types.

Nothing outside of the front end looks into them. They are compared, kept in sets, and given back to the front end's
printer (:mod:`.printer`). The C front end's code is nodes of its tree; another one may have ranges of the source.
"""

from __future__ import annotations

from typing import Any

from ..base.records import dataclass


class Code:
    """A statement, an expression, a directive with its statement, or a function in device code.

    This class is a name for what a front end has for these. Its own classes need not know it.
    """

    __slots__ = ()


class Type:
    """The type of a variable or expression in device code."""

    __slots__ = ()


class Entity:
    """A variable or function of the program. It is compared by identity."""

    __slots__ = ()

    name: str
    type: Any  # a Type, of the class that the front end has for it


@dataclass(frozen=True)
class TypeFacts:
    """What a type means for private copies and for parameters.

    A ``flat`` array has lengths that only the run knows, and its elements stand one behind the other. A type without
    size is ``sizeless``. Elements of ``ragged`` arrays are not aligned as their type asks. ``alignment`` is what a
    declaration asks for, or 0. The device library's functions cannot take ``volatile`` or restrict pointers to the
    object, or to what a pointer leads to (``special``), and C++ cannot copy it if it is ``volatile_record``. Copying an
    object of a ``class`` may run functions. A ``deduced`` type is that of the value of which a variable is made.
    """

    is_array: bool = False
    is_pointer: bool = False
    is_flat: bool = False
    is_sizeless: bool = False
    is_ragged: bool = False
    is_special: bool = False
    is_volatile_record: bool = False
    is_class: bool = False
    is_deduced: bool = False
    alignment: int = 0
