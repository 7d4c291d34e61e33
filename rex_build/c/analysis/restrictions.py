"""Checks restrictions on data clauses, and finds uses of host memory on the device that are provably wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast

from ...base.diagnostics import Diagnostic, InputError, error_at
from ...directives.model import ExprClause, KeywordClause, Member
from ..sema import Sema, Symbol, clause_locators, walk
from ..sema.ctype import is_array, is_pointer, is_record
from ..syntax.nodes import OmpConstruct, ParsedUnit, only_loop
from .call_graph import CallGraph
from .clauses import region_allocators

_LOOPS = frozenset(("for", "distribute", "simd", "taskloop"))
_ALLOCATORS = frozenset(("malloc", "calloc", "realloc", "aligned_alloc"))


def check_one_clause_each(sema: Sema, construct: OmpConstruct) -> None:
    """Raise InputError when clauses of a ``target`` contradict each other about a variable (OpenMP 5.2, section 13.8).

    That is so if it is in two clauses, and one of them gives the region a copy or says that it is on the device
    already.
    """
    directive = construct.directive
    names: tuple[str, ...] = ("is_device_ptr", "has_device_addr")
    if directive.constructs == ("target",):  # in combined constructs, the copies may belong to other parts
        names += ("private", "firstprivate")
    copied: dict[Symbol | None, str] = {}
    for clause in directive.all(*names):
        for item in clause_locators(clause):
            before = copied.setdefault(sema.lookup(construct, item.name), clause.name)
            if before != clause.name:
                raise error_at(
                    item.span,
                    f"'{item.name}' is in a '{before}' and in a '{clause.name}' clause of one 'target'",
                    "OpenMP 5.2, section 13.8: target construct, restrictions",
                )
    for clause in directive.all("map"):
        for item in clause_locators(clause):
            symbol = sema.lookup(construct, item.name)
            if symbol is None or symbol not in copied:
                continue
            if not (item.steps and (is_pointer(symbol.type) or copied[symbol] == "has_device_addr")):
                raise error_at(
                    item.span,
                    f"'{item.name}' is in a 'map' and in a '{copied[symbol]}' clause of one 'target'",
                    "OpenMP 5.2, section 13.8: target construct, restrictions",
                )


def check_allocators(sema: Sema, construct: OmpConstruct) -> None:
    """Raise InputError for variables in ``uses_allocators`` that are not declared."""
    for allocator in region_allocators(construct):
        if sema.lookup(construct, allocator.name) is None:
            span = construct.directive.all("uses_allocators")[0].span
            raise error_at(span, f"'{allocator.name}' in 'uses_allocators' is not declared")


def check_default_none(
    unit: ParsedUnit, sema: Sema, chain: Sequence[OmpConstruct], body: c_ast.Node, own: frozenset[Symbol]
) -> None:
    """Raise InputError for variables for which ``default(none)`` demands a clause and that are in none.

    ``own`` are the variables of associated loops, whose attributes are predetermined.
    """
    strict = any(
        isinstance(c, KeywordClause) and c.name == "default" and c.value == "none"
        for p in chain
        for c in p.directive.clauses
    )
    if not strict:
        return
    listed = {sema.lookup(p, item.name) for p in chain for c in p.directive.clauses for item in clause_locators(c)}
    listed |= own
    # If a construct inside has a copy without a value, its uses of the name do not use the outer variable.
    inner = [n for n in walk(body) if isinstance(n, OmpConstruct) and n.body is not None]
    copies = [(n.body, _valueless_copies(sema, n)) for n in inner]
    hidden = {i for b, own in copies for i in walk(b) if isinstance(i, c_ast.ID) and sema.symbol(i) in own}
    used = {sema.symbol(n) for n in walk(body, clauses=True) if isinstance(n, c_ast.ID) and n not in hidden}
    missing = [
        r
        for r in sema.free_variables(body)
        if not r.in_clause_only and r.symbol in used and r.symbol not in listed and not _is_constant(r.symbol)
    ]
    if missing:
        section = "OpenMP 5.2, section 5.4.1: default clause"
        raise InputError(
            [
                Diagnostic(
                    "error",
                    f"'{r.symbol.name}' is in no data-sharing clause, which 'default(none)' demands",
                    unit.span_of(r.node),
                    (section,),
                )
                for r in missing
            ]
        )


def _valueless_copies(sema: Sema, construct: OmpConstruct) -> set[Symbol | None]:
    """The variables of which a construct makes copies without a value: those in ``private`` and those of its loops."""
    directive, body = construct.directive, construct.body
    found = {sema.lookup(construct, item.name) for c in directive.all("private") for item in clause_locators(c)}
    if _LOOPS.isdisjoint(directive.constructs):
        return found
    collapse = directive.clause("collapse")
    depth = sema.value(collapse.expr.node) if isinstance(collapse, ExprClause) and collapse.expr is not None else 1
    for _ in range(depth or 1):
        loop = only_loop(body)
        if loop is None:
            break
        if isinstance(loop.init, c_ast.Assignment):
            found.add(sema.symbol(loop.init.lvalue))
        body = loop.stmt
    return found


def _is_constant(symbol: Symbol) -> bool:
    return symbol.is_global and "const" in symbol.type.quals


def check_threadprivate(unit: ParsedUnit, calls: CallGraph, variables: frozenset[Symbol], body: c_ast.Node) -> None:
    """Raise InputError if a region, or a function that it reaches, uses a threadprivate variable."""
    for part in (body, *(f.body for f in calls.functions(body))) if variables else ():
        for node in walk(part):
            if isinstance(node, c_ast.ID) and calls.sema.symbol(node) in variables:
                what = f"'{node.name}' is threadprivate: device threads have no copies of it"
                raise error_at(unit.span_of(node), what, "OpenMP 5.2, section 5.2 (threadprivate directive)")


def check_unmapped_members(unit: ParsedUnit, sema: Sema, function: c_ast.FuncDef, body: c_ast.Node) -> None:
    """Raise InputError if a region follows a pointer member that provably holds a host address.

    Mapping a structure copies the addresses in it. This is provably wrong if the structure is local, its address stays
    in the function, its member only ever gets addresses of host storage, and no clause maps the member.
    """
    for node in walk(body):
        base = node.name if isinstance(node, c_ast.ArrayRef) else node.expr if isinstance(node, c_ast.UnaryOp) else None
        if base is None or (isinstance(node, c_ast.UnaryOp) and node.op != "*"):
            continue
        if not isinstance(base, c_ast.StructRef) or base.type != "." or not isinstance(base.name, c_ast.ID):
            continue
        symbol = sema.symbol(base.name)
        if symbol is None or symbol.kind != "object" or symbol.is_global or symbol.storage != "auto":
            continue
        if not is_record(symbol.type) or not is_pointer(sema.type(base)) or _is_inside(symbol, body):
            continue
        member = base.field.name
        if (
            _has_mapper(unit, function)
            or _may_be_mapped(sema, function, symbol, member)
            or symbol in sema.assignments(function.body).address_taken
        ):
            continue
        values = list(_values_given(sema, function, symbol, member))
        if values and all(_is_host_address(sema, v) for v in values):
            raise error_at(
                unit.span_of(base.name),
                f"'{symbol.name}.{member}' points to host memory that no clause maps",
                f"map what it points to, for example map(tofrom: {symbol.name}.{member}[0:n])",
            )


def _is_inside(symbol: Symbol, body: c_ast.Node) -> bool:
    return any(isinstance(n, c_ast.Decl) and n is symbol.node for n in walk(body))


def _has_mapper(unit: ParsedUnit, function: c_ast.FuncDef) -> bool:
    """Whether a ``declare mapper`` could map members that no clause names."""
    return any(
        isinstance(node, OmpConstruct) and node.directive.name == "declare mapper"
        for node in (*unit.ast.ext, *walk(function.body))
    )


def _may_be_mapped(sema: Sema, function: c_ast.FuncDef, symbol: Symbol, member: str) -> bool:
    """Whether a clause in the function names the member, or something that could put another pointer into it."""
    for node in walk(function.body):
        if isinstance(node, OmpConstruct):
            for clause in node.directive.clauses:
                for item in clause_locators(clause):
                    if sema.lookup(node, item.name) is symbol and any(
                        isinstance(s, Member) and s.name == member for s in item.steps
                    ):
                        return True
                if getattr(clause, "mapper", None) is not None:
                    return True
    return False


def _values_given(sema: Sema, function: c_ast.FuncDef, symbol: Symbol, member: str) -> Iterator[c_ast.Node | None]:
    """The values that the function stores in the member, and None for a value that is not known."""
    for node in walk(function.body):
        if node is symbol.node and isinstance(node, c_ast.Decl) and node.init is not None:
            if not isinstance(node.init, c_ast.InitList):
                yield None
                continue
            for item in node.init.exprs:
                path = sema.initialiser_path(item)
                field = path[0] if path else None
                if getattr(field, "name", None) == member:
                    yield item.expr if isinstance(item, c_ast.NamedInitializer) else item
        elif isinstance(node, c_ast.Assignment):
            target = node.lvalue
            if isinstance(target, c_ast.ID) and sema.symbol(target) is symbol:
                yield None
            elif (
                isinstance(target, c_ast.StructRef)
                and isinstance(target.name, c_ast.ID)
                and sema.symbol(target.name) is symbol
                and target.field.name == member
            ):
                yield node.rvalue


def _is_host_address(sema: Sema, value: c_ast.Node | None) -> bool:
    while isinstance(value, c_ast.Cast):
        value = value.expr
    if isinstance(value, c_ast.UnaryOp) and value.op == "&":
        return isinstance(value.expr, c_ast.ID)
    if isinstance(value, c_ast.FuncCall):
        return isinstance(value.name, c_ast.ID) and value.name.name in _ALLOCATORS
    if isinstance(value, c_ast.ID):
        symbol = sema.symbol(value)
        return symbol is not None and is_array(symbol.type)
    return False
