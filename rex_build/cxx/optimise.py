"""Transformations of a region's kernel, of which the proofs ask the region's trees (``optimise/``).

All instantiations of a template share one text, so what changes it must hold for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Any

from ..base.patterns import regex
from ..base.records import replace
from ..base.spans import SourceSpan
from ..c.source.tokens import statement_end
from ..openmp import queries
from ..openmp.regions import Planned
from ..openmp.requirements import shares_memory
from ..optimise.accesses import Access, Accesses, UnprovableError, members_of, shared_and_own
from ..optimise.claims import counted, exact, passed, spread
from ..optimise.collapse import Collapse
from ..optimise.collapsed import collapsed_kernel
from ..optimise.decisions import COUNTED, Decisions, listed
from ..optimise.loads import MEMORY, Iteration, Loads, transformed, unknown_order
from ..optimise.memory import Scene, accesses_of
from ..optimise.moved import moved_bytes
from ..optimise.noalias import LOOPS_NEED_IT, NOTHING_WRITTEN, Ranges
from ..optimise.obstacle import ObstacleError
from ..optimise.planned import not_collapsed, not_once, not_tiled
from ..optimise.restrict import Promises
from ..optimise.surroundings import UncollapsibleError
from ..optimise.text import Text
from ..optimise.walk import walks
from ..plan.captures import Capture, Transport
from ..plan.code import Code, Entity
from ..plan.loops import LoopNest
from ..plan.optimised import (
    NO_STRUCTURE,
    NO_SUCH_LOOP,
    ONCE,
    PASSED,
    TILE,
    UNROLL,
    CollapsedKernel,
    DirectKernel,
    Optimised,
)
from ..plan.sharing import Sharing
from ..tree import nodes as tree
from ..tree import types
from ..tree.symbols import Function, Storage
from ..tree.symbols import Variable as TreeVariable
from .code import Construct, CxxType, Range, Variable
from .collapse import HostSide, collapses, region_of, watched_loop
from .facts import RegionFacts
from .launch import host_view
from .libclang import is_users
from .reading.reader import computes, reader_of
from .unit import Unit
from .unroll import loops_to_unroll

_NUMBERS = frozenset({"bool", "char", "signed", "unsigned", "short", "int", "long", "float", "double"})
_PRINTED = ("ARRAY_SUBSCRIPT_EXPR", "CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR", "UNARY_OPERATOR")
_TYPE_OF = regex(r"decltype|typeof|typeid")


def optimise(facts: RegionFacts, region: Planned) -> tuple[Optimised, ObstacleError | None]:
    """Decide every transformation of one region. The second value says why it is not known what memory it accesses."""
    decisions = Decisions(facts.unit.no_opt)
    nest = region.nest
    shared, _ = shared_and_own(region.sharing, region.captures, nest, _is_pointer)
    words = [c.symbol for c in region.captures if c.transport is Transport.WORDS]
    decisions.decide("byvalue", f"{PASSED}: {listed(words)}", None if words else NO_STRUCTURE)
    index32 = decisions.decide("index32", COUNTED, None if nest is not None else "no loop")
    of_collapse = Decisions(decisions.off)
    collapsed = _collapsed(facts, region, of_collapse, index32)
    walking = None
    if collapsed is None:
        walking = walks(decisions, region, (_body(facts, region, one) for one in facts.trees), shared)
    else:
        decisions.refuse(["walk"], "another kernel runs long rows")
    once = decisions.decide("once", ONCE, not_once(region))
    tiled = decisions.decide("tile", TILE, not_tiled(region, once, index32))
    loops: frozenset[Code] = frozenset()
    if "unroll" not in decisions.off:
        loops = loops_to_unroll(facts.unit, [(facts.function, facts.construct)], ())
    decisions.decide("unroll", UNROLL, None if loops else NO_SUCH_LOOP)
    memory, unknown = _memory(facts, region, decisions)
    memory = replace(memory, facts=(), index32=index32, unrolled=loops)
    if walking is not None and once and memory.direct is not None:
        walking = replace(walking, optimised=memory)
    by_value = passed(words, facts.span) if facts.unit.claimed else ()
    claims, direct = (*by_value, *memory.claims), memory.direct
    decisions.found += of_collapse.found
    if once:
        direct = replace(direct or DirectKernel(once=True), once=True, tiled=tiled)
        if nest is not None and index32 and facts.unit.claimed:
            claims = (*claims, counted("once", nest.levels))
    memory = replace(memory, facts=tuple(decisions.found), collapsed=collapsed)
    moved = memory.moved if once and not region.several else 0
    return replace(memory, direct=direct, walks=walking, claims=claims, moved=moved), unknown


def _collapsed(facts: RegionFacts, region: Planned, decisions: Decisions, index32: bool) -> CollapsedKernel | None:
    """Decide whether loops inside the distributed ones are spread over the grid, too."""
    nest, sharing = region.nest, region.sharing
    obstacle = (
        "switched off" if "collapse" in decisions.off
        else not_collapsed(region) or ("needs 'index32'" if not index32 else None)
    )  # fmt: skip
    if obstacle is not None or nest is None:
        decisions.refuse(["collapse"], obstacle or "no loop")
        return None

    def memory(levels: LoopNest, copies: Sharing, one: Collapse) -> Optimised | str:
        silent = Decisions(decisions.off)
        made, _ = _memory(facts, replace(region, nest=levels, sharing=copies), silent, one)
        refused = next((o.reason for o in silent.found if o.name == "noalias" and not o.applied), NOTHING_WRITTEN)
        return made if refused == NOTHING_WRITTEN else refused

    try:
        if nest.inner:
            raise UncollapsibleError("the loops of the construct are not all collapsed", remedy="collapse all of them")
        roots, own = shared_and_own(sharing, (*region.captures, *region.loaded), nest, _is_pointer)
        around = region_of(facts, roots, own, region, partial(_accesses_in, facts, region))
        found = collapses(around, facts, nest)
    except ObstacleError as problem:
        decisions.refuse(["collapse"], str(problem), span_of(facts.unit, problem.node), problem.remedy)
        return None
    side = HostSide(facts, host_view(facts, region.captures, region.mapping, nest), nest, memory)
    made = collapsed_kernel(decisions, side, found, nest.levels, sharing, region.launch)
    if made is None or not facts.unit.claimed:
        return made[0] if made is not None else None
    kernel, one = made
    text, bodies = _text(facts), [_body(facts, region, tree) for tree in facts.trees]
    updates = (exact("collapse", text, bodies, reduction, around.pure) for reduction in sharing.reductions)
    claims = (*kernel.optimised.claims, *spread(text, nest.levels, one), *chain.from_iterable(updates))
    return replace(kernel, optimised=replace(kernel.optimised, claims=claims))


def _memory(
    facts: RegionFacts, region: Planned, decisions: Decisions, spread: Collapse | None = None
) -> tuple[Optimised, ObstacleError | None]:
    """What is known about memory, and why it is not known what the kernel accesses.

    What loops write that are ``spread`` over the grid must overlap nothing, nor the memory that their bounds read.
    """
    sharing, captures = region.sharing, (*region.captures, *region.loaded)
    if (obstacle := unknown_order(region)) is not None:
        decisions.refuse(MEMORY, obstacle)
        return Optimised(), ObstacleError(obstacle)
    try:
        iterations = _iterations(facts, region, spread)
    except ObstacleError as problem:
        decisions.refuse(MEMORY, str(problem), span_of(facts.unit, problem.node), problem.remedy)
        return Optimised(), problem
    found = _together([one.found for one in iterations])
    mentioned = found.derived.union(found.roots, spread.read if spread is not None else ())
    used = [c for c in captures if c.symbol in mentioned]
    constant = frozenset(c.symbol for c in used if c.symbol not in found.written)
    shared = shares_memory(facts.unit.requirements)
    ranges = Ranges(region.mapping, sharing, captures, _is_object, frozenset, shared, partial(_promises, facts))
    wanted = LOOPS_NEED_IT if spread is not None else None
    members, text = members_of(captures), _text(facts)
    loads = Loads(found, iterations, used, constant, ranges, members, text, facts.unit.claimed)
    made = transformed(decisions, region, loads, wanted, needed=False, waits=region.waits)
    assert made is not None
    moved = [moved_bytes(one.found, one.body, computes) for one in iterations] if region.is_nest else [0]
    return replace(made, moved=max(moved) if all(moved) else 0), None


def _promises(facts: RegionFacts) -> Promises | None:
    """What the user's restrict pointers promise."""
    function = facts.function
    if function.is_template or "restrict" not in facts.unit.text[function.start : function.end]:
        return None
    reader = reader_of(facts.unit)
    body = reader.body(reader.function(function.cursor))
    return Promises(body, facts.construct) if body is not None else None


