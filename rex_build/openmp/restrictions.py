"""What device code may not do, in whatever language it is written: uses of host memory that can be proved wrong, and
what ``requires`` directives ask of the whole unit (OpenMP 5.2, section 8.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from ..base.diagnostics import Diagnostic, InputError, SourceSpan, error_at
from ..directives.contents import clause_expressions, clause_locators, locator_expressions
from ..directives.model import Clause, Directive, Expr, ExprClause, KeywordClause, Locator, Member
from ..directives.parser import check_lowered
from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree.calls import Calls
from ..tree.symbols import Storage, Variable
from ..tree.types import Complex, Floating, Integer, Pointer, Record, Unknown
from ..tree.types import Member as MemberOf
from ..tree.values import Object, base_of, object_of, path_of
from .launch import LOOP_LEAVES
from .program import C, Program

# Clauses whose argument is an integer.
_INTEGERS = frozenset(
    (
        "collapse", "device", "dist_schedule", "filter", "grainsize", "num_tasks", "num_teams", "num_threads",
        "ordered", "priority", "safelen", "schedule", "simdlen", "thread_limit",
    )
)  # fmt: skip
_ALLOCATORS = frozenset(("malloc", "calloc", "realloc", "aligned_alloc"))


def is_indirect(directive: Directive, value: Callable[[Expr], int | None]) -> bool:
    """Whether the device can call a directive's functions by their host addresses (OpenMP 5.2, section 7.8.3). The
    front end knows the ``value`` of the clause's argument. Raises InputError."""
    clause, devices = directive.clause("indirect"), directive.clause("device_type")
    if not isinstance(clause, ExprClause):
        return False
    given = value(clause.expr) if clause.expr is not None else 1
    what = "'indirect' takes a constant" if given is None else ""
    if not what and isinstance(devices, KeywordClause) and devices.value != "any":
        what = "'indirect' needs 'device_type(any)': the function is called on both sides"
    if what:
        raise error_at(clause.span, what, "OpenMP 5.2, section 7.8.3")
    return bool(given)


def check_types(
    directive: Directive, expressions: Sequence[tuple[Expr, tree.Expression]], *, converts_objects: bool
) -> None:
    """Raise InputError for an expression in a clause that must be an integer or a condition and is not.

    There may be an expression of each instantiation. Classes can have a value if the language ``converts_objects``."""
    objects = (Record,) if converts_objects else ()
    integers, scalars = (Integer, Unknown, *objects), (Integer, Floating, Complex, Pointer, Unknown, *objects)
    no_integer = {id(e) for e, value in expressions if not isinstance(value.type, integers)}
    no_scalar = {id(e) for e, value in expressions if not isinstance(value.type, scalars)}
    for clause in directive.clauses if no_integer else ():
        where = [
            (e, "a subscript or a bound of a section") for i in clause_locators(clause) for e in locator_expressions(i)
        ]
        if clause.name in _INTEGERS:
            where += [(e, f"'{clause.name}'") for e in clause_expressions(clause)]
        for expression, what in where:
            if id(expression) in no_integer:
                raise error_at(expression.span, f"{what} must be an integer")
        test = clause.expr if isinstance(clause, ExprClause) and clause.name in ("if", "final") else None
        if test is not None and id(test) in no_scalar:
            raise error_at(test.span, f"'{clause.name}' takes a condition")


def check_threadprivate(
    variables: Collection[Entity], regions: Iterable[tree.Node], calls: Calls, span_of: Callable[[Any], SourceSpan]
) -> None:
    """Raise InputError if a region, or a function that it reaches, uses a threadprivate variable."""
    for region in regions if variables else ():
        bodies = [calls.body(function) for function in calls.functions(region)[0] if function.defined]
        for node in (n for one in (region, *(b.statement for b in bodies if b is not None)) for n in tree.walk(one)):
            if isinstance(node, tree.Named) and node.variable.entity in variables and node.origin is not None:
                what = f"'{node.variable.name}' is threadprivate: device threads have no copies of it"
                raise error_at(span_of(node.origin), what, "OpenMP 5.2, section 5.2 (threadprivate directive)")


