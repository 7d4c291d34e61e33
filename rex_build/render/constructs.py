"""Prints constructs inside kernels and device functions: parallel regions, worksharing, private copies, reductions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..base.line_directives import line_marker
from ..base.names import indent
from ..base.records import replace
from ..plan.constructs import (
    REDUCTION_LOCK,
    Code,
    ConstructKind,
    Dependence,
    DeviceConstruct,
    Entity,
    LoopNest,
    Over,
    Reduction,
    Schedule,
    Sharing,
    TeamMemory,
)
from ..plan.optimised import BlockLoop
from ..plan.printer import FilePrinter, Printer, on_heap
from ..plan.unit import DeviceFunction, TranslationUnitPlan
from .claims import statement
from .copies import (
    Copies,
    CopyMaker,
    address,
    atomic_lines,
    closure_block,
    copied,
    count_name,
    team_update_line,
    unqualified,
    user_block,
)
from .loops import SHARES, SharedLoop, block_loop, iterations, staged_loop

# Prints lines that tell the check device of tasks in device code. On other devices, where tasks run at once, they do
# nothing.

GROUP = "REX_TASKGROUP();\n"


def task_line(construct: DeviceConstruct, printer: Printer) -> str:
    """The line that makes the rest of a block a task."""
    deferred = printer.argument(construct.condition) if construct.condition is not None else "true"
    return f"REX_TASK({', '.join([deferred, *_dependences(construct, printer)])});\n"


def wait_line(construct: DeviceConstruct, printer: Printer) -> str:
    """The line that waits for the tasks that a task has made."""
    return f"REX_TASKWAIT({', '.join(_dependences(construct, printer))});\n"


def _dependences(construct: DeviceConstruct, printer: Printer) -> list[str]:
    return [_dependence(item, printer) for item in construct.depends]


def _dependence(item: Dependence, printer: Printer) -> str:
    if item.kind == "on_all":
        return "REX_DEPENDS_ON_ALL"
    indices = [printer.expression(step) for step in item.steps if not isinstance(step, str)]
    if item.variable is None:  # all that is asked is whether two of them are the same
        name = f'"{item.name}"'
        return f"REX_NAME_{item.kind.upper()}({', '.join([name, *indices])})"
    text = printer.symbol_text(item.variable)
    for step in item.steps:
        if not isinstance(step, str):
            text += f"[{printer.expression(step)}]"
        elif step.startswith("["):
            text += step
        else:
            operator = "->" if step.startswith("->") else "."
            text += operator + printer.member_name(step.removeprefix(operator))
    return f"REX_DEPENDS_{item.kind.upper()}({text})"


_TEAM = "__rex_team"  # the end of a function's name in its version for teams


def variable_names(plan: TranslationUnitPlan) -> dict[Entity, str]:
    """The device text for file-scope variables that live on the device, and for variables on the device's heap."""
    names = {v.symbol: f"(*{v.device_name})" if v.link else v.device_name for v in plan.variables}
    return {**names, **{s: on_heap(s.name) for s in plan.escaping.declared}}


def team_versions(plan: TranslationUnitPlan, printer: Printer) -> dict[Entity, str]:
    """The names of the versions of functions that a team's sequential part calls."""
    return {symbol: printer.symbol_text(symbol) + _TEAM for symbol in plan.team_functions}


def team_function(
    plan: TranslationUnitPlan, printer: FilePrinter, function: DeviceFunction, memory: TeamMemory
) -> str:
    """The definition of the version of a function that a team's sequential part calls."""
    names = {s: printer.own_name(s) for s in memory.shared}
    names.update({s: on_heap(s.name) for s in memory.heap})
    names.update(team_versions(plan, printer))
    one = printer.with_names(names, construct=ConstructPrinter(plan).render, team_memory=memory)
    return one.definition(function)


