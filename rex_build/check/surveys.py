"""What the functions of a unit have in them. Each is walked once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..base.patterns import regex
from ..base.records import dataclass
from ..tree import nodes as tree
from ..tree.symbols import Function, Storage, Variable
from ..tree.types import Complex, Floating, Integer, Pointer, Record, Type, Void, element_of
from ..tree.types import Function as FunctionType
from .privates import begun_in

DATA_DIRECTIVES = ("target data", "target enter data", "target exit data", "target update")
# Functions of the system that give, take or keep memory, end the program, or concern devices or threads.
_SPECIAL = regex(
    r"(?:\w*alloc|free|exit|_Exit|abort|quick_exit|\w*jmp|setv?buf|mmap|munmap)$|omp_|acc_|cuda|pthread_|thrd_"
)


_OPEN = frozenset((tree.Construct, tree.Goto, tree.Opaque))  # with one of these, a function may do anything


@dataclass(frozen=True)
class Survey:
    """What a function's body has: its ``own`` variables, all that are ``named``, the functions that are ``called``, the
    ``constructs``, and those of them, and loops, in which it acts: it has directives for devices, or calls functions of
    the unit that have some. It ``jumps`` with a ``goto`` that is not followed."""

    own: frozenset[Variable]
    named: frozenset[Variable]
    called: tuple[Function, ...]
    constructs: tuple[tree.Construct, ...]
    acting: set[tree.Node]
    jumps: bool


class Surveys:
    """The functions of a unit that its user has written. ``body`` gives the body of one, and None for all others."""

    def __init__(self, body: Callable[[Function], tree.Body | None]) -> None:
        self.body = body
        self._known: dict[Function, Survey] = {}
        self._plain: dict[Function, frozenset[Variable] | None] = {}
        self._plain_types: dict[Type, bool] = {}
        self.statics: set[object] = set()  # the keys of the variables that live as long as the program

    def of(self, body: tree.Body) -> Survey:
        if body.function not in self._known:
            self._survey(body)
        return self._known[body.function]

    def acting(self, bodies: Iterable[tree.Body]) -> tuple[tree.Body, ...]:
        """Some functions with all that act of those that they call."""
        found = {body.function: body for body in bodies}
        queue = [*found.values()]
        for body in queue:
            for function in self.of(body).called:
                called = self.body(function) if function not in found and self.acts(function) else None
                if called is not None:
                    found[function] = called
                    queue.append(called)
        return tuple(found.values())

    def _survey(self, body: tree.Body) -> None:
        whole = body.statement
        named = frozenset(node.variable for node in tree.parts(whole, tree.Named))
        called = dict.fromkeys(node.function for node in tree.parts(whole, tree.FunctionAddress))
        self.statics.update(v.key for v in named if v.storage in (Storage.STATIC, Storage.GLOBAL))
        constructs, acting = tuple(tree.parts(whole, tree.Construct)), set[tree.Node]()
        jumps = bool(tree.parts(whole, tree.Goto)) and _jumps_freely(whole)
        self._known[body.function] = Survey(
            begun_in(whole).union(body.parameters), named, tuple(called), constructs, acting, jumps
        )
        around = (whole, *constructs, *tree.parts(whole, tree.Loop))
        own = {node for node in constructs if is_for_devices(node)}
        acting.update(node for node in around if own and not own.isdisjoint(node.below))
        for node in around:
            if node not in acting and any(self.acts(one.function) for one in tree.parts(node, tree.FunctionAddress)):
                acting.add(node)
            elif not acting:  # nothing in the function acts
                return

    def acts(self, function: Function) -> bool:
        """Whether a function has directives for devices, or calls one that has some."""
        body = self.body(function)
        return body is not None and self.plain(function) is None and bool(self.of(body).acting)

    # -- plain functions --------------------------------------------------------------------------------------------

    def plain(self, function: Function) -> frozenset[Variable] | None:
        """The variables outside of functions that a function and those that it calls name, if it changes nothing but
        numbers: it cannot hand on where an object is. A call of one need not be followed while what it can reach is not
        on the device, and has not been. None for other functions."""
        if function not in self._plain:
            self._plain[function] = None  # while it is looked at: one that calls itself is not plain
            self._plain[function] = self._find_plain(function)
        return self._plain[function]

    def _find_plain(self, function: Function) -> frozenset[Variable] | None:
        body = self.body(function)
        if body is None or not self._has_plain_types(function.type):
            return None
        if not _OPEN.isdisjoint(body.statement.kinds):
            return None
        calls = tree.parts(body.statement, tree.Call)
        if any(call.virtual or not isinstance(call.callee, tree.FunctionAddress) for call in calls):
            return None
        kinds = (node.variable.type for node in tree.parts(body.statement, tree.Declare))
        if any(isinstance(kind, Pointer) and isinstance(kind.to, Pointer) for kind in kinds):
            return None
        named = {node.variable for node in tree.parts(body.statement, tree.Named)}
        found = {v for v in named if v.storage not in (Storage.LOCAL, Storage.PARAMETER)}
        if not all(self._is_plain(variable.type) for variable in found):
            return None
        for called in dict.fromkeys(node.function for node in tree.parts(body.statement, tree.FunctionAddress)):
            inside = self._plain_call(called)
            if inside is None:
                return None
            found |= inside
        return frozenset(found)

    def _plain_call(self, function: Function) -> frozenset[Variable] | None:
        if self.body(function) is not None:
            return self.plain(function)
        return None if function.defined or _SPECIAL.match(function.name) is not None else frozenset()

    def _has_plain_types(self, kind: Type) -> bool:
        """Whether a function gets and gives only numbers, and addresses of numbers."""
        if not isinstance(kind, FunctionType) or kind.parameters is None or kind.variadic:
            return False
        if not isinstance(kind.result, Void) and not self._is_plain(kind.result):
            return False
        return all(self._is_plain(one.to if isinstance(one, Pointer) else one) for one in kind.parameters)

    def _is_plain(self, kind: Type) -> bool:
        """Whether objects of a type have no addresses in them."""
        kind = element_of(kind)
        if not isinstance(kind, Record):
            return isinstance(kind, Integer | Floating | Complex)
        if kind not in self._plain_types:
            self._plain_types[kind] = kind.size is not None and all(self._is_plain(m.type) for m in kind.info.members)
        return self._plain_types[kind]


def is_for_devices(node: tree.Construct) -> bool:
    return node.directive.is_target or node.directive.name in DATA_DIRECTIVES


def _jumps_freely(body: tree.Node) -> bool:
    """Whether a ``goto`` leads backward or into a block."""
    ahead: set[object] = set()  # the labels to which a jump from here leads forward and out of blocks
    stack: list[tree.Node | set[object]] = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, set):  # what was ahead before a statement expression
            ahead = node
        elif isinstance(node, tree.Goto):
            if node.label is None or node.label not in ahead:
                return True
        elif isinstance(node, tree.Target):
            ahead.discard(node.label)
        elif isinstance(node, tree.StatementValue):
            stack += [ahead, *_parts(node)]
            ahead = set()
        else:
            if isinstance(node, tree.Block):
                ahead.update(item.label for item in node.statements if isinstance(item, tree.Target))
            stack += _parts(node)
    return False


def _parts(node: tree.Node) -> Iterator[tree.Node]:
    return reversed([*tree.children(node)])
