"""Constructs inside of regions and of the functions that these call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..base.diagnostics import error_at
from ..base.records import replace
from ..c.source.tokens import next_token, statement_end
from ..directives.model import Clause, Directive, Expr, ExprClause, KeywordClause, conditional
from ..directives.parser import check_on_device, refuse_unsupported
from ..openmp.chains import chain_of, of_loop
from ..openmp.conditions import condition, expression
from ..openmp.schedules import schedule_inside
from ..plan.constructs import ConstructKind, Dependence, DeviceConstruct
from ..plan.loops import Over, Schedule
from ..plan.sharing import IN_ORDER, NO_SHARING, runs_in_order
from .atomics import atomic_operation
from .code import Construct, Range, Text
from .constructs import Constructs
from .functions import Function
from .loops import canonical_nest
from .mapping import ListReader
from .queries import observes_place
from .sharing import listed, sharing_of, sharing_of_chain
from .tasks import with_task_copies
from .unit import Unit

_NOTHING = ("scan", "taskyield", "cancel", "cancellation point", "nothing", "allocate")
_BLOCKS = {
    "single": ConstructKind.SINGLE,
    "master": ConstructKind.MASKED,
    "masked": ConstructKind.MASKED,
    "task": ConstructKind.TASK,
    "taskgroup": ConstructKind.TASKGROUP,
    "ordered": ConstructKind.BLOCK,  # the loop around it runs in order
    "scope": ConstructKind.SCOPE,
}
LOOPS = frozenset(("for", "loop", "simd", "distribute", "taskloop"))


def collapse_of(clauses: Sequence[Clause]) -> int:
    for clause in clauses:
        if isinstance(clause, ExprClause) and clause.name == "collapse" and clause.expr is not None:
            if not clause.expr.text.isdigit():
                raise error_at(clause.span, "the argument of 'collapse' must be a number here")
            return int(clause.expr.text)
    return 1


def device_construct(unit: Unit, function: Function, construct: Construct) -> DeviceConstruct:
    """What the threads that meet a construct do. Raises InputError for what is not supported."""
    directive = construct.directive

    def code(expr: Expr) -> Text:
        return Text(expr.text, construct.start)

    def maybe(expr: Expr | None) -> Text | None:
        return code(expr) if expr is not None else None

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
    around = (c for c in unit.constructs if c.start < construct.start < c.end)
    if name == "declare target" and not any(c.directive.is_target for c in around):
        return DeviceConstruct(ConstructKind.NOTHING, span, NO_SHARING, None)
    if name in _NOTHING or (name == "ordered" and directive.association == "none"):
        return DeviceConstruct(ConstructKind.NOTHING, span, NO_SHARING, None)
    if name == "error":
        return _error(directive, maybe)
    if name == "assume":
        return DeviceConstruct(ConstructKind.BLOCK, span, NO_SHARING, construct.body)
    if name == "atomic":
        return DeviceConstruct(ConstructKind.ATOMIC, span, NO_SHARING, None, atomic=atomic_operation(unit, construct))
    if name == "critical":
        lock = f"rex_critical_{directive.argument_text.strip()}" if directive.argument_text else "rex_critical"
        return DeviceConstruct(ConstructKind.CRITICAL, span, NO_SHARING, construct.body, lock=lock)
    if name in _BLOCKS:
        sharing = sharing_of(unit, function, construct)
        if name == "task":
            sharing = with_task_copies(unit, function, construct, sharing)
        if directive.has("detach"):
            raise error_at(span, f"this '{name}' has a clause that is not supported in C++ device code")
        return DeviceConstruct(
            _BLOCKS[name], span, sharing, construct.body, nowait=directive.has("nowait"),
            filter=maybe(expression(directive.clauses, "filter")),
            broadcast=tuple(listed(ListReader(unit, function, construct.start), directive.clauses, "copyprivate")),
            final=maybe(expression(directive.clauses, "final")),
            condition=maybe(condition(directive.clauses, "task")),
            depends=(Dependence("on_all"),) if directive.has("depend") else (),
        )  # fmt: skip
    if name == "sections":
        return _sections(unit, function, construct)
    if name == "section":
        return DeviceConstruct(ConstructKind.BLOCK, span, NO_SHARING, construct.body)
    chain, _ = chain_of(Constructs(unit, function), construct)
    leaves = tuple(leaf for part in chain for leaf in part.directive.constructs)
    clauses = [clause for part in chain for clause in part.directive.clauses]
    sharing = sharing_of_chain(unit, function, chain)
    nest = schedule = None
    if not LOOPS.isdisjoint(leaves):
        nest = canonical_nest(unit, function, chain[-1], collapse_of(clauses))
        body = unit.text[chain[-1].body_start : chain[-1].end]
        schedule = schedule_inside(leaves, clauses, code, observed=observes_place(unit, body))
        simd = {lv.symbol for lv in nest.levels if "simd" in leaves}
        sharing = of_loop(sharing, [(lv.symbol, lv.declared) for lv in (*nest.levels, *nest.inner)], simd)
        if runs_in_order(clauses, sharing) and schedule.over is not Over.THREAD:
            if "distribute" in leaves:
                raise error_at(span, f"a loop that runs in order cannot be '{name}'", IN_ORDER)
            schedule = Schedule(Over.FIRST)
    if "parallel" in leaves:
        return DeviceConstruct(
            ConstructKind.PARALLEL, span, sharing, chain[-1].body, nest, schedule,
            num_threads=maybe(expression(clauses, "num_threads")), condition=maybe(condition(clauses, "parallel")),
        )  # fmt: skip
    if nest is not None and "taskloop" in leaves:
        count = expression(clauses, "num_tasks")
        return DeviceConstruct(
            ConstructKind.TASKLOOP, span, with_task_copies(unit, function, construct, sharing), chain[-1].body, nest,
            schedule, nowait=any(part.directive.has("nogroup") for part in chain),
            final=maybe(expression(clauses, "final")), condition=maybe(condition(clauses, "taskloop")),
            is_one_task=count is not None and count.text == "1",
        )  # fmt: skip
    if nest is None:
        raise error_at(span, f"'{name}' is not supported in a target region in C++")
    return DeviceConstruct(
        ConstructKind.LOOP, span, sharing, chain[-1].body, nest, schedule, nowait=directive.has("nowait")
    )


def _error(directive: Directive, code: Callable[[Expr | None], Text | None]) -> DeviceConstruct:
    """An ``error`` directive. At execution it prints a message, and at compilation it raises InputError."""
    at, severity, message = (directive.clause(n) for n in ("at", "severity", "message"))
    fatal = not (isinstance(severity, KeywordClause) and severity.value == "warning")
    text = message.expr if isinstance(message, ExprClause) else None
    if isinstance(at, KeywordClause) and at.value == "execution":
        return DeviceConstruct(ConstructKind.ERROR, directive.span, NO_SHARING, None, message=code(text), fatal=fatal)
    if fatal:
        what = text.text if text is not None else "no message"
        raise error_at(directive.span, f"'error' directive: {what}", "OpenMP 5.2, section 8.5")
    return DeviceConstruct(ConstructKind.NOTHING, directive.span, NO_SHARING, None)


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
    sharing, reader = sharing_of(unit, function, construct), ListReader(unit, function, construct.start)
    own = {reader.named(item) for clause in conditional(construct.directive.clauses) for item in clause.items}
    if own:  # the last section that assigns them is also the last one that runs
        sharing = replace(
            sharing,
            firstprivate=tuple(s for s in sharing.firstprivate if s not in own),
            lastprivate=tuple(s for s in sharing.lastprivate if s not in own),
        )
    return DeviceConstruct(
        ConstructKind.SECTIONS, construct.directive.span, sharing, construct.body,
        schedule=Schedule(Over.FIRST) if own else None, nowait=construct.directive.has("nowait"), sections=tuple(parts),
    )  # fmt: skip
