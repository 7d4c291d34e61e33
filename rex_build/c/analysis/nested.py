"""Constructs inside device code, and what each means for the threads that encounter it."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.records import replace
from ...directives.model import Expr, ExprClause, KeywordClause, conditional
from ...directives.parser import check_on_device, refuse_unsupported
from ...openmp.chains import of_loop
from ...openmp.conditions import condition
from ...openmp.schedules import schedule_inside
from ...plan.constructs import ConstructKind, Dependence, DeviceConstruct
from ...plan.loops import LoopNest, Over, Schedule
from ...plan.sharing import IN_ORDER, NO_SHARING, READS_ORIGINAL, Sharing, runs_in_order
from ..sema.ctype import strip
from ..sema.type_questions import is_complex
from ..syntax.nodes import OmpConstruct
from .atomics import atomic_operation, misaligned
from .clauses import node_of
from .construct_facts import ConstructFacts, collapse_depth
from .listed import listed_symbols, named_symbol
from .loops import canonical_nest, check_bounds
from .sharing import only_used
from .structured_blocks import check_jumps
from .tasks import dependences, is_task, with_task_copies
from .unit_facts import UnitFacts

_STANDALONE = {
    "barrier": ConstructKind.BARRIER,
    "flush": ConstructKind.FLUSH,
    # Loops with scan and ordered run in order, tasks run at once, and nothing can be cancelled.
    "taskwait": ConstructKind.TASKWAIT,
    **dict.fromkeys(("scan", "ordered", "taskyield", "depobj"), ConstructKind.NOTHING),
    **dict.fromkeys(("cancel", "cancellation point"), ConstructKind.NOTHING),
}
_BLOCKS = {
    "single": ConstructKind.SINGLE,
    "master": ConstructKind.MASKED,
    "masked": ConstructKind.MASKED,
    "scope": ConstructKind.SCOPE,
    "task": ConstructKind.TASK,
    "taskgroup": ConstructKind.TASKGROUP,
    "ordered": ConstructKind.BLOCK,  # the loop around it runs in order
}
UNNAMED_LOCK = "rex_critical"


def device_construct(facts: UnitFacts, construct: OmpConstruct, around: Sequence[OmpConstruct] = ()) -> DeviceConstruct:
    """Decide one construct. ``around`` are the constructs around it, outermost first.

    Raises InputError for a construct that is malformed, not supported, or not allowed in device code.
    """
    _check_allowed(construct)
    name = construct.directive.name
    if name == "error":
        return _error(construct)
    if construct.body is None:
        return _standalone(facts, construct, around)
    if name == "atomic":
        return _atomic(facts, construct)
    if name == "critical":
        return _critical(facts, construct, construct.body)
    read = facts.constructs.facts(construct)
    read.check_supported()
    sharing = only_used(facts.calls.sema, read.sharing, read.body)
    if is_task(construct):
        sharing = with_task_copies(facts, construct, around, sharing)
    if name in _BLOCKS:
        return _block(facts, read, sharing, dependences(facts, construct, around) if name == "task" else ())
    if name == "sections":
        return _sections(facts, read, sharing)
    if name == "section":
        return DeviceConstruct(ConstructKind.BLOCK, construct.directive.span, NO_SHARING, read.body)
    if read.has_loop:
        return _loop(facts, read, sharing)
    if "parallel" not in read.leaves:
        raise error_at(construct.directive.span, f"'{name}' is not supported in a target region")
    check_jumps(facts.unit, facts.calls.sema, read.body, name)
    return _parallel(read, sharing, None, None)


def _check_allowed(construct: OmpConstruct) -> None:
    """Raise InputError for a construct that could not be read, or that is not allowed in device code."""
    if construct.unread is not None:
        raise construct.unread
    directive = construct.directive
    check_on_device(directive)
    refuse_unsupported(directive)
    if directive.is_target or directive.name.startswith("target "):
        rule = "OpenMP 5.2, section 13.8: target construct, restrictions"
        raise error_at(directive.span, f"'{directive.name}' inside a target region", rule)
    if construct.host_choice or directive.name == "metadirective":
        what = "a metadirective outside of target regions that chooses another directive on the device is not supported"
        raise error_at(directive.span, what, "OpenMP 5.2, section 7.4.3")


def _standalone(facts: UnitFacts, construct: OmpConstruct, around: Sequence[OmpConstruct]) -> DeviceConstruct:
    name, span = construct.directive.name, construct.directive.span
    if name in _STANDALONE:
        depends = dependences(facts, construct, around) if name == "taskwait" else ()
        return DeviceConstruct(_STANDALONE[name], span, NO_SHARING, None, depends=depends)
    if name == "declare target" and not any(c.directive.is_target for c in around):
        return DeviceConstruct(ConstructKind.NOTHING, span, NO_SHARING, None)
    raise error_at(span, f"'{name}' is not supported in a target region")


def _atomic(facts: UnitFacts, construct: OmpConstruct) -> DeviceConstruct:
    operation = atomic_operation(facts.unit, construct)
    if isinstance(operation.location, c_ast.CompoundLiteral):
        what = "an atomic access to a compound literal, which only one thread sees, is not supported"
        raise error_at(construct.directive.span, what)
    if loose := misaligned(facts.calls.sema, operation.location):
        what = f"an atomic access to '{loose}', which is not aligned, is not supported"
        raise error_at(construct.directive.span, what)
    if "_Atomic" in facts.calls.sema.type(operation.location).quals:
        raise error_at(
            facts.unit.span_of(operation.location), "'atomic' on an object of an '_Atomic' type is not supported"
        )
    if operation.operation == "update" and operation.operand is not None:
        sema, changed, operand = facts.calls.sema, operation.location, operation.operand
        if is_complex(sema.type(operand)) and not is_complex(sema.type(changed)):
            what = f"an atomic update of a '{strip(sema.type(changed))}' by a complex number is not supported"
            raise error_at(facts.unit.span_of(operand), what)
    return DeviceConstruct(ConstructKind.ATOMIC, construct.directive.span, NO_SHARING, None, atomic=operation)


def _critical(facts: UnitFacts, construct: OmpConstruct, body: c_ast.Node) -> DeviceConstruct:
    directive = construct.directive
    check_jumps(facts.unit, facts.calls.sema, body, directive.name)
    lock = f"{UNNAMED_LOCK}_{directive.argument_text.strip()}" if directive.argument_text else UNNAMED_LOCK
    return DeviceConstruct(ConstructKind.CRITICAL, directive.span, NO_SHARING, body, lock=lock)


def _block(
    facts: UnitFacts, read: ConstructFacts, sharing: Sharing, depends: tuple[Dependence, ...]
) -> DeviceConstruct:
    """A construct whose whole body is run by some of the threads."""
    construct, directive = read.construct, read.construct.directive
    assert construct.body is not None
    check_jumps(facts.unit, facts.calls.sema, construct.body, directive.name)
    return DeviceConstruct(
        _BLOCKS[directive.name],
        directive.span,
        sharing,
        read.body,
        nowait=directive.has("nowait"),
        filter=_node(read.expression("filter")),
        broadcast=listed_symbols(facts.calls.sema, construct, "copyprivate"),
        final=_node(read.expression("final")),
        condition=_node(condition(read.clauses, "task")),
        depends=depends,
    )


def _sections(facts: UnitFacts, read: ConstructFacts, sharing: Sharing) -> DeviceConstruct:
    construct, body, sema = read.construct, read.body, facts.calls.sema
    check_jumps(facts.unit, facts.calls.sema, body, construct.directive.name)
    own = {named_symbol(sema, construct, item) for clause in conditional(read.clauses) for item in clause.items}
    if own:  # the last section that assigns them is also the last one that runs
        sharing = replace(
            sharing,
            firstprivate=tuple(s for s in sharing.firstprivate if s not in own),
            lastprivate=tuple(s for s in sharing.lastprivate if s not in own),
        )
    items = body.block_items or [] if isinstance(body, c_ast.Compound) else [body]
    return DeviceConstruct(
        ConstructKind.SECTIONS,
        construct.directive.span,
        sharing,
        body,
        schedule=Schedule(Over.FIRST) if own else None,
        nowait=construct.directive.has("nowait"),
        sections=tuple(i.body for i in items if isinstance(i, OmpConstruct) and i.body is not None),
    )


def _loop(facts: UnitFacts, read: ConstructFacts, sharing: Sharing) -> DeviceConstruct:
    """A construct with associated loops, which may be a parallel region with a loop."""
    unit, sema = facts.unit, facts.calls.sema
    chain, leaves, directive = read.chain, read.leaves, read.construct.directive
    nest = canonical_nest(unit, sema, chain[-1], read.body, collapse_depth(sema, read))
    check_bounds(unit, sema, nest, sharing.private)
    check_jumps(unit, sema, nest.body, directive.name, is_iteration=True)
    observed = facts.calls.observes_thread_id(nest.body)
    schedule = schedule_inside(leaves, read.clauses, node_of, observed=observed)
    simd = {lv.symbol for lv in nest.levels if "simd" in leaves}
    sharing = of_loop(sharing, [(lv.symbol, lv.declared) for lv in (*nest.levels, *nest.inner)], simd)
    if runs_in_order(read.clauses, sharing) and schedule.over is not Over.THREAD:
        if "distribute" in leaves:
            raise error_at(directive.span, f"a loop that runs in order cannot be '{directive.name}'", IN_ORDER)
        schedule = Schedule(Over.FIRST)
    if schedule.over is Over.TEAMS and any(r.reads_original for r in sharing.reductions):
        raise error_at(directive.span, f"{READS_ORIGINAL}, by the teams inside of a region, is not supported")
    if "parallel" in leaves:
        return _parallel(read, sharing, nest, schedule)
    nowait = any(part.directive.has("nowait") for part in (chain[0], chain[-1]))
    if "taskloop" not in leaves:
        return DeviceConstruct(ConstructKind.LOOP, directive.span, sharing, read.body, nest, schedule, nowait=nowait)
    final = _node(read.expression("final"))
    return DeviceConstruct(
        ConstructKind.TASKLOOP,
        directive.span,
        sharing,
        read.body,
        nest,
        schedule,
        nowait=any(part.directive.has("nogroup") for part in chain),
        final=final,
        condition=_node(condition(read.clauses, "taskloop")),
        is_one_task=(count := read.expression("num_tasks")) is not None and count.text == "1",
    )


def _parallel(
    read: ConstructFacts, sharing: Sharing, nest: LoopNest | None, schedule: Schedule | None
) -> DeviceConstruct:
    """A parallel region, with the loop whose iterations its threads share if there is one."""
    return DeviceConstruct(
        ConstructKind.PARALLEL,
        read.construct.directive.span,
        sharing,
        read.body,
        nest,
        schedule,
        num_threads=_node(read.expression("num_threads")),
        condition=_node(condition(read.clauses, "parallel")),
    )


def _node(expr: Expr | None) -> c_ast.Node | None:
    return node_of(expr) if expr is not None else None


def _error(construct: OmpConstruct) -> DeviceConstruct:
    """An ``error`` directive. At execution it prints a message, and at compilation it raises InputError.

    If it is only a warning at compilation, the host compiler prints it.
    """
    directive = construct.directive
    at, severity, message = (directive.clause(n) for n in ("at", "severity", "message"))
    fatal = not (isinstance(severity, KeywordClause) and severity.value == "warning")
    text = message.expr if isinstance(message, ExprClause) else None
    if isinstance(at, KeywordClause) and at.value == "execution":
        node = text.node if text is not None else None
        return DeviceConstruct(ConstructKind.ERROR, directive.span, NO_SHARING, None, message=node, fatal=fatal)
    if fatal:
        what = text.text if text is not None else "no message"
        raise error_at(directive.span, f"'error' directive: {what}", "OpenMP 5.2, section 8.5")
    return DeviceConstruct(ConstructKind.NOTHING, directive.span, NO_SHARING, None)
