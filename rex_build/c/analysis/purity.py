"""Which functions only compute values from their arguments."""

from __future__ import annotations

from pycparser import c_ast

from ..sema import Sema, Symbol, declarations
from ..sema.ctype import Array, CType, Function, Pointer, Scalar, strip
from ..sema.type_questions import is_pointer
from ..syntax.nodes import OmpConstruct
from .device_library import ATOMIC_PREFIXES, library_name


def called_name(sema: Sema, call: c_ast.FuncCall) -> str | None:
    """The function that a call names, or None for a call by address."""
    if not isinstance(call.name, c_ast.ID):
        return None
    symbol = sema.symbol(call.name)
    return call.name.name if symbol is None or not symbol.is_variable else None


# Library functions that do more than compute a value.
_ACTING = (
    "omp_", "printf", "malloc", "free", "abort", "mem", "str", "stp", "put", "calloc", "realloc", "aligned_alloc",
    "qsort", "alloca", "trap", "__assert", *ATOMIC_PREFIXES,
)  # fmt: skip


def acts(name: str) -> bool:
    """Whether a function of the library does more than compute a value."""
    return name.startswith(_ACTING)


def is_pure(sema: Sema, name: str) -> bool:
    """Whether a function of the unit uses only its arguments and its own variables."""
    seen: set[str] = set()
    pure = _is_pure(sema, name, seen)
    if pure:  # so are the functions that it calls
        sema.answers(is_pure).update(dict.fromkeys(seen, True))
    return pure


def _is_pure(sema: Sema, name: str, seen: set[str]) -> bool:
    definition = sema.functions.get(name)
    if definition is None or name in seen:
        return definition is not None
    known = sema.answers(is_pure)
    if name in known:
        return known[name]
    seen.add(name)
    if not _does_only_compute(sema, definition, seen):
        known[name] = False
        return False
    return True


def _does_only_compute(sema: Sema, definition: c_ast.FuncDef, seen: set[str]) -> bool:
    """Whether a function is pure if those that are ``seen`` already are."""
    sema.analyse(definition)
    parameters = sema.parameters(definition)
    if any(_holds_pointer(p.type) for p in parameters) or sema.function_type(definition).variadic:
        return False
    declared = [sema.decl_symbol(node) for node in declarations(sema.parts(definition.body))]
    if any((s.has_static_storage and not is_constant(s)) or isinstance(strip(s.type), Pointer) for s in declared):
        return False
    own = {*parameters, *declared}
    for node in sema.parts(definition.body).nodes:
        if isinstance(node, (OmpConstruct, c_ast.Goto)):
            return False
        if isinstance(node, (c_ast.Cast, c_ast.StructRef, c_ast.ArrayRef)) and is_pointer(sema.type(node)):
            return False  # it may be made from an integer
        if isinstance(node, c_ast.ID):
            symbol_or_none = sema.symbol(node)
            if symbol_or_none is None:  # it is a builtin
                if node.name.removeprefix("__builtin_").startswith(_ACTING):
                    return False
                continue
            if symbol_or_none.is_enumerator or symbol_or_none in own:
                continue
            if not isinstance(symbol_or_none.type, Function) or node.name.startswith(_ACTING):
                return False
            if library_name(node.name) is None and not _is_pure(sema, node.name, seen):
                return False
    return True


def is_constant(symbol: Symbol) -> bool:
    """Whether a variable has its value from the program's beginning to its end, and that holds no pointers."""
    kind = symbol.type
    while isinstance(kind, Array):
        kind = kind.of
    lasting = symbol.is_global or symbol.has_static_storage
    return lasting and "const" in kind.quals and isinstance(strip(kind), Scalar)


def _holds_pointer(kind: CType) -> bool:
    return isinstance(strip(kind), (Pointer, Array)) or not str(strip(kind)).startswith(
        ("int", "unsigned", "char", "short", "long", "float", "double", "signed", "_Bool")
    )