def _text(facts: RegionFacts) -> Text:
    """How accesses are printed that the region's own text has. That of a lambda in it may be in a function."""
    unit = facts.unit

    def written(node: tree.Node, ends: str) -> Range | None:
        cursor = node.origin
        if cursor is None or isinstance(cursor, Construct) or not is_users(cursor) or cursor.kind.name not in _PRINTED:
            return None
        if cursor.referenced is not None and cursor.referenced.kind.name == "CONVERSION_FUNCTION":
            return None  # its text is that of the object
        start, end = unit.extent(cursor)
        inside = facts.body.start <= start < end <= facts.body.end
        return Range(start, end) if inside and unit.text[end - 1] in (ends or unit.text[end - 1]) else None

    def call(access: Access) -> Range | None:
        is_made = isinstance(access.outer, tree.Call) and access.outer.constructs
        return None if is_made else written(access.outer, ")]")

    def statements(part: Sequence[tree.Statement]) -> tuple[Range, ...]:
        """Only where nothing but braces stands between them: a type could."""
        if not all(is_users(one.origin) for one in part):
            return ()
        found: list[Range] = []
        for start in sorted(unit.extent(one.origin)[0] for one in part):
            if not found or start >= found[-1].end:  # a declaration may have several variables
                found.append(Range(start, statement_end(unit.text, start)))
        between = (unit.text[one.end : other.start] for one, other in pairwise(found))
        inside = all(facts.body.start <= one.start < one.end <= facts.body.end for one in found)
        return tuple(found) if inside and all(not text.strip(" \n\t{") for text in between) else ()

    def kind(access: Access, has_value: bool) -> CxxType | None:
        """Only an instantiation's own type is known, which has no name in the template."""
        if has_value and len(facts.trees) > 1:
            return CxxType("auto", "other")
        cursor = access.place.origin
        text = cursor.type.get_canonical().spelling.removeprefix("const ") if cursor is not None else ""
        named = len(facts.trees) == 1 and _NUMBERS.issuperset(text.split() or "?")
        return CxxType(text, "scalar") if named else None

    def place(node: tree.Node | Range) -> SourceSpan:
        span = unit.span(node.start) if isinstance(node, Range) else span_of(unit, node.origin)
        return span or facts.span

    def element(access: Access) -> Range | None:
        return written(access.place, "")

    return Text(place, element, call, kind, statements, partial(watched_loop, unit))


