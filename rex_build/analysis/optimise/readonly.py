"""Loads of memory that nothing writes while the kernel runs, for the GPU's read-only path (``__ldg``)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pycparser import c_ast

from ...ctype import Record, Scalar, is_array, is_complex, strip
from ...sema import Sema, Symbol, walk
from .accesses import Access, Accesses

_REFUSED = ("_Bool", "long double", "_Float16", "__int128", "unsigned __int128")


def loads(sema: Sema, found: Accesses, constant: Collection[Symbol]) -> Iterator[c_ast.Node]:
    """The lvalues of ``constant`` memory that are only read and of a type that ``__ldg`` takes.

    A load that an inner loop repeats unchanged stays as it is: compilers hoist a plain one, and need to know a loop's
    bound for unrolling it (measured on a sparse product: 2.5 times slower otherwise).
    """
    for access in found.items:
        if access.root not in constant or access.writes or access.atomic or _is_invariant(sema, access):
            continue
        kind = strip(sema.type(access.node))
        plain = isinstance(kind, Scalar) and not is_complex(kind) and kind.name not in _REFUSED
        if plain and not _bit_field(sema, access.node):
            yield access.node


def _is_invariant(sema: Sema, access: Access) -> bool:
    """Whether the innermost loop of the body around an access changes nothing in its address."""
    if not access.loops:
        return False
    changed = sema.assignments(access.loops[-1])
    moving = {*changed.assigned, *changed.address_taken, *sema.locals_of(access.loops[-1])}
    parts = list(walk(access.node))
    if any(isinstance(part, (c_ast.FuncCall, c_ast.Assignment)) for part in parts):
        return False
    # A subscript that is itself loaded from memory may change with it.
    loaded = any(isinstance(p, (c_ast.ArrayRef, c_ast.UnaryOp)) and p is not access.node and sema.type(p) is not None
                 and not is_array(sema.type(p)) and not isinstance(sema.type(p), Record) for p in parts)  # fmt: skip
    names = {sema.symbol(part) for part in parts if isinstance(part, c_ast.ID)}
    return not loaded and not names & moving


def _bit_field(sema: Sema, node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.StructRef) and any(f.bit_width is not None for f in sema.member(node))
