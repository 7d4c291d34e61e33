"""Finds runs of regions whose kernels follow one another on the device, with one wait after all of them.

A *run* is statements of one function that follow each other, such as a loop over time steps. It has regions and plain
host statements. These call nothing but mathematical functions, and touch nothing volatile or atomic: so only this
thread can tell when a kernel is done, and in the run nothing asks. A kernel reads and writes only memory that its
region maps. When the program runs, a launch is not waited for if all this memory is on the device, where the host
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

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from pycparser import c_ast

from ....base.diagnostics import InputError
from ....base.patterns import regex
from ....base.records import replace
from ....base.spans import SourceSpan
from ....directives.contents import directive_expressions
from ....optimise.accesses import UnprovableError
from ....plan.claims import Claim, ClaimKind
from ....plan.host_expression import Number
from ....plan.loops import LoopNest, Over
from ....plan.optimised import Optimisation
from ....plan.region import KernelKind, TargetRegion
from ....plan.rows import MAP_FROM, MAP_IMPLICIT, MAP_LITERAL, MAP_TARGET_PARAM, MAP_TO, MapRow, Parameter, Role
from ....plan.sharing import Reduction
from ....plan.unit import CallingRun
from ...sema import Sema, walk
from ...sema.ctype import sizeof
from ...sema.type_questions import is_arithmetic, is_complex, is_pointer
from ...source.tokens import statement_end
from ...syntax.nodes import OmpConstruct, ParsedUnit
from ..device_library import MATH_FUNCTIONS
from ..found import FoundConstruct
from ..purity import called_name
from ..runtime_api import shares_memory
from .accesses import accesses_of, acting
from .memory import members_of, shared_and_own
from .own_scalars import OwnScalars

NAME = "inorder"
_PLAIN_ROW = MAP_TO | MAP_FROM | MAP_IMPLICIT | MAP_LITERAL | MAP_TARGET_PARAM
_WORD = 8  # bytes
_PASSED = (Role.VARIABLE, Role.EXTENT, Role.WORD, Role.LAUNCH_SHAPE, Role.TILING)
_ASSEMBLY = regex(r"\b(?:asm|__asm|__asm__)\b")
_WEAK = regex("weak|ifunc|alias")
_STATEMENTS = (
    c_ast.Compound, c_ast.If, c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch, c_ast.Case, c_ast.Default,
    c_ast.Label, OmpConstruct,
)  # fmt: skip
_LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile)
# The nodes of expressions and declarations that only compute, load and store.
_PLAIN = (
    c_ast.Constant, c_ast.ID, c_ast.Assignment, c_ast.UnaryOp, c_ast.BinaryOp, c_ast.TernaryOp, c_ast.Cast,
    c_ast.ExprList, c_ast.ArrayRef, c_ast.StructRef, c_ast.Decl, c_ast.DeclList, c_ast.InitList, c_ast.Typename,
    c_ast.TypeDecl, c_ast.IdentifierType, c_ast.PtrDecl, c_ast.ArrayDecl,
)  # fmt: skip


class _UnfitError(Exception):
    """A region is always waited for. The message says why, and ``node`` is the code that is the reason."""

    def __init__(self, why: str, node: c_ast.Node | None = None, remedy: str = "") -> None:
        super().__init__(why)
        self.node = node
        self.remedy = remedy


def launched_in_order(
    unit: ParsedUnit,
    sema: Sema,
    found: Sequence[FoundConstruct],
    regions: Sequence[TargetRegion],
    off: Collection[str],
) -> tuple[list[TargetRegion], tuple[tuple[int, int], ...], tuple[CallingRun, ...]]:
    """(the regions, of which those in runs are marked, the extents of the statements behind which a run is waited for,
    the runs with calls)

    ``found`` are the constructs of the regions.
    """
    if NAME in off or shares_memory(unit):
        why = "switched off" if NAME in off else "unified shared memory: the host may look at what kernels write"
        return [_with_fact(r, False, why) for r in regions], (), ()
    unfit: dict[OmpConstruct, _UnfitError] = {}
    fit: dict[OmpConstruct, str] = {}
    own: dict[c_ast.FuncDef, OwnScalars] = {}
    for item, region in zip(found, regions, strict=True):
        try:
            _check(sema, item.construct, region)
            if item.function not in own:
                own[item.function] = OwnScalars(unit, sema, item.function)
            fit[item.construct] = _returned(region, own[item.function])
        except _UnfitError as problem:
            unfit[item.construct] = problem
    runs = _Runs(unit, sema, fit)
    searched = dict.fromkeys(f.function for f in found if f.construct in fit)
    callable_names = [f.decl.name for f in searched if runs.is_callable(f.decl.name)]
    searched.update(dict.fromkeys(runs.callers(callable_names) if callable_names else ()))
    for function in searched:
        runs.search(function.body)
    marked: list[TargetRegion] = []
    for item, region in zip(found, regions, strict=True):
        if (obstacle := unfit.get(item.construct)) is not None:
            span = unit.span_of(obstacle.node) if obstacle.node is not None else None
            marked.append(_with_fact(region, False, str(obstacle), span, obstacle.remedy))
        elif item.construct in runs.members:
            why = "the host starts the next region without waiting for this one, if all its data is on the device"
            if name := fit[item.construct]:
                why = f"'{name}' takes one transfer each way, if it is not on the device and all other data is"
            rows = tuple(p.row for p in _scalars(region, own[item.function]))
            marked.append(replace(_with_fact(region, True, why), in_order=True, own_rows=rows))
        elif item.construct in runs.called:
            why = "where a run calls its function, the next region starts without a wait, if all its data is there"
            rows = tuple(p.row for p in _scalars(region, own[item.function]))
            marked.append(replace(_with_fact(region, True, why), in_callers_run=True, own_rows=rows))
        else:
            marked.append(_with_fact(region, False, "no other region follows without something that may wait for it"))
    return marked, tuple(sorted(runs.ends)), tuple(sorted(runs.calling, key=lambda run: run.start))


def _with_fact(
    region: TargetRegion, applied: bool, reason: str, span: SourceSpan | None = None, remedy: str = ""
) -> TargetRegion:
    facts = (*region.optimised.facts, Optimisation(NAME, applied, reason, span, remedy))
    about = "the kernel touches only memory that its region maps"
    claims = (Claim(ClaimKind.MAPPED, NAME, about, region.span),) if applied else ()
    made = replace(region.optimised, facts=facts, claims=(*region.optimised.claims, *claims))
    return replace(region, optimised=made)


# -- regions -----------------------------------------------------------------------------------------------------


def _check(sema: Sema, construct: OmpConstruct, region: TargetRegion) -> None:
    """Raise _UnfitError unless a region's kernel reads and writes mapped memory only."""
    nest = region.nest
    if region.kind is not KernelKind.WORKSHARING or nest is None or region.schedule is None:
        raise _UnfitError("only for kernels that are one loop nest")
    if region.schedule.over is not Over.GRID:
        raise _UnfitError("only for kernels that are one loop nest")
    if not all(map(_is_plain_reduction, region.sharing.reductions)):
        raise _UnfitError("a reduction of more than a scalar of 8 bytes, or by functions of the unit")
    if region.condition is not None or region.task is not None or region.device != Number(-1):
        raise _UnfitError("an if, device, nowait or depend clause")
    if region.calls_other_units or region.asks_settings or region.makes_settings or region.allocators:
        raise _UnfitError("the body asks the device library, or functions of other units")
    if any(p.role not in _PASSED for p in region.parameters) or not all(map(_is_plain, region.mapping.rows)):
        raise _UnfitError("its data is not mapped by plain rows")
    if any(_is_address(region.mapping.rows[p.row], p) for p in region.parameters):
        raise _UnfitError("an address that is not mapped, which may be of memory that the host reaches")
    if not region.launch.is_exact:
        raise _UnfitError("the host does not know the trip count")
    if len(region.parameters) != len(region.mapping.rows):
        raise _UnfitError("its data is not mapped by plain rows")
    clauses = [expression.node for expression in directive_expressions(construct.directive)]
    if any(_acts(sema, clause) for clause in clauses) or any(_is_watched(c.symbol.type) for c in region.captures):
        raise _UnfitError("the host calls functions, or reads something volatile, for the launch")
    _check_body(sema, construct, region, nest)


