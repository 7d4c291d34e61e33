"""Prints local declarations."""

from __future__ import annotations

from pycparser import c_ast

from ...base.indent import indent
from ...plan.printer import on_heap
from ..analysis.device_library import refused_type
from ..sema import Symbol
from ..sema.ctype import Array, CType, Function, Pointer, Scalar
from ..sema.initialisers import read_initialiser
from ..sema.type_questions import is_sizeless, is_variably_modified, variable_lengths
from ..syntax.parser import Cleanup
from . import text as ct
from .alignment import alignas_text, declared_alignment
from .blocks import line_mark
from .conversions import convert
from .flattening import extent_product, fixed_length
from .initialisers import assignment_texts, initial_effects, initialiser_text
from .scope import Scope, Storage
from .storage import heap_object, heap_variable
from .text import Text
from .types import dimensions, innermost, is_flattened, stored_type, without_const


def joined_declarations(scope: Scope, decls: list[c_ast.Decl]) -> str | None:
    """``int i = 0, j = 1``, or None if the declarations need statements of their own."""
    symbols = [scope.sema.decl_symbol(d) for d in decls]
    types = [s.type for s in symbols]
    if any("static" in d.storage or is_variably_modified(t) for d, t in zip(decls, types, strict=True)):
        return None
    if any(declared_alignment(scope, d) for d in decls):
        return None
    if (scope.around.team_memory.shared | scope.unit.escaping.declared).intersection(symbols):
        return None
    if len(decls) > 1 and any(not isinstance(t, Scalar) or t != types[0] for t in types):
        return None
    parts: list[str] = []
    for decl, symbol in zip(decls, symbols, strict=True):
        name = scope.symbol_text(symbol)
        t = symbol.type if decl.init is not None else without_const(symbol.type)
        init = initialiser_text(scope, t, decl.init) if decl.init is not None else ""
        parts.append((name if parts else scope.declaration(t, name)) + init)
    return ", ".join(parts)


def declares_object(scope: Scope, node: c_ast.Node) -> bool:
    if not isinstance(node, c_ast.Decl) or node.name is None or "extern" in node.storage:
        return False
    return not isinstance(scope.sema.decl_symbol(node).type, Function)


def declaration_lines(scope: Scope, node: c_ast.Decl, depth: int, split: bool, guard: bool = False) -> str:
    if not declares_object(scope, node):
        return ""
    mark, pad = line_mark(scope, node), indent(depth)
    symbol = scope.sema.decl_symbol(node)
    t, name = symbol.type, scope.symbol_text(symbol)
    reason = refused_type(innermost(t))
    if reason:
        raise scope.error(node, reason)
    if isinstance(t, Array) and is_flattened(t):
        lines = _local_array(scope, symbol, t, name, declared_alignment(scope, node))
        return mark + "".join(f"{pad}{line};\n" for line in lines)
    alignment = alignas_text(scope, node)
    if symbol.is_static and symbol in scope.names:
        return ""  # it is a declare target variable
    if symbol.is_static:
        return f"{mark}{pad}{alignment}{_static_local(scope, node, symbol, name)};\n"
    if is_sizeless(t):
        lines = [alignment + scope.types.variable(t, name)]
        lines += [effect.text for effect in initial_effects(scope, t, node.init)]
        return mark + "".join(f"{pad}{line};\n" for line in lines)
    extents = "".join(f"{pad}{line};\n" for line in bind_extents(scope, symbol, name, split))
    in_team = symbol in scope.around.team_memory.shared
    if symbol in (scope.around.team_memory.heap if in_team else scope.unit.escaping.declared):
        lines = []
        if split:
            stem = scope.temporary(symbol.name)
            name = on_heap(stem)
            scope.names[symbol] = name
            scope.body.at_start += heap_object(scope, stem, without_const(t), declared_alignment(scope, node))
        else:
            lines = heap_variable(scope, symbol, without_const(t), declared_alignment(scope, node))
            name = scope.symbol_text(symbol)
        if node.init is not None:
            lines += assignment_texts(scope, name, read_initialiser(scope.sema, without_const(t), node.init))
        return extents + mark + "".join(f"{pad}{line};\n" for line in lines)
    if in_team:
        alignment, split = f"REX_TEAM_SHARED {alignment}", True
    if node.init is None:
        return f"{extents}{mark}{pad}{alignment}{scope.declaration(without_const(t), name)};\n"
    if not split:
        init = initialiser_text(scope, t, node.init)
        return f"{extents}{mark}{pad}{alignment}{scope.declaration(stored_type(t), name)}{init};\n"
    t = without_const(t)
    assignments = assignment_texts(scope, name, read_initialiser(scope.sema, t, node.init))
    if guard and assignments:
        assignments = ["if (rex_team_first()) {", *(f"    {a};" for a in assignments), "}"]
        declared = f"{pad}{alignment}{scope.declaration(t, name)};\n"
        return extents + mark + declared + "".join(f"{pad}{line}\n" for line in assignments)
    lines = [alignment + scope.declaration(t, name), *assignments]
    return extents + mark + "".join(f"{pad}{line};\n" for line in lines)