def span_of(unit: Unit, code: Any) -> SourceSpan | None:
    """Where code of the user's is that a tree was made of."""
    code = code.origin if isinstance(code, tree.Node) else code
    if isinstance(code, Construct):
        return code.directive.span
    return unit.span(unit.extent(code)[0]) if code is not None and is_users(code) else None


def _is_object(entity: Entity) -> bool:
    return isinstance(entity, Variable) and entity.type.kind != "pointer" and not entity.is_reference


def _iterations(facts: RegionFacts, region: Planned, spread: Collapse | None) -> list[Iteration]:
    """What an iteration runs in each instantiation. Raises UnprovableError."""
    if not facts.trees:
        raise UnprovableError("nothing instantiates the template")
    if _TYPE_OF.search(facts.text) is not None:
        raise UnprovableError("the body asks for the type of an expression")
    bodies = spread.iterations if spread is not None else [_body(facts, region, one) for one in facts.trees]
    return [Iteration(_accesses_in(facts, region, body), body) for body in bodies]


def _together(found: Sequence[Accesses]) -> Accesses:
    """What all instantiations access."""
    items = tuple(chain.from_iterable(accesses.items for accesses in found))
    derived = frozenset(chain.from_iterable(accesses.derived for accesses in found))
    return Accesses(items, derived.difference(a.root for a in items))