def _is_plain_reduction(reduction: Reduction) -> bool:
    """Whether it combines by the device's own atomic operations, which need no lock in the image."""
    kind = reduction.symbol.type
    whole = not (reduction.count or reduction.functions or reduction.is_section or reduction.reads_original)
    return whole and is_arithmetic(kind) and not is_complex(kind) and sizeof(kind) <= _WORD


def _scalars(region: TargetRegion, own: OwnScalars) -> list[Parameter]:
    """The parameters for the function's own scalars that are mapped."""
    rows = region.mapping.rows
    return [p for p in region.parameters if p.symbol in own and not rows[p.row].flags & MAP_LITERAL]


def _returned(region: TargetRegion, own: OwnScalars) -> str:
    """The name of such a scalar that the region may give back to the host, or nothing."""
    back = (p.symbol for p in _scalars(region, own) if region.mapping.rows[p.row].flags & MAP_FROM)
    return next((symbol.name for symbol in back if symbol is not None), "")


def _is_plain(row: MapRow) -> bool:
    return not (row.flags & ~_PLAIN_ROW or row.loops or row.covers or row.adjustments or row.attach is not None)


def _is_address(row: MapRow, parameter: Parameter) -> bool:
    """Whether a parameter is an address that its row passes as it is, as ``is_device_ptr`` does."""
    if parameter.role is not Role.VARIABLE or parameter.symbol is None or not row.flags & MAP_LITERAL:
        return False
    return not row.literal or is_pointer(parameter.symbol.type)


