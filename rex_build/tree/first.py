"""Whether a variable is written on every path before it is read."""

from __future__ import annotations

from . import nodes as tree
from .flow import Access, Flow
from .symbols import Storage, Variable
from .values import base_of, covers, object_of


def is_written_first(statement: tree.Statement, variable: Variable) -> bool:
    """Whether every read of a local variable in a run of a statement comes after a write of all of it in the same run.

    It does not matter what it holds before then. A variable whose address is taken may be read by anybody; whether that
    is done outside of the statement, the caller knows.
    """
    if variable.storage not in (Storage.LOCAL, Storage.PARAMETER) or leaks(statement, variable):
        return False
    flow = _First(variable)
    flow.statement(statement, False)
    return not flow.read


def leaks(node: tree.Node, variable: Variable, but: tree.Node | None = None) -> bool:
    """Whether a part of the tree takes the address of a variable, or of a part of it, for more than an access there.
    What is inside of ``but`` does not count."""
    inside = set(tree.walk(but)) if but is not None else ()
    parts = [part for part in tree.walk(node) if part not in inside]
    followed = {base_of(part.pointer) for part in parts if isinstance(part, tree.Pointee)}
    for part in parts:
        place = part.place if isinstance(part, tree.AddressOf) else part.array if isinstance(part, tree.Decay) else None
        found = object_of(place) if place is not None and part not in followed else None
        if found is not None and found.variable is variable and not found.behind:
            return True
    return False


class _First(Flow[bool]):
    """The state is whether the variable has been written in this run."""

    def __init__(self, variable: Variable) -> None:
        super().__init__()
        self.variable, self.read = variable, False

    def access(self, state: bool, access: Access) -> bool:
        found = access.object
        if found is None or found.variable is not self.variable or found.behind:
            return state  # nobody has its address
        whole = access.writes and covers(access.place, self.variable)
        if access.reads and not state:
            self.read = True
        return state or whole

    def call(self, state: bool, call: tree.Call) -> bool:  # noqa: ARG002 - nobody has the variable's address
        return state

    def opaque(self, state: bool, node: tree.Opaque) -> bool:
        if not state and may_mention(node, self.variable):
            self.read = True
        return state

    def construct(self, state: bool, node: tree.Construct) -> bool | None:
        if "atomic" in node.directive.constructs or not _is_concerned(node, self.variable):
            return super().construct(state, node)
        self.read = self.read or not state  # there may be copies of it
        return state

    def meet(self, a: bool, b: bool) -> bool:
        return a and b

    def both(self, a: bool, b: bool) -> bool:
        return a or b

    @property
    def anything(self) -> bool:
        return False

    def begin(self, state: bool, variable: Variable) -> bool:
        return state and variable is not self.variable


def _is_concerned(node: tree.Construct, variable: Variable) -> bool:
    """Whether a construct may mean a copy by a variable's name, or lets several threads at it."""
    if node.directive.constructs == ("simd",):
        return variable in node.variables
    return any(getattr(part, "variable", None) is variable for part in tree.walk(node))


def may_mention(node: tree.Opaque, variable: Variable) -> bool:
    """Whether what nobody understands may use a variable whose address nobody has."""
    if node.mentions is None:
        return True
    return any(getattr(part, "variable", None) is variable for mention in node.mentions for part in tree.walk(mention))