def check_one_clause_each(program: Program[C], construct: C) -> None:
    """Raise InputError when clauses of a ``target`` contradict each other about a variable (OpenMP 5.2, section 13.8).

    That is so if it is in two clauses, and one of them gives the region a copy or says that it is on the device
    already.
    """
    directive = construct.directive
    names: tuple[str, ...] = ("is_device_ptr", "has_device_addr")
    if directive.constructs == ("target",):  # in combined constructs, the copies may belong to other parts
        names += ("private", "firstprivate")
    copied: dict[Entity, str] = {}

    def check(item: Locator, variable: Entity, name: str) -> None:
        if (before := copied.get(variable, name)) != name:
            one, other = ("map", before) if name == "map" else (before, name)
            what = f"'{item.name}' is in a '{one}' and in a '{other}' clause of one 'target'"
            raise error_at(item.span, what, "OpenMP 5.2, section 13.8: target construct, restrictions")

    for clause in directive.all(*names):
        for item in clause_locators(clause):
            if (variable := program.found(construct, item.name)) is not None:
                check(item, variable, clause.name)
                copied[variable] = clause.name
    for clause in directive.all("map"):
        for item in clause_locators(clause):
            variable = program.found(construct, item.name)
            on_device = variable is not None and copied.get(variable) == "has_device_addr"
            if variable is not None and not (item.steps and (on_device or program.is_pointer(variable))):
                check(item, variable, "map")


def check_default_none(
    program: Program[C], chain: Sequence[C], regions: Callable[[], Iterable[tree.Node]], counted: Collection[Entity],
    span_of: Callable[[Any], SourceSpan],
) -> None:  # fmt: skip
    """Raise InputError for variables for which ``default(none)`` demands a clause and that are in none (OpenMP 5.2,
    section 5.4.1).

    ``regions`` gives the tree of the constructs in ``chain``, in each instantiation, and ``counted`` are the variables
    of their loops, whose attributes are predetermined.
    """
    said = (clause for part in chain for clause in part.directive.all("default"))
    if not any(isinstance(clause, KeywordClause) and clause.value == "none" for clause in said):
        return
    known = {program.found(p, item.name) for p in chain for c in p.directive.clauses for item in clause_locators(c)}
    known.update(counted)
    missing: dict[Entity, SourceSpan] = {}
    for region in regions():
        for variable, origin in _uses(program, chain, region, frozenset()):
            if variable in known or variable in missing or program.declares(chain[0], variable):
                continue
            if not (program.is_lasting(variable) and program.is_const(variable)):
                missing[variable] = span_of(origin) if origin is not None else chain[0].directive.span
    if missing:
        rule = ("OpenMP 5.2, section 5.4.1: default clause",)
        what = "is in no data-sharing clause, which 'default(none)' demands"
        raise InputError([Diagnostic("error", f"'{v.name}' {what}", span, rule) for v, span in missing.items()])


def _uses(
    program: Program[C], chain: Sequence[C], node: tree.Node, hidden: frozenset[Entity]
) -> Iterator[tuple[Entity, Any]]:
    """The variables that code names, each with what the front end has there. A construct's copies that begin without a
    value are ``hidden``: their names do not mean the variables outside."""
    if isinstance(node, tree.Construct):
        if node.origin not in chain:
            for _, expression in node.expressions:
                yield from _uses(program, chain, expression, hidden)
            inner, sharing = program.chain(node.origin)
            hidden = hidden.union(sharing.private)
            if not LOOP_LEAVES.isdisjoint(leaf for part in inner for leaf in part.directive.constructs):
                hidden = hidden.union(level.symbol for level in program.nest(inner, sharing).levels)
        if node.body is not None:
            yield from _uses(program, chain, node.body, hidden)
        return
    if isinstance(node, tree.Named) and node.variable.entity is not None and node.variable.entity not in hidden:
        yield node.variable.entity, node.origin
    for part in tree.children(node):
        yield from _uses(program, chain, part, hidden)


def check_unmapped_members(
    regions: Iterable[tree.Node], bodies: Callable[[], Sequence[tree.Body]], span_of: Callable[[Any], SourceSpan]
) -> None:
    """Raise InputError if a region follows a pointer member that provably holds a host address.

    Mapping a structure copies the addresses in it. This is provably wrong if the structure is local, its address stays
    in the function around the region, its member only ever gets addresses of host storage, and no clause maps it.
    ``regions`` are the region's trees, and ``bodies`` gives those of the functions around it.
    """
    for number, region in enumerate(regions):
        own = {node.variable for node in tree.parts(region, tree.Declare)}
        for named, member in filter(None, map(_followed, tree.parts(region, tree.Pointee))):
            variable = named.variable
            if variable in own or named.origin is None or number >= len(bodies()):
                continue
            body = bodies()[number]
            values = [] if _may_be_mapped(body, variable, member) else list(_given(body, variable, member))
            if values and all(map(_is_host_address, values)):
                what = f"'{variable.name}.{member}' points to host memory that no clause maps"
                remedy = f"map what it points to, for example map(tofrom: {variable.name}.{member}[0:n])"
                raise error_at(span_of(named.origin), what, remedy)


