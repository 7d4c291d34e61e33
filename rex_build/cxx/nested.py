"""Constructs inside of regions and of the functions that these call."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.diagnostics import error_at
from ..c.source.tokens import closing, next_token, statement_end
from ..directives.model import Clause, ExprClause, ScheduleClause
from ..directives.parser import check_on_device, refuse_unsupported
from ..plan.constructs import ConstructKind, Dependence, DeviceConstruct
from ..plan.loops import Over, Schedule
from ..plan.sharing import IN_ORDER, NO_SHARING, runs_in_order
from .atomics import atomic_operation
from .code import Construct, Range, Text
from .functions import Function
from .loops import canonical_nest
from .sharing import sharing_of
from .unit import Unit

_NOTHING = ("scan", "taskyield", "cancel", "cancellation point", "nothing", "assume", "allocate")
_BLOCKS = {
    "single": ConstructKind.SINGLE,
    "master": ConstructKind.MASKED,
    "masked": ConstructKind.MASKED,
    "task": ConstructKind.TASK,
    "taskgroup": ConstructKind.TASKGROUP,
    "ordered": ConstructKind.BLOCK,  # the loop around it runs in order
    "scope": ConstructKind.SCOPE,
}
LOOPS = frozenset(("for", "loop", "simd", "distribute"))


def directly_nested(unit: Unit, construct: Construct) -> Construct | None:
    """The construct that is the whole statement of another one, perhaps in braces."""
    text, at = unit.text, construct.body_start
    end = construct.end
    while text[at] == "{":
        closed = closing(text, at)
        end = closed - 1
        at += 1
        while text[at].isspace():
            at += 1
    inner = next((c for c in unit.constructs if c.start == at), None)
    if inner is None or inner.directive.association not in ("block", "loop"):
        return None
    after = inner.end
    while text[after : after + 1].isspace():
        after += 1
    return inner if after >= end else None


def chain_of(unit: Unit, construct: Construct, follows: frozenset[str]) -> list[Construct]:
    """A construct, and those directly nested in it that are a part of one combined construct."""
    chain = [construct]
    while chain[-1].directive.association == "block":
        inner = directly_nested(unit, chain[-1])
        if inner is None or not follows.issuperset(inner.directive.constructs):
            break
        if "parallel" in chain[-1].directive.constructs and "parallel" in inner.directive.constructs:
            break
        chain.append(inner)
    return chain


def collapse_of(clauses: Sequence[Clause]) -> int:
    for clause in clauses:
        if isinstance(clause, ExprClause) and clause.name == "collapse" and clause.expr is not None:
            if not clause.expr.text.isdigit():
                raise error_at(clause.span, "the argument of 'collapse' must be a number here")
            return int(clause.expr.text)
    return 1


def expression(clauses: Sequence[Clause], name: str, *modifiers: str | None) -> str | None:
    """The text of a clause's expression."""
    for clause in clauses:
        if not isinstance(clause, ExprClause) or clause.name != name or clause.expr is None:
            continue
        if not modifiers or clause.modifier in modifiers:
            return clause.expr.text
    return None