def _accesses_in(facts: RegionFacts, region: Planned, statement: tree.Statement) -> Accesses:
    """What the code of one instantiation accesses. Raises UnprovableError."""
    captures = (*region.captures, *region.loaded)
    memory, own = shared_and_own(region.sharing, captures, region.nest, _is_pointer)
    reader = reader_of(facts.unit)
    this = next((c.symbol for c in region.captures if getattr(c.symbol, "name", "") == "this"), None)

    def entity(variable: TreeVariable) -> Entity | None:
        is_this = variable.entity is None and variable.name == "this" and variable.storage is Storage.PARAMETER
        return this if is_this else variable.entity

    reduced = {r.symbol for r in region.sharing.reductions if r.count or r.is_section}
    scene = Scene(memory, own, members_of(captures), reduced, region.waits, entity, reader.body, _writes_nothing)
    _check_pointers(scene, {c.symbol: c for c in captures}, statement)
    return accesses_of(scene, statement)


def _is_pointer(entity: Entity) -> bool:
    """Whether a variable may be a pointer, in an instantiation."""
    return not isinstance(entity, Variable) or entity.type.kind not in ("scalar", "array", "record")


def _writes_nothing(function: Function) -> bool:
    """Whether a function that the unit does not have writes nothing but what its arguments lead to."""
    return computes(function) or function.name in queries.READING


def _body(facts: RegionFacts, region: Planned, around: tree.Construct) -> tree.Statement:
    """The body of the innermost associated loop, or as much around it as is one statement."""
    node: tree.Statement = around
    while isinstance(node, tree.Construct) and node.origin in facts.chain:
        node = _only(node.body or tree.Block(()))
    if not region.is_nest or region.nest is None:
        return node
    for level in region.nest.levels:
        if not isinstance(node, tree.Loop) or level.symbol not in _started(node):
            break
        node = _only(node.body)
    return node


def _only(node: tree.Statement) -> tree.Statement:
    while isinstance(node, tree.Block) and len(node.statements) == 1:
        node = node.statements[0]
    return node


def _started(loop: tree.Loop) -> set[Entity | None]:
    match loop.start:
        case tree.Declare(variable=variable):
            return {variable.entity}
        case tree.Evaluate(expression=tree.Store(place=tree.Named(variable=variable))):
            return {variable.entity}
    return set()


def _check_pointers(scene: Scene, captures: dict[Entity, Capture], statement: tree.Statement) -> None:
    """Refuse a pointer whose type may not change, and one that is none in another instantiation."""
    for node, outer in _with_outer(statement):
        if not isinstance(node, tree.Named):
            continue
        entity, t = scene.entity(node.variable), node.variable.type
        if entity is None or entity not in scene.memory:
            continue
        reference = isinstance(t, types.Pointer) and t.reference
        to = t.to if isinstance(t, types.Pointer) and reference else t
        if isinstance(to, types.Pointer) and (reference or isinstance(outer, tree.AddressOf)):
            at = outer.origin if outer is not None else None
            raise UnprovableError(f"the address of the pointer '{entity.name}' is taken", at)
        by_address = captures[entity].transport is Transport.ADDRESS
        if by_address == isinstance(to, types.Pointer) and not isinstance(to, types.Array):
            raise UnprovableError(f"'{entity.name}' has another kind of type in each instantiation")


def _with_outer(node: tree.Node) -> Iterator[tuple[tree.Node, tree.Node | None]]:
    """All nodes below one, each with the node around it; None in a closure."""
    stack: list[tuple[tree.Node, tree.Node | None]] = [(node, None)]
    while stack:
        node, outer = stack.pop()
        yield node, outer
        closed = isinstance(outer, tree.Aggregate)
        stack += [(child, None if closed else node) for child in tree.children(node)]
