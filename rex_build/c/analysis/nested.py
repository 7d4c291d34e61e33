"""Constructs inside device code: what each means for the threads that meet it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...directives.model import (
    Clause,
    Expr,
    ExprClause,
    KeywordClause,
    ListClause,
    MapClause,
    ReductionClause,
    ScheduleClause,
    conditional,
)
from ...directives.parser import check_on_device, refuse_unsupported
from ...plan.constructs import DeviceConstruct
from ...plan.loops import LoopNest, Schedule
from ...plan.sharing import Sharing
from ..sema import Sema, Symbol, walk
from ..sema.ctype import is_scalar
from ..syntax.nodes import OmpConstruct
from .atomics import atomic_operation, misaligned
from .call_graph import CallGraph
from .clauses import defaultmap_of
from .combine import combine
from .listed import named_symbol
from .loops import canonical_nest
from .sharing import of_loop, only_used, sharing_of
from .structured_blocks import check_jumps
from .unit_facts import UnitFacts

IN_CHUNKS = ("static", "dynamic")  # kinds of schedules whose chunks, if asked for, begin at multiples of their size
_NO_SHARING = Sharing()
_STANDALONE = {
    "barrier": "barrier",
    "flush": "flush",
    # Loops with scan and ordered run in order; tasks run where they are met; nothing can be cancelled.
    **dict.fromkeys(("scan", "ordered", "taskwait", "taskyield", "depobj"), "nothing"),
    **dict.fromkeys(("cancel", "cancellation point"), "nothing"),
}
_BLOCKS = {
    "single": "single",
    "master": "masked",
    "masked": "masked",
    "scope": "scope",
    "task": "task",
    "taskgroup": "block",  # its tasks are done when it ends
    "ordered": "block",  # the loop around it runs in order
}
_LOOPS = frozenset({"for", "distribute", "simd", "taskloop"})
UNNAMED_LOCK = "rex_critical"
REDUCTION_LOCK = "rex_reduction_lock"


def device_construct(facts: UnitFacts, construct: OmpConstruct, around: Sequence[OmpConstruct] = ()) -> DeviceConstruct:
    """Decide one construct. ``around`` are the constructs that it is nested in, outermost first.

    Raises InputError for what is malformed, not supported, or may not stand in device code.
    """
    decided = _decided(facts, construct, around)
    final = construct.directive.clause("final") if decided.kind in ("task", "taskloop") else None
    if isinstance(final, ExprClause) and final.expr is not None:
        return replace(decided, final=final.expr.node)
    return decided


def _decided(facts: UnitFacts, construct: OmpConstruct, around: Sequence[OmpConstruct]) -> DeviceConstruct:
    unit, sema = facts.unit, facts.calls.sema
    if construct.unread is not None:
        raise construct.unread
    directive = construct.directive
    name, span = directive.name, directive.span
    check_on_device(directive)
    refuse_unsupported(directive)
    if directive.is_target or name.startswith("target "):
        rule = "OpenMP 5.2, section 13.8: target construct, restrictions"
        raise error_at(span, f"'{name}' inside a target region", rule)
    if construct.host_choice or name == "metadirective":
        what = "a metadirective outside of target regions that chooses another directive on the device is not supported"
        raise error_at(span, what, "OpenMP 5.2, section 7.4.3")
    if name == "error":
        return _error(construct)
    if construct.body is None:
        if name in _STANDALONE:
            return DeviceConstruct(_STANDALONE[name], span, _NO_SHARING, None)
        if name == "declare target" and not any(c.directive.is_target for c in around):
            return DeviceConstruct("nothing", span, _NO_SHARING, None)
        raise error_at(span, f"'{name}' is not supported in a target region")
    if name == "atomic":
        operation = atomic_operation(unit, construct)
        if loose := misaligned(sema, operation.location):
            raise error_at(span, f"an atomic access to '{loose}', which is not aligned, is not supported")
        return DeviceConstruct("atomic", span, _NO_SHARING, None, atomic=operation)
    if name == "critical":
        check_jumps(unit, construct.body, name)
        lock = f"{UNNAMED_LOCK}_{directive.argument_text.strip()}" if directive.argument_text else UNNAMED_LOCK
        return DeviceConstruct("critical", span, _NO_SHARING, construct.body, lock=lock)
    chain, leaves, body = combine(sema, construct)
    for inner in chain[1:]:
        check_on_device(inner.directive)
        refuse_unsupported(inner.directive)
    clauses = [c for part in chain for c in part.directive.clauses]
    sharing = only_used(sema, sharing_of(sema, chain), body)
    if is_task(construct):
        sharing = with_task_copies(facts, construct, around, sharing)
    if name in _BLOCKS:
        check_jumps(unit, construct.body, name)
        filter_ = _expr(clauses, "filter")
        return DeviceConstruct(
            _BLOCKS[name],
            span,
            sharing,
            body,
            nowait=directive.has("nowait"),
            filter=filter_.node if filter_ else None,
            broadcast=_listed(sema, construct, "copyprivate"),
        )
    if name == "sections":
        check_jumps(unit, body, name)
        own = {named_symbol(sema, construct, item) for clause in conditional(clauses) for item in clause.items}
        if own:  # the last one of the sections to assign them is the last one that runs
            sharing = replace(
                sharing,
                firstprivate=tuple(s for s in sharing.firstprivate if s not in own),
                lastprivate=tuple(s for s in sharing.lastprivate if s not in own),
            )
        in_order = Schedule("first") if own else None
        items = body.block_items or [] if isinstance(body, c_ast.Compound) else [body]
        parts = tuple(i.body for i in items if isinstance(i, OmpConstruct) and i.body is not None)
        nowait = directive.has("nowait")
        return DeviceConstruct("sections", span, sharing, body, schedule=in_order, nowait=nowait, sections=parts)
    if name == "section":
        return DeviceConstruct("block", span, _NO_SHARING, body)
    if not {"parallel", *_LOOPS}.intersection(leaves):
        raise error_at(span, f"'{name}' is not supported in a target region")
    nest: LoopNest | None = None
    schedule: Schedule | None = None
    if _LOOPS.intersection(leaves):
        depth_expr = _expr(clauses, "collapse")
        depth = sema.value(depth_expr.node) if depth_expr else 1
        if depth is None or depth < 1:
            raise error_at(span, "'collapse' takes a positive constant")
        nest = canonical_nest(unit, sema, chain[-1], body, depth)
        check_jumps(unit, nest.body, name, is_iteration=True)
        schedule = _schedule(facts.calls, leaves, clauses, nest)
        simd = {lv.symbol for lv in nest.levels if "simd" in leaves}
        sharing = of_loop(sharing, [(lv.symbol, lv.declared) for lv in (*nest.levels, *nest.inner)], simd)
        if runs_in_order(clauses, sharing) and schedule.over != "thread":
            if "distribute" in leaves:
                raise error_at(span, f"a loop that runs in order cannot be '{name}'", IN_ORDER)
            schedule = Schedule("first")
    else:
        check_jumps(unit, body, name)
    if "parallel" in leaves:
        threads = _expr(clauses, "num_threads")
        condition = next(
            (
                c.expr.node
                for c in clauses
                if isinstance(c, ExprClause) and c.name == "if" and c.expr and c.modifier in (None, "parallel")
            ),
            None,
        )
        return DeviceConstruct(
            "parallel",
            span,
            sharing,
            body,
            nest,
            schedule,
            num_threads=threads.node if threads else None,
            condition=condition,
        )
    kind = "taskloop" if "taskloop" in leaves else "loop"
    nowait = any(part.directive.has("nowait") for part in (chain[0], chain[-1]))
    return DeviceConstruct(kind, span, sharing, body, nest, schedule, nowait=nowait)


def _schedule(calls: CallGraph, leaves: list[str], clauses: list, nest: LoopNest) -> Schedule:  # type: ignore[type-arg]
    places = calls.observes_thread_id(nest.body)
    team_chunk = thread_chunk = None
    even = runtime = False
    for clause in clauses:
        if not isinstance(clause, ScheduleClause):
            continue
        chunk = clause.chunk.node if clause.chunk is not None else None
        if clause.name == "dist_schedule":
            team_chunk = chunk
        elif clause.kind in IN_CHUNKS or places:
            thread_chunk = chunk
        even = even or (clause.kind in ("static", "runtime") and chunk is None and places)
        runtime = runtime or (clause.kind == "runtime" and places)
    if "distribute" in leaves:
        over = "grid" if "for" in leaves else "teams"
    elif "for" in leaves:
        over = "team"
    else:
        over = "thread"
    return Schedule(over, team_chunk, thread_chunk, even, runtime)


IN_ORDER = "'ordered', 'linear', 'inscan', 'conditional': one thread runs the loop, which 'distribute' does not allow"


def runs_in_order(clauses: Sequence[Clause], sharing: Sharing) -> bool:
    """Whether a loop's iterations run one after the other: then ``ordered``, ``scan``, linear variables and
    ``lastprivate(conditional:)`` need nothing more."""
    in_order = any(c.name == "ordered" or (isinstance(c, ReductionClause) and c.modifier == "inscan") for c in clauses)
    return in_order or bool(sharing.linear or conditional(clauses))


def _error(construct: OmpConstruct) -> DeviceConstruct:
    """``error``: at execution a message, at compilation an InputError (or nothing: the host compiler warns)."""
    directive = construct.directive
    at, severity, message = (directive.clause(n) for n in ("at", "severity", "message"))
    fatal = not (isinstance(severity, KeywordClause) and severity.value == "warning")
    text = message.expr if isinstance(message, ExprClause) else None
    if isinstance(at, KeywordClause) and at.value == "execution":
        node = text.node if text is not None else None
        return DeviceConstruct("error", directive.span, _NO_SHARING, None, message=node, fatal=fatal)
    if fatal:
        what = text.text if text is not None else "no message"
        raise error_at(directive.span, f"'error' directive: {what}", "OpenMP 5.2, section 8.5")
    return DeviceConstruct("nothing", directive.span, _NO_SHARING, None)


def _listed(sema: Sema, construct: OmpConstruct, clause_name: str) -> tuple[Symbol, ...]:
    return tuple(
        named_symbol(sema, construct, item)
        for clause in construct.directive.all(clause_name)
        if isinstance(clause, ListClause)
        for item in clause.items
    )


def is_task(construct: OmpConstruct) -> bool:
    return construct.directive.constructs[0] in ("task", "taskloop") and construct.body is not None


def with_task_copies(
    facts: UnitFacts, construct: OmpConstruct, around: Sequence[OmpConstruct], sharing: Sharing
) -> Sharing:
    """The sharing of a task, with the variables that it gets copies of without saying so (OpenMP 5.2, section 5.1.1).

    A task runs where it is met, so that only variables which it changes need a copy.
    """
    assert construct.body is not None
    sema = facts.calls.sema
    listed = {*sharing.named, *_listed(sema, construct, "shared")}
    default = construct.directive.clause("default")
    attribute = default.value if isinstance(default, KeywordClause) else None
    changed = sema.assignments(construct.body).symbols
    first, private = list(sharing.firstprivate), list(sharing.private)
    for symbol in (r.symbol for r in sema.free_variables(construct)):
        if symbol in listed or symbol not in changed:
            continue
        is_shared = _shared_around(facts, symbol, around)
        if is_shared and _is_lasting(symbol):  # of which no clause by default makes copies
            continue
        if attribute == "private":
            private.append(symbol)
        elif attribute == "firstprivate" or (attribute is None and not is_shared):
            first.append(symbol)
    return replace(sharing, private=tuple(private), firstprivate=tuple(first))


def _is_lasting(symbol: Symbol) -> bool:
    return symbol.is_global or symbol.storage in ("static", "extern")


def _shared_around(facts: UnitFacts, symbol: Symbol, around: Sequence[OmpConstruct]) -> bool:
    """Whether all implicit tasks of the team share a variable, by the constructs around a task."""
    sema = facts.calls.sema
    for construct in reversed(around):
        leaves = construct.directive.constructs
        in_team = not {"parallel", "teams"}.isdisjoint(leaves)
        maps = [c for c in construct.directive.clauses if isinstance(c, MapClause)]
        mapped = {named_symbol(sema, construct, item) for clause in maps for item in clause.items}
        own = sharing_of(sema, [construct])
        if "target" in leaves:
            mapped |= {*own.lastprivate, *(r.symbol for r in own.reductions)}
        if symbol in mapped:
            return in_team or _is_lasting(symbol)
        if symbol in own.named or (construct.body is not None and symbol in sema.locals_of(construct.body)):
            return False
        if in_team:
            return True
        if "target" in leaves:  # the region's initial task is none of a parallel region
            behavior = defaultmap_of(construct.directive, symbol.type)
            copied = behavior == "firstprivate" or (behavior is None and is_scalar(symbol.type))
            return _is_lasting(symbol) and (symbol in facts.on_device or not copied)
    return _is_lasting(symbol)


def host_task_copies(
    facts: UnitFacts, region: OmpConstruct, construct: OmpConstruct, around: Sequence[OmpConstruct]
) -> list[Symbol]:
    """The variables from outside of a region that a task in it gets copies of without saying so. The host version of
    the region may be in a parallel region, which would share them."""
    if not is_task(construct) or construct.directive.has("default"):
        return []
    assert construct.body is not None
    sema = facts.calls.sema
    inside: set[Symbol | None] = {*sema.locals_of(region), *_listed(sema, construct, "shared")}
    inside.update(sharing_of(sema, [construct]).named)
    event = _expr(list(construct.directive.clauses), "detach")
    if event is not None:
        inside.add(sema.lookup(construct, event.text))
    loops = (n.init.lvalue for n in walk(construct.body) if isinstance(n, c_ast.For) and _assigns(n.init))
    inside.update(map(sema.symbol, loops))
    free = (r.symbol for r in sema.free_variables(construct))
    return [s for s in free if s not in inside and not _is_lasting(s) and not _shared_around(facts, s, around)]


def _assigns(init: c_ast.Node | None) -> bool:
    return isinstance(init, c_ast.Assignment) and isinstance(init.lvalue, c_ast.ID)


def _expr(clauses: list, name: str) -> Expr | None:  # type: ignore[type-arg]
    for clause in clauses:
        if isinstance(clause, ExprClause) and clause.name == name:
            return clause.expr
    return None
