"""Constructs inside device code: what each means for the threads that meet it."""

from __future__ import annotations

from ..cparse import OmpConstruct, ParsedUnit
from ..diagnostics import error_at
from ..directives.model import Expr, ExprClause, ScheduleClause
from ..directives.parser import check_on_device, refuse_unsupported
from ..plan import DeviceConstruct, LoopNest, Schedule, Sharing
from ..sema import Sema
from .atomics import atomic_operation
from .combine import combine
from .loops import canonical_nest
from .sharing import asks_place, check_jumps, sharing_of

_NO_SHARING = Sharing()
_STANDALONE = {"barrier": "barrier", "flush": "flush", "taskwait": "nothing", "taskyield": "nothing"}
_BLOCKS = {"single": "single", "master": "masked", "masked": "masked"}
UNNAMED_LOCK = "rex_critical"


def device_construct(unit: ParsedUnit, sema: Sema, construct: OmpConstruct) -> DeviceConstruct:
    """Decide one construct. Raises InputError for what is malformed, not supported, or may not stand in device code."""
    directive = construct.directive
    name, span = directive.name, directive.span
    check_on_device(directive)
    refuse_unsupported(directive)
    if directive.is_target or name.startswith("target "):
        raise error_at(span, f"'{name}' inside a target region", "OpenMP 5.2, section 13.8: target construct, restrictions")
    if construct.body is None:
        if name in _STANDALONE:
            return DeviceConstruct(_STANDALONE[name], span, _NO_SHARING, None)
        raise error_at(span, f"'{name}' is not supported in a target region")
    if name == "atomic":
        return DeviceConstruct("atomic", span, _NO_SHARING, None, atomic=atomic_operation(unit, construct))
    if name == "critical":
        check_jumps(unit, construct.body, name)
        lock = f"{UNNAMED_LOCK}_{directive.argument_text.strip()}" if directive.argument_text else UNNAMED_LOCK
        return DeviceConstruct("critical", span, _NO_SHARING, construct.body, lock=lock)
    chain, leaves, body = combine(sema, construct)
    for inner in chain[1:]:
        check_on_device(inner.directive)
        refuse_unsupported(inner.directive)
    clauses = [c for part in chain for c in part.directive.clauses]
    sharing = sharing_of(sema, chain)
    if name in _BLOCKS:
        check_jumps(unit, construct.body, name)
        filter_ = _expr(clauses, "filter")
        return DeviceConstruct(
            _BLOCKS[name], span, sharing, body, nowait=directive.has("nowait"), filter=filter_.node if filter_ else None
        )
    if not {"parallel", "for", "distribute", "simd", "loop"}.intersection(leaves):
        raise error_at(span, f"'{name}' is not supported in a target region")
    nest: LoopNest | None = None
    schedule: Schedule | None = None
    if {"for", "distribute", "simd", "loop"}.intersection(leaves):
        depth_expr = _expr(clauses, "collapse")
        depth = sema.value(depth_expr.node) if depth_expr else 1
        if depth is None or depth < 1:
            raise error_at(span, "'collapse' takes a positive constant")
        nest = canonical_nest(unit, sema, chain[-1], body, depth)
        check_jumps(unit, nest.body, name, is_iteration=True)
        schedule = _schedule(sema, leaves, clauses, nest)
        own = tuple(lv.symbol for lv in nest.levels if not lv.declared and lv.symbol not in sharing.lastprivate)
        sharing = Sharing(
            tuple(s for s in sharing.private if s not in own) + own,
            tuple(s for s in sharing.firstprivate if s not in own),
            sharing.lastprivate,
            sharing.reductions,
        )
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
            "parallel", span, sharing, body, nest, schedule, num_threads=threads.node if threads else None, condition=condition
        )
    return DeviceConstruct("loop", span, sharing, body, nest, schedule, nowait=chain[-1].directive.has("nowait") or directive.has("nowait"))


def _schedule(sema: Sema, leaves: list[str], clauses: list, nest: LoopNest) -> Schedule:  # type: ignore[type-arg]
    places = asks_place(sema, nest.body)
    team_chunk = thread_chunk = None
    even = False
    for clause in clauses:
        if not isinstance(clause, ScheduleClause):
            continue
        chunk = clause.chunk.node if clause.chunk is not None else None
        if clause.name == "dist_schedule":
            team_chunk = chunk
        elif clause.kind == "static" or places:
            thread_chunk = chunk
            even = clause.kind == "static" and chunk is None and places
    if "distribute" in leaves:
        over = "grid" if "for" in leaves else "teams"
    elif "for" in leaves or "loop" in leaves:
        over = "team"
    else:
        over = "thread"
    return Schedule(over, team_chunk, thread_chunk, even)


def _expr(clauses: list, name: str) -> Expr | None:  # type: ignore[type-arg]
    for clause in clauses:
        if isinstance(clause, ExprClause) and clause.name == name:
            return clause.expr
    return None
