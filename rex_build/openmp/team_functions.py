"""Functions that only the sequential parts of teams call: all threads of the team run the parallel regions in them.

Elsewhere any number of threads may call a function, and parallel regions in it have one thread each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from ..plan.code import Entity
from ..tree.calls import Calls
from ..tree.nodes import Call, Construct, FunctionAddress, Node, Opaque, children
from ..tree.symbols import Function
from .team_memory import outermost_parallel

_OF_ONE_THREAD = frozenset(("target", "teams", "distribute"))  # constructs in which a team's initial thread is alone


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