def cleanup_lines(scope: Scope, node: Cleanup, depth: int, split: bool) -> str:
    """An object that makes the call when the scope is left, in whatever way."""
    if split:
        what = f"a jump past the declaration of '{node.call.args.exprs[0].expr.name}', which has a clean-up,"
        raise scope.error(node, f"{what} is not supported")
    call = scope.discarded(node.call).text
    return f"{indent(depth)}rex_at_end {scope.temporary('cleanup')}{{[&] {{ {call}; }}}};\n"


def _local_array(scope: Scope, symbol: Symbol, t: Array, name: str, alignment: int) -> list[str]:
    """A variable-length array: storage on the device's heap, freed at the end of the block, and a flat pointer to it.

    ``alignment`` is in bytes, or 0 for the type's own.
    """
    extents: list[Text] = []
    lines: list[str] = []
    for number, dim in enumerate(dimensions(t)):
        if isinstance(dim, int):
            extents.append(ct.number(dim))
            continue
        if dim is None or (isinstance(dim, c_ast.ID) and dim.name == "*"):
            raise scope.error(symbol.node or c_ast.ID(name), f"an extent of '{symbol.name}' is not known")
        extents.append(ct.name(f"{name}__rex_extent{number}"))
        lines.append(f"const long {extents[-1].text} = {_length(scope, symbol, dim, extents[-1])}")
    element: CType = t
    while isinstance(element, Array):
        element = element.of
    element = without_const(element)
    asked = f", {alignment}" if alignment else ""
    lines.append(
        f"rex_local_array<{scope.declaration(element)}> {name}__rex_storage({extent_product(extents).text}{asked})"
    )
    lines.append(f"{scope.declaration(Pointer(element), name)} = {name}__rex_storage.elements")
    scope.extents[symbol] = tuple(extents[1:])
    scope.outer_extents[symbol] = extents[0]
    return lines


def _length(scope: Scope, symbol: Symbol, dim: c_ast.Node, name: Text) -> str:
    """The value of a length in the declaration of ``symbol``, which gets a ``name``."""
    if scope.sema.fixed_lengths.get(dim) is symbol.node:
        scope.lengths[dim] = name
        known = None
    else:
        known = fixed_length(scope, symbol.node or dim, dim)
    return (known or convert(scope, dim, Scalar("long"))).at(ct.ASSIGN)


def typedef_lines(scope: Scope, node: c_ast.Typedef, depth: int) -> str:
    """Constants for the lengths in a typedef. It is evaluated once, whatever happens to its variables later.

        typedef int row[n];   ->   const long row__rex_length0 = n;

    The types themselves are spelt out wherever they are used.
    """
    taken = {text.text for text in scope.lengths.values()}
    lengths = variable_lengths(scope.sema.decl_symbol(node).type)
    own = (dim for dim in lengths if scope.sema.fixed_lengths[dim] is node)  # not those of typedefs that it uses
    lines = ""
    for number, dim in enumerate(own):
        name = f"{node.name}__rex_length{number}"
        known = scope.lengths.get(dim) or ct.name(scope.temporary("length") if name in taken else name)
        value = convert(scope, dim, Scalar("long")).at(ct.ASSIGN)
        lines += f"{indent(depth)}[[maybe_unused]] const long {known.text} = {value};\n"
        scope.lengths[dim] = known
    return line_mark(scope, node) + lines if lines else ""


def _static_local(scope: Scope, node: c_ast.Decl, symbol: Symbol, name: str) -> str:
    inner = scope.in_static(Storage.STATIC_LOCAL)
    init = initialiser_text(inner, symbol.type, node.init) if node.init is not None else " = {}"
    if is_sizeless(symbol.type):
        return f"static {scope.types.variable(symbol.type, name)}"
    return f"static {scope.declaration(stored_type(symbol.type), name)}{init}"


def bind_extents(scope: Scope, symbol: Symbol, name: str, split: bool = False) -> list[str]:
    """Declarations that hold the current extents of what a pointer of variably modified type points to."""
    t = symbol.type
    if not is_variably_modified(t):
        return []
    is_flat = isinstance(t, Pointer) and is_flattened(t)
    lines: list[str] = []
    extents: list[Text] = []
    for number, dim in enumerate(dimensions(t.to) if isinstance(t, Pointer) and is_flat else variable_lengths(t), 1):
        if isinstance(dim, int):
            extents.append(ct.number(dim))
            continue
        if dim is None or (isinstance(dim, c_ast.ID) and dim.name == "*"):
            raise scope.error(symbol.node or c_ast.ID(name), f"an extent of '{symbol.name}' is not known")
        if not is_flat and scope.sema.fixed_lengths.get(dim) is not symbol.node:
            continue
        extent = f"{name}__rex_extent{number}"
        value = _length(scope, symbol, dim, ct.name(extent))
        lines += [f"long {extent}", f"{extent} = {value}"] if split else [f"const long {extent} = {value}"]
        extents.append(ct.name(extent))
    if is_flat:
        scope.extents[symbol] = tuple(extents)
    return lines
