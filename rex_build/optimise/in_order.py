"""Finds runs of regions whose kernels follow one another on the device, with one wait after all of them.

A *run* is statements of one function that follow each other, such as a loop over time steps. It has regions and plain
host statements. These only compute, load, store, and call functions that do no more; nothing is volatile or atomic: so
only this thread can tell when a kernel is done, and in the run nothing asks. A kernel reads and writes only memory that
its region maps. When the program runs, a launch is not waited for if all this memory is on the device, where the host
cannot see it. Scalars need not be there if no other thread can reach them: one transfer takes all of a region to the
device. If one comes back, the region is waited for, but in the run.

The statements may also call functions of the unit, whose bodies are parts of runs and may end by returning a value.
They are a run with *calls* then, and so the regions of these functions are in one when it calls them, and in none when
others do. In a shared library, another library's function may take the place of one that is not static. Such statements
are no run there, and their own regions, too, are launched as in functions that others call.
What the image keeps in variables of its own is out of the question: the kernel in a run is that of another copy of the
image.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass, replace
from ..plan.claims import Claim, ClaimKind
from ..plan.constructs import Entity, Over, Reduction
from ..plan.host_expression import Number
from ..plan.optimised import Optimisation
from ..plan.rows import Map, MapRow, Parameter, Role
from ..plan.unit import CallingRun, KernelKind, TargetRegion
from ..tree import nodes as tree
from ..tree import types
from ..tree.calls import Calls
from ..tree.symbols import Function, Storage, Variable
from ..tree.types import Complex, Floating, Integer
from ..tree.values import named_in, object_of
from .obstacle import ObstacleError

NAME = "inorder"
SHARED = "unified shared memory: the host may look at what kernels write"
_NOT_UNDERSTOOD = "its function is not understood, or its instantiations differ"
_PLAIN_ROW = Map.TO | Map.FROM | Map.IMPLICIT | Map.LITERAL | Map.TARGET_PARAM
_WORD = 8  # bytes
_PASSED = (Role.VARIABLE, Role.EXTENT, Role.WORD, Role.LAUNCH_SHAPE, Role.TILING)
# The nodes that only compute, load and store.
_PLAIN: tuple[type[tree.Node], ...] = (
    tree.Named, tree.Pointee, tree.Part, tree.Temporary, tree.Constant, tree.Load, tree.AddressOf, tree.Decay,
    tree.FunctionAddress, tree.Convert, tree.Unary, tree.Binary, tree.Offset, tree.Distance, tree.ShortCircuit,
    tree.Conditional, tree.Sequence, tree.Store, tree.Update, tree.Aggregate, tree.Ending, tree.Declare, tree.Evaluate,
)  # fmt: skip
_CONTROL: tuple[type[tree.Node], ...] = (
    tree.Block, tree.If, tree.Loop, tree.Switch, tree.Case, tree.Break, tree.Continue, tree.Return,
)  # fmt: skip

# Whose body a call of a function runs: surely that of this unit; one that means the same, of any unit; that of this
# unit in a program, but perhaps another one in a shared library; or any.
Body = Literal["own", "same", "program", "any"]


@dataclass(frozen=True)
class Host:
    """What a front end says of a unit's host code.

    ``body`` gives the functions that the unit has, ``runs`` says whose body a call of one of them runs, and
    ``computes`` whether one without a body only computes a value. ``callers`` are the functions that call others of the
    user's, all instantiations of one text together. ``extent`` is the text of a statement, or None if nothing can be
    put in front of it.
    """

    body: Callable[[Function], tree.Body | None]
    runs: Callable[[Function], Body]
    computes: Callable[[Function], bool]
    callers: Callable[[Function], Iterable[tuple[Function, ...]]]
    extent: Callable[[tree.Node], tuple[int, int] | None]


@dataclass(frozen=True)
class Placed:
    """A region with the front end's ``construct``, and its function, in a template all instantiations.

    ``check`` raises ObstacleError, unless the kernel touches only what its captures lead to, and the thread's own.
    """

    region: TargetRegion
    construct: Any
    functions: tuple[Function, ...]
    check: Callable[[], object]
    span: Callable[[Any], SourceSpan | None]


@dataclass(frozen=True)
class InOrder:
    """The regions, of which those in runs are marked, the extents of the statements behind which a run is waited for,
    and the runs with calls."""

    regions: tuple[TargetRegion, ...]
    waits: tuple[tuple[int, int], ...] = ()
    calling: tuple[CallingRun, ...] = ()


@dataclass(frozen=True)
class _Fit:
    """A region that can be in a run: the rows of its function's own scalars, and the name of one that it gives back."""

    rows: tuple[int, ...]
    returned: str


