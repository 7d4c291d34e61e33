"""What the functions that code calls do to memory, as far as their parameters lead there.

A function is looked at once, whoever calls it. Where pointers go inside of it is asked without regard to the order of
its statements: a local variable may hold every pointer that is stored in it anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..base.exhaustive import assert_never
from ..base.records import dataclass
from . import nodes as tree
from .flow import effects_of
from .symbols import Function, Storage, Variable
from .types import Pointer, holds_pointers
from .values import base_of

Reached = int | None  # the memory that a parameter leads to, by its number; None is all other memory


class UnknownError(Exception):
    """Nobody knows all that a call does. The message says why, and ``node`` is the call or a part of it."""

    def __init__(self, why: str, node: tree.Node | None = None) -> None:
        super().__init__(why)
        self.node = node


@dataclass(frozen=True)
class Reach:
    """What a function does to memory besides its own variables.

    It reads and writes what parameters lead to. ``stores`` are pairs: a pointer to the second memory is stored in the
    first. The result may be, or hold, a pointer to ``result``. If it is ``ordered``, it makes accesses that are
    volatile or atomic.
    """

    reads: frozenset[Reached] = frozenset()
    writes: frozenset[Reached] = frozenset()
    stores: frozenset[tuple[Reached, Reached]] = frozenset()
    result: frozenset[Reached] = frozenset()
    ordered: bool = False

    def keeps(self, number: int) -> bool:
        """Whether a pointer to what a parameter leads to may be in memory when the function is left."""
        return any(source == number for _, source in self.stores)


_NOTHING = Reach()
_Given = list[set[Reached | Variable]]  # where each argument leads


class Calls:
    """The functions of a unit. ``body`` is what the unit has of one, and ``computes`` says whether a function of the
    library does nothing but compute its result."""

    def __init__(self, body: Callable[[Function], tree.Body | None], computes: Callable[[Function], bool]) -> None:
        self.body, self.computes = body, computes
        self._known: dict[Function, Reach | UnknownError] = {}
        self._around: list[Function] = []

    def of(self, call: tree.Call) -> Reach:
        """Raises UnknownError."""
        if not isinstance(call.callee, tree.FunctionAddress) or call.virtual:
            raise UnknownError("a call by address", call)
        return self.of_function(call.callee.function, call)

    def of_function(self, function: Function, call: tree.Node | None = None) -> Reach:
        if function in self._around:
            raise UnknownError(f"'{function.name}' calls itself", call)
        if function not in self._known:
            self._around.append(function)
            try:
                self._known[function] = self._look(function)
            except UnknownError as problem:
                self._known[function] = UnknownError(str(problem), problem.node)
            finally:
                self._around.pop()
        found = self._known[function]
        if isinstance(found, UnknownError):
            raise UnknownError(f"'{function.name}' may have side effects: {found}", call)
        return found

    def only_computes(self, function: Function) -> bool:
        """Whether a function does nothing but compute a value, from what its arguments are and lead to."""
        if not function.defined:
            return self.computes(function)
        try:
            reach = self.of_function(function)
        except UnknownError:
            return False
        return not (reach.writes or reach.stores or reach.ordered or None in reach.reads)

    def _look(self, function: Function) -> Reach:
        body = self.body(function) if function.defined else None
        if body is None:
            if self.computes(function):
                return _NOTHING
            raise UnknownError("it is not in this unit")
        return _Inside(self, body).reach()

    def functions(self, node: tree.Node) -> tuple[dict[Function, None], bool]:
        """(the functions that a part of the tree may call, and those that they call; whether these are all)"""
        found: dict[Function, None] = {}
        queue, whole = [node], True
        while queue:
            for part in tree.walk(queue.pop()):
                by_address = isinstance(part, tree.Call) and not isinstance(part.callee, tree.FunctionAddress)
                if isinstance(part, tree.Opaque) or by_address or getattr(part, "virtual", False):
                    whole = False
                elif isinstance(part, tree.FunctionAddress) and part.function not in found:
                    found[part.function] = None
                    body = self.body(part.function) if part.function.defined else None
                    queue += [body.statement] if body is not None else []
        return found, whole


def followed_and_lent(parts: Sequence[tree.Node], calls: Calls) -> tuple[set[tree.Expression], set[tree.Expression]]:
    """(the addresses that only an access follows, those of which only calls get to know that neither keep them nor
    return them otherwise than for an access)"""
    followed = {base_of(part.pointer) for part in parts if isinstance(part, tree.Pointee)}
    lent: set[tree.Expression] = set()
    for call in parts:
        if isinstance(call, tree.Call):
            try:
                effect = calls.of(call)
            except UnknownError:
                continue
            kept = {source for _, source in effect.stores} | (set() if call in followed else effect.result)
            given = enumerate(call.arguments, int(call.constructs))
            lent.update(base_of(argument) for number, argument in given if number not in kept)
    return followed, lent


class _Inside:
    """Where the pointers in a function lead. An int is what a parameter leads to, a variable its own storage."""

    def __init__(self, calls: Calls, body: tree.Body) -> None:
        self.calls, self.body = calls, body
        self._held: dict[Variable, set[Reached | Variable]] = {p: {n} for n, p in enumerate(body.parameters)}
        self._stores: set[tuple[Reached, Reached]] = set()
        self._changed = True

    def reach(self) -> Reach:
        found = effects_of(self.body.statement)
        if found.opaque:
            raise UnknownError(found.opaque[0].why, found.opaque[0])
        if found.constructs:
            raise UnknownError("it has constructs of its own", found.constructs[0])
        parts = list(tree.walk(self.body.statement))
        while self._changed:
            self._changed = False
            for part in parts:
                self._follow(part)
        reads: set[Reached] = set()
        writes: set[Reached] = set()
        ordered = False
        for access in found.accesses:
            lead = self._outside(self.storage(access.place))
            reads |= lead if access.reads else set()
            writes |= lead if access.writes else set()
            ordered |= access.ordered
        objects = {part.initialiser: part.variable for part in parts if isinstance(part, tree.Declare | tree.Temporary)}
        for call in found.calls:
            effect, given = self._of(call, objects)
            for number in effect.reads:
                reads |= self._given(given, number)
            for number in effect.writes:
                writes |= self._given(given, number)
            ordered |= effect.ordered
        result: set[Reached] = set()
        for part in parts:
            if isinstance(part, tree.Return) and part.value is not None and holds_pointers(part.value.type):
                result |= self._outside(self.leads(part.value))
        return Reach(frozenset(reads), frozenset(writes), frozenset(self._stores), frozenset(result), ordered)

    def _of(
        self, call: tree.Call, objects: dict[tree.Expression | None, Variable]
    ) -> tuple[Reach, _Given]:
        """(what a call does, where each of its arguments leads)"""
        effect = self.calls.of(call)
        given = [self.leads(argument) for argument in call.arguments]
        if call.constructs:
            variable = objects.get(call)
            given.insert(0, {variable} if variable is not None else {None})
        return effect, given

    def _given(self, given: Sequence[set[Reached | Variable]], number: Reached) -> set[Reached]:
        if number is None or number >= len(given):
            return {None}
        return self._outside(given[number])

    @staticmethod
    def _outside(found: Iterable[Reached | Variable]) -> set[Reached]:
        return {one for one in found if not isinstance(one, Variable)}

    def _follow(self, part: tree.Node) -> None:
        """Note the pointers that a node stores."""
        match part:
            case tree.Declare(initialiser=tree.Call(constructs=True) as call, variable=variable):
                self._called(call, {call: variable})
            case tree.Temporary(initialiser=tree.Call(constructs=True) as call, variable=variable):
                self._called(call, {call: variable})
            case tree.Declare() | tree.Temporary():
                if part.initialiser is not None and holds_pointers(part.variable.type):
                    self._hold({part.variable}, self.leads(part.initialiser))
            case tree.Store() if holds_pointers(part.value.type):
                self._hold(self.storage(part.place), self.leads(part.value))
            case tree.Convert(value=value) if isinstance(value.type, Pointer) and not isinstance(part.type, Pointer):
                if getattr(part.type, "boolean", False) or part.type.size is None:
                    return
                raise UnknownError("a pointer is made an integer", part)
            case tree.Call(constructs=False):
                self._called(part, {})

    def _called(self, call: tree.Call, objects: dict[tree.Expression | None, Variable]) -> None:
        effect, given = self._of(call, objects)
        for target, source in effect.stores:
            to = given[target] if target is not None and target < len(given) else {None}
            self._hold(to, given[source] if source is not None and source < len(given) else {None})

    def _hold(self, targets: Iterable[Reached | Variable], sources: Iterable[Reached | Variable]) -> None:
        for target in targets:
            for source in sources:
                if isinstance(target, Variable):
                    held = self._held.setdefault(target, set())
                    if source not in held:
                        held.add(source)
                        self._changed = True
                elif isinstance(source, Variable):
                    raise UnknownError(f"the address of '{source.name}' goes to memory")
                elif (target, source) not in self._stores:
                    self._stores.add((target, source))
                    self._changed = True

    def storage(self, place: tree.Place) -> set[Reached | Variable]:
        """The storage that a place is in."""
        match place:
            case tree.Named(variable=variable) | tree.Temporary(variable=variable):
                own = variable.storage in (Storage.LOCAL, Storage.PARAMETER)
                return {variable} if own or variable.storage is Storage.CONSTANT else {None}
            case tree.Part():
                return self.storage(place.whole)
            case tree.Pointee():
                return self.leads(place.pointer)
            case tree.Opaque():
                raise UnknownError(place.why, place)
            case _:
                return assert_never(place)

    def leads(self, value: tree.Expression) -> set[Reached | Variable]:
        """Where a pointer, or the pointers in a value, may lead."""
        match value:
            case tree.AddressOf(place=place) | tree.Decay(array=place):
                return self.storage(place)
            case tree.Load():
                found: set[Reached | Variable] = set()
                if holds_pointers(value.type):
                    for one in self.storage(value.place):
                        found |= self._held.get(one, set()) if isinstance(one, Variable) else {None}
                return found
            case tree.Offset():
                return self.leads(value.pointer)
            case tree.Convert():
                return self._converted(value)
            case tree.Conditional():
                return self.leads(value.then) | self.leads(value.otherwise)
            case tree.Sequence():
                return self.leads(value.parts[-1])
            case tree.Store() | tree.Ending():
                return self.leads(value.value)
            case tree.Update():
                return self.leads(tree.Load(value.place.type, value.place))
            case tree.Aggregate():
                return {one for _, part in value.parts for one in self.leads(part)}
            case tree.Call():
                if not holds_pointers(value.type):
                    return set()
                effect, given = self._of(value, {})
                made = {source for target, source in effect.stores if target == 0} if value.constructs else set()
                return {
                    one
                    for n in effect.result | made
                    for one in (given[n] if n is not None and n < len(given) else {None})
                }
            case tree.StatementValue():
                return self.leads(value.value) if value.value is not None else set()
            case tree.Constant() | tree.FunctionAddress():
                return set()
            case tree.Unary() | tree.Binary() | tree.Distance() | tree.ShortCircuit():
                return set()
            case tree.Opaque():
                raise UnknownError(value.why, value)
            case _:
                return assert_never(value)

    def _converted(self, value: tree.Convert) -> set[Reached | Variable]:
        inner = value.value.type
        if isinstance(value.type, Pointer):
            if not isinstance(inner, Pointer) and not isinstance(value.value, tree.Constant):
                raise UnknownError("a pointer is made from an integer", value)
            if isinstance(inner, Pointer) and holds_pointers(inner.to) and not holds_pointers(value.type.to):
                raise UnknownError("a pointer may be copied as another type", value)
        return self.leads(value.value)
