"""What kernels use of the unit: functions, types, variables."""

from __future__ import annotations

from pycparser import c_ast

from ..base.records import dataclass
from ..c.sema import Symbol
from ..c.sema.ctype import RecordInfo


@dataclass(frozen=True)
class DeviceCode:
    """What the device text must define, each list in an order in which nothing comes before what it needs.

    ``records`` are the structures and unions to define; ``forward`` those that are only named. ``functions`` have
    callees first; those in ``prototypes`` are also called before their definition. ``globals`` are the file-scope
    variables that functions (or the initialisers of such variables) use, ``root_globals`` those that the roots name.
    ``system_headers`` provide types that are used, as names for ``#include <...>``. ``undefined`` are functions
    and variables without a definition in this unit that the device library does not have either, with their first use;
    ``elsewhere`` are the functions that other units of a separable device link define. ``initialised`` are the records
    that objects with static storage duration and an initialiser have in them.
    """

    records: tuple[RecordInfo, ...] = ()
    forward: tuple[RecordInfo, ...] = ()
    enumerators: tuple[Symbol, ...] = ()
    functions: tuple[c_ast.FuncDef, ...] = ()
    prototypes: tuple[c_ast.FuncDef, ...] = ()
    globals: tuple[Symbol, ...] = ()
    root_globals: tuple[Symbol, ...] = ()
    system_headers: tuple[str, ...] = ()
    undefined: tuple[tuple[Symbol, c_ast.Node], ...] = ()
    elsewhere: tuple[Symbol, ...] = ()
    initialised: frozenset[RecordInfo] = frozenset()