def _check_body(sema: Sema, construct: OmpConstruct, region: TargetRegion, nest: LoopNest) -> None:
    if construct.body is None or any(isinstance(node, OmpConstruct) for node in walk(construct.body)):
        raise _UnfitError("the body has constructs of its own")
    inside = frozenset(node for node in walk(nest.body) if isinstance(node, c_ast.FuncCall))
    for node in walk(construct.body):
        if isinstance(node, c_ast.FuncCall):
            name = called_name(sema, node)
            if node not in inside or not (name in MATH_FUNCTIONS or name in sema.functions):
                what = "a call of more than a function of the unit that computes"
                raise _UnfitError(what, node, "define the function in this unit, or move the call out of the region")
    if (function := acting(sema, nest.body)) is not None:
        raise _UnfitError(f"a call of '{function.name}' in a function that it calls")
    memory, own = shared_and_own(region.sharing, region.captures, nest)
    try:
        accesses_of(sema, nest.body, memory, own, members_of(region.captures))
    except UnprovableError as problem:
        raise _UnfitError(str(problem), problem.node, problem.remedy) from None


# -- what stands between them ------------------------------------------------------------------------------------


def _is_watched(kind: object) -> bool:
    """Whether others may look at, or change, an object of the type at any time."""
    while kind is not None:
        if {"volatile", "_Atomic"} & getattr(kind, "quals", frozenset()):
            return True
        kind = getattr(kind, "of", None)
    return False


def _acts(sema: Sema, node: c_ast.Node | None, may_call: Callable[[c_ast.FuncCall], bool] = lambda _: False) -> bool:
    """Whether an expression or a declaration may do more than compute, load, store and make calls that it may make."""
    if node is None:
        return False
    for part in walk(node):
        if not (may_call(part) if isinstance(part, c_ast.FuncCall) else isinstance(part, _PLAIN)):
            return True
        if isinstance(part, c_ast.ID):
            symbol = sema.symbols.get(part)
            if symbol is not None and symbol.is_variable and _is_watched(symbol.type):
                return True
        elif isinstance(part, (c_ast.ArrayRef, c_ast.StructRef)) or (
            isinstance(part, c_ast.UnaryOp) and part.op == "*"
        ):
            if not sema.is_typed(part) or _is_watched(sema.type(part)):
                return True
        elif isinstance(part, c_ast.Decl) and part.name is not None and _is_watched(sema.decl_symbol(part).type):
            return True
    return False