class ConstructPrinter:
    """Prints the constructs inside device code from their plans."""

    def __init__(self, plan: TranslationUnitPlan) -> None:
        self.plan = plan
        self.hidden: frozenset[Entity] = frozenset()  # what a local variable of the same name may hide
        self.updated: set[Code] = set()  # the statements that were printed as updates of arrays that teams share
        self.in_parallel = False  # whether the text is lexically inside a parallel region
        self.in_place = False  # whether all threads of the team reach this region by themselves
        self.limited = False  # whether this region has one thread or all
        self.all_threads = False  # whether the text is lexically inside such a region
        self.beside: frozenset[Code] = frozenset()  # the loops of which a thread has several iterations on their way
        self.exact_threads = 0  # how many threads run every such region, if that is known
        self.covered = False  # whether the grid has a team for each iteration of the loop that teams share

    def _settings(self, construct: DeviceConstruct, printer: Printer, depth: int) -> str:
        """The statement that gives a task settings of its own for the rest of a block."""
        if not self.plan.makes_settings or construct.kind not in (ConstructKind.TASK, ConstructKind.TASKLOOP):
            return ""
        final = printer.argument(construct.final) if construct.final is not None else "false"
        return f"{indent(depth)}const rex_own_settings __rex_settings({final});\n"

    def _name(self, function: str) -> str:
        """The device library's function for what all threads of a team run, which then need not ask who they are."""
        return _OF_ALL.get(function, function) if self.all_threads else function

    def _barrier(self, construct: DeviceConstruct, depth: int) -> str:
        """A barrier of a construct. Also at the end of one, its line is the directive's, by which a user knows it."""
        return f"{line_marker(construct.span)}{indent(depth)}{self._name('rex_barrier')}();\n"

    def render(self, node: Code, printer: Printer, depth: int) -> str:
        if (watching := printer.around.watched.get(node)) is not None:
            return statement(node, watching, printer, depth)
        update = printer.around.updates.get(node)
        if update is not None:
            self.updated.add(node)
            return team_update_line(update, printer, depth)
        staged = printer.around.staged.get(node)
        if staged is not None:
            if isinstance(staged, BlockLoop):
                return block_loop(staged, printer, depth)
            return staged_loop(staged, printer, depth)
        construct = self.plan.constructs[node]
        pad = indent(depth)
        mark = line_marker(construct.span)
        match construct.kind:
            case ConstructKind.PARALLEL:
                return mark + self._parallel(construct, printer, depth)
            case ConstructKind.LOOP | ConstructKind.TASKLOOP:
                return mark + self._loop_block(construct, printer, depth)
            case ConstructKind.SINGLE:
                return mark + self._single(construct, printer, depth)
            case ConstructKind.MASKED:
                test = f"{self._name('rex_master')}()"
                if construct.filter is not None:
                    test = f"omp_get_thread_num() == ({printer.expression(construct.filter)})"
                inner = self._private_block(construct, printer, depth + 1)
                return f"{mark}{pad}if ({test}) {{\n{inner}{pad}}}\n"
            case ConstructKind.CRITICAL:
                assert construct.body is not None
                inner = printer.statements(construct.body, depth + 1)
                return f"{mark}{pad}REX_CRITICAL({construct.lock}) {{\n{inner}{pad}}}\n"
            case ConstructKind.SECTIONS:
                return mark + self._sections(construct, printer, depth)
            case ConstructKind.SCOPE | ConstructKind.TASK | ConstructKind.TASKGROUP | ConstructKind.BLOCK:
                reduce_ = "rex_reduce_team" if construct.kind is ConstructKind.SCOPE else "rex_reduce_task"
                inner = self._settings(construct, printer, depth + 1)
                inner += indent(depth + 1) + GROUP if construct.kind is ConstructKind.TASKGROUP else ""
                task = task_line(construct, printer) if construct.kind is ConstructKind.TASK else ""
                inner += self._private_block(construct, printer, depth + 1, reduce_, task)
                waits = construct.kind is ConstructKind.SCOPE and not construct.nowait
                return f"{mark}{pad}{{\n{inner}{pad}}}\n{self._barrier(construct, depth) if waits else ''}"
            case ConstructKind.ATOMIC:
                assert construct.atomic is not None
                return mark + atomic_lines(construct.atomic, printer, depth)
            case ConstructKind.ERROR:
                text = printer.argument(construct.message) if construct.message is not None else '"error directive"'
                return f"{mark}{pad}rex_error({str(construct.fatal).lower()}, {text});\n"
            case ConstructKind.BARRIER:
                return self._barrier(construct, depth)
            case ConstructKind.TASKWAIT:
                return f"{mark}{pad}{wait_line(construct, printer)}"
            case ConstructKind.FLUSH:
                return f"{mark}{pad}rex_fence();\n"
            case _:
                return ""

    # -- parallel regions and loops -----------------------------------------------------------------------------

    def _parallel(self, construct: DeviceConstruct, printer: Printer, depth: int) -> str:
        pad = indent(depth)
        nested, self.in_parallel = self.in_parallel, True
        inner_printer = printer
        if not nested and self.plan.team_functions:
            plain = {s: printer.symbol_text(s).removesuffix(_TEAM) for s in self.plan.team_functions}
            inner_printer = printer.with_names(plain)
        steps = printer.around.steps
        limited = steps is not None and not nested and construct.body in steps.limited
        if steps is not None and not nested:  # the inside runs as in any other region
            inner_printer = printer.with_names({}, steps=None)
            self.in_place = self.all_threads = True
            self.limited = limited
        is_closure = not nested and steps is None  # one that captures by copy
        body = self._closure if is_closure else self.region_body
        inner = body(construct, inner_printer, depth + 1)
        self.in_place = False
        self.all_threads = self.all_threads and nested
        self.in_parallel = nested
        if nested:
            return f"{pad}rex_serial_region([&]() {{\n{inner}{pad}}});\n"
        count = printer.argument(construct.num_threads) if construct.num_threads is not None else "0"
        if construct.condition is not None:
            count = f"({printer.expression(construct.condition)}) ? {count} : 1"
        if not is_closure:
            size = f"{pad}    REX_REGION_SIZE({count});\n" if limited else ""
            own = f"_OF({count})" if count != "0" else ""
            return f"{pad}REX_TEAM_REGION{own} {{\n{size}{inner}{pad}}}\n"
        return f"{pad}rex_parallel({count}, REX_REGION {{\n{inner}{pad}}});\n"

    def _closure(self, construct: DeviceConstruct, printer: Printer, depth: int) -> str:
        """The inside of a parallel region, as the body of a closure."""
        assert construct.body is not None
        return closure_block(printer, construct.body, depth, partial(self.region_body, construct))

    def region_body(self, construct: DeviceConstruct, printer: Printer, depth: int) -> str:
        """The inside of a parallel region: private copies, the loop or the statements, and the reductions."""
        if construct.nest is not None and construct.schedule is not None:
            if construct.schedule.over is Over.FIRST:
                return self._first_thread_loop(construct, printer, depth)
            return self.loop(construct, printer, depth, barrier=False)
        reduce_ = "rex_reduce_all" if self.in_place else "rex_reduce_team"
        self.in_place = False
        return self._private_block(construct, printer, depth, reduce_)

    def _private_block(
        self, construct: DeviceConstruct, printer: Printer, depth: int, reduce_: str = "", begin: str = ""
    ) -> str:
        """The private copies, the line ``begin``, the body and the reductions."""
        assert construct.body is not None
        copies = self.privatise(construct.sharing, printer, depth)
        combined = self.reductions(construct.sharing.reductions, printer, copies, depth, reduce_)
        before = copies.declarations + (indent(depth) + begin if begin else "")
        return user_block(copies, construct.body, depth, before, combined)

    def _single(self, construct: DeviceConstruct, printer: Printer, depth: int) -> str:
        pad = indent(depth)
        inner = self._private_block(construct, printer, depth + 1)
        text = f"{pad}if ({self._name('rex_single')}()) {{\n{inner}{pad}}}\n"
        for symbol in construct.broadcast:
            text += f"{pad}rex_broadcast({address_of(symbol, printer)});\n"
        return text if construct.nowait else text + self._barrier(construct, depth)

    def _sections(self, construct: DeviceConstruct, printer: Printer, depth: int) -> str:
        """Sections, which are dealt to the team's threads in turn or are all run by the first thread."""
        pad, inside = indent(depth), indent(depth + 1)
        sharing = construct.sharing
        copies = self.privatise(sharing, printer, depth + 1)
        text = self._begun(construct, copies, depth + 1)
        count = len(construct.sections)
        turns = f"REX_SECTIONS(__rex_section, {count})"
        if construct.schedule is not None:
            turns = f"int __rex_section = rex_master() ? 0 : {count}; __rex_section < {count}; ++__rex_section"
        text += f"{inside}for ({turns}) {{\n"
        for number, part in enumerate(construct.sections):
            returned = [s for s in sharing.lastprivate if number == count - 1 and not printer.facts(s.type).is_sizeless]
            after = "".join(indent(depth + 3) + copied(symbol, printer, copies.place(symbol)) for symbol in returned)
            block = user_block(copies, part, depth + 3, after=after)
            text += f"{inside}    if (__rex_section == {number}) {{\n{block}{inside}    }}\n"
        text += f"{inside}}}\n"
        text += self.reductions(sharing.reductions, printer, copies, depth + 1, "rex_reduce_team")
        barrier = "" if construct.nowait else self._barrier(construct, depth)
        return f"{pad}{{\n{text}{pad}}}\n{barrier}"

    def _loop_block(self, construct: DeviceConstruct, printer: Printer, depth: int) -> str:
        pad = indent(depth)
        assert construct.schedule is not None
        if construct.schedule.over is Over.THREAD:
            settings = self._settings(construct, printer, depth + 1)
            return f"{pad}{{\n{settings}{self._serial_loop(construct, printer, depth + 1)}{pad}}}\n"
        if construct.schedule.over is Over.FIRST:
            barrier = "" if construct.nowait else self._barrier(construct, depth)
            return self._first_thread_loop(construct, printer, depth) + barrier
        waits = construct.schedule.over is Over.TEAM and not construct.nowait
        return f"{pad}{{\n{self.loop(construct, printer, depth + 1, waits)}{pad}}}\n"

    def _first_thread_loop(self, construct: DeviceConstruct, printer: Printer, depth: int) -> str:
        """A loop whose iterations run in order, so one thread of the team runs all of them."""
        pad = indent(depth)
        inner = self._serial_loop(construct, printer, depth + 1, is_region=True)
        return f"{pad}if ({self._name('rex_master')}()) {{\n{inner}{pad}}}\n"

    def _serial_loop(self, construct: DeviceConstruct, printer: Printer, depth: int, is_region: bool = False) -> str:
        """A loop of which one thread runs all iterations in order, so only variables private to them need copies.

        With ``is_region``, the originals of the private variables do not belong to this thread.
        """
        assert construct.body is not None
        assert construct.nest is not None
        pad = indent(depth)
        together = construct.kind is ConstructKind.TASKLOOP  # other threads may run this construct at the same time
        reductions = construct.sharing.reductions if together else ()
        own = construct.sharing
        last = [s for s in own.lastprivate if together and not own.linear and not printer.facts(s.type).is_sizeless]
        first = tuple(s for s in own.firstprivate if s in last or s not in own.lastprivate)
        sharing = Sharing(own.private, first, tuple(last), reductions, alignments=own.alignments)
        loop_variables = {lv.symbol for lv in construct.nest.levels}
        copies = self.privatise(sharing, printer, depth)
        after = ""
        for symbol in construct.sharing.private:
            if symbol in loop_variables and not is_region:  # it is linear: its last value can be seen after the loop
                after += f"{pad}{printer.symbol_text(symbol)} = {copies.place(symbol)};\n"
        if last:
            lines = "".join(f"{pad}    {copied(symbol, printer, copies.place(symbol))}" for symbol in last)
            after += f"{pad}if (__rex_any) {{\n{lines}{pad}}}\n"
        after += self.reductions(reductions, printer, copies, depth, "rex_reduce_task")
        if not construct.sharing.linear:
            before, each = copies.declarations, ["__rex_any = true;"] if last else []
            before += f"{pad}bool __rex_any = false;\n" if last else ""
            if together and not construct.is_one_task:
                before += pad + GROUP if not construct.nowait else ""
                each.append(task_line(construct, printer).rstrip())
            around = {**copies.printer.around.before, **({construct.nest.body: each} if each else {})}
            copies = replace(copies, printer=copies.printer.with_names({}, before=around))
            return user_block(copies, construct.body, depth, before, after)
        # Other variables' last values are in the originals, but each iteration declares the loops' own variables.
        sharing = Sharing(lastprivate=tuple(s for s in own.lastprivate if s in loop_variables), linear=own.linear)
        loop = SharedLoop(construct.nest, Schedule(Over.THREAD), sharing, printer, copies, self.plan.escaping)
        return copies.declarations + iterations(loop, depth, "1", "0") + after

    def loop(self, construct: DeviceConstruct, printer: Printer, depth: int, barrier: bool) -> str:
        assert construct.nest is not None
        assert construct.schedule is not None
        pad = indent(depth)
        sharing = construct.sharing
        in_place, self.in_place = self.in_place, False
        limited, self.limited = self.limited, False
        over = construct.schedule.over
        copies = self.privatise(sharing, printer, depth, construct.nest)
        together = printer.around.steps is not None
        by_all = in_place or (self.all_threads and over is Over.TEAM)
        shares = _REGION_SHARE if by_all else _TEAM_SHARE if together else SHARES[over]
        split = "part" if limited else "region" if by_all else ""
        if together and not split:
            split = "team" if self.covered else "teams"
        loop = SharedLoop(construct.nest, construct.schedule, sharing, printer, copies, self.plan.escaping)
        if split == "region" and construct.nest.body in self.beside:
            split = "batches"
        text = self._begun(construct, copies, depth)
        text += iterations(loop, depth, *shares, split=split, least=self.exact_threads)
        reduce_ = "rex_reduce_all" if in_place else "rex_reduce_league" if over is Over.TEAMS else "rex_reduce_team"
        combined = self.reductions(sharing.reductions, printer, copies, depth + together, reduce_)
        text += f"{pad}if (rex_team_first()) {{\n{combined}{pad}}}\n" if together and combined else combined
        return text + self._barrier(construct, depth) if barrier else text

    # -- private copies and reductions --------------------------------------------------------------------------

    def _begun(self, construct: DeviceConstruct, copies: Copies, depth: int) -> str:
        """The declarations of the copies that a worksharing construct's threads make, and a barrier behind them if one
        of the threads changes what all of them read there."""
        return copies.declarations + (self._barrier(construct, depth) if construct.sharing.handed_on else "")

    def privatise(self, sharing: Sharing, printer: Printer, depth: int, nest: LoopNest | None = None) -> Copies:
        """The private copies that a construct makes."""
        return CopyMaker(sharing, printer, self.plan.escaping, depth, not self.in_parallel, self.hidden).copies(nest)

    def reductions(
        self, reductions: Sequence[Reduction], outer: Printer, copies: Copies, depth: int, function: str
    ) -> str:
        """The statements that combine every thread's partial results into the originals."""
        pad = indent(depth)
        text = ""
        by_all = function == "rex_reduce_all"
        if function in ("rex_reduce_all", "rex_reduce_team") and any(r.reads_original for r in reductions):
            text += f"{pad}{self._name('rex_barrier')}();\n"
        function += "_ordered" * (self.plan.ordered and function in _ORDERED)
        buffered = "__rex_partials" in _IN_ONE_STEP.get(function, "")
        gathered = "__rex_partials"  # the place for the next reduction whose copies begin with the original's value
        element = 0  # the next element that has a place among the blocks' partial results
        plain = [r for r in reductions if not r.count and r.functions is None]
        if plain and function in _IN_ONE_STEP and (len(plain) > 1 or function != "rex_reduce_grid"):
            parts = [f"rex_part<{r.operator}>({address_of(r.symbol, outer)}, {copies.place(r.symbol)})" for r in plain]
            text += f"{pad}{function}({_IN_ONE_STEP[function]}{', '.join(parts)});\n"
            reductions = [r for r in reductions if r not in plain]
            element = len(plain)
        if by_all:
            function = function.replace("_all", "_team")
        for r in reductions:
            original, mine = outer.symbol_text(r.symbol), copies.place(r.symbol)
            to, value = address_of(r.symbol, outer), mine
            if r.count:
                pointer = outer.pointer(r.type)
                count = count_name(r.symbol, outer) if r.is_variable else r.count
                first = ""
                if r.section is not None:
                    rows = f" * {r.row_length}L" if r.row_length > 1 else ""
                    first = f"({outer.expression(r.section)}){rows}"
                kind = outer.facts(r.symbol.type)
                to, value = (f"reinterpret_cast<{pointer}>({unqualified(t, kind)})" for t in (original, mine))
                if r.functions is None and function in _OF_ARRAYS:
                    arrays = ", ".join(f"{start} + {first}" if first else start for start in (to, value))
                    room = outer.around.team_arrays.get(r.symbol)
                    combine = f"{function}_array" if room is None else "rex_end_team_array"
                    last = "" if room is None else f", {room}"
                    text += f"{pad}{combine}<{r.operator}>({arrays}, {count}{last});\n"
                    continue
                at = f"{first} + __rex_i" if first else "__rex_i"
                to, value = f"&{to}[{at}]", f"*&{value}[{at}]"
                text += f"{pad}for (long __rex_i = 0; __rex_i < {count}; ++__rex_i) {{\n"
            if r.functions is not None:
                from_ = value[1:] if r.count else f"&{value}"
                combine = outer.symbol_text(r.functions[0])
                call = _combined(r, outer, combine, (to, from_), depth, by_all and not r.count)
                if r.reads_original and function in _GATHERING:
                    number, kind_ = "__rex_i" if r.count else "0", outer.declaration(r.type)
                    arguments = f"{gathered}, {number}, {combine}, {to}, {from_}, {_GATHERING[function]}"
                    call = f"REX_COMBINING({REDUCTION_LOCK}) rex_gather<{kind_}>({arguments});\n"
                    gathered = f"rex_behind_gathered<{kind_}>({gathered}, {r.count or 1})"
            elif buffered:
                place = f"__rex_partials + ({element} + __rex_i) * (1 + gridDim.x)"
                call = f"{function}({place}, rex_part<{r.operator}>({to}, {value}));\n"
                element += r.count
            else:
                call = f"{function if r.count else self._name(function)}<{r.operator}>({to}, {value});\n"
            text += f"{pad}    {call}{pad}}}\n" if r.count else f"{pad}{call}"
        return text


