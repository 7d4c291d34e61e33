"""Prints definitions of functions, and of variables with static storage."""

from __future__ import annotations

from pycparser import c_ast

from ..sema import Symbol, globals_declared_again
from ..sema.ctype import Array
from ..sema.type_questions import asked_alignment, is_sizeless, is_void
from .alignment import alignas_text
from .arguments import MORE_ARGUMENTS
from .blocks import line_mark
from .declarations import bind_extents
from .initialisers import initialiser_text
from .jumps import can_complete
from .scope import Body, Scope, Storage
from .statements import body_text
from .storage import heap_variable
from .types import alignas, is_const, stored_type, without_const


def prototype(scope: Scope, funcdef: c_ast.FuncDef) -> str:
    """``static __device__ int f(int n)``, without semicolon."""
    decl = funcdef.decl
    symbol = scope.sema.file_symbol(decl.name)
    assert symbol is not None
    scope.body.where = funcdef
    function = scope.sema.function_type(funcdef)
    parameters = scope.sema.parameters(funcdef)
    texts = [scope.types.variable(p.type, _parameter_name(scope, p)) for p in parameters]
    if len(parameters) < len(function.params):
        named = iter(texts)
        nodes = zip(decl.type.args.params, function.params, strict=not function.variadic)
        texts = [next(named) if getattr(p, "name", None) else scope.types.variable(t) for p, t in nodes]
    if function.variadic:
        texts.append(f"[[maybe_unused]] void *{MORE_ARGUMENTS}")
    words = ['extern "C" __device__' if symbol in scope.unit.shared else "static __device__"]
    if decl.name in scope.unit.kept_as_calls:
        words.append("REX_OUTLINED")
    elif "inline" in decl.funcspec:
        words.append("inline")
    if "_Noreturn" in decl.funcspec:
        words.insert(0, "[[noreturn]]")
    text = f"{scope.symbol_text(symbol)}({', '.join(texts)})"
    return f"{' '.join(words)} {scope.types.variable(function.result, text)}"


def definition(scope: Scope, funcdef: c_ast.FuncDef) -> str:
    """The definition of a function, with its line marker."""
    scope.sema.analyse(funcdef)
    parameters = scope.sema.parameters(funcdef)
    names = declared_again(scope, funcdef.body)
    names |= {p: scope.unit.device_names.symbol(p) for p in parameters if _is_aligned_copy(p) and p not in scope.names}
    result = scope.sema.function_type(funcdef).result
    body_facts = Body(result=result)
    symbol = scope.sema.decl_symbol(funcdef.decl)
    head = prototype(scope.with_names({**names, symbol: scope.symbol_text(symbol)}, body_facts), funcdef)
    scope = scope.with_names(names, body_facts)
    bound = [line for p in parameters for line in bind_extents(scope, p, _parameter_name(scope, p))]
    for p in (p for p in parameters if _is_copied(scope, p)):
        bound += _parameter_copy(scope, p)
    extents = "".join(f"    {line};\n" for line in bound)
    extents = f"    {scope.around.first_line}\n{extents}" if scope.around.first_line else extents
    body = body_text(scope, funcdef.body.block_items or [], funcdef.body, 1)
    if not is_void(result) and can_complete(funcdef.body):
        body += "    return {};\n"  # C allows a missing value that no caller uses, C++ does not
    return f"{line_mark(scope, funcdef.decl)}{head}\n{{\n{extents}{body}}}\n"


def _parameter_copy(scope: Scope, p: Symbol) -> list[str]:
    """The statements that copy a parameter to where other threads reach it, or where it has its alignment."""
    t = without_const(p.type)
    if p in scope.unit.escaping.declared and p not in scope.around.team_memory.shared:
        lines = heap_variable(scope, p, t, asked_alignment(t))
        name = scope.symbol_text(p)
    else:
        name = scope.symbol_text(p)
        storage = "REX_TEAM_SHARED " if p in scope.around.team_memory.shared else ""
        lines = [f"{storage}{alignas(t)}{scope.declaration(t, name)}"]
    return [*lines, f"{name} = {_parameter_name(scope, p)}"]


def _is_copied(scope: Scope, parameter: Symbol) -> bool:
    """Whether a parameter is copied, because other threads reach it or because parameters lack its alignment."""
    is_reached = parameter in scope.around.team_memory.shared or parameter in scope.unit.escaping.declared
    return is_reached or _is_aligned_copy(parameter)


def _is_aligned_copy(parameter: Symbol) -> bool:
    return "_Atomic" in parameter.type.quals and asked_alignment(parameter.type) > 0


def _parameter_name(scope: Scope, symbol: Symbol) -> str:
    return f"{symbol.name}__rex_parameter" if _is_copied(scope, symbol) else scope.symbol_text(symbol)


def declared_again(scope: Scope, body: c_ast.Node) -> dict[Symbol, str]:
    """File-scope names that blocks declare again, because a local variable may hide them."""
    again = (s for s in globals_declared_again(scope.sema, body) if s not in scope.unit.device_names.system_symbols)
    texts = {symbol: scope.name_of(symbol) for symbol in again}
    return {symbol: f"::{text}" for symbol, text in texts.items() if text.isidentifier()}


def render_global(scope: Scope, symbol: Symbol, name: str, linkage: str = "static") -> str:
    """``static __device__ T name = init;``, the device variable for a variable with static storage.

    ``linkage`` stands in front of ``__device__``: ``static``, ``extern "C"`` or nothing.
    """
    definition = symbol.definition
    before: list[str] = []
    scope = scope.in_static(Storage.STATIC, Body(definition, hoisted=before))
    t = stored_type(symbol.type)
    if isinstance(t, Array) and t.length is None and t.length_expr is None:
        raise scope.error(symbol.node or c_ast.ID(symbol.name), f"the size of '{symbol.name}' is not known")
    if is_sizeless(t):
        return f"{linkage} __device__ {scope.types.variable(t, name)};\n"
    declared = scope.declaration(t, name)
    init = " = {}" if is_const(t) else ""
    alignment = ""
    if isinstance(definition, c_ast.Decl):
        scope.sema.analyse(definition)
        if definition.init is not None:
            init = initialiser_text(scope, t, definition.init)
        alignment = alignas_text(scope, definition)
    if linkage != "static" and is_const(t):  # in C++ it would be local to its unit
        before.append(f"extern __device__ {declared};")
    # C++ wants alignas in front of all specifiers, but not in front of extern "C".
    words = f"{alignment}static __device__" if linkage == "static" else f"{linkage} {alignment}__device__".strip()
    return "".join(f"{line}\n" for line in before) + f"{words} {declared}{init};\n"