def _followed(place: tree.Pointee) -> tuple[tree.Named, str] | None:
    """(a local structure, its member that is a pointer and leads to a place), or None for another place"""
    match base_of(place.pointer):
        case tree.Load(place=tree.Part(whole=tree.Named() as whole, member=member, type=Pointer(reference=False))):
            is_local = whole.variable.storage is Storage.LOCAL and isinstance(whole.type, Record)
            return (whole, member.name) if is_local else None
    return None


def _may_be_mapped(body: tree.Body, variable: Variable, member: str) -> bool:
    """Whether a clause in a function names a member, or something could put another pointer into it."""
    parts = body.statement.below
    followed = {base_of(node.pointer) for node in tree.parts(body.statement, tree.Pointee)}
    for node in parts:
        match node:
            case tree.Opaque():
                return True
            case tree.AddressOf(place=place) | tree.Decay(array=place) if node not in followed:
                if object_of(place) == Object(variable):
                    return True
            case tree.Construct():
                items = (i for i in node.items if isinstance(i.place, tree.Named) and i.place.variable is variable)
                named = any(isinstance(s, Member) and s.name == member for i in items for s in i.locator.steps)
                if named or any(getattr(clause, "mapper", None) is not None for clause in node.directive.clauses):
                    return True
    return False


def _given(body: tree.Body, variable: Variable, member: str) -> Iterator[tree.Expression | None]:
    """The values that a function stores in the member, None for one that is not known or that the device stores."""
    regions = (node for node in tree.parts(body.statement, tree.Construct) if node.directive.is_target)
    on_device = {node for region in regions for node in tree.walk(region)}
    for node in body.statement.below:
        match node:
            case tree.Declare(initialiser=tree.Aggregate(parts=parts)) if node.variable is variable:
                for path, value in parts:
                    if path and isinstance(path[0], MemberOf) and path[0].name == member:
                        yield value if len(path) == 1 else None
            case tree.Declare(initialiser=value) if node.variable is variable and value is not None:
                yield None
            case tree.Store(place=tree.Named(variable=changed)) if changed is variable:
                yield None
            case tree.Store(place=place) | tree.Update(place=place) if path_of(place) == (variable, (member,)):
                yield node.value if isinstance(node, tree.Store) and node not in on_device else None


def _is_host_address(value: tree.Expression | None) -> bool:
    match base_of(value) if value is not None else None:
        case tree.AddressOf(place=tree.Named()) | tree.Decay(array=tree.Named()):
            return True
        case tree.Call(callee=tree.FunctionAddress(function=function)):
            return function.name.removeprefix("std::") in _ALLOCATORS
    return False


def requirements_of(directives: Iterable[Directive], value_of: Callable[[Expr], int | None]) -> dict[str, str]:
    """The clauses that are in effect, with their keywords. Raises InputError for those that are not supported.

    ``value_of`` gives the value of an expression if it is constant."""
    found: dict[str, str] = {}
    for directive in directives:
        check_lowered(directive)
        for clause in directive.clauses:
            if _is_in_effect(clause, value_of):
                found[clause.name] = clause.value if isinstance(clause, KeywordClause) else ""
    return found


def _is_in_effect(clause: Clause, value_of: Callable[[Expr], int | None]) -> bool:
    """Whether a clause has no argument, or a constant other than zero."""
    if not isinstance(clause, ExprClause) or clause.expr is None:
        return True
    value = int(clause.expr.text == "true") if clause.expr.text in ("true", "false") else value_of(clause.expr)
    if value is None:
        raise error_at(clause.expr.span, f"'{clause.name}' takes a constant", "OpenMP 5.2, section 8.2")
    return value != 0


def shares_memory(requirements: Collection[str]) -> bool:
    """Whether a unit requires that devices reach all memory of the host."""
    return not {"unified_shared_memory", "self_maps"}.isdisjoint(requirements)
