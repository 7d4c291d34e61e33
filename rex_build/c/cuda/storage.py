"""Declares additional objects: temporaries in front of a statement, and variables on the device's heap."""

from __future__ import annotations

from pycparser import c_ast

from ...base.records import replace
from ...plan.printer import on_heap
from ..sema import Symbol
from ..sema.ctype import CType, Pointer
from ..sema.type_questions import asked_alignment
from .scope import Scope
from .types import alignas


def heap_object(scope: Scope, name: str, t: CType, alignment: int | str | None) -> list[str]:
    """Declarations of a variable on the device's heap: ``name__rex_at`` points to it."""
    asked = f", {alignment}" if alignment else ""
    return [
        f"rex_local_array<{scope.declaration(t)}> {name}__rex_storage(1{asked})",
        f"{scope.declaration(Pointer(t), f'const {name}__rex_at')} = {name}__rex_storage.elements",
    ]


def heap_variable(scope: Scope, symbol: Symbol, t: CType, alignment: int | str | None) -> list[str]:
    """Declarations of the user's variable on the device's heap, after which the user's name means it.

    Closures, which would copy what the reference refers to, bind the name again.
    """
    name = scope.unit.device_names.symbol(symbol)
    scope.names[symbol] = name
    scope.around = replace(scope.around, places={**scope.around.places, symbol: on_heap(symbol.name)})
    return [*heap_object(scope, symbol.name, t, alignment), f"auto &{name} = *{symbol.name}__rex_at"]


def hoisted_object(scope: Scope, node: c_ast.Node, t: CType, init: str) -> str:
    if scope.body.hoisted is None:
        raise scope.error(node, "a compound literal whose address is taken is not supported here")
    name = scope.temporary("literal")
    if scope.is_static:
        scope.body.hoisted.append(f"{alignas(t)}static __device__ {scope.types.variable(t, name)}{init};")
    elif node in scope.unit.escaping.literals:
        scope.body.hoisted += [f"{line};" for line in heap_object(scope, name, t, asked_alignment(t))]
        return on_heap(name)
    else:
        storage = "REX_TEAM_SHARED" if node in scope.around.team_memory.literals else "[[maybe_unused]]"
        scope.body.hoisted.append(f"{storage} {alignas(t)}{scope.types.variable(t, name)};")
    return name
