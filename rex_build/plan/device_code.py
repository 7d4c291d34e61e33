"""The functions and variables of the unit that kernels use."""

from __future__ import annotations

from ..base.records import dataclass
from .code import Code, Entity
from .memory import TeamMemory


@dataclass(frozen=True)
class DeviceFunction:
    """A function of the device code. ``team`` is set if a team's sequential part calls another version of it."""

    variable: Entity
    code: Code
    team: TeamMemory | None = None


@dataclass(frozen=True)
class DeviceCode:
    """What the device text must define, apart from types, which are up to the front end's printer.

    In ``functions``, callees stand before callers. Those in ``declared_early`` are declared before any definition.
    ``globals`` are the file-scope variables that functions or initialisers of such variables use. ``system_headers``
    are the names of headers that provide types. ``elsewhere`` are the functions that other units of a separable device
    link define.
    """

    functions: tuple[DeviceFunction, ...] = ()
    declared_early: tuple[DeviceFunction, ...] = ()
    globals: tuple[Entity, ...] = ()
    system_headers: tuple[str, ...] = ()
    elsewhere: tuple[Entity, ...] = ()