def device_construct(unit: Unit, function: Function, construct: Construct) -> DeviceConstruct:
    """What the threads that meet a construct do. Raises InputError for what is not supported."""
    directive = construct.directive
    check_on_device(directive)
    refuse_unsupported(directive)
    name, span = directive.name, directive.span
    if directive.is_target or name.startswith("target "):
        raise error_at(
            span, f"'{name}' inside a target region", "OpenMP 5.2, section 13.8: target construct, restrictions"
        )
    if name == "barrier":
        return DeviceConstruct(ConstructKind.BARRIER, span, NO_SHARING, None)
    if name == "flush":
        return DeviceConstruct(ConstructKind.FLUSH, span, NO_SHARING, None)
    if name == "taskwait":
        return DeviceConstruct(ConstructKind.TASKWAIT, span, NO_SHARING, None)
    if name == "allocate" and directive.has("align"):
        raise error_at(span, "'allocate' with 'align' is not supported in a target region in C++")
    if name in _NOTHING or (name == "ordered" and directive.association == "none"):
        return DeviceConstruct(ConstructKind.NOTHING, span, NO_SHARING, None)
    if name == "atomic":
        return DeviceConstruct(ConstructKind.ATOMIC, span, NO_SHARING, None, atomic=atomic_operation(unit, construct))
    if name == "critical":
        lock = f"rex_critical_{directive.argument_text.strip()}" if directive.argument_text else "rex_critical"
        return DeviceConstruct(ConstructKind.CRITICAL, span, NO_SHARING, construct.body, lock=lock)
    if name in _BLOCKS:
        sharing = sharing_of(unit, function, [construct])
        if directive.has("copyprivate", "detach", "in_reduction", "task_reduction"):
            raise error_at(span, f"this '{name}' has a clause that is not supported in C++ device code")
        where = expression(directive.clauses, "filter")
        condition = expression(directive.clauses, "if", None, "task")
        return DeviceConstruct(
            _BLOCKS[name], span, sharing, construct.body, nowait=directive.has("nowait"),
            filter=Text(where, construct.start) if where is not None else None,
            condition=Text(condition, construct.start) if condition is not None else None,
            depends=(Dependence("on_all"),) if directive.has("depend") else (),
        )  # fmt: skip
    if name == "sections":
        return _sections(unit, function, construct)
    if name == "section":
        return DeviceConstruct(ConstructKind.BLOCK, span, NO_SHARING, construct.body)
    leaves = directive.constructs
    chain = [construct]
    if leaves in (("parallel",), ("distribute",)):
        chain = chain_of(
            unit, construct, frozenset(("for", "simd", "loop")) if leaves == ("parallel",) else frozenset()
        )
        if len(chain) > 1 and chain[1].directive.constructs == ("simd",):  # every thread runs all of its iterations
            chain = chain[:1]
        leaves = tuple(leaf for part in chain for leaf in part.directive.constructs)
    clauses = [clause for part in chain for clause in part.directive.clauses]
    sharing = sharing_of(unit, function, chain)
    nest = schedule = None
    if not LOOPS.isdisjoint(leaves):
        nest = canonical_nest(unit, function, chain[-1], collapse_of(clauses))
        schedule = _schedule(leaves, clauses, construct)
        if runs_in_order(clauses, sharing) and schedule.over is not Over.THREAD:
            if "distribute" in leaves:
                raise error_at(span, f"a loop that runs in order cannot be '{name}'", IN_ORDER)
            schedule = Schedule(Over.FIRST)
    if "parallel" in leaves:
        threads = expression(clauses, "num_threads")
        condition = expression(clauses, "if", None, "parallel")
        return DeviceConstruct(
            ConstructKind.PARALLEL, span, sharing, chain[-1].body, nest, schedule,
            num_threads=Text(threads, construct.start) if threads is not None else None,
            condition=Text(condition, construct.start) if condition is not None else None,
        )  # fmt: skip
    if nest is None:
        raise error_at(span, f"'{name}' is not supported in a target region in C++")
    return DeviceConstruct(
        ConstructKind.LOOP, span, sharing, chain[-1].body, nest, schedule, nowait=directive.has("nowait")
    )


def chunk_of(clauses: Sequence[Clause], name: str, place: int) -> Text | None:
    for clause in clauses:
        if isinstance(clause, ScheduleClause) and clause.name == name and clause.chunk is not None:
            return Text(clause.chunk.text, place)
    return None


def _schedule(leaves: tuple[str, ...], clauses: Sequence[Clause], construct: Construct) -> Schedule:
    if "distribute" in leaves:
        over = Over.GRID if "for" in leaves else Over.TEAMS
    elif "for" in leaves:
        over = Over.TEAM
    elif "loop" in leaves:
        over = Over.TEAM if "parallel" in leaves else Over.THREAD
    else:
        over = Over.THREAD
    if over is Over.THREAD:
        return Schedule(over)
    even = any(isinstance(c, ScheduleClause) and c.kind in ("static", "runtime") and c.chunk is None for c in clauses)
    return Schedule(
        over, chunk_of(clauses, "dist_schedule", construct.start), chunk_of(clauses, "schedule", construct.start), even
    )


def _sections(unit: Unit, function: Function, construct: Construct) -> DeviceConstruct:
    text = unit.text
    inside = [
        c for c in unit.constructs if construct.body_start < c.start < construct.end and c.directive.name == "section"
    ]
    parts: list[Range] = []
    at = next_token(text, construct.body_start + 1)
    first = inside[0].start if inside else construct.end
    if at < first and text[at] != "}":
        parts.append(Range(at, statement_end(text, at)))
    parts += [c.body for c in inside]
    return DeviceConstruct(
        ConstructKind.SECTIONS, construct.directive.span, sharing_of(unit, function, [construct]), construct.body,
        nowait=construct.directive.has("nowait"), sections=tuple(parts),
    )  # fmt: skip
