"""Constructs inside device code, and what each means for the threads that encounter it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from ..base.diagnostics import error_at
from ..base.records import replace
from ..directives.model import Clause, Directive, Expr, ExprClause, KeywordClause, conditional
from ..directives.parser import check_lowered
from ..plan.constructs import (
    IN_ORDER,
    NO_SHARING,
    READS_ORIGINAL,
    Code,
    ConstructKind,
    DeviceConstruct,
    LoopNest,
    Over,
    Schedule,
    Sharing,
    runs_in_order,
)
from .launch import LOOP_LEAVES, condition, expression
from .program import C, Program, of_loop
from .reductions import listed, only_used
from .schedules import schedule_inside
from .tasks import dependences, is_task, with_task_copies

_STANDALONE = {
    "barrier": ConstructKind.BARRIER,
    "flush": ConstructKind.FLUSH,
    # Loops with scan and ordered run in order, tasks run at once, and nothing can be cancelled.
    "taskwait": ConstructKind.TASKWAIT,
    **dict.fromkeys(("scan", "ordered", "taskyield", "depobj"), ConstructKind.NOTHING),
    **dict.fromkeys(("cancel", "cancellation point", "nothing", "allocate"), ConstructKind.NOTHING),
}
_BLOCKS = {
    "single": ConstructKind.SINGLE,
    "master": ConstructKind.MASKED,
    "masked": ConstructKind.MASKED,
    "scope": ConstructKind.SCOPE,
    "task": ConstructKind.TASK,
    "taskgroup": ConstructKind.TASKGROUP,
    "ordered": ConstructKind.BLOCK,  # the loop around it runs in order
    "assume": ConstructKind.BLOCK,
}
UNNAMED_LOCK = "rex_critical"
_SHARING_OUT = frozenset(("for", "sections", "single", "scope"))
_BINDING = frozenset(("parallel", "teams", "target"))
# What threads run at different times, or only some of them.
_APART = _SHARING_OUT | {"section", "loop", "task", "taskloop", "critical", "ordered", "masked", "master", "atomic"}
_NESTING = "OpenMP 5.2, section 17.1: nesting of regions"


def device_construct(program: Program[C], construct: C, around: Sequence[C]) -> DeviceConstruct:
    """Decide one construct. ``around`` are the constructs around it, outermost first.

    Raises InputError for a construct that is malformed, not supported, or not allowed in device code.
    """
    directive, body = construct.directive, program.body(construct)
    name, span = directive.name, directive.span
    _check_allowed(program, construct)
    _check_nesting(directive, [outer.directive for outer in around])
    if name == "error":
        return _error(program, construct)
    if body is None:
        return _standalone(program, construct, around)
    if name == "atomic":
        return DeviceConstruct(ConstructKind.ATOMIC, span, NO_SHARING, None, atomic=program.atomic(construct))
    if name == "critical":
        lock = f"{UNNAMED_LOCK}_{directive.argument_text.strip()}" if directive.argument_text else UNNAMED_LOCK
        return DeviceConstruct(ConstructKind.CRITICAL, span, NO_SHARING, body, lock=lock)
    return _Reading(program, construct, around).decided()


def _check_allowed(program: Program[C], construct: C) -> None:
    """Raise InputError for a construct that is not allowed in device code."""
    program.check_allowed(construct)
    directive = construct.directive
    check_lowered(directive)
    if directive.is_target or directive.name.startswith("target "):
        rule = "OpenMP 5.2, section 13.8: target construct, restrictions"
        raise error_at(directive.span, f"'{directive.name}' inside a target region", rule)


def _check_nesting(directive: Directive, around: Sequence[Directive]) -> None:
    """Raise InputError for a construct to which only some threads or one team would come (OpenMP 5.2, 17.1)."""
    name, first = directive.name, directive.constructs[0]
    if first == "distribute" and around and around[-1].constructs[-1] != "teams":
        way_out = "leave it out, or put 'teams' directly around it"
        raise error_at(directive.span, f"'{name}' is not directly inside 'teams'", way_out, _NESTING)
    if first not in _SHARING_OUT and first != "barrier":
        return
    leaves = [(outer, leaf) for outer in reversed(around) for leaf in reversed(outer.constructs)]
    if leaves and leaves[0][1] == "teams" and first != "barrier":
        way_out = "put 'parallel' around it" + f", or write 'distribute parallel {name}'" * (first == "for")
        message = f"'{name}' shares work among threads, but inside '{around[-1].name}' each team has only one here"
        raise error_at(directive.span, message, way_out, _NESTING)
    for outer, leaf in leaves:
        if leaf in _BINDING:
            return
        if leaf in _APART:
            way_out = "put 'parallel' around it, or leave it out"
            if first == "barrier":
                way_out = f"end '{outer.name}' in front of it, and begin another one behind"
            message = f"'{name}' inside '{outer.name}': all threads have to come to it, and do not"
            raise error_at(directive.span, message, way_out, _NESTING)


def _standalone(program: Program[C], construct: C, around: Sequence[C]) -> DeviceConstruct:
    name, span = construct.directive.name, construct.directive.span
    if name in _STANDALONE:
        depends = dependences(program, construct, around) if name == "taskwait" else ()
        return DeviceConstruct(_STANDALONE[name], span, NO_SHARING, None, depends=depends)
    if name == "declare target" and not any(c.directive.is_target for c in around):
        return DeviceConstruct(ConstructKind.NOTHING, span, NO_SHARING, None)
    raise error_at(span, f"'{name}' is not supported in a target region")


class _Reading(Generic[C]):
    """A construct with a statement, and those directly nested in it that make one with it."""

    def __init__(self, program: Program[C], construct: C, around: Sequence[C]) -> None:
        self.program, self.construct, self.around = program, construct, around
        self.chain, sharing = program.chain(construct)
        for inner in self.chain[1:]:
            check_lowered(inner.directive)
        self.leaves = tuple(leaf for part in self.chain for leaf in part.directive.constructs)
        self.clauses: list[Clause] = [clause for part in self.chain for clause in part.directive.clauses]
        self.sharing = only_used(program, sharing, self.chain[-1])
        if is_task(program, construct):
            self.sharing = with_task_copies(program, construct, around, self.sharing)
        self.span = construct.directive.span
        body = program.body(self.chain[-1])
        assert body is not None
        self.body: Code = body

    def decided(self) -> DeviceConstruct:
        name = self.construct.directive.name
        if name in _BLOCKS:
            return self._block()
        if name == "sections":
            return self._sections()
        if name == "section":
            return DeviceConstruct(ConstructKind.BLOCK, self.span, NO_SHARING, self.body)
        if not LOOP_LEAVES.isdisjoint(self.leaves):
            return self._loop()
        if "parallel" not in self.leaves:
            raise error_at(self.span, f"'{name}' is not supported in a target region")
        return self._parallel(self.sharing, None, None)

    def _block(self) -> DeviceConstruct:
        """A construct whose whole body is run by some of the threads."""
        program, construct, directive = self.program, self.construct, self.construct.directive
        return DeviceConstruct(
            _BLOCKS[directive.name],
            self.span,
            self.sharing,
            self.body,
            nowait=directive.has("nowait"),
            filter=self._code("filter"),
            broadcast=listed(program, construct, "copyprivate"),
            final=self._code("final"),
            condition=self._condition("task"),
            depends=dependences(program, construct, self.around) if directive.name == "task" else (),
        )

    def _sections(self) -> DeviceConstruct:
        program, construct, sharing = self.program, self.construct, self.sharing
        own = {program.variable(construct, item) for clause in conditional(self.clauses) for item in clause.items}
        if own:  # the last section that assigns them is also the last one that runs
            sharing = replace(
                sharing,
                firstprivate=tuple(s for s in sharing.firstprivate if s not in own),
                lastprivate=tuple(s for s in sharing.lastprivate if s not in own),
            )
        return DeviceConstruct(
            ConstructKind.SECTIONS,
            self.span,
            sharing,
            self.body,
            schedule=Schedule(Over.FIRST) if own else None,
            nowait=construct.directive.has("nowait"),
            sections=program.sections(construct),
        )

    def _loop(self) -> DeviceConstruct:
        """A construct with associated loops, which may be a parallel region with a loop."""
        program, leaves, chain, name = self.program, self.leaves, self.chain, self.construct.directive.name
        nest = program.nest(chain, self.sharing)
        observed = program.observes_place(nest.body)
        schedule = schedule_inside(leaves, self.clauses, self._code_of, observed=observed)
        simd = {lv.symbol for lv in nest.levels if "simd" in leaves}
        sharing = of_loop(self.sharing, [(lv.symbol, lv.declared) for lv in (*nest.levels, *nest.inner)], simd)
        if runs_in_order(self.clauses, sharing) and schedule.over is not Over.THREAD:
            if "distribute" in leaves:
                raise error_at(self.span, f"a loop that runs in order cannot be '{name}'", IN_ORDER)
            schedule = Schedule(Over.FIRST)
        if schedule.over is Over.TEAMS and any(r.reads_original for r in sharing.reductions):
            raise error_at(self.span, f"{READS_ORIGINAL}, by the teams inside of a region, is not supported")
        if "parallel" in leaves:
            return self._parallel(sharing, nest, schedule)
        if "taskloop" not in leaves:
            nowait = any(part.directive.has("nowait") for part in (chain[0], chain[-1]))
            return DeviceConstruct(ConstructKind.LOOP, self.span, sharing, self.body, nest, schedule, nowait=nowait)
        count = expression(self.clauses, "num_tasks")
        return DeviceConstruct(
            ConstructKind.TASKLOOP,
            self.span,
            sharing,
            self.body,
            nest,
            schedule,
            nowait=any(part.directive.has("nogroup") for part in chain),
            final=self._code("final"),
            condition=self._condition("taskloop"),
            is_one_task=count is not None and count.text == "1",
        )

    def _parallel(self, sharing: Sharing, nest: LoopNest | None, schedule: Schedule | None) -> DeviceConstruct:
        """A parallel region, with the loop whose iterations its threads share if there is one."""
        return DeviceConstruct(
            ConstructKind.PARALLEL,
            self.span,
            sharing,
            self.body,
            nest,
            schedule,
            num_threads=self._code("num_threads"),
            condition=self._condition("parallel"),
        )

    def _code_of(self, expr: Expr) -> Code:
        return self.program.code(self.construct, expr)

    def _code(self, name: str) -> Code | None:
        """The expression of the first clause of a name."""
        found = expression(self.clauses, name)
        return self._code_of(found) if found is not None else None

    def _condition(self, leaf: str) -> Code | None:
        found = condition(self.clauses, leaf)
        return self._code_of(found) if found is not None else None


def _error(program: Program[C], construct: C) -> DeviceConstruct:
    """An ``error`` directive. At execution it prints a message, and at compilation it raises InputError.

    If it is only a warning at compilation, the host compiler prints it.
    """
    directive = construct.directive
    at, severity, message = (directive.clause(n) for n in ("at", "severity", "message"))
    fatal = not (isinstance(severity, KeywordClause) and severity.value == "warning")
    text = message.expr if isinstance(message, ExprClause) else None
    if isinstance(at, KeywordClause) and at.value == "execution":
        code = program.code(construct, text) if text is not None else None
        return DeviceConstruct(ConstructKind.ERROR, directive.span, NO_SHARING, None, message=code, fatal=fatal)
    if fatal:
        what = text.text if text is not None else "no message"
        raise error_at(directive.span, f"'error' directive: {what}", "OpenMP 5.2, section 8.5")
    return DeviceConstruct(ConstructKind.NOTHING, directive.span, NO_SHARING, None)
