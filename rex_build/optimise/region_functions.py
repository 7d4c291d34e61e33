"""Functions that only parallel regions of whole teams call: their barriers are the block's, and the hardware counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..openmp import queries
from ..openmp.team_memory import outermost_parallel
from ..plan.constructs import Code
from ..plan.unit import KernelKind, TargetRegion
from ..tree.calls import Calls
from ..tree.nodes import Call, Construct, FunctionAddress, Node, Opaque, walk
from ..tree.symbols import Function
from .team_forms import TeamCode, is_plain


def region_functions(
    regions: Sequence[tuple[TargetRegion, Sequence[TeamCode]]],
    others: Callable[[], Iterable[Node]],
    code_of: Callable[[Function], Code | None],
) -> dict[Function, Code]:
    """The functions that ask who runs them, and that only parallel regions call, with the code of their definitions.

    All threads of a team may run the ``regions``. ``others`` are all other kernels' code. ``code_of`` is a function's
    definition in the device text, which several instantiations may share.
    """
    codes = [(region, code) for region, of_region in regions for code in of_region]
    if not codes:
        return {}
    first = codes[0][1]
    calls = first.calls
    inside: list[Node] = []
    elsewhere: list[Node] = []
    for region, code in codes:
        parallel = [code.region] if region.kind is KernelKind.PARALLEL else list(outermost_parallel(code.region))
        within = {node for part in parallel for node in walk(part)}
        inside += parallel
        rest = (node for node in walk(code.region) if node not in within)
        elsewhere += (node for node in rest if isinstance(node, Call | FunctionAddress | Opaque))
    constructs = (c for part in inside for n in walk(part) if isinstance(n, Construct) and (c := first.construct(n)))
    sharings = [*(region.sharing for region, _ in regions), *(construct.sharing for construct in constructs)]
    if any(r.functions is not None for sharing in sharings for r in sharing.reductions):
        return {}  # nobody knows who calls what these call
    called = _called(calls, inside)
    if called is None or not any(asks(calls, function) for function in called):
        return {}
    unlike = [f for f in called if not all(_is_plain(first, node) for node in _constructs(calls, f))]
    apart = _called(calls, [*elsewhere, *others(), *(body for f in unlike if (body := _body(calls, f)) is not None)])
    if apart is None:
        return {}
    texts = {f: text for f in called | apart if f.defined and (text := code_of(f)) is not None}
    mixed = {text for f, text in texts.items() if f in apart or f in unlike}
    return {f: text for f, text in texts.items() if text not in mixed and asks(calls, f)}


def asks(calls: Calls, function: Function) -> bool:
    """Whether the body of a function, without those that it calls, can tell which thread runs it."""
    body = _body(calls, function)
    return body is not None and any(
        isinstance(node, Construct) or (isinstance(node, FunctionAddress) and node.function.name in queries.PLACES)
        for node in walk(body)
    )


def _body(calls: Calls, function: Function) -> Node | None:
    body = calls.body(function) if function.defined else None
    return body.statement if body is not None else None


def _constructs(calls: Calls, function: Function) -> list[Construct]:
    body = _body(calls, function)
    return [node for node in walk(body) if isinstance(node, Construct)] if body is not None else []


def _is_plain(code: TeamCode, node: Construct) -> bool:
    construct = code.construct(node)
    return construct is not None and is_plain(construct)


def _called(calls: Calls, nodes: Iterable[Node]) -> set[Function] | None:
    """The functions that code calls, or None if nobody knows all of them."""
    found: set[Function] = set()
    for node in nodes:
        functions, whole = calls.functions(node)
        if not whole:
            return None
        found.update(functions)
    return found
