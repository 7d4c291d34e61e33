"""Loads memory that nothing writes while the kernel runs through the GPU's read-only path (``__ldg``).

CUDA 13 defines ``__ldg`` as volatile assembly. nvcc neither moves it out of loops nor merges two of them, and does not
unroll a loop whose bound is loaded with it (measured: 2.5 times slower). So only loads outside of inner loops that
occur once are written with it. The others profit from ``const __restrict__`` alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from pycparser import c_ast, c_generator

from ....plan.code import Entity
from ...sema import Sema, walk
from ...sema.ctype import Pointer, Record, Scalar, strip
from ...sema.type_questions import is_complex, is_ragged
from ..alignment import loose_alignment
from .accesses import Accesses

_REFUSED = ("_Bool", "long double", "_Float16", "__bf16", "__int128", "unsigned __int128")
_printer = c_generator.CGenerator()


def loads(sema: Sema, found: Accesses, constant: Collection[Entity], repeated: bool) -> Iterator[c_ast.Node]:
    """The lvalues of ``constant`` memory that are read exactly once and have a type that ``__ldg`` accepts.

    With ``repeated``, a thread runs many iterations, so the body itself is an inner loop.
    """
    if repeated:
        return
    times = Counter(str(_printer.visit(a.node)) for a in found.items)
    for access in found.items:
        is_call = isinstance(access.node, c_ast.FuncCall)
        if access.root not in constant or access.writes or access.atomic or access.loops or is_call:
            continue
        kind = strip(sema.type(access.node))
        plain = isinstance(kind, Scalar) and not is_complex(kind) and kind.name not in _REFUSED
        once = times[str(_printer.visit(access.node))] == 1
        if plain and not loose_alignment(sema, access.node) and once and _has_address(sema, access.node):
            yield access.node


def _has_address(sema: Sema, node: c_ast.Node) -> bool:
    """Whether an lvalue is no bit-field and is aligned as its type requires, which parts of packed records are not."""
    for part in walk(node):
        if isinstance(part, c_ast.StructRef):
            record = sema.value_type(part.name)
            info = strip(record.to if isinstance(record, Pointer) else record)
            if isinstance(info, Record) and (info.info.pack or is_ragged(info)):
                return False
            if any(f.bit_width is not None for f in sema.member(part)):
                return False
    return True