def launched_in_order(host: Host, placed: Sequence[Placed], off: Collection[str], shared: bool) -> InOrder:
    """Find the runs of a unit. With unified ``shared`` memory there are none."""
    if NAME in off or shared:
        why = "switched off" if NAME in off else SHARED
        return InOrder(tuple(_with_fact(one.region, False, why) for one in placed))
    unfit: dict[Any, ObstacleError] = {}
    fit: dict[Any, _Fit] = {}
    own: dict[Function, OwnScalars] = {}
    runs = _Runs(host, fit)
    for one in placed:
        try:
            _check_plan(one.region)
            found = [_checked(runs, one, function, own) for function in one.functions]
            if not found or any(other != found[0] for other in found):
                raise ObstacleError(_NOT_UNDERSTOOD)
            fit[one.construct] = found[0]
        except ObstacleError as problem:
            unfit[one.construct] = problem
    searched = dict.fromkeys(one.functions for one in placed if one.construct in fit)
    searched.update(dict.fromkeys(runs.callers(chain.from_iterable(searched))))
    for functions in searched:
        runs.search_all(functions)
    regions = tuple(_marked(one, fit.get(one.construct), unfit.get(one.construct), runs) for one in placed)
    return InOrder(regions, tuple(sorted(runs.ends)), tuple(sorted(runs.calling, key=lambda run: run.start)))


def _marked(one: Placed, fit: _Fit | None, obstacle: ObstacleError | None, runs: _Runs) -> TargetRegion:
    region = one.region
    if fit is None:
        assert obstacle is not None
        return _with_fact(region, False, str(obstacle), one.span(obstacle.node), obstacle.remedy)
    if one.construct in runs.members:
        why = "the host starts the next region without waiting for this one, if all its data is on the device"
        if fit.returned:
            why = f"'{fit.returned}' takes one transfer each way, if it is not on the device and all other data is"
        return replace(_with_fact(region, True, why), in_order=True, own_rows=fit.rows)
    if one.construct in runs.called:
        why = "where a run calls its function, the next region starts without a wait, if all its data is there"
        return replace(_with_fact(region, True, why), in_callers_run=True, own_rows=fit.rows)
    return _with_fact(region, False, "no other region follows without something that may wait for it")


def _with_fact(
    region: TargetRegion, applied: bool, reason: str, span: SourceSpan | None = None, remedy: str = ""
) -> TargetRegion:
    facts = (*region.optimised.facts, Optimisation(NAME, applied, reason, span, remedy))
    about = "the kernel touches only memory that its region maps"
    claims = (Claim(ClaimKind.MAPPED, NAME, about, region.span),) if applied else ()
    made = replace(region.optimised, facts=facts, claims=(*region.optimised.claims, *claims))
    return replace(region, optimised=made)


# -- regions -----------------------------------------------------------------------------------------------------


def _check_plan(region: TargetRegion) -> None:
    """Raise ObstacleError for what the plan of a region says already."""
    if region.kind is not KernelKind.WORKSHARING or region.nest is None or region.schedule is None:
        raise ObstacleError("only for kernels that are one loop nest")
    if region.schedule.over is not Over.GRID:
        raise ObstacleError("only for kernels that are one loop nest")
    if region.condition is not None or region.task is not None or region.device != Number(-1):
        raise ObstacleError("an if, device, nowait or depend clause")
    if region.calls_other_units or region.asks_settings or region.makes_settings or region.allocators:
        raise ObstacleError("the body asks the device library, or functions of other units")
    rows = region.mapping.rows
    if any(p.role not in _PASSED for p in region.parameters) or not all(map(_is_plain, rows)):
        raise ObstacleError("its data is not mapped by plain rows")
    if not region.launch.is_exact:
        raise ObstacleError("the host does not know the trip count")
    if len(region.parameters) != len(rows):
        raise ObstacleError("its data is not mapped by plain rows")


