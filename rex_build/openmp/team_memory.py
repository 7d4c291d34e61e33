"""Which variables of a team's sequential part are in memory that all threads of the team reach.

They are those that parallel regions share and change, that they reach through a pointer, or that are large. On a GPU
every thread has its own stack, and the address of a variable on it means another place to every other thread. What
threads only read they get by value.

All threads of a team run the parallel regions in functions that only the sequential parts of teams call. Elsewhere any
number of threads may call a function, and parallel regions in it have one thread each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from ..plan.constructs import Code, Entity, Sharing, TeamMemory
from ..tree import nodes as tree
from ..tree.calls import Calls, UnknownError, followed_and_lent
from ..tree.flow import effects_of
from ..tree.nodes import Call, Construct, Declare, FunctionAddress, Named, Node, Opaque, Temporary, children, walk
from ..tree.symbols import Function, Storage, Variable, entity_of
from ..tree.types import Array, Pointer, Record, Type, is_variable_length
from ..tree.values import Object, constant, object_of, pointed_to
from .launch import LOOP_LEAVES, collapse_depth

_OF_ONE_THREAD = frozenset(("target", "teams", "distribute"))  # constructs in which a team's initial thread is alone


def outermost_parallel(node: Node) -> Iterator[Construct]:
    """The constructs with parallel regions that are in no other such region."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, Construct) and "parallel" in part.directive.constructs:
            yield part
        else:
            stack += reversed(children(part))


def declared_in(node: Node) -> set[Entity]:
    """The variables whose lives begin in a part of the tree."""
    return {entity_of(n.variable) for n in walk(node) if isinstance(n, Declare | Temporary)}


def named_in(node: Node) -> set[Variable]:
    """The variables that a part of the tree names, also in clauses, and does not declare itself."""
    parts = list(walk(node))
    named = {part.variable for part in parts if isinstance(part, Named)}
    named.update(variable for part in parts if isinstance(part, Construct) for variable in part.variables)
    return named - {part.variable for part in parts if isinstance(part, Declare | Temporary)}


def team_memory(
    bodies: Sequence[Node],
    sharing_of: Callable[[Any], Sharing],
    calls: Calls,
    sharing: Sharing,
    copies: Collection[Entity],
    is_local: Callable[[Entity], bool],
    *,
    objects: Collection[Entity] = (),
    is_built: Callable[[Entity], bool] = lambda _: False,
) -> TeamMemory:
    """The places of variables in a target region or function that has parallel regions, or calls functions that have.

    ``bodies`` are its statement in each instantiation, and ``sharing_of`` says what clauses of constructs in it ask
    for. ``sharing`` is its own. It gets the values of ``copies``, which are variables from outside, and declares what
    ``is_local``. Shared memory cannot have objects that constructors have ``built``, but ``objects`` among the copies,
    of which it gets the bytes.
    """
    found = _Uses(sharing_of, calls)
    for body in bodies:
        found.look(body)
    kinds = found.kinds
    own = {v for v in kinds if is_local(v)} - found.inner - found.lasting
    held = {*own, *(v for v in copies if v in kinds)}
    shared = {v for v in held & found.used if isinstance(kinds[v], Array | Record) and not is_built(v)}
    shared |= found.used.intersection(objects)
    shared |= {v for v in held.union(sharing.named) if v in found.changed}
    shared |= {v for v in held.union(sharing.named) if v in found.reached and not is_variable_length(kinds[v])}
    shared -= {v for v in shared if isinstance(kind := kinds[v], Record) and kind.size and not kind.info.members}
    sizes = {v: kinds[v].size for v in shared if v in own or v in sharing.named}
    known = sorted(((v, size) for v, size in sizes.items() if size is not None), key=lambda one: one[0].name)
    heap = frozenset(v for v in shared & own if is_built(v))
    return TeamMemory(frozenset(shared), heap, frozenset(found.literals), tuple(known))