def _combined(
    one: Reduction, outer: Printer, combine: str, places: tuple[str, str], depth: int, by_all: bool
) -> str:
    """The call of a declared reduction's function for (the original, a copy), after a warp's copies are combined.

    With ``by_all``, all threads of the team have an original of their own.
    """
    if by_all:
        return f"REX_COMBINED_BY_ALL({REDUCTION_LOCK}, {', '.join(places)}, {combine});\n"
    memory, pad = outer.around.team_memory, indent(depth + 1 + bool(one.count))
    lock = f"REX_OF_TEAM({REDUCTION_LOCK})" if one.symbol in memory.shared | memory.heap else REDUCTION_LOCK
    first = f"if (REX_COMBINED_LANES({places[1]}, {combine}))\n"
    return f"{first}{pad}REX_COMBINING({lock}) {combine}({', '.join(places)});\n"


def address_of(symbol: Entity, printer: Printer) -> str:
    return unqualified(address(printer.symbol_text(symbol)), printer.facts(symbol.type))


class FunctionConstructs(ConstructPrinter):
    """Prints constructs in functions that any number of threads may call. Parallel regions there have one thread."""

    def __init__(self, plan: TranslationUnitPlan, *, all_threads: bool = False) -> None:
        super().__init__(plan)
        self.in_parallel = True
        self.all_threads = all_threads