def _checked(runs: _Runs, one: Placed, function: Function, own: dict[Function, OwnScalars]) -> _Fit:
    """What is to know of a region whose kernel reads and writes mapped memory only, in one of its functions. Raises
    ObstacleError."""
    region, body = one.region, runs.host.body(function)
    if body is None:
        raise ObstacleError(_NOT_UNDERSTOOD)
    if function not in own:
        own[function] = OwnScalars(body)
    construct = own[function].constructs.get(one.construct)
    if construct is None:
        raise ObstacleError(_NOT_UNDERSTOOD)
    named = {n.variable.entity: n.variable for n in tree.walk(construct) if isinstance(n, tree.Named)}
    named.update((variable.entity, variable) for variable in construct.variables)
    kinds = {entity: variable.type for entity, variable in named.items() if entity is not None}
    if not all(_is_plain_reduction(reduction, kinds) for reduction in region.sharing.reductions):
        raise ObstacleError("a reduction of more than a scalar of 8 bytes, or by functions of the unit")
    if any(_is_address(region.mapping.rows[p.row], p, kinds) for p in region.parameters):
        raise ObstacleError("an address that is not mapped, which may be of memory that the host reaches")
    if any(runs.acts(value) for _, value in construct.expressions) or any(map(_is_watched, kinds.values())):
        raise ObstacleError("the host calls functions, or reads something volatile, for the launch")
    inside = tree.parts(construct.body, tree.Construct) if construct.body is not None else [construct]
    if (other := next((node for node in inside if not _is_native_atomic(node)), None)) is not None:
        raise ObstacleError("the body has constructs of its own", other)
    assert region.nest is not None
    assert construct.body is not None
    heads = _heads(construct.body, len(region.nest.levels))
    if any(runs.acts(head) for head in heads):
        raise ObstacleError("the host calls functions, or reads something volatile, for the launch")
    called, _ = Calls(runs.host.body, runs.host.computes).functions(construct.body)
    for callee in called:
        if not runs.host.computes(callee) and runs.host.body(callee) is None:
            raise ObstacleError(f"a call of '{callee.name}', which may do more than compute")
    one.check()
    mapped = [p for p in region.parameters if p.symbol is not None and p.symbol in own[function].entities]
    mapped = [p for p in mapped if not region.mapping.rows[p.row].flags & Map.LITERAL]
    back = (p.symbol for p in mapped if region.mapping.rows[p.row].flags & Map.FROM)
    return _Fit(tuple(p.row for p in mapped), next((s.name for s in back if s is not None), ""))


def _is_native_atomic(construct: tree.Construct) -> bool:
    """Whether a construct is an atomic access by the device's own operations, which need no lock in the image."""
    if construct.directive.name != "atomic" or construct.body is None:
        return False
    accesses = (n for n in tree.walk(construct.body) if isinstance(n, tree.Load | tree.Store | tree.Update))
    kinds = [access.place.type for access in accesses]
    plain = (types.Integer, types.Floating, types.Pointer)
    return all(isinstance(kind, plain) and kind.size <= _WORD for kind in kinds)


def _heads(node: tree.Statement, levels: int) -> Iterator[tree.Node | None]:
    """The heads of the loops that a construct distributes, as far as they can be seen."""
    while levels and isinstance(node, tree.Loop | tree.Block):
        if isinstance(node, tree.Block):
            if len(node.statements) != 1:
                return
            (node,) = node.statements
            continue
        yield from (node.start, node.condition, node.step)
        node, levels = node.body, levels - 1