class _Uses:
    """What parallel regions, and the sequential part around them, do with variables.

    A variable is ``used`` or ``changed`` if threads of a parallel region do that to the team's variable, ``reached`` if
    somebody may have a pointer to it, and ``inner`` if it is declared in a parallel region.
    """

    def __init__(self, sharing_of: Callable[[Any], Sharing], calls: Calls) -> None:
        self.sharing_of, self.calls = sharing_of, calls
        self.kinds: dict[Entity, Type] = {}
        self.lasting: set[Entity] = set()  # which no team declares
        self.used: set[Entity] = set()
        self.changed: set[Entity] = set()
        self.reached: set[Entity] = set()
        self.inner: set[Entity] = set()
        self.literals: set[Code] = set()
        # By the nodes in parallel regions: of which variables their constructs make copies.
        self._copied: dict[Node, Collection[Entity]] = {}

    def look(self, body: Node) -> None:
        parts = list(walk(body))
        variables = [part.variable for part in parts if isinstance(part, Named | Declare)]
        variables += [variable for part in parts if isinstance(part, Construct) for variable in part.variables]
        self.kinds |= {v.entity: v.type for v in variables if v.entity is not None}
        self.lasting |= {entity_of(v) for v in variables if v.storage not in (Storage.LOCAL, Storage.PARAMETER)}
        for region in outermost_parallel(body):
            self._region(region)
        kept_by_nobody = set[Node]().union(*followed_and_lent(parts, self.calls))
        literals = set()
        for part in parts:
            if isinstance(part, Temporary) and isinstance(part.type, Array):
                literals.add(part)
            elif isinstance(part, tree.AddressOf | tree.Decay):
                place = part.place if isinstance(part, tree.AddressOf) else part.array
                literals |= {place} if isinstance(place, Temporary) else set()
                if part not in kept_by_nobody:
                    self.reached |= self._in(object_of(place)).difference(self._copied.get(part, ()))
            elif isinstance(part, tree.Opaque):  # there may be parallel regions in it
                named = {entity_of(inner.variable) for inner in walk(part) if isinstance(inner, Named)}
                for group in (self.used, self.changed, self.reached):
                    group.update(named if part.mentions is not None else self.kinds)
        self.literals |= {part.origin for part in literals if part not in self._copied and part.origin is not None}

    def _region(self, region: Construct) -> None:
        stack: list[tuple[Node, frozenset[Entity], frozenset[Entity]]] = [(region, frozenset(), frozenset())]
        while stack:  # with the variables of which the constructs around make copies, and those that get no value there
            part, copied, private = stack.pop()
            if isinstance(part, Construct):
                sharing = self.sharing_of(part.origin)
                own = {*sharing.private, *counted(part)}.difference(sharing.lastprivate)
                private |= own
                copied = copied.union(own, {*sharing.firstprivate}.difference(sharing.lastprivate))
                self.used.update({*map(entity_of, part.variables)} - private)
                self.changed.update({*sharing.returned} - copied)
            elif isinstance(part, Named):
                self.used.update({entity_of(part.variable)} - private)
            elif isinstance(part, Declare | Temporary):
                self.inner.add(entity_of(part.variable))
            self._copied[part] = copied
            stack += [(one, copied, private) for one in children(part)]
        found = effects_of(region)
        for access in found.accesses:
            if access.writes:
                self.changed |= self._in(access.object).difference(self._copied.get(access.node, ()))
        for call in found.calls:
            self.changed |= self._written(call).difference(self._copied.get(call, ()))

    def _written(self, call: tree.Call) -> set[Entity]:
        """The variables to which a call writes by the pointers that it gets, unless it keeps these."""
        try:
            written = self.calls.of(call).writes
        except UnknownError:
            return set()
        numbers = [number - call.constructs for number in written if number is not None]
        objects = (pointed_to(call.arguments[n]) for n in numbers if 0 <= n < len(call.arguments))
        return {variable for found in objects for variable in self._in(found)}

    @staticmethod
    def _in(found: Object | None) -> set[Entity]:
        """The variable that an object is in; or the reference, if it is what that refers to."""
        if found is None or (found.behind and not (isinstance(t := found.variable.type, Pointer) and t.reference)):
            return set()
        return {entity_of(found.variable)}


