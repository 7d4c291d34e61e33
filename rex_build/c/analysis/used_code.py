"""Everything of a unit that its kernels use."""

from __future__ import annotations

from pycparser import c_ast

from ...base.records import dataclass
from ..sema import Symbol
from ..sema.ctype import EnumInfo, RecordInfo


@dataclass(frozen=True)
class UsedCode:
    """Everything that the device text must define. In every list, an item stands after the items that it needs.

    ``records`` are the structures and unions to define, and ``forward`` those that are only named. In ``functions``,
    callees stand before callers; those in ``prototypes`` are also called before their definition. ``globals`` are the
    file-scope variables that functions or initialisers of such variables use. ``system_headers`` are the names of
    headers that provide types. ``elsewhere`` are the functions that other
    units of a separable device link define. ``initialised`` are the records inside objects with static storage duration
    and an initialiser.

    ``system_records`` and ``system_symbols`` come from system headers that the device text includes too, or from the
    device library, which has the enumerations ``library_enums`` of omp.h. A system header defines the functions
    ``own_versions``; their copies in the device text have names of their own.
    """

    records: tuple[RecordInfo, ...] = ()
    forward: tuple[RecordInfo, ...] = ()
    enumerators: tuple[Symbol, ...] = ()
    functions: tuple[c_ast.FuncDef, ...] = ()
    prototypes: tuple[c_ast.FuncDef, ...] = ()
    globals: tuple[Symbol, ...] = ()
    system_headers: tuple[str, ...] = ()
    elsewhere: tuple[Symbol, ...] = ()
    initialised: frozenset[RecordInfo] = frozenset()
    system_records: frozenset[RecordInfo] = frozenset()
    system_symbols: frozenset[Symbol] = frozenset()
    library_enums: frozenset[EnumInfo] = frozenset()
    own_versions: tuple[Symbol, ...] = ()