def _is_plain_reduction(reduction: Reduction, kinds: Mapping[Entity, types.Type]) -> bool:
    """Whether it combines by the device's own atomic operations, which need no lock in the image."""
    whole = not (reduction.count or reduction.functions or reduction.is_section or reduction.reads_original)
    kind = kinds.get(reduction.symbol)
    return whole and isinstance(kind, types.Integer | types.Floating) and kind.size <= _WORD


def _is_plain(row: MapRow) -> bool:
    return not (row.flags & ~_PLAIN_ROW or row.loops or row.covers or row.adjustments or row.attach is not None)


def _is_address(row: MapRow, parameter: Parameter, kinds: Mapping[Entity, types.Type]) -> bool:
    """Whether a parameter is an address that its row passes as it is, as ``is_device_ptr`` does."""
    if parameter.role is not Role.VARIABLE or parameter.symbol is None or not row.flags & Map.LITERAL:
        return False
    return not row.literal or not isinstance(kinds.get(parameter.symbol), types.Integer | types.Floating)


def _is_watched(kind: types.Type) -> bool:
    """Whether others may look at, or change, an object of the type, or what it leads to, at any time."""
    while True:
        if kind.volatile or kind.atomic or isinstance(kind, types.Unknown):
            return True
        match kind:
            case types.Pointer():
                kind = kind.to
            case types.Array():
                kind = kind.of
            case _:
                return False


# -- what stands between them ------------------------------------------------------------------------------------