def counted(construct: Construct) -> Iterator[Entity]:
    """The variables that a construct's loops count with and do not declare."""
    values = dict(construct.expressions)
    has_loops = not LOOP_LEAVES.isdisjoint(construct.directive.constructs)
    depth = collapse_depth(construct.directive.clauses, lambda expr: constant(values[expr])) if has_loops else 0
    body = construct.body
    for _ in range(depth):
        while isinstance(body, Construct) or (isinstance(body, tree.Block) and len(body.statements) == 1):
            body = body.body if isinstance(body, Construct) else body.statements[0]
        if not isinstance(body, tree.Loop):
            return
        match body.start:
            case tree.Evaluate(expression=tree.Store(place=Named(variable=variable))):
                yield entity_of(variable)
        body = body.body


def functions_of_teams(regions: Iterable[Node], calls: Calls) -> tuple[dict[Function, Node], set[Function]]:
    """(the functions with parallel regions, in them or in what they call, that only sequential parts call, with their
    bodies; the functions that others may call)

    ``regions`` are the trees of all target regions. There are none if somebody calls functions that nobody knows. A
    recursive function is none either, because the team's memory holds the variables of one call.
    """
    sequence, apart = parts_of(regions)
    bodies: dict[Function, Node] = {}
    while sequence:
        called = called_by(sequence)
        if called is None:
            return {}, set()
        apart += (node for node in sequence if isinstance(node, FunctionAddress) and node.function not in called)
        new = {f: body.statement for f in called - bodies.keys() if f.defined and (body := calls.body(f)) is not None}
        bodies |= new
        sequence, more = parts_of(new.values())
        apart += more
    known = [calls.functions(node) for node in apart]
    if not all(whole for _, whole in known):
        return {}, set()
    anywhere = {function for functions, _ in known for function in functions}
    below = {f: calls.functions(body)[0] for f, body in bodies.items() if f not in anywhere}
    with_regions = {f for f in below if any(outermost_parallel(bodies[f]))}
    found = (f for f in below if f not in below[f] and not with_regions.isdisjoint({f, *below[f]}))
    return {f: bodies[f] for f in found}, anywhere


def called_in_sequence(node: Node, functions: Collection[Entity]) -> set[Entity]:
    """Those among the functions that code calls itself, outside of parallel regions."""
    sequence, _ = parts_of([node], _is_parallel) if functions else ([], [])
    callees = (n.callee for n in sequence if isinstance(n, Call))
    called = (callee.function.entity for callee in callees if isinstance(callee, FunctionAddress))
    return {entity for entity in called if entity is not None and entity in functions}


def _is_parallel(construct: Construct) -> bool:
    return "parallel" in construct.directive.constructs


def _has_others(construct: Construct) -> bool:
    """Whether others than a team's initial thread may run a construct."""
    return not _OF_ONE_THREAD.issuperset(construct.directive.constructs)


def parts_of(
    nodes: Iterable[Node], is_apart: Callable[[Construct], bool] = _has_others
) -> tuple[list[Node], list[Node]]:
    """(what a team's initial thread runs of some code, node by node, the constructs in it that others may run)"""
    sequence: list[Node] = []
    apart: list[Node] = []
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if isinstance(node, Construct) and is_apart(node):
            apart.append(node)
        else:
            sequence.append(node)
            stack += children(node)
    return sequence, apart


def called_by(sequence: Iterable[Node]) -> set[Function] | None:
    """The functions that nodes call themselves, or None if nobody knows all of them."""
    found: set[Function] = set()
    for node in sequence:
        if isinstance(node, Opaque) or (isinstance(node, Call) and node.virtual):
            return None
        if isinstance(node, Call):
            if not isinstance(node.callee, FunctionAddress):
                return None
            found.add(node.callee.function)
    return found
