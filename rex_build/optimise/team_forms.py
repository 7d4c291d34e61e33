"""What a front end brings to have all threads of a team run a region, questions about the forms of code, and functions
that only parallel regions of whole teams call: their barriers are the block's, and the hardware counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass
from ..directives.model import Expr
from ..openmp import queries
from ..openmp.by_value import SHORT_ARRAY
from ..openmp.team_memory import outermost_parallel
from ..plan.constructs import Code, ConstructKind, DeviceConstruct, Reduction
from ..plan.host_expression import HostExpression
from ..plan.unit import KernelKind, TargetRegion
from ..tree.calls import Calls
from ..tree.nodes import (
    Block,
    Call,
    Construct,
    Convert,
    Expression,
    FunctionAddress,
    Loop,
    Node,
    Opaque,
    Statement,
    walk,
)
from ..tree.symbols import Function
from ..tree.types import Array, Complex, Floating, Integer, Pointer, Record, Type, Void
from ..tree.values import only_statement
from .obstacle import ObstacleError

_PLAIN = (
    ConstructKind.ATOMIC, ConstructKind.BARRIER, ConstructKind.CRITICAL, ConstructKind.FLUSH, ConstructKind.LOOP,
    ConstructKind.MASKED, ConstructKind.NOTHING, ConstructKind.SECTIONS, ConstructKind.SINGLE,
)  # fmt: skip
_SMALL = 64  # bytes of a structure of which every thread can have a copy


@dataclass(frozen=True)
class TeamCode:
    """What a front end brings to have all threads of a team run a region.

    ``region`` is the region's body as the tree has it, and ``sequential`` the part that a team's first thread would
    run. ``construct`` is what the plan has of a construct inside of them, and ``code`` of a statement or a value:
    nothing where the text has none of its own. ``assigned`` is the code of an assignment of a value. ``constant`` is a
    number in the program, ``host`` what the host has for a clause's expression, and ``span`` a place. Of functions
    ``elsewhere``, in other units, nothing is known. ``combining`` are the functions that a declared
    reduction calls.
    """

    region: Statement
    sequential: Statement
    calls: Calls
    construct: Callable[[Construct], DeviceConstruct | None]
    constant: Callable[[Code], int | None]
    host: Callable[[Expr], HostExpression]
    span: Callable[[Any], SourceSpan | None]
    code: Callable[[Node], Code | None]
    assigned: Callable[[Node, Node], Code | None]
    elsewhere: Callable[[Function], bool]
    combining: Callable[[Reduction], Iterable[Function]]

    def asks(self, node: Node, names: Collection[str]) -> bool:
        """Whether a part of the tree may call one of the functions ``names``."""
        functions, whole = self.calls.functions(node)
        return not whole or any(f.name in names or self.elsewhere(f) for f in functions)

    def asks_where(self, node: Node, names: Collection[str] = queries.PLACES) -> bool:
        """Whether a part of the tree may tell which thread runs it. Constructs in functions depend on their teams."""
        bodies = (self.calls.body(f) for f in self.calls.functions(node)[0] if f.defined)
        constructs = (isinstance(n, Construct) for b in bodies if b is not None for n in walk(b.statement))
        return self.asks(node, names) or any(constructs)

    def asks_in_combining(self, reduction: Reduction) -> bool:
        """Whether what combines and initialises the copies of a declared reduction may tell which thread runs it."""
        called = (FunctionAddress(Void(), function) for function in self.combining(reduction))
        return any(self.asks_where(one, queries.PLACES | queries.SETTINGS) for one in called)


def statement_of(node: Construct, construct: DeviceConstruct) -> Statement:
    """The statement that is the body of a construct, or of the one that directly nested ones make with it."""
    for part in walk(node):
        if isinstance(part, Construct) and part.body is not None and part.origin.body == construct.body:
            return part.body
    raise ObstacleError("a construct of an unusual form", node)


def loops_of(body: Statement | None, levels: int) -> list[Loop]:
    """The associated loops of a construct, outermost first."""
    loops: list[Loop] = []
    while len(loops) < levels:
        body = only_statement(body)
        if not isinstance(body, Loop):
            raise ObstacleError("a loop of an unusual form", body)
        loops.append(body)
        body = body.body
    return loops


def in_start(start: Statement | None) -> tuple[Statement, ...]:
    """The statements of a loop's start."""
    if start is None:
        return ()
    return start.statements if isinstance(start, Block) else (start,)


def without_conversion(value: Expression) -> Expression:
    """What is written where a value is converted silently, or dropped."""
    while isinstance(value, Convert) and value.origin is None:
        value = value.value
    return value


def may_change(kind: Type) -> bool:
    """Whether a type, or a part of it, is volatile or atomic. Two threads may then read different values."""
    if kind.volatile or kind.atomic:
        return True
    if isinstance(kind, Array):
        return may_change(kind.of)
    return isinstance(kind, Record) and any(may_change(member.type) for member in kind.info.members)


def is_scalar(kind: Type) -> bool:
    return isinstance(kind, Integer | Floating | Complex | Pointer)


def is_small_record(kind: Type) -> bool:
    """Whether a type is a structure that a thread can keep in registers."""
    if not isinstance(kind, Record) or kind.info.union or kind.size is None or kind.size > _SMALL:
        return False
    return all(m.bits is None and is_scalar(m.type) for m in kind.info.members)


def has_long_array(kind: Type) -> bool:
    """Whether an object, or what a reference leads to, has an array that a thread cannot keep in registers."""
    if isinstance(kind, Pointer) and kind.reference:
        kind = kind.to
    if isinstance(kind, Array):
        return kind.size is None or kind.size > SHORT_ARRAY
    return isinstance(kind, Record) and any(has_long_array(m.type) for m in kind.info.members)


def is_plain(inner: DeviceConstruct) -> bool:
    """Whether a construct in a parallel region needs nothing of the device library's state of teams and threads."""
    if any(r.count or r.functions is not None for r in inner.sharing.reductions):
        return False
    return inner.kind in _PLAIN and not inner.broadcast


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