def of_all_threads(plan: TranslationUnitPlan) -> dict[str, Any]:
    """What a scope is to know (``Surroundings``) of functions that only regions of whole teams call."""
    return {"construct": FunctionConstructs(plan, all_threads=True).render, "first_line": "REX_TEAM_QUERIES;"}


def of_teams(plan: TranslationUnitPlan, memory: TeamMemory) -> dict[str, Any]:
    """What a scope is to know of functions that only sequential parts of teams call."""
    return {"construct": ConstructPrinter(plan).render, "team_memory": memory}


# Functions that combine several variables at once, with the first of their arguments.
_IN_ONE_STEP = {
    "rex_reduce_grid": "", "rex_reduce_tiles": "", "rex_reduce_all": "rex_turn, ",
    "rex_reduce_all_ordered": "rex_turn, ", "rex_reduce_grid_ordered": "__rex_partials, ",
    "rex_reduce_league_ordered": "__rex_partials, ",
}  # fmt: skip


# Functions for what all threads of a team run, which ask nobody who they are.
_OF_ALL = {
    "rex_barrier": "rex_region_wait", "rex_master": "rex_region_first", "rex_single": "rex_region_single",
    "rex_reduce_team": "rex_reduce_region", "rex_reduce_team_ordered": "rex_reduce_region_ordered",
}  # fmt: skip


# Functions whose callers wait for nobody, with the number of these.
_GATHERING = {"rex_reduce_grid": "(long long)gridDim.x * blockDim.x", "rex_reduce_league": "gridDim.x"}

_OF_ARRAYS = ("rex_reduce_grid", "rex_reduce_team")  # functions that combine several elements of an array at once

_ORDERED = ("rex_reduce_grid", "rex_reduce_all", "rex_reduce_league", "rex_reduce_team")  # with a fixed order, too


# As SHARES, without asking the device library who runs: in a region that all threads of the team reach by themselves,
# and for teams.
_REGION_SHARE = ("rex_region_threads()", "threadIdx.x")


_TEAM_SHARE = ("gridDim.x", "blockIdx.x")
