"""What a part of the tree does, as lists in the order of evaluation."""

from __future__ import annotations

from ..base.records import dataclass
from .flow import Access, Once
from .nodes import Call, Construct, Opaque, Statement
from .symbols import Variable


@dataclass(frozen=True, eq=False)
class Effects:
    """All that a statement may do.

    Each access, call, construct and opaque node of the statement is in one of the lists; what is evaluated in any order
    stands in the order of the text. What the called functions do, and what constructs mean, is not in here. If control
    may leave otherwise than at the end, it ``leaves``. ``declared`` are the variables whose lives begin inside.
    """

    accesses: tuple[Access, ...]
    calls: tuple[Call, ...]
    opaque: tuple[Opaque, ...]
    constructs: tuple[Construct, ...]
    declared: frozenset[Variable]
    leaves: bool


def effects_of(statement: Statement) -> Effects:
    flow = _Effects()
    flow.statement(statement, True)
    return Effects(
        tuple(flow.accesses),
        tuple(flow.calls),
        tuple(flow.not_understood),
        tuple(flow.constructs),
        frozenset(flow.declared),
        bool(flow.returned or flow.broken),
    )


class _Effects(Once):
    """Notes everything."""

    def __init__(self) -> None:
        super().__init__()
        self.accesses: list[Access] = []
        self.calls: list[Call] = []
        self.not_understood: list[Opaque] = []
        self.constructs: list[Construct] = []
        self.declared: set[Variable] = set()

    def access(self, state: bool, access: Access) -> bool:
        self.accesses.append(access)
        return state

    def call(self, state: bool, call: Call) -> bool:
        self.calls.append(call)
        return state

    def opaque(self, state: bool, node: Opaque) -> bool:
        self.not_understood.append(node)
        return state

    def construct(self, state: bool, node: Construct) -> bool | None:
        self.constructs.append(node)
        return super().construct(state, node)

    def begin(self, state: bool, variable: Variable) -> bool:
        self.declared.add(variable)
        return state