class _Runs:
    """Collects the runs of functions: ``members`` are their regions, ``ends`` the extents of their last statements.

    ``fit`` are the regions that can be in a run. One that gives a scalar back is a run alone. ``calling`` are the runs
    with calls, and ``called`` the regions of their functions.
    """

    def __init__(self, host: Host, fit: Mapping[Any, _Fit]) -> None:
        self.host, self.fit = host, fit
        self.members: set[Any] = set()
        self.ends: set[tuple[int, int]] = set()
        self.called: set[Any] = set()
        self.calling: set[CallingRun] = set()
        self._callable: dict[Function, bool] = {}
        self._quiet: dict[Function, bool] = {}

    # -- functions ---------------------------------------------------------------------------------------------------

    def is_callable(self, function: Function) -> bool:
        """Whether a function is known to be that of the unit, and has a body of parts of runs with regions."""
        if function not in self._callable:
            self._callable[function] = False  # it does not call itself
            known = self.host.runs(function) in ("own", "program")
            self._callable[function] = known and self._is_callable(self.host.body(function))
        return self._callable[function]

    def _is_callable(self, body: tree.Body | None) -> bool:
        if body is None or getattr(body.function.type, "variadic", True):
            return False
        items = body.statement.statements
        value = None
        if items and isinstance(items[-1], tree.Return):
            value, items = items[-1].value, items[:-1]
        if any(_is_watched(p.type) for p in body.parameters) or not all(map(self._is_part, items)) or self.acts(value):
            return False
        return self._launches(body.statement)

    def _is_quiet(self, function: Function) -> bool:
        """Whether a function is known to compute, load and store only, in which it comes to an end."""
        if function not in self._quiet:
            self._quiet[function] = False
            body = self.host.body(function) if self.host.runs(function) in ("own", "same") else None
            parts = tree.walk(body.statement) if body is not None else iter(())
            quiet = all(isinstance(part, _CONTROL) or self._is_plain(part, calls=False) for part in parts)
            self._quiet[function] = body is not None and quiet
        return self._quiet[function]

    def callers(self, functions: Iterable[Function]) -> list[tuple[Function, ...]]:
        """The functions that call such functions, or others that call them in turn."""
        found: dict[tuple[Function, ...], None] = {}
        new = [function for function in functions if self.is_callable(function)]
        while new:
            for callers in self.host.callers(new.pop()):
                if callers not in found:
                    found[callers] = None
                    new += filter(self.is_callable, callers)
        return list(found)

    def _calls(self, node: tree.Node) -> list[Function]:
        """The functions with regions that a part of a run calls."""
        return [f for n in _walk_outside(node) if (f := _called(n)) is not None and self.is_callable(f)]

    def _close_calls(self, run: list[tree.Statement]) -> None:
        """Make statements with calls a run. It begins with no declaration, in front of which nothing may stand."""
        while run and not self._is_edge(run[0]):
            run = run[1:]
        while run and not self._is_edge(run[-1]):
            run = run[:-1]
        open_calls = [function for item in run for function in self._calls(item)]
        regions = [region for item in run for region in _regions(item)]
        if not run or (len(regions) + len(open_calls) < 2 and not self._repeats(run)):
            return
        seen: set[Function] = set()
        while open_calls:
            function = open_calls.pop()
            if function not in seen:
                seen.add(function)
                body = self.host.body(function)
                assert body is not None
                self.called.update(_regions(body.statement))
                open_calls += self._calls(body.statement)
        external = any(self.host.runs(function) != "own" for function in seen)
        (self.called if external else self.members).update(regions)
        is_block = not any(isinstance(item, tree.Declare) for item in run)
        first, last = self.host.extent(run[0]), self.host.extent(run[-1])
        assert first is not None
        assert last is not None
        self.calling.add(CallingRun(first[0], last[1], external, is_block))

    def _is_edge(self, item: tree.Statement) -> bool:
        """Whether a run with calls can begin and end with a statement."""
        is_declaration = isinstance(item, tree.Declare)
        return not is_declaration and self._launches(item) and self.host.extent(item) is not None

    def _launches(self, item: tree.Node) -> bool:
        """Whether a statement has regions, or calls functions that have some."""
        return any(_regions(item)) or bool(self._calls(item))

    def _repeats(self, run: Sequence[tree.Statement]) -> bool:
        """Whether there is a loop that launches in statements."""
        return any(isinstance(n, tree.Loop) and self._launches(n) for item in run for n in _walk_outside(item))

    # -- statements --------------------------------------------------------------------------------------------------

    def search_all(self, functions: Iterable[Function]) -> None:
        """Find the runs of a function, or of one text that is instantiated several times, if all have the same."""
        kept, made = (self.members, self.ends, self.called, self.calling), []
        for function in functions:
            self.members, self.ends, self.called, self.calling = set(), set(), set(), set()
            if (body := self.host.body(function)) is not None:
                self.search(body.statement)
            made.append((self.members, self.ends, self.called, self.calling))
        self.members, self.ends, self.called, self.calling = kept
        if made and all(one == made[0] for one in made):
            members, ends, called, calling = made[0]
            self.members |= members
            self.ends |= ends
            self.called |= called
            self.calling |= calling

    def search(self, node: tree.Statement) -> None:
        """Find the runs in a statement that is not part of one itself."""
        match node:
            case tree.Block():
                self._search_items(node.statements)
            case tree.If():
                self._search_alone(node.then, node.otherwise)
            case tree.Loop() | tree.Switch():
                self._search_alone(node.body)
            case tree.Construct() if node.directive.name == "target data":
                self._search_alone(node.body)
            case tree.Construct() if not node.directive.is_target and isinstance(node.body, tree.Block):
                # Nothing may come between parallel for and its loop, or around the directives of sections.
                if node.directive.association != "loop" and "sections" not in node.directive.name:
                    self._search_alone(node.body)

    def _search_items(self, items: Iterable[tree.Statement]) -> None:
        run: list[tree.Statement] = []
        for item in items:
            if self._is_part(item):
                run.append(item)
                continue
            self._close(run)
            run = []
            self.search(item)
        self._close(run)

    def _search_alone(self, *statements: tree.Statement | None) -> None:
        for statement in statements:
            if statement is not None:
                self._search_items(statement.statements if isinstance(statement, tree.Block) else [statement])

    def _close(self, run: list[tree.Statement]) -> None:
        while run and not self._launches(run[-1]):
            run = run[:-1]
        if any(self._calls(item) for item in run):
            self._close_calls(run)
            return
        regions = [region for item in run for region in _regions(item)]
        if not run or (len(regions) < 2 and not self._repeats(run) and not any(self.fit[r].returned for r in regions)):
            return
        if (end := self.host.extent(run[-1])) is not None:
            self.members.update(regions)
            self.ends.add(end)

    def _is_part(self, node: tree.Statement | None, in_loop: bool = False) -> bool:
        """Whether a statement can be part of a run. It may be left only to what follows it in the run."""
        match node:
            case None:
                return True
            case tree.Construct():
                return node.origin in self.fit
            case tree.Block():
                return all(self._is_part(item, in_loop) for item in node.statements)
            case tree.Loop():
                heads = (node.condition, node.step)
                quiet = not any(map(self.acts, heads)) and self._is_part(node.start)
                return quiet and self._is_part(node.body, True)
            case tree.If():
                branches = self._is_part(node.then, in_loop) and self._is_part(node.otherwise, in_loop)
                return branches and not self.acts(node.condition)
            case tree.Break() | tree.Continue():
                return in_loop
            case tree.Declare() | tree.Evaluate():
                return not self.acts(node)
        return False

    def acts(self, node: tree.Node | None) -> bool:
        """Whether an expression or a declaration may do more than parts of runs may do."""
        return node is not None and not all(self._is_plain(part, calls=True) for part in tree.walk(node))

    def _is_plain(self, part: tree.Node, calls: bool) -> bool:
        """Whether a node, without what is in it, only computes, loads and stores, or ``calls`` regions' functions."""
        match part:
            case tree.Call():
                function = _called(part)
                if function is None or (calls and self.is_callable(function)):
                    return function is not None
                return self.host.computes(function) or self._is_quiet(function)
            case tree.Named(variable=variable) if variable.storage is Storage.THREAD:
                return False
            case tree.Named() | tree.Pointee() | tree.Part():
                return not _is_watched(part.type)
            case tree.Declare(variable=variable) | tree.Temporary(variable=variable):
                return not _is_watched(variable.type)
        return isinstance(part, _PLAIN)