class _Runs:
    """Collects the runs of functions: ``members`` are their regions, ``ends`` the extents of their last statements.

    ``fit`` are the regions that can be in a run, each with a scalar that it gives back. Such a region is a run alone.
    ``calling`` are the runs with calls, and ``called`` the regions of their functions.
    """

    def __init__(self, unit: ParsedUnit, sema: Sema, fit: Mapping[OmpConstruct, str]) -> None:
        self.unit, self.sema, self.fit = unit, sema, fit
        self.only_static = any(True for _ in unit.pre.in_own_parts(_WEAK))
        self.members: set[OmpConstruct] = set()
        self.ends: set[tuple[int, int]] = set()
        self.called: set[OmpConstruct] = set()
        self.calling: set[CallingRun] = set()
        self._callable: dict[str, bool] = {}

    # -- functions ---------------------------------------------------------------------------------------------------

    def is_callable(self, name: str | None) -> bool:
        """Whether a function is known to be that of the unit, and has a body of parts of runs with regions."""
        if name is None or name not in self.sema.functions:
            return False
        if name not in self._callable:
            self._callable[name] = False  # it does not call itself
            self._callable[name] = self._is_callable(self.sema.functions[name])
        return self._callable[name]

    def _is_callable(self, definition: c_ast.FuncDef) -> bool:
        kind, body = self.sema.function_type(definition), definition.body
        may_be_others = self.only_static or "inline" in (definition.decl.funcspec or ())
        if may_be_others and not _is_static(definition):
            return False
        if kind.variadic or not self._is_typed(definition):
            return False
        items = list(body.block_items or ())
        if items and isinstance(items[-1], c_ast.Return):
            items[-1] = items[-1].expr
        watched = any(_is_watched(p.type) for p in self.sema.parameters(definition))
        if watched or not all(map(self._is_part, items)) or self._has_assembly(body, body):
            return False
        return any(self._regions(body)) or any(self._calls(body))

    def callers(self, names: Collection[str]) -> list[c_ast.FuncDef]:
        """The functions that call such functions: those of the ``names``, or others that call them in turn."""
        called = {
            name: {n.name.name for n in walk(definition.body) if _is_direct_call(n)}
            for name, definition in self.sema.functions.items()
        }
        found: dict[str, c_ast.FuncDef] = {}
        new = list(names)
        while new:
            name = new.pop()
            for caller in [c for c, inside in called.items() if name in inside and c not in found]:
                definition = self.sema.functions[caller]
                if self._is_typed(definition):
                    found[caller] = definition
                    new += [caller] if self.is_callable(caller) else []
        return list(found.values())

    def _is_typed(self, definition: c_ast.FuncDef) -> bool:
        try:
            self.sema.analyse(definition, on_host=True)
        except InputError:
            return False
        return True

    def _calls(self, node: c_ast.Node) -> list[c_ast.FuncDef]:
        """The functions with regions that a part of a run calls."""
        names = (called_name(self.sema, n) for n in walk_outside(node) if isinstance(n, c_ast.FuncCall))
        return [self.sema.functions[name] for name in names if name is not None and self.is_callable(name)]

    def _close_calls(self, run: list[c_ast.Node]) -> None:
        """Make statements with calls a run. It begins with no declaration, in front of which nothing may stand."""
        while run and not (self._launches(run[0]) and self._has_clear_start(run[0])):
            run = run[1:]
        while run and not (self._launches(run[-1]) and self._has_clear_start(run[-1])):
            run = run[:-1]
        open_calls = [function for item in run for function in self._calls(item)]
        regions = [region for item in run for region in self._regions(item)]
        if not run or (len(regions) + len(open_calls) < 2 and not self._repeats(run)):
            return
        if self._has_assembly(run[0], run[-1]):
            return
        seen: set[c_ast.FuncDef] = set()
        while open_calls:
            function = open_calls.pop()
            if function not in seen:
                seen.add(function)
                self.called.update(self._regions(function.body))
                open_calls += self._calls(function.body)
        external = not all(map(_is_static, seen))
        (self.called if external else self.members).update(regions)
        is_block = not any(isinstance(item, c_ast.Decl) for item in run)
        self.calling.add(CallingRun(self._extent(run[0])[0], self._extent(run[-1])[1], external, is_block))

    def _has_clear_start(self, item: c_ast.Node) -> bool:
        """Whether a statement begins where its node is said to be. A declaration's is at the name, and that of an
        expression may be behind a parenthesis."""
        if isinstance(item, _STATEMENTS):
            return True
        text, at = self.unit.pre.text, self.unit.offset_of(item) - 1
        while at >= 0 and text[at].isspace():
            at -= 1
        return at < 0 or text[at] in ";{}" or text[text.rfind("\n", 0, at) + 1] == "#"

    def _launches(self, item: c_ast.Node) -> bool:
        """Whether a statement has regions, or calls functions that have some."""
        return any(self._regions(item)) or bool(self._calls(item))

    def _repeats(self, run: Sequence[c_ast.Node]) -> bool:
        """Whether there is a loop that launches in statements."""
        return any(isinstance(n, _LOOPS) and self._launches(n) for item in run for n in walk_outside(item))

    # -- statements --------------------------------------------------------------------------------------------------

    def search(self, node: c_ast.Node) -> None:
        """Find the runs in a statement that is not part of one itself."""
        if not isinstance(node, _STATEMENTS) or (isinstance(node, OmpConstruct) and node.directive.is_target):
            return
        is_host = isinstance(node, OmpConstruct) and node.directive.name != "target data"
        if is_host and (not isinstance(node.body, c_ast.Compound) or "sections" in node.directive.name):
            return  # nothing may come between parallel for and its loop, or around the directives of sections
        items = node.block_items or () if isinstance(node, c_ast.Compound) else tuple(node)
        run: list[c_ast.Node] = []
        for item in items:
            if self._is_part(item):
                if not isinstance(node, c_ast.Compound):
                    self._close([item])
                else:
                    run.append(item)
                continue
            self._close(run)
            run = []
            self.search(item)
        self._close(run)

    def _close(self, run: list[c_ast.Node]) -> None:
        while run and not self._launches(run[-1]):
            run = run[:-1]
        if any(self._calls(item) for item in run):
            self._close_calls(run)
            return
        regions = [region for item in run for region in self._regions(item)]
        if not run or (len(regions) < 2 and not self._repeats(run) and not any(self.fit[region] for region in regions)):
            return
        if self._has_assembly(run[0], run[-1]):
            return
        self.members.update(regions)
        self.ends.add(self._extent(run[-1]))

    def _has_assembly(self, first: c_ast.Node, last: c_ast.Node) -> bool:
        """Whether the text of statements has some, of which the tree may have nothing."""
        return _ASSEMBLY.search(self.unit.pre.text, self._extent(first)[0], self._extent(last)[1]) is not None

    def _extent(self, item: c_ast.Node) -> tuple[int, int]:
        start = item.start if isinstance(item, OmpConstruct) else self.unit.offset_of(item)
        return start, statement_end(self.unit.pre.text, start)

    def _regions(self, item: c_ast.Node) -> Iterator[OmpConstruct]:
        return (node for node in walk_outside(item) if isinstance(node, OmpConstruct))

    def _is_part(self, node: c_ast.Node | None, in_loop: bool = False) -> bool:
        """Whether a statement can be part of a run. It may be left only to what follows it in the run."""
        match node:
            case None | c_ast.EmptyStatement():
                return True
            case OmpConstruct():
                return node in self.fit
            case c_ast.Compound():
                return all(self._is_part(item, in_loop) for item in node.block_items or ())
            case c_ast.For():
                heads = (node.init, node.cond, node.next)
                return not any(map(self._acts, heads)) and self._is_part(node.stmt, True)
            case c_ast.While() | c_ast.DoWhile():
                return not self._acts(node.cond) and self._is_part(node.stmt, True)
            case c_ast.If():
                branches = self._is_part(node.iftrue, in_loop) and self._is_part(node.iffalse, in_loop)
                return branches and not self._acts(node.cond)
            case c_ast.Break() | c_ast.Continue():
                return in_loop
        return not self._acts(node)

    def _acts(self, node: c_ast.Node | None) -> bool:
        """Whether an expression or a declaration does more than parts of runs may do."""
        return _acts(self.sema, node, self._may_call)

    def _may_call(self, call: c_ast.FuncCall) -> bool:
        name = called_name(self.sema, call)
        return self.is_callable(name) or (name in MATH_FUNCTIONS and name not in self.sema.functions)


def _is_static(definition: c_ast.FuncDef) -> bool:
    return "static" in definition.decl.storage


def _is_direct_call(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID)


def walk_outside(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """``node`` and all its descendants, without what is inside of constructs."""
    stack = [node]
    while stack:
        part = stack.pop()
        yield part
        if not isinstance(part, OmpConstruct):
            stack.extend(part)