def _called(node: tree.Node) -> Function | None:
    """The function that a call surely calls."""
    if isinstance(node, tree.Call) and not node.virtual and isinstance(node.callee, tree.FunctionAddress):
        return node.callee.function
    return None


def _regions(item: tree.Node) -> Iterator[Any]:
    return (node.origin for node in _walk_outside(item) if isinstance(node, tree.Construct))


def _walk_outside(node: tree.Node) -> Iterator[tree.Node]:
    """A node and all below it, without what is inside of constructs."""
    stack = [node]
    while stack:
        part = stack.pop()
        yield part
        if not isinstance(part, tree.Construct):
            stack.extend(tree.children(part))


# Finds the scalars of a function that no thread but its own can reach.
#
# Threads that map the same variable at the same time share its place on the device. So a region may have another place
# for a variable only if no other thread can know the variable.


class OwnScalars:
    """The constructs of a function, by the front end's own, and the ``entities`` that are the function's own scalars.

    A scalar is the function's own if it is automatic, its address is not taken, and no construct mentions it that
    other threads may run, or that may run later: anything but ``target`` constructs without ``nowait`` and ``depend``.
    """

    def __init__(self, body: tree.Body) -> None:
        self.constructs: dict[Any, tree.Construct] = {}
        known: set[Variable] = set(body.parameters)
        shared: set[Variable] = set()
        understood = True
        for node in tree.walk(body.statement):
            match node:
                case tree.Declare(variable=variable):
                    known.add(variable)
                case tree.AddressOf():
                    found = object_of(node.place)
                    if found is not None and not found.behind:
                        shared.add(found.variable)
                case tree.Opaque(mentions=mentions):
                    understood = understood and mentions is not None
                    shared |= named_in(*(mentions or ()))
                case tree.Construct():
                    self.constructs[node.origin] = node
                    if not _is_waited_for(node):
                        shared |= {*node.variables, *named_in(node)}
        own = (v for v in known if v not in shared and v.storage in (Storage.LOCAL, Storage.PARAMETER))
        scalars = (v.entity for v in own if isinstance(v.type, Integer | Floating | Complex) and not v.type.atomic)
        self.entities: set[Entity] = {e for e in scalars if e is not None} if understood else set()


def _is_waited_for(construct: tree.Construct) -> bool:
    directive = construct.directive
    return directive.name.startswith("target") and not any(c.name in ("nowait", "depend") for c in directive.clauses)
